"""How a list may end, and in what its rows may be wrapped."""

from typing import Any

import pytest

from roomctl.contract.paging import ENDS, REFUSALS, SAID, cut_short, wrapper_of


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


@pytest.mark.parametrize(
    ("resource", "said", "why"),
    [
        ("Recording", {"participantCount": 2, "participantsTruncated": False, "moreParticipants": 0}, ""),
        ("Recording", {"participantCount": 50}, "it has 2 of 50 participants"),
        ("Recording", {"numberOfParticipants": 50}, "it has 2 of 50 participants"),
        ("Recording", {"totalParticipants": "50"}, "it has 2 of 50 participants"),
        ("Recording", {"participantsTruncated": True}, "its `participantsTruncated` says that there is more"),
        ("Recording", {"hasMoreParticipants": True}, "its `hasMoreParticipants` says that there is more"),
        ("Recording", {"moreParticipants": 45}, "its `moreParticipants` says that there is more"),
        ("Recording", {"participantsNext": "/x?page=1"}, "its `participantsNext` says that there is more"),
        ("EntryConfig", {"rulesTruncated": True}, "its `rulesTruncated` says that there is more"),
        ("EntryConfig", {"totalRules": 9}, "it has 2 of 9 rules"),
        ("User", {"partial": True, "totalRules": 9}, "its `partial` says that it is not whole, or old"),
        ("User", {"truncated": True}, "its `truncated` says that there is more"),
        ("User", {"partial": False, "truncated": None, "next": "x"}, ""),
    ],
)
def test_a_record_says_of_itself_and_of_the_list_that_it_holds_that_it_is_not_all(
    resource: str, said: dict[str, Any], why: str
) -> None:
    record = {"participants": [{}, {}], "rules": [{}, {}], **said}
    assert cut_short(record, resource) == why
