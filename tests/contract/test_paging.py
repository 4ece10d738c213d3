"""How a list may end, and in what its rows may be wrapped."""

from typing import Any

import pytest

from roomctl.contract.paging import ENDS, REFUSALS, SAID, cut_short, wrapper_of
from tests.conftest import Cases


def test_each_end_has_its_words() -> None:
    assert list(SAID) == list(ENDS)
    assert set(REFUSALS) < set(ENDS)


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ({"content": [], "sort": [1]}, "content"),
        ({"links": [], "items": [{}]}, "items"),
        ({"roomSets": [{}], "total": 3}, "roomSets"),
        ({"a": [], "b": []}, ""),
        ({"content": None}, "content"),
        ({"roomSets": None, "data": {"rows": []}}, ""),
        ({"\x1b[2J": [{}]}, ""),
        ({"x" * 65: [{}]}, ""),
        ({}, ""),
    ],
)
def test_the_member_that_holds_the_rows_is_named_where_there_is_no_doubt(value: dict[str, Any], name: str) -> None:
    assert wrapper_of(value) == name


def test_a_record_says_of_itself_and_of_the_list_that_it_holds_that_it_is_not_all(cases: Cases) -> None:
    def says(resource: str, said: dict[str, Any]) -> str:
        return cut_short({"participants": [{}, {}], "rules": [{}, {}], **said}, resource) or "it is whole"

    cases("cut-short.txt", says)
