"""What the judge takes for a mistake, and what not."""

from typing import Any
from xml.etree import ElementTree

from roomctl.contract.operations import BY_NAME
from roomctl.sandbox.judge import RULES, judge, junit
from roomctl.sandbox.judge import cases as cases_of
from tests.conftest import Cases


def entry(number: int, name: str, at: float, **more: Any) -> dict[str, Any]:
    """A request of the log that returned 200."""
    operation = BY_NAME[name]
    base = {"number": number, "operation": name, "method": operation.method, "path": operation.path, "query": []}
    base |= {"body": "", "status": 200, "fault": "", "committed": operation.writes or None, "answer": "whole"}
    return {**base, "retryAfter": None, "empty": None, "answerBody": f"{number}", "at": at, "answered": at, **more}


def test_r40_what_is_a_mistake_and_what_is_none(cases: Cases) -> None:
    """What was certainly not applied may be sent again; a room is ended once more after two looks that are apart."""

    def says(*requests: Any) -> str:
        usual = requests[-1]["usual"] if isinstance(requests[-1], dict) else None
        log = []
        for number, (name, at, *rest) in enumerate(each for each in requests if isinstance(each, list)):
            more: dict[str, Any] = dict(*rest)
            more |= {"status": None, "answer": "none"} if more.pop("lost", False) else {}
            more |= {"query": [["page", str(more.pop("page"))], ["size", "100"]]} if "page" in more else {}
            log.append(entry(number + 1, name, at, **more))
        found = [f"{each.rule} by request {each.request}" for each in judge(log, usual=usual)]
        return ", ".join(found) or "no mistake"

    cases("judged.txt", says)


def test_junit_has_a_test_for_each_rule() -> None:
    mistakes = judge([entry(1, "playlist.create", 0, status=None, answer="none"), entry(2, "playlist.create", 9)])
    tree = ElementTree.fromstring(junit(cases_of(mistakes), "judged"))
    assert (tree.get("tests"), tree.get("failures")) == (str(len(RULES)), "1")
    told = "request 2 (playlist.create): already sent as request 1, whose outcome was unknown"
    assert [(failure.get("message"), failure.text) for failure in tree.iter("failure")] == [(told, told)]
    assert ElementTree.fromstring(junit({"n\x1bight": ["\x1b[2J"], "other": []}, "judged")).get("failures") == "1"
