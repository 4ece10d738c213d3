"""What is sent how often: 18 operations, each phase of a failure (R40, "Repeating a request")."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from roomctl.contract.operations import OPERATIONS, SOCIAL_END, Operation
from roomctl.errors import NotAllowed, NotFound, OutcomeUnknown, Refused, RoomctlError, Temporary
from roomctl.service.policy import CLOCK, Quota
from tests.servers import A, B
from tests.service.servers import Book, Server, Waits, client, hang_up, refused_port, reply

Serve = Callable[..., Server]
PATHS = {"socialId": A, "userId": A}
QUERY = [("socialRoomSetId", A), ("roomSetName", "x"), ("configurationId", B), ("socialEventId", A)]
THROTTLED, AWAY = {"read": 5, "patch": 4, "create": 3, "end": 3}, {"read": 5, "patch": 4, "create": 1, "end": 1}
EVERY = pytest.mark.parametrize("operation", OPERATIONS, ids=[operation.name for operation in OPERATIONS])


def asked(operation: Operation) -> dict[str, Any]:
    names = {param.name for param in operation.params}
    body: Any = None if operation.body is None else [] if operation.body.endswith("[]") else {}
    path = {param.name: PATHS[param.name] for param in operation.path_params}
    return {"path": path, "query": [pair for pair in QUERY if pair[0] in names], "body": body}


def good(operation: Operation) -> Any:
    made = {operation.identity: B} if operation.repeat in ("create", "patch") else {}
    return [] if operation.many else {"socialId": A, "userId": A, "configurationId": B, "isOpen": False, **made}


def failing(operation: Operation, url: str, **more: Any) -> RoomctlError:
    with client(url, **more) as service, pytest.raises(RoomctlError) as caught:
        service.send(operation, **asked(operation))
    return caught.value


@EVERY
def test_a_request_that_succeeds_is_sent_once(operation: Operation, serve: Serve) -> None:
    server = serve(reply(good(operation)))
    book = Book()
    with client(server.url, recorder=book) as service:
        done = service.send(operation, **asked(operation))
    assert (done.value, done.status, done.attempts) == (good(operation), 200, 1)
    assert len(server.requests) == 1
    written = [("planned", operation.name), ("sent", "entry"), ("settled", "entry", "confirmed", "HTTP 200")]
    assert book.lines == (written if operation.writes else [])


@EVERY
def test_p0_what_was_not_sent_is_tried_four_or_five_times(operation: Operation) -> None:
    book = Book()
    error = failing(operation, f"http://127.0.0.1:{refused_port()}", recorder=book)
    assert (type(error), error.outcome) == (Temporary, "not_sent")
    assert error.details == {"phase": "P0", "attempts": 4 if operation.writes else 5}
    unsent = [("planned", operation.name), ("settled", "entry", "not_sent", "connection refused")]
    assert book.lines == (unsent if operation.writes else [])


@EVERY
def test_p1_what_was_throttled_or_is_away_is_sent_again_as_its_class_allows(operation: Operation, serve: Serve) -> None:
    """429 is a no to all; 503 with Retry-After is one to reads and updates only."""
    slow_down, away = reply({"message": "slow down"}, 429), reply(b"", 503, headers=["Retry-After: 1"])
    for script, wanted in ((slow_down, THROTTLED[operation.repeat]), (away, AWAY[operation.repeat])):
        server = serve(script)
        error = failing(operation, server.url)
        assert (len(server.requests), error.details["attempts"]) == (wanted, wanted)
        assert type(error) is (Temporary if wanted > 1 else OutcomeUnknown)
        assert error.outcome == ("unknown" if wanted == 1 else "refused" if operation.writes else "not_sent")
        assert (error.http, error.service) == ((429, '{"message":"slow down"}') if script is slow_down else (503, ""))


@EVERY
def test_r40_p2_what_may_have_been_applied_is_repeated_for_reads_only(operation: Operation, serve: Serve) -> None:
    for lost in (hang_up(), *(reply(b"", status) for status in (408, 500, 502, 503, 504, 507))):
        server = serve(lost)
        book = Book()
        error = failing(operation, server.url, recorder=book)
        if operation.writes:
            assert (type(error), error.exit, error.outcome, len(server.requests)) == (OutcomeUnknown, 7, "unknown", 1)
            assert error.details == {"phase": "P2", "attempts": 1, "sent_at": "2023-11-14T22:13:20Z"}
            assert error.journal == "entry"
            assert [line[0] for line in book.lines] == ["planned", "sent", "settled"]
            assert book.lines[-1][2] == "unknown"
        else:
            assert (type(error), error.exit, len(server.requests)) == (Temporary, 5, 5)
            assert error.details == {"phase": "P2", "attempts": 5}


REFUSALS = {400: Refused, 401: NotAllowed, 403: NotAllowed, 404: NotFound, 409: Refused, 422: Refused, 501: Refused}


@EVERY
def test_p3_a_refusal_is_final(operation: Operation, serve: Serve) -> None:
    for status, kind in REFUSALS.items():
        server = serve(reply({"message": "no"}, status))
        book = Book()
        error = failing(operation, server.url, recorder=book)
        assert (type(error), error.http, error.service) == (kind, status, '{"message":"no"}')
        assert len(server.requests) == 1
        if operation.writes:
            assert error.outcome == "refused"
            assert book.lines[-1] == ("settled", "entry", "refused", f"HTTP {status}")


@EVERY
def test_an_empty_answer_of_which_no_end_was_announced_is_cut_short_r11(operation: Operation, serve: Serve) -> None:
    server = serve(hang_up(b"HTTP/1.1 200 X\r\nConnection: close\r\n\r\n"))
    assert failing(operation, server.url).code == ("unknown" if operation.writes else "temporary")
    if operation.reply is None:
        with client(serve(hang_up(b"HTTP/1.0 200 X\r\nContent-Length: 0\r\n\r\n")).url) as service:
            assert service.send(operation, **asked(operation)).status == 200


@EVERY
def test_a_success_that_cannot_be_understood_is_final(operation: Operation, serve: Serve) -> None:
    """R17: HTML with 200, an empty 200, another type, cut JSON, a record without its id."""
    for body in (b"", b"<html>ok</html>", b"null", b'"x"', b'{"a":1}', b"[", b"[[]"):
        server = serve(reply(body))
        if operation.reply is None and body in (b"", b"null"):
            with client(server.url) as service:
                assert service.send(operation, **asked(operation)).status == 200
        else:
            error = failing(operation, server.url)
            assert error.code == ("unknown" if operation.writes else "unintelligible")
        assert len(server.requests) == 1


def test_a_failure_that_passes_is_not_seen_but_said(serve: Serve) -> None:
    server = serve(reply(b"", 503), hang_up(), reply([]))
    waits, notes = Waits(), list[str]()
    with client(server.url, clock=waits.clock, note=notes.append) as service:
        assert service.send(OPERATIONS[2], what="list your room sets").attempts == 3
    assert waits.sleeps == [0.5, 1.0]
    assert notes == [
        "could not list your room sets: HTTP 503; attempt 2 of 5 in 0.5 s",
        "could not list your room sets: the connection ended before the reply was complete; attempt 3 of 5 in 1.0 s",
    ]


def test_fewer_repeats_can_be_asked_for_but_not_more(serve: Serve) -> None:
    server = serve(reply(b"", 503))
    assert failing(OPERATIONS[2], server.url, retries=0).details["attempts"] == 1
    assert failing(OPERATIONS[2], server.url, retries=2).details["attempts"] == 3
    assert failing(OPERATIONS[2], server.url, retries=99).details["attempts"] == 5
    assert failing(OPERATIONS[6], server.url, retries=99).details["attempts"] == 1


def test_r18_a_process_that_fails_often_stops_repeating(serve: Serve) -> None:
    server = serve(reply(b"", 500))
    quota = Quota()
    made = [failing(OPERATIONS[2], server.url, quota=quota).details["attempts"] for _ in range(12)]
    assert made == [5] * 8 + [4, 1, 1, 1]
    assert quota.tokens == 500 - 35 * 14
    assert failing(OPERATIONS[2], server.url, quota=quota).hint.endswith("many requests failed")
    assert failing(OPERATIONS[2], serve(reply(b"", 429)).url, quota=quota).details["attempts"] == 3


def test_r53_in_a_hurry_no_wait_lasts_and_no_repeat_follows(serve: Serve) -> None:
    """Nor does a write leave any more, where it was not sent."""
    server = serve(reply(b"", 503, headers=["Retry-After: 60"]))
    notes = list[str]()

    def hurry(note: str) -> None:
        notes.append(note)
        threading.Timer(0.1, service.stopping.set).start()

    with client(server.url, clock=CLOCK, note=hurry) as service:
        with pytest.raises(Temporary):
            service.send(OPERATIONS[2])
        assert (len(notes), len(server.requests)) == (1, 1)
        with pytest.raises(Temporary, match="roomctl was stopped before it was sent") as caught:
            service.send(SOCIAL_END, path={"socialId": A})
    assert (caught.value.outcome, len(server.requests)) == ("not_sent", 1)
