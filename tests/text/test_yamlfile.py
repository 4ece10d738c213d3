"""YAML without YAML's surprises."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.request_body import parse_document
from roomctl.errors import BadInput

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63)
    | st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3),
    max_leaves=8,
)


def test_dates_and_words_stay_text_and_numbers_become_numbers() -> None:
    text = "a: no\nb: 2026-11-21T10:00:00Z\nc: 1.5\nd:\ne: 012\nf: [1, true, x]\ng: 0x10\nh: 1:30\ni: 12E5\nj: 1.5e+3\n"
    assert parse_document(text, "f.yaml") == {
        "a": "no",
        "b": "2026-11-21T10:00:00Z",
        "c": 1.5,
        "d": None,
        "e": "012",
        "f": [1, True, "x"],
        "g": "0x10",
        "h": "1:30",
        "i": "12E5",
        "j": 1500.0,
    }


@given(JSON)
def test_what_pyyaml_writes_of_json_is_read_back(value: Any) -> None:
    assert parse_document(yaml.safe_dump(value, allow_unicode=True), "f.yaml") == value
    assert parse_document(json.dumps(value), "f.json") == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [1, 2", "f.yaml, line 1, column 9: a `,` or a closing bracket is missing"),
        ("a: 1\na: 2\n", "f.yaml, line 2, column 1: the key 'a' appears twice"),
        (
            "\tx: 1",
            "f.yaml, line 1, column 1: indent with spaces, not tabs",
        ),
        ("!!python/object:os.system {}", None),
        ("[" * 20000, None),
    ],
)
def test_what_does_not_parse_is_one_error_that_says_where(text: str, message: str | None) -> None:
    with pytest.raises(BadInput) as raised:
        parse_document(text, "f.yaml")
    if message:
        assert raised.value.message == message
