"""R17, R45: a refusal that says itself that something was done, or is under way, leaves the outcome unknown."""

from typing import Any

import pytest

from roomctl.contract.refusals import done_anyway

JSON = Any

MADE = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
TOLD: list[JSON] = [
    {"message": "1 of 3 failed", "invited": 2, "failed": 1},
    {"error": "partially processed: 2 of 3 invitations were sent before the error"},
    {"errors": [{"index": 1, "message": "unknown"}], "data": [{"socialInviteId": MADE, "error": None}]},
    {"error": {"message": "Request is already being processed"}},
    {"detail": "duplicate request: the first one was accepted"},
    {"error": "upstream request timeout"},
    {"summary": {"successCount": "2", "errorCount": 1}},
    "2 people have been invited",
    *({"message": "no such theme", "socialInviteId": MADE}, {"title": "Internal", "status": 500}, "sent 2 of 3"),
    *({"error": "invited, but the e-mail could not be sent"}, {"error": "copied; theme missing"}, {"stored": 3}),
    *(
        "2 of 3 invitations sent",
        {"code": "PARTIAL_SUCCESS"},
        {"succeeded": ["a@x.org"]},
        {"a@x.org": 201, "b@x.org": 404},
    ),
    *({"error": "limit reached after 2 invitations"}, {"message": "DEADLINE_EXCEEDED"}, "connection reset by peer"),
]
PLAIN: list[JSON] = [
    {"message": "3 of 3 failed", "invited": 0, "failed": 3},
    {"error": "the request could not be processed"},
    {"error": "0 of 3 invitations were sent"},
    {"error": "no invitations were sent"},
    {"error": "duplicate address", "created": False},
    {"error": "the session timed out: log in again", "data": [{"socialInviteId": MADE, "error": "no such person"}]},
    {"error": "maxParticipants must be at most 100", "invited": None, "limit": 100},
    {"timestamp": 1764000000, "status": 400, "error": "Bad Request", "path": "/api/v1/social/invite/x"},
    *({"error": "not sent, because the room is closed"}, {"error": "already invited, so refused"}, {"succeeded": []}),
    *("", None, {"error": "Already invited", "socialInviteId": MADE}),
]


@pytest.mark.parametrize("body", TOLD)
def test_what_was_done_is_heard(body: JSON) -> None:
    assert done_anyway(body, "socialInviteId")


@pytest.mark.parametrize("body", PLAIN)
def test_a_plain_refusal_stays_one(body: JSON) -> None:
    assert done_anyway(body, "socialInviteId") == ""
    assert done_anyway({"message": "exists", "socialInviteId": MADE}, "socialInviteId", {MADE}) == ""
