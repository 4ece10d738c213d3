"""Writes whose answer is lost, through the whole tool: sent once, unknown or confirmed by reading, journaled."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from roomctl.contract.operations import BY_NAME, OPERATIONS
from tests.conftest import Env, Patch, Run, Serving, sandbox_served
from tests.servers import A, B, Lossy, Recorder

Losing = Callable[[str], Lossy]
SET, STAGE = "e4c87ba4-21ac-49f2-b78b-325ed33b2862", "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
WRITES: dict[str, list[str]] = {
    "roomset.create": ["roomset", "create"],
    "roomset.update": ["roomset", "update", SET, "--description", "changed"],
    "roomset.copy": ["roomset", "copy", SET, "--name", "Copied"],
    "social.create": ["social", "create", "--name", "Tent", "--room-set", SET],
    "social.copy": ["social", "copy", STAGE],
    "social.end": ["social", "end", STAGE],
    "invite.send": ["invite", "send", STAGE, "--email", "grace.hopper@example.org"],
    "theme.save": ["theme", "save", "--name", "Dusk"],
    "transcription.process": ["transcription", "process", "--room-set", SET, "--name", "Speech"],
    "rules.save": ["rules", "save", SET, "--name", "Gate"],
    "playlist.create": ["playlist", "create", "--name", "Rain"],
}
CONFIRMED = {"roomset.update", "social.end"}
CANDIDATES = {"roomset.create", "roomset.copy", "social.create", "social.copy", "transcription.process"}


@pytest.fixture
def upstream(seeded: Path, variables: Env) -> Iterator[int]:
    with sandbox_served(seeded, variables):
        yield int(variables["ROOMCTL_BASE_URL"].rpartition(":")[2])


@pytest.fixture
def lossy(upstream: int, serving: Serving) -> Losing:
    """Put a proxy before the sandbox that does the same to every write."""
    return lambda fate: serving(Lossy(upstream, lambda method, *_: "" if method == "GET" else fate))


def writes(requests: list[bytes]) -> int:
    return sum(not request.startswith(b"GET ") for request in requests)


def test_every_writing_operation_is_here() -> None:
    assert list(WRITES) == [operation.name for operation in OPERATIONS if operation.writes]


@pytest.mark.parametrize(
    ("name", "fate"),
    # where the reply is not documented, any 200 confirms
    [(name, fate) for name in WRITES for fate in ("after", "garbage") if BY_NAME[name].reply or fate == "after"],
)
def test_r40_when_an_answer_is_lost_nothing_is_sent_twice(name: str, fate: str, lossy: Losing, roomctl: Run) -> None:
    proxy = lossy(fate)
    done = roomctl(*WRITES[name], "--yes", "--timeout", "5", "-o", "json")
    journal = json.loads(roomctl("journal", "list", "-o", "json").stdout)
    assert writes(proxy.delivered) == 1
    assert [entry["operation"] for entry in journal] == [name]
    if name in CONFIRMED:
        assert (done.status, journal[0]["state"]) == (0, "confirmed"), done.stderr
        assert "a later read shows that it was done" in done.stderr
        return
    assert (done.status, journal[0]["state"]) == (7, "unknown"), done.stderr
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (error["code"], error["outcome"], error["retryable"]) == ("unknown", "unknown", False)
    unseen = dict.fromkeys(("theme.save", "playlist.create"), "journal repeat")
    unseen["invite.send"] = "ask someone who can check"
    assert unseen.get(name, "roomctl journal verify") in error["hint"]  # no operation shows these three
    assert ("verify" in error["hint"]) == (name not in unseen)
    if name in CANDIDATES:
        assert len(error["details"]["candidates"]) == 1


@pytest.mark.parametrize("name", WRITES)
def test_a_request_that_never_arrives_is_unknown(name: str, lossy: Losing, roomctl: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    proxy = lossy("before")
    done = roomctl(*WRITES[name], "--yes", "--timeout", "5")
    journal = roomctl("journal", "list", "-o", "json").json
    assert (writes(proxy.delivered), done.status) == (0, 7), done.stderr
    assert {entry["state"] for entry in journal} == {"unknown"}
    assert writes(proxy.requests) == (2 if name in CONFIRMED else 1)


@pytest.mark.parametrize("name", sorted(CONFIRMED))
def test_r40_what_is_sent_again_has_the_idempotency_key_of_the_first_request(
    name: str, lossy: Callable[[str], Lossy], roomctl: Run, monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    proxy, variables["KEY"] = lossy("before"), variables["ROOMCTL_API_KEY"]
    keyed = ["--base-url", variables["ROOMCTL_BASE_URL"], "--key-env", "KEY", "--idempotency-header", "Once"]
    assert roomctl("profile", "add", "keyed", *keyed).status == 0
    done = roomctl(*WRITES[name], "--yes", "--profile", "keyed", "--error-format", "json")
    keys = [key for request in proxy.requests for key in re.findall(rb"Once: (\S+)\r\n", request)]
    told = json.loads(done.stderr.splitlines()[-1])["error"]["details"]["idempotency_key"]
    assert keys == [told.encode()] * 2


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize(
    ("status", "expected"), [("400", 4), ("403", 3), ("404", 4), ("501", 4), ("302", 7), ("500", 7)]
)
def test_an_answer_that_is_not_200_is_refused_or_unknown_and_sent_once(
    name: str, status: str, expected: int, lossy: Losing, roomctl: Run, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    proxy = lossy(status)
    done = roomctl(*WRITES[name], "--yes", "-o", "json")
    journal = roomctl("journal", "list", "-o", "json").json
    bulk = name == "invite.send" and expected == 4
    assert done.status == (6 if bulk else expected), done.stderr
    assert {entry["state"] for entry in journal} == {"unknown" if expected == 7 else "refused"}
    assert writes(proxy.requests) == (2 if status == "500" and name in CONFIRMED else 1)
    assert proxy.delivered == [request for request in proxy.delivered if request.startswith(b"GET ")]


def test_a_room_that_may_be_left_open_is_never_ended_twice(lossy: Losing, roomctl: Run) -> None:
    proxy = lossy("after")
    until = "2099-01-01T00:00:00Z"
    done = roomctl("social", "end", STAGE, "--leave-open-until", until, "--yes", "--timeout", "5")
    assert (done.status, writes(proxy.delivered), writes(proxy.requests)) == (7, 1, 1), done.stderr


def test_verify_settles_what_reading_can_settle(lossy: Losing, roomctl: Run) -> None:
    proxy = lossy("after")
    lost = ("social", "end", STAGE, "--leave-open-until", "2099-01-01T00:00:00Z", "--yes", "--timeout", "5")
    assert roomctl(*lost).status == 7
    still = roomctl("journal", "verify", "-o", "json")
    assert (still.status, [row["seen"] for row in still.json]) == (7, ["the room is open"])
    proxy.lose = lambda *_: ""
    assert roomctl("social", "end", STAGE, "--yes").status == 0
    before = len(proxy.delivered)
    settled = roomctl("journal", "verify", "-o", "json")
    assert (settled.status, [row["status"] for row in settled.json]) == (0, ["confirmed"])
    assert settled.json[0]["seen"].endswith("closed now, not left open until 2099-01-01 00:00:00 UTC")
    assert writes(proxy.delivered[before:]) == 0
    assert roomctl("journal", "list", "--open", "-o", "json").json == []


def test_a_set_that_is_made_and_not_named_is_partial_and_said(upstream: int, roomctl: Run, serving: Serving) -> None:
    serving(Lossy(upstream, lambda method, *_: "400" if method == "PATCH" else ""))
    done = roomctl("roomset", "create", "--name", "Fair", "-o", "json")
    assert done.status == 6, done.stderr
    assert f"room set {done.json['socialRoomSetId']} was created, but its fields were not applied" in done.stderr


def test_verify_names_rooms_made_since_and_settles_nothing(lossy: Losing, roomctl: Run, monkeypatch: Patch) -> None:
    lossy("after")
    behind = datetime.now(UTC) - datetime.fromisoformat("2026-11-21T07:59:00Z")  # the sandbox's clock stands
    monkeypatch.setattr("roomctl.cli.journal.SKEW", behind)
    lost = roomctl("social", "create", "--name", "Tent", "--room-set", SET)
    assert re.search(r"possibly this one: .*socialId [0-9a-f-]{36}, name Tent, isOpen true", lost.stderr), lost.stderr
    assert re.search(r"sent: \S+Z \(once\)$", lost.stderr, re.MULTILINE)
    looked = roomctl("journal", "verify", "-o", "json")
    [result] = looked.json
    assert (looked.status, result["status"]) == (7, "unknown"), looked.stderr
    new = r"rooms created since then, by anyone: Tent \([0-9a-f-]{36}\)"
    assert re.fullmatch(rf"{new}; see `roomctl roomset tree`", result["seen"]), result["seen"]
    assert roomctl("journal", "list", "--open", "-o", "json").json[0]["state"] == "unknown"


class StillOpen(Recorder):
    """A service that answers that it ended a room, and goes on showing it open."""

    def answer(self, request: bytes) -> bytes:
        room = {"socialId": A, "isOpen": True, "name": "Tent"}
        page = [{"socialRoomSetId": B, "socials": [room]}] if b"page=0" in request else []
        return json.dumps(page if request.startswith(b"GET ") else room).encode()


def test_r42_r46_a_room_seen_open_after_it_was_not_ended(roomctl: Run, serving: Serving, monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    service = serving(StillOpen("social.end"))
    alone = roomctl("social", "end", A, "--yes", "-o", "json")
    assert (alone.status, alone.stdout, writes(service.requests)) == (6, "", 1), alone.stderr
    assert f"the service replied with HTTP 200, but room {A} (Tent) is still open" in alone.stderr
    several = roomctl("social", "end", "--room-set", B, "--yes", "-o", "csv", "--fields", "status")
    assert (several.status, several.stdout) == (6, "status\nfailed\n"), several.stderr
    later = roomctl("social", "end", A, "--leave-open-until", "+15m", "--yes")
    assert (later.status, f"Tent ({A}): accepted, still open" in later.stderr) == (0, True), later.stderr
    assert {each["state"] for each in roomctl("journal", "list", "-o", "json").json} == {"refused", "confirmed"}


def test_a_set_whose_update_is_lost_is_unknown_and_said(upstream: int, roomctl: Run, serving: Serving) -> None:
    serving(Lossy(upstream, lambda method, *_: "before" if method == "PATCH" else ""))
    done = roomctl("roomset", "create", "--name", "Fair", "--retries", "0", "-o", "json")
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, error["outcome"], bool(error["journal"])) == (7, "unknown", True), done.stderr
    assert error["details"]["socialRoomSetId"] == done.json["socialRoomSetId"]
    assert "was created; it is not known whether its fields were applied" in error["message"]


def test_r42_an_answer_that_says_open_of_a_room_that_cannot_be_seen_is_unknown(roomctl: Run, serving: Serving) -> None:
    service = serving(StillOpen("social.end"))
    service.answer = lambda request: (  # type: ignore[method-assign]  # the same service, whose sets are not mine
        b"[]" if request.startswith(b"GET ") else json.dumps({"socialId": A, "isOpen": True}).encode()
    )
    done = roomctl("social", "end", A, "--yes")
    assert (done.status, "so it is not visible" in done.stderr, writes(service.requests)) == (7, True, 1), done.stderr
