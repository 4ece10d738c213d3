"""JSON text: lossless, and nothing in it that does not show."""

import json
import unicodedata
from decimal import Decimal
from typing import Any

from hypothesis import given

from roomctl.text.jsontext import compact, number, pretty
from tests.values import values

VALUES = values()


@given(VALUES)
def test_what_is_written_reads_back_the_same_r25(value: Any) -> None:
    assert json.loads(compact(value)) == value
    assert json.loads(pretty(value)) == value


@given(VALUES)
def test_only_what_shows_is_written_r25(value: Any) -> None:
    for text in (compact(value), pretty(value)):
        categories = {unicodedata.category(each) for each in text if each not in "\n\u200c\u200d"}
        assert categories & {"Cc", "Cs", "Zl", "Zp", "Cf"} == set()
    assert "\n" not in compact(value)


def test_characters_that_show_stay_and_the_others_are_escaped_r25() -> None:
    written = '{"é\\u202e":"👩\u200d👧 \\u001b \\u007f \\udb40\\udc41 \\ud800"}'
    assert compact({"é\u202e": "👩\u200d👧 \x1b \x7f \U000e0041 \ud800"}) == written


def test_an_integer_of_5000_digits_is_exact_r28() -> None:
    digits = "7" * 5000
    value = 7 * (10**5000 - 1) // 9
    assert compact([value, 2**63, -value]) == f"[{digits},9223372036854775808,-{digits}]"
    assert pretty({"n": value}) == f'{{\n  "n": {digits}\n}}'


def test_numbers_of_any_kind_are_written_as_json_has_them() -> None:
    assert [number(each) for each in (1e22, 0.1, 1e999, -1e999, float("nan"), Decimal("1.50"), 10)] == [
        *("1e+22", "0.1", "1e999", "-1e999", '"NaN"', "1.50", "10")
    ]
    assert compact({"a": 1e999, "b": [Decimal("1.50"), True, None, (1,)]}) == '{"a":1e999,"b":[1.50,true,null,[1]]}'
