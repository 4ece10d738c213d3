"""What is refused before a write, what a person is shown, and how often."""

import json
from collections.abc import Callable

import pytest

from tests.conftest import Run
from tests.servers import A, B, Recorder

STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"


class Denying(Recorder):
    """A service that answers every write with the same record, does nothing, and shows one room with one person."""

    def __init__(self, denial: bytes) -> None:
        self.denial = denial
        super().__init__("social.end")

    def answer(self, request: bytes) -> bytes:
        if not request.startswith(b"GET "):
            return self.denial
        room = {"socialId": A, "isOpen": True, "name": "Tent", "socialMeta": {"numberCurrentlyPresent": -3}}
        sets = [{"socialRoomSetId": B, "name": "Fair", "socials": [room]}]
        return json.dumps(sets if b"page=0" in request else []).encode()


@pytest.fixture
def denying(serving: Callable[[Denying], Denying], monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], Denying]:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    return lambda denial: serving(Denying(denial))


@pytest.mark.parametrize(
    "command",
    [
        "social create --name x",
        f"social copy {A}",
        f"roomset copy {B} --name x",
        "roomset create --name x",
        "playlist create --name x",
        "theme save --name x",
        "transcription process --name x",
        f"roomset update {B} --name x --yes",
        f"rules save {B} --name x --entry-option DEFAULT --yes",
    ],
)
@pytest.mark.parametrize("denial", [b'{"error":"denied"}', b"<html>login</html>", b"[]"])
def test_r42_an_answer_that_denies_or_means_nothing_confirms_nothing(
    command: str, denial: bytes, denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    service = denying(denial)
    done = roomctl(*command.split(), "-o", "ids")
    assert (done.status, done.stdout) == (7, ""), done.stderr
    lost = "update" in command and denial == b"<html>login</html>"  # who has answered is not asked again
    assert service.writes == (2 if lost else 1)
    assert {each["state"] for each in roomctl("journal", "list", "-o", "json").json} == {"unknown"}


def test_what_is_read_back_and_does_not_show_the_change_is_unknown_and_not_said_to_be_done(
    denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    denying(b"")
    done = roomctl("roomset", "update", B, "--name", "x", "--yes", "--show", "-o", "json")
    assert (done.status, done.json["name"]) == (7, "Fair"), done.stderr
    assert "reading back does not show: name" in done.stderr
    assert "updated" not in done.stderr


@pytest.mark.parametrize(
    ("more", "sent", "told"),
    [(("--retries", "0"), 1, "and the request was not resent"), ((), 2, "although the request was sent twice")],
)
def test_no_repeats_means_that_nothing_is_sent_twice(
    more: tuple[str, ...], sent: int, told: str, denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    service = denying(b"<html>")
    done = roomctl("roomset", "update", B, "--name", "x", "--yes", *more)
    assert (done.status, service.writes, done.stderr.count("has not changed, ")) == (7, sent, 1), done.stderr
    assert f"the room set has not changed, {told}" in done.stderr


@pytest.mark.parametrize(
    ("command", "status", "sent", "told"),
    [
        (f"api social.end -f socialId={A} -F leaveOpenUntil=null", 2, 0, "a parameter cannot be null"),
        (f"api PATCH /social/room/set -f socialRoomSetId={B} -f name=x", 7, 1, "does not show the new values"),
    ],
)
def test_api_sends_no_null_as_text_and_knows_no_old_values(
    command: str, status: int, sent: int, told: str, denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    service = denying(b"[]")
    done = roomctl(*command.split(), "--yes")
    assert (done.status, service.writes, told in done.stderr) == (status, sent, True), done.stderr


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--curl",)])
def test_guards_hold_a_dry_run_too_and_a_number_that_cannot_be_is_not_shown(
    more: tuple[str, ...], denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    service = denying(b"")
    done = roomctl("social", "end", A, "--yes", "--only-if-empty", *more)
    assert (done.status, "people present not shown" in done.stderr, service.writes) == (8, True, 0), done.stderr


def test_a_defect_after_a_write_does_not_say_that_nothing_was_sent(
    sandbox: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("roomctl.cli.printing._print", broken)
    done = sandbox("social", "end", "Main Stage", "--yes", "--error-format", "json")
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, error["code"], error["outcome"]) == (1, "unexpected", "applied")
