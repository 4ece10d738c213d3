"""How a list may end, and in what its rows may be wrapped."""

from typing import Any

from roomctl.contract.evidence import cut_short
from roomctl.contract.paging import ENDS, REFUSALS, SAID, wrappers_of
from tests.conftest import Cases


def test_each_end_has_its_words() -> None:
    assert list(SAID) == list(ENDS)
    assert set(REFUSALS) < set(ENDS)


def test_the_member_that_holds_the_rows_is_named_where_there_is_no_doubt(cases: Cases) -> None:
    cases("wrapped.txt", lambda value: ", ".join(wrappers_of(value)) or "none")


def test_a_record_says_of_itself_and_of_the_list_that_it_holds_that_it_is_not_all(cases: Cases) -> None:
    def says(resource: str, said: dict[str, Any]) -> str:
        return cut_short({"participants": [{}, {}], "rules": [{}, {}], **said}, resource) or "it is whole"

    cases("cut-short.txt", says)
