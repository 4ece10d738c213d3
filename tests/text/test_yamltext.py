"""YAML text: read back the same by a YAML 1.1 reader, and unmistakable for one of YAML 1.2."""

import json
import unicodedata
from decimal import Decimal
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.request_body import parse_document
from roomctl.errors import BadInput
from roomctl.text.yamltext import yaml_text
from tests.conftest import Cases, error_of
from tests.values import values

STRINGS = st.text(st.characters()) | st.from_regex(r"[-0-9a-zA-Z.:_ ~=<+eExo]{1,12}", fullmatch=True)
VALUES = values(STRINGS)


@given(VALUES)
def test_what_is_written_reads_back_the_same(value: Any) -> None:
    assert yaml.safe_load(yaml_text(value)) == value


@given(VALUES)
def test_only_what_shows_is_written_and_no_line_is_folded(value: Any) -> None:
    text = yaml_text(value)
    categories = {unicodedata.category(each) for each in text if each not in "\n\u200c\u200d"}
    assert categories & {"Cc", "Cs", "Zl", "Zp", "Cf"} == set()
    assert yaml.safe_load(text.replace("\n", "\n\n")) == value


def test_a_string_that_could_be_taken_for_something_else_stands_in_quotes(cases: Cases) -> None:
    def says(text: str) -> str:
        written = yaml_text({"a": text})
        assert (written[:4], written.count("\n"), yaml.safe_load(written)) == ('a: "', 1, {"a": text})
        return written.removesuffix("\n")

    cases("quoted.txt", says)


def test_the_layout_is_blocks() -> None:
    value = {"a": [{"b": 1, "c": {"d": None}}, [], [True, [1.5]]], "e": {}, "f": 1e22, "g": -1e-7, "h": 1e999}
    assert yaml_text(value) == (
        "a:\n  - b: 1\n    c:\n      d: null\n  - []\n  - - true\n    - - 1.5\ne: {}\n"
        "f: 1.0e+22\ng: -1.0e-07\nh: 1.0e+999\n"
    )


def test_a_number_that_kept_its_text_stays_a_number() -> None:
    values = [Decimal("1E5"), Decimal("21e999"), Decimal("1.50"), Decimal("-0.0"), 2**70]
    assert yaml_text(values) == "- 1.0e+5\n- 2.1e+1000\n- 1.50\n- -0.0\n- 1180591620717411303424\n"
    assert yaml.safe_load(yaml_text(values)) == [1e5, float("inf"), 1.5, 0.0, 2**70]
    assert yaml.safe_load(yaml_text(float("nan"))) == "NaN"


TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))
LEAVES = st.none() | st.booleans() | st.integers(-(2**63), 2**63) | TEXTS
NAMES = st.text("abcxyz", min_size=1)
JSON = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3), max_leaves=8
)


def test_dates_and_words_stay_text_and_numbers_become_numbers() -> None:
    text = "[no, 2026-11-21T10:00:00Z, 1.5, ~, 012, [1, true, x], 0x10, 1:30, 12E5, 1.5e+3]"
    read = ["no", "2026-11-21T10:00:00Z", 1.5, None, "012", [1, True, "x"], "0x10", "1:30", "12E5", 1500.0]
    assert parse_document(text, "f.yaml") == read


@given(JSON)
def test_what_pyyaml_writes_of_json_is_read_back(value: Any) -> None:
    assert parse_document(yaml.safe_dump(value, allow_unicode=True), "f.yaml") == value
    assert parse_document(json.dumps(value), "f.json") == value


def test_what_does_not_parse_is_one_error_that_says_where(cases: Cases) -> None:
    cases("not-yaml.txt", lambda text: error_of(BadInput, parse_document, text, "f.yaml").message)
    for odd in ("!!python/object:os.system {}", "[" * 20000):
        error_of(BadInput, parse_document, odd, "f.yaml")
