"""What is refused before a write, what a person is shown, and how often."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.servers import A, B, Recorder

Run = Callable[..., Any]
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
EMPTY = ["social create", "playlist create", "theme save", "transcription process", "rules save {STAGE} --yes"]


@pytest.mark.parametrize("command", EMPTY)
def test_a_write_that_says_nothing_is_refused_and_not_sent(sandbox: Run, command: str) -> None:
    done = sandbox(*command.format(STAGE=STAGE).split())
    assert (done.status, "nothing was sent" in done.stderr) == (2, True), done.stderr
    assert sandbox("journal", "list", "-o", "json").json == []


def test_a_room_does_not_end_before_it_starts(sandbox: Run) -> None:
    done = sandbox("social", "create", "--name", "X", "--starts", "2026-11-22T10:00:00+01:00", "--ends", "+1h")
    assert (done.status, "would end before it starts" in done.stderr) == (2, True), done.stderr
    assert sandbox("journal", "list", "-o", "json").json == []


@pytest.mark.parametrize("where", ["environment", "profile"])
def test_a_form_of_output_that_there_is_not_is_told_before_anything_is_sent(
    sandbox: Run, roomctl: Run, variables: dict[str, str], where: str
) -> None:
    if where == "environment":
        variables["ROOMCTL_OUTPUT"] = "xml"
        done = sandbox("social", "end", "Main Stage", "--yes")
    else:
        roomctl("profile", "add", "p", "--base-url", "http://127.0.0.1:9", "--key-env", "K")
        with Path(variables["ROOMCTL_CONFIG"]).open("a") as config:
            config.write('output = "xml"\n')
        variables["K"] = "a-key-0123456789"
        done = roomctl("social", "end", STAGE, "--yes", "--profile", "p")
    assert (done.status, "is not a form of output: 'xml'" in done.stderr) == (2, True), done.stderr
    variables.pop("ROOMCTL_OUTPUT", None)
    assert roomctl("journal", "list", "-o", "json").json == []


def test_r22_a_question_shows_the_name_with_its_id_and_what_is_sent(sandbox: Run) -> None:
    asked = sandbox("invite", "send", "Main Stage", "--email", "ada@example.org", stdin="n\n", terminal=True).stderr
    assert "room 'Main Stage' " in asked and "ada@example.org" in asked
    asked = sandbox("rules", "save", "Autumn Summit", "--name", "Gate", stdin="n\n", terminal=True).stderr
    assert "room set 'Autumn Summit' e4c87ba4-21ac-49f2-b78b-325ed33b2862:" in asked
    assert '  name: "Doors of Autumn Summit" → "Gate"' in asked
    asked = sandbox("roomset", "update", "Autumn Summit", "--name", "Gate", stdin="n\n", terminal=True).stderr
    assert "room set 'Autumn Summit' e4c87ba4-21ac-49f2-b78b-325ed33b2862 changes:" in asked


@pytest.mark.parametrize(
    ("command", "terminal"),
    [(("social", "end", "Main Stage"), True), (("roomset", "create", "--name", "Tent"), False)],
)
def test_the_profile_is_said_once(sandbox: Run, command: tuple[str, ...], terminal: bool) -> None:
    done = sandbox(*command, stdin="end\n", terminal=terminal)
    assert (done.status, done.stderr.count("profile: sandbox")) == (0, 1), done.stderr


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
def denying(variables: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], Denying]]:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    made: list[Denying] = []

    def make(denial: bytes) -> Denying:
        made.append(Denying(denial))
        variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{made[-1].port}", ROOMCTL_API_KEY="a-key-0123456789")
        return made[-1]

    yield make
    for service in made:
        service.close()


def writes(service: Recorder) -> int:
    return sum(not request.startswith(b"GET ") for request in service.requests)


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
    assert writes(service) == (2 if lost else 1)
    assert {each["state"] for each in roomctl("journal", "list", "-o", "json").json} == {"unknown"}


def test_what_is_read_back_and_does_not_show_the_change_is_unknown(
    denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    denying(b"")
    done = roomctl("roomset", "update", B, "--name", "x", "--yes", "--show", "-o", "json")
    assert (done.status, done.json["name"]) == (7, "Fair"), done.stderr
    assert "read back it does not show: name" in done.stderr


def test_no_repeats_means_that_nothing_is_sent_twice(denying: Callable[[bytes], Denying], roomctl: Run) -> None:
    service = denying(b"<html>")
    done = roomctl("social", "end", A, "--yes", "--retries", "0")
    assert (done.status, writes(service), "it was not sent again" in done.stderr) == (7, 1, True), done.stderr


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--curl",)])
def test_guards_hold_a_dry_run_too_and_a_number_that_cannot_be_is_not_shown(
    more: tuple[str, ...], denying: Callable[[bytes], Denying], roomctl: Run
) -> None:
    service = denying(b"")
    done = roomctl("social", "end", A, "--yes", "--only-if-empty", *more)
    assert (done.status, "people present are not shown" in done.stderr, writes(service)) == (8, True, 0), done.stderr


def test_a_body_that_names_another_record_than_the_command_is_refused(sandbox: Run) -> None:
    done = sandbox("roomset", "update", "Autumn Summit", "--set", f"socialRoomSetId={B}", "--name", "x", "--yes")
    assert (done.status, f"the body names {B}" in done.stderr) == (2, True), done.stderr
    assert sandbox("journal", "list", "-o", "json").json == []


def test_a_protected_profile_asks_once_for_both_writes_and_shows_the_service(
    roomctl: Run, sandbox: Run, variables: dict[str, str]
) -> None:
    variables["K"] = "a-key-0123456789"
    roomctl("profile", "add", "prod", "--base-url", "http://127.0.0.1:9", "--key-env", "K", "--protected")
    asked = roomctl("roomset", "create", "--name", "Fair", "--profile", "prod", stdin="no\n", terminal=True).stderr
    assert 'about to create a room set and then set:\n  name: "Fair"\n' in asked
    assert "service: http://127.0.0.1:9" in asked


def test_several_requests_as_curl_are_a_line_each(sandbox: Run) -> None:
    shown = sandbox("social", "end", STAGE, "Help Desk", "--curl").stdout.splitlines()
    assert [line.split()[0] for line in shown] == ["curl", "curl"]


@pytest.mark.parametrize("command", ["roomset update {} --name X", "invite send {} --user {}", "social end {}"])
def test_what_sending_needs_is_missed_before_the_question(
    roomctl: Run, variables: dict[str, str], command: str
) -> None:
    roomctl("profile", "add", "prod", "--base-url", "http://127.0.0.1:9", "--key-env", "K")
    words = command.format(STAGE, STAGE).split()
    done = roomctl(*words, "--profile", "prod", stdin="end\n", terminal=True)
    assert (done.status, "go on" in done.stderr, "to go on" in done.stderr) == (3, False, False), done.stderr
    shown = roomctl("invite", "send", STAGE, "--user", STAGE, "--dry-run", "--profile", "prod", "-o", "json")
    assert (shown.status, shown.json["method"]) == (0, "POST"), shown.stderr  # what is only shown needs no key


def test_a_call_that_ends_a_room_shows_the_room(sandbox: Run) -> None:
    done = sandbox("api", "social.end", "-f", f"socialId={STAGE}", stdin="no\n", terminal=True)
    assert f"about to call POST /social/end/{STAGE}" in done.stderr
    assert "Main Stage" in done.stderr and "22 people present" in done.stderr


@pytest.mark.parametrize("when", ["9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+12:00"])
def test_a_moment_beyond_all_years_is_refused(sandbox: Run, when: str) -> None:
    assert sandbox("social", "end", "Main Stage", "--leave-open-until", when, "--yes").status == 2


def test_repeating_says_that_it_was_repeated_before(sandbox: Run) -> None:
    sandbox("playlist", "create", "--name", "Rain")
    entry = sandbox("journal", "list", "-o", "ids").stdout.strip()
    Path("body.json").write_text('{"name": "Rain"}')
    again = ("journal", "repeat", entry, "--input", "body.json", "--yes")
    assert "it was sent again already" not in sandbox(*again).stderr
    assert "it was sent again already" in sandbox(*again).stderr


def test_a_defect_after_a_write_does_not_say_that_nothing_was_sent(
    sandbox: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("roomctl.cli.present._put", broken)
    done = sandbox("social", "end", "Main Stage", "--yes", "--error-format", "json")
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, error["code"], error["outcome"]) == (1, "unexpected", "applied")


@pytest.mark.parametrize(
    "command",
    [
        ("roomset", "update", "SET", "--name", "Doors", "--show", "--fault", "status=403,after=3:roomset.list"),
        ("rules", "save", "SET", "--entry-option", "ACCOUNT", "--show", "--fault", "status=404:rules.get"),
        ("rules", "save", "SET", "--entry-option", "ACCOUNT", "--show", "--fault", "status=403:roomset.list"),
    ],
)
def test_a_write_that_cannot_be_read_back_is_done_and_not_refused(sandbox: Run, command: tuple[str, ...]) -> None:
    key = sandbox("roomset", "list", "-o", "ids").stdout.split()[0]
    done = sandbox(*(key if word == "SET" else word for word in command), "--yes", "-o", "json")
    failure = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, failure["code"], failure["outcome"]) == (6, "partial", "applied"), done.stderr
    assert failure["message"].startswith("it was sent and answered, and cannot be read back: ")
    assert sandbox("journal", "list", "-o", "json").json[0]["state"] == "confirmed"
