"""R17, R45: a refusal that says itself that something was done, or is under way, leaves the outcome unknown."""

from typing import Any

from roomctl.contract.evidence import done_anyway
from tests.conftest import Cases

MADE = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"


def test_what_was_done_is_heard_and_a_plain_refusal_stays_one(cases: Cases) -> None:
    cases("refusals.txt", lambda body: done_anyway(body, "socialInviteId") or "a refusal")
    there: Any = {"message": "exists", "socialInviteId": MADE}
    assert done_anyway(there, "socialInviteId", {MADE}) == "" != done_anyway(there, "socialInviteId")
