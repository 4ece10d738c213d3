"""YAML without YAML's surprises."""

import json
from typing import Any

import yaml
from hypothesis import given
from hypothesis import strategies as st

from roomctl.cli.request_body import parse_document
from roomctl.errors import BadInput
from tests.conftest import Cases, error_of

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abcxyz", min_size=1), inner, max_size=3),
    max_leaves=8,
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
