"""What the judge takes for a mistake, and what not."""

from typing import Any
from xml.etree import ElementTree

from roomctl.contract.operations import BY_NAME
from roomctl.sandbox.judge import RULES, cases, judge, junit


def entry(number: int, name: str, at: float, **more: Any) -> dict[str, Any]:
    """A request of the log that returned 200."""
    operation = BY_NAME[name]
    base = {"number": number, "operation": name, "method": operation.method, "path": operation.path, "query": []}
    base |= {"body": "", "status": 200, "fault": "", "committed": operation.writes or None, "answer": "whole"}
    return {**base, "retryAfter": None, "empty": None, "answerBody": f"{number}", "at": at, "answered": at, **more}


def lost(number: int, name: str, at: float, **more: Any) -> dict[str, Any]:
    return entry(number, name, at, status=None, answer="none", **more)


def rules(*log: Any, **more: Any) -> list[tuple[str, int]]:
    return [(each.rule, each.request) for each in judge(log, **more)]


def look(number: int, at: float) -> dict[str, Any]:
    return entry(number, "roomset.list", at, empty=False)


def page(number: int, page: int, rows: int, **more: Any) -> dict[str, Any]:
    query = [["page", str(page)], ["size", "100"]]
    return entry(number, "registration.list", float(number), empty=rows == 0, query=query, **more)


def test_a_write_whose_answer_was_lost_is_not_sent_again() -> None:
    assert rules(lost(1, "playlist.create", 0), entry(2, "playlist.create", 9)) == [("sent-twice", 2)]
    assert rules(entry(1, "social.end", 0, status=500), entry(2, "social.end", 9)) == [("sent-twice", 2)]
    assert rules(lost(1, "playlist.create", 0, body="a"), entry(2, "playlist.create", 9, body="b")) == []


def test_a_write_that_was_done_is_not_sent_again_unless_it_is_meant_so() -> None:
    twice = entry(1, "playlist.create", 0), entry(2, "playlist.create", 9)
    assert rules(*twice) == [("sent-twice", 2)]
    assert rules(*twice, usual={"playlist.create /audio/api/key/playlist [] ": 2}) == []
    assert rules(lost(1, "playlist.create", 0), twice[1], usual={"playlist.create /audio/api/key/playlist [] ": 2}) == [
        ("sent-twice", 2)
    ]


def test_r40_resending_what_was_certainly_not_applied_is_no_mistake() -> None:
    for status in (400, 404, 429, 501):
        assert rules(entry(1, "social.end", 0, status=status, committed=False), entry(2, "social.end", 9)) == []
    waiting = entry(1, "roomset.update", 0, status=503, retryAfter=1, committed=False)
    assert rules(waiting, entry(2, "roomset.update", 9)) == []


def test_r40_a_room_is_ended_once_more_after_two_looks_that_are_apart() -> None:
    first, again = lost(1, "social.end", 0, committed=False), entry(4, "social.end", 9)
    assert rules(first, look(2, 1), look(3, 6), again) == []
    assert rules(first, look(2, 1), look(3, 2), again) == [("sent-twice", 4)]
    assert rules(first, again) == [("sent-twice", 4)]
    assert rules({**first, "committed": True}, look(2, 1), look(3, 6), again) == [("sent-twice", 4)]
    assert rules(first, look(2, 1), look(3, 6), again, {**again, "number": 5, "at": 10}) == [("sent-twice", 5)]
    until = {**first, "query": [["leaveOpenUntil", "2099-01-01T00:00:00Z"]]}
    assert rules(until, look(2, 1), look(3, 6), again) == [("sent-twice", 4)]


def test_r40_a_set_is_updated_once_more_after_one_look() -> None:
    first, again = lost(1, "roomset.update", 0, committed=False), entry(3, "roomset.update", 9)
    assert rules(first, look(2, 1), again) == []
    assert rules(first, {**look(2, 1), "status": 500}, again) == [("sent-twice", 3)]


def test_retry_after_is_a_lower_bound_for_the_same_request() -> None:
    told = entry(1, "registration.list", 0, status=429, retryAfter=2)
    assert rules(told, entry(2, "registration.list", 1.9)) == [("too-soon", 2)]
    assert rules(told, entry(2, "registration.list", 2.0), look(3, 0.1)) == []


def test_a_list_is_not_read_beyond_its_empty_page() -> None:
    assert rules(page(1, 0, 100), page(2, 1, 0), page(3, 2, 0)) == []
    assert rules(page(1, 0, 100), page(2, 1, 0), page(3, 2, 0), page(4, 3, 0)) == [("over-paging", 4)]
    assert rules(page(1, 0, 100), page(2, 1, 0), page(3, 0, 100), page(4, 1, 0)) == []
    ahead = {**page(4, 3, 0), "at": 2.05}
    assert rules(page(1, 0, 100), page(2, 1, 0), ahead) == []


def test_an_empty_page_with_rows_behind_it_is_no_end() -> None:
    hole = [page(1, 0, 100), page(2, 1, 0), page(3, 2, 50)]
    assert rules(*hole, page(4, 3, 0), page(5, 4, 0)) == []
    assert rules(*hole, page(4, 3, 0), page(5, 4, 0), page(6, 5, 0)) == [("over-paging", 6)]
    assert rules(page(1, 0, 100), page(2, 2, 50), page(3, 1, 0), page(4, 3, 0), page(5, 4, 0)) == []


def test_a_list_that_brings_nothing_new_is_left() -> None:
    log = [page(number, number - 1, 100, answerBody="same") for number in range(1, 6)]
    assert rules(*log[:4]) == []
    assert rules(*log) == [("over-paging", 5)]


def test_junit_has_a_test_for_each_rule() -> None:
    mistakes = judge([lost(1, "playlist.create", 0), entry(2, "playlist.create", 9)])
    tree = ElementTree.fromstring(junit(cases(mistakes), "judged"))
    assert (tree.get("tests"), tree.get("failures")) == (str(len(RULES)), "1")
    assert [(failure.get("message"), failure.text) for failure in tree.iter("failure")] == [
        (
            "request 2 (playlist.create): sent before as request 1; its reply was lost",
            "request 2 (playlist.create): sent before as request 1; its reply was lost",
        )
    ]
    assert ElementTree.fromstring(junit({"n\x1bight": ["\x1b[2J"], "other": []}, "judged")).get("failures") == "1"
