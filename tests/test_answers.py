"""R45, R46, R48: 18 operations × what a 200 may say, over a socket and in process; what is not seen is never said."""

import itertools
import json
import re
import shlex
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import BY_NAME, OPERATIONS, Operation
from roomctl.contract.records import NIL
from tests.conftest import Run
from tests.servers import A, B, C, Recorder, answer
from tests.test_wire import COMMANDS, DOT

JSON = Any
Answer = Callable[[str, str], bytes | tuple[int, bytes]]
"""What a service says, by the method and the target of a request: a body, or a status and a body."""
ROOM, SET, NEW, OTHER = (f"{letter * 8}-cdef-4abc-8def-abcdefabcdef" for letter in "abcd")


def lettered(text: str) -> str:
    """Give ids letters, so that they have capitals."""
    return text.replace(A, ROOM).replace(B, SET).replace(C, NEW)


def with_status(said: bytes | tuple[int, bytes]) -> tuple[int, bytes]:
    return said if isinstance(said, tuple) else (200, said)


def listed(rows: JSON, written: JSON = None, path: str = "") -> Answer:
    """Lists whose path holds `path` have one page of rows; what else is read is empty; a write is answered."""

    def says(method: str, target: str) -> bytes:
        found = rows if "page=0" in target and path in target else []
        return json.dumps(found if method == "GET" else written).encode()

    return says


class Said(Recorder):
    def __init__(self, says: Answer) -> None:
        self.says = says
        super().__init__("")

    def reply(self, request: bytes) -> bytes:
        method, target, _ = request.split(b"\r\n", 1)[0].decode().split(" ")
        status, body = with_status(self.says(method, target))
        head = f"HTTP/1.1 {status} So\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"Connection: close\r\n\r\n" + body


class Plugged(httpx.BaseTransport):
    """The same in this process."""

    def __init__(self, says: Answer) -> None:
        self.says = says

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        status, content = with_status(self.says(request.method, request.url.raw_path.decode()))
        return httpx.Response(status, headers={"Content-Length": str(len(content))}, content=content)


@pytest.fixture
def sent() -> list[str]:
    return []


@pytest.fixture(params=["socket", "process"])
def saying(
    request: pytest.FixtureRequest, roomctl: Run, monkeypatch: pytest.MonkeyPatch,
    serving: Callable[[Said], Said], tmp_path: Any, sent: list[str],
) -> Callable[[Answer], Run]:  # fmt: skip
    """Give the tool, before a service that says what it is told to."""
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    (tmp_path / "dot.gif").write_bytes(DOT)
    said: list[Answer] = []

    def says(method: str, target: str) -> bytes | tuple[int, bytes]:
        sent.append(f"{method} {target}")
        return said[-1](method, target)

    served = request.param == "socket"
    if served:
        serving(Said(says))
    else:
        monkeypatch.setattr("roomctl.cli.session.Session._sandbox_transport", lambda _: Plugged(says))
        monkeypatch.setattr("roomctl.cli.session.Session.now", lambda _: datetime.now(UTC))

    def make(says: Answer) -> Run:
        said.append(says)
        return lambda *words: roomctl(*([] if served else ["--sandbox"]), *words)

    return make


def capitals(value: JSON) -> JSON:
    text = json.dumps(value)
    for key in (ROOM, SET, NEW):
        text = text.replace(key, key.upper())
    return json.loads(text)


def told(value: JSON, **more: JSON) -> JSON:
    """Put fields into a record, or into each of a list."""
    return [told(each, **more) for each in value] if isinstance(value, list) else {**(value or {}), **more}


def record_of(operation: Operation) -> JSON:
    """The record that an operation answers, or would."""
    shown: JSON = json.loads(lettered(json.dumps(answer(operation.name))))
    if operation.reply is None:
        return {operation.identity: ROOM if operation.name == "roomset.update" else NEW}
    return shown if shown or not operation.many else [{operation.row_id: ROOM}]


def answers(operation: Operation) -> Iterator[tuple[str, JSON, str]]:
    """What may be said, and what it means: `done`, `empty`, `denied` or nothing that can be believed (`odd`)."""
    record = record_of(operation)
    yield "the record", record, "done"
    yield "in capitals", capitals(record), "done"
    none = told(record, error=None, errors=None, companyName=None)  # what was sent stays
    yield "with nulls", none if operation.body == "Transcription" else told(none, status=None), "done"
    yield "with success", told(record, success=True, errors=[]), "done"
    yield from ((f"a {name}", told(record, **{name: value}), "denied") for name, value in DENIALS)
    for name, value in (("success", None), ("saved", False), ("meta", {"error": "quota"}), ("failureReason", "quota")):
        yield f"{name}: {value}", told(record, **{name: value}), "denied" if operation.writes else "done"
    yield "no success and no record", {"success": False}, "odd"
    yield "a code", {"code": 17, "message": "no"}, "odd"
    yield "another id", told(record, **{operation.identity: OTHER}), "other"
    yield "no id", told(record, **{operation.identity: None}), "other"
    if operation.writes and operation.identity and not operation.many:
        yield "the nil uuid", told(record, **{operation.identity: NIL}), "odd"
    yield from ((repr(value), value, "odd") for value in ODD)
    yield from ((repr(value), value, "empty") for value in EMPTY)


ODD: tuple[JSON, ...] = ("ok", "", 0, 7, False, {})
EMPTY: tuple[JSON, ...] = (None, True, b"", b" \n", [])
DENIALS: tuple[tuple[str, JSON], ...] = (
    ("error", "quota"), ("errors", ["quota"]), ("errors", {"a": 1}), ("success", False), ("success", "false"),
    ("Success", False), ("status", 409),
)  # fmt: skip

FALSE = (False, "false")


def expected(operation: Operation, value: JSON, meaning: str) -> set[int]:
    """Which exit codes are honest."""
    if meaning == "done":
        return {0}
    if operation.many and not operation.writes:  # a field of a row is data, but an error; another id is another row
        said = value if meaning == "denied" else ()
        if any(row.get("error") or row.get("errors") or row.get("success") in FALSE for row in said):
            return {6}
        return {0} if isinstance(value, list) else {4, 6}
    if operation.reply is None and meaning == "empty":
        return {7} if value == [] else {0}
    if operation.name == "invite.send":
        plain = meaning == "denied" and not {"status", "saved", "meta", "failureReason"} & value[0].keys()
        return {6} if plain else {0, 7} if meaning == "other" else {7}
    if meaning == "other" and value[operation.identity] and operation.repeat == "create":
        return {7} if operation.name == "transcription.process" else {0}  # of the others, any id may be the new one
    return {7} if operation.writes else {4}


@pytest.mark.parametrize("name", COMMANDS)
def test_r45_r48_no_answer_is_taken_for_more_than_it_says(name: str, saying: Callable[[Answer], Run]) -> None:
    operation = BY_NAME[name]
    words = [lettered(word) for word in COMMANDS[name] if word not in ("--page", "3")]
    for title, value, meaning in answers(operation):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()

        def says(method: str, target: str, body: bytes = body) -> bytes:
            return b"[]" if method != operation.method or re.search("page=[1-9]", target) else body

        done = saying(says)(*words, "-o", "json")
        assert done.status in expected(operation, value, meaning), (title, done)
        if operation.writes and name != "invite.send":
            assert done.status == 0 or done.stdout == "", (title, done)
        if operation.writes:
            state = {0: "confirmed", 6: "partial", 7: "unknown"}[done.status]
            journal = saying(says)("journal", "list", "-o", "json").json
            found = "partial" if name == "invite.send" and isinstance(value, list) and state == "unknown" else state
            assert journal[0]["state"] == found, (title, done, journal[0])


@pytest.mark.parametrize("name", [each for each in COMMANDS if BY_NAME[each].repeat in ("create", "end")])
@pytest.mark.parametrize("status", [400, 409, 429])
def test_r42_a_refusal_that_shows_what_was_asked_for_as_done_is_none(
    name: str, status: int, saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    record = record_of(BY_NAME[name])
    refused = 6 if name == "invite.send" else 4
    bodies = [
        (record, 7),
        (told(record, error="no"), refused),
        (told(record, **{BY_NAME[name].identity: None}), refused),
    ]
    for body, expected in bodies[: 1 if status == 429 else None]:
        sent.clear()

        def says(method: str, _: str, body: JSON = body) -> bytes | tuple[int, bytes]:
            return b"[]" if method == "GET" else (status, json.dumps(body).encode())

        done = saying(says)(*[lettered(word) for word in COMMANDS[name]], "--yes", "-o", "json")
        assert (done.status, len(posted(sent))) == (expected, 1), (body, done)


@pytest.mark.parametrize(("seen", "expected"), [("closed", (0, "confirmed")), ("open", (6, "refused"))])
def test_r46_a_refusal_with_the_record_of_a_closed_room_is_read_back(
    seen: str, expected: tuple[int, str], saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    shows = listed([room_in(SET, [room(seen)])])
    roomctl = saying(
        lambda method, url: shows(method, url) if method == "GET" else (409, json.dumps(room("closed")).encode())
    )
    done = roomctl("social", "end", ROOM, "--yes")
    state = roomctl("journal", "list", "-o", "json").json[0]["state"]
    assert ((done.status, state), posted(sent)) == (expected, [ROOM]), done


MADE, NO = {"socialInviteId": NEW}, {"error": "no such user"}
SPOKEN: list[tuple[list[JSON], list[str]]] = [
    ([MADE, NO], ["ok", "failed"]),
    ([NO, told(MADE, status="queued")], ["failed", "unknown"]),
    ([NO, {**MADE, **NO}], ["failed", "failed"]),
    ([NO, {}], ["failed", "failed"]),
    ([MADE, {"socialInviteId": OTHER}], ["unknown", "unknown"]),
]


@pytest.mark.parametrize(("rows", "statuses"), SPOKEN)
def test_r42_a_refusal_that_says_of_some_people_what_became_of_them_is_believed(
    rows: list[JSON], statuses: list[str], saying: Callable[[Answer], Run]
) -> None:
    people = [{"invitedUser": {"emailAddress": who}} for who in ("a@x.org", "b@x.org")]
    said = 422, json.dumps([{**who, **row} for who, row in zip(people, rows, strict=True)]).encode()
    words = "invite", "send", ROOM, "--email", "a@x.org", "--email", "b@x.org", "--yes", "-o", "json"
    done = saying(lambda method, _: b"[]" if method == "GET" else said)(*words)
    assert [each["status"] for each in done.json] == statuses, done


REASONS: list[tuple[list[JSON], list[str]]] = [
    ([NO, {}], ["no such user", ""]),
    ([None, {"message": "no such user"}], ["", "no such user"]),
    ([{"error": "left"}, NO], ["left", "no such user"]),
    ([NO, {"error": "left", "emailAddress": "a@x.org"}], ["left", ""]),
    ([NO], ["", ""]),
    ([{"errors": ["X-API-Key: abcdefgh"]}, {}], ['["X-API-Key: <redacted>"]', ""]),
]


@pytest.mark.parametrize(("rows", "reasons"), REASONS)
def test_r42_a_refusal_with_an_entry_for_each_person_says_why_in_the_row_of_each(
    rows: list[JSON], reasons: list[str], saying: Callable[[Answer], Run]
) -> None:
    said = 422, json.dumps(rows).encode()
    words = "invite", "send", ROOM, "--email", "a@x.org", "--email", "b@x.org", "--yes", "-o", "json"
    done = saying(lambda method, _: b"[]" if method == "GET" else said)(*words)
    told = [(each["status"], "" if "HTTP 422" in each["error"] else each["error"]) for each in done.json]
    assert told == [("failed", each) for each in reasons], done


SAYS: dict[str, JSON] = {"closed": False, "closed, as a text": "false", "open": True, "nothing": None}
"""What a room's record says of its state, by what that is called here."""


def room(says: str) -> JSON:
    return {"socialId": ROOM.upper(), "name": "Tent"} | ({} if SAYS[says] is None else {"isOpen": SAYS[says]})


def room_in(key: str, rooms: Any) -> JSON:
    return {"socialRoomSetId": key, "name": f"set {key[0]}", **({} if rooms is ... else {"socials": rooms})}


def posted(sent: list[str]) -> list[str]:
    """What was written, by the end of its path."""
    return [each.partition("?")[0].rpartition("/")[2] for each in sent if not each.startswith("GET ")]


def outcome_of_end(reply: str, seen: str, later: bool) -> tuple[str, int, str]:
    """What an end is, by what reply and list say: its status in bulk, its exit code, its state in the journal."""
    tells = reply not in ("denial", "{}")
    if reply.startswith("closed") or seen == "closed" or (later and "open" in (reply, seen) and tells):
        return "ok", 0, "confirmed"
    return ("failed", 6, "refused") if seen == "open" and not later and reply != "{}" else ("unknown", 7, "unknown")


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("way", ["alone", "bulk", "api", "repeat"])
def test_r46_an_end_is_seen_seen_not_done_or_unknown(
    way: str, later: bool, saying: Callable[[Answer], Run], tmp_path: Path
) -> None:
    (tmp_path / "rooms.csv").write_text(f"socialId\n{ROOM}\n")
    until = ["--leave-open-until", "2099-01-01T00:00:00Z"] if later else []
    words = {
        "alone": ["social", "end", ROOM, *until],
        "bulk": ["social", "end", "--from", "rooms.csv", *until],
        "api": ["api", "POST", f"/social/end/{ROOM}", *(["-f", f"leaveOpenUntil={until[1]}"] if later else [])],
    }
    for reply, seen in itertools.product((*SAYS, "denial", "{}"), ("closed", "open", "nothing", "not my room")):
        sets = [{"socialRoomSetId": SET, "socials": [room(seen)] if seen in SAYS else []}]
        other = {"denial": {**room("nothing"), "success": False}, "{}": {}}
        roomctl = saying(listed(sets, other[reply] if reply in other else room(reply)))
        status, code, state = outcome_of_end(reply, seen, later)
        done = roomctl(*words.get(way, words["alone"]), "--yes", "-o", "json")
        if way == "repeat":
            done = roomctl("journal", "repeat", roomctl("journal", "list", "-o", "ids").stdout.split()[0], "--yes")
        shut = later and status == "ok" and (reply.startswith("closed") or "open" not in (reply, seen))
        unmet = shut and way in ("alone", "bulk")
        assert done.status == code, (reply, seen, done)
        assert ("closed now, not left open until 2099-01-01 00:00:00 UTC" in done.stderr) is unmet, (reply, seen, done)
        if way == "bulk":
            assert [row["status"] for row in done.json] == [status], (reply, seen, done)
        if way in ("alone", "bulk"):
            assert ("`isOpen` as text" in done.stderr) is ("text" in reply), (reply, seen, done)
        assert roomctl("journal", "list", "-o", "json").json[0]["state"] == state, (reply, seen)


@pytest.mark.parametrize(
    ("words", "statuses", "ended"),
    [
        (("Tent",), None, []),
        (("Tent", "--leave-open-until", "2099-01-01T00:00:00Z"), None, []),
        (("Tent", "--dry-run"), None, []),
        (("Tent", OTHER), ["skipped", "ok"], [OTHER]),
        (("--room-set", SET), ["ok", "skipped"], [OTHER]),
        (("--from", "rooms.csv", "--max-present", "5"), ["skipped", "ok"], [OTHER]),
        ((ROOM, "--only-if-empty"), None, []),
        ((ROOM,), None, [ROOM]),  # nothing is read first
    ],
)
def test_a_room_that_was_looked_up_and_is_seen_closed_is_not_ended_again(
    words: tuple[str, ...], statuses: JSON, ended: list[str], saying: Callable[[Answer], Run], sent: list[str],
    tmp_path: Path,
) -> None:  # fmt: skip
    (tmp_path / "rooms.csv").write_text(f"socialId\n{ROOM}\n{OTHER}\n")
    empty = {**room("open"), "socialId": OTHER, "name": "Bar", "socialMeta": {"numberCurrentlyPresent": 0}}
    reply = {"socialId": ended[0] if ended else "", "isOpen": False}
    done = saying(listed([room_in(SET, [room("closed"), empty])], reply))(
        "social", "end", *words, "--yes", "-o", "json"
    )
    assert (done.status, posted(sent)) == (0, ended), done
    assert ([row["status"] for row in done.json] if isinstance(done.json, list) else None) == statuses, done
    assert ("is already closed; nothing was sent" in done.stderr) is (not ended), done


@pytest.mark.parametrize("states", [("open", "nothing"), ("nothing",), ("closed", "nothing")])
def test_r46_rooms_of_a_set_that_do_not_show_their_state_are_not_ended(
    states: tuple[str, ...], saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    rooms = [{**room(state), "socialId": key} for state, key in zip(states, (ROOM, OTHER), strict=False)]
    roomctl = saying(listed([room_in(SET, rooms)]))
    done = roomctl("social", "end", "--room-set", SET, "--yes")
    assert (done.status, posted(sent)) == (8, []), done
    found = roomctl("social", "list", "--open", "-o", "json")
    assert (found.status, len(found.json)) == (6, states.count("open")), found
    assert "1 room may be missing" in found.stderr


def test_r48_a_room_in_two_sets_is_one_room_and_its_id_has_no_case(
    saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    names = ((SET, ROOM), (OTHER, ROOM.upper()))
    sets = [room_in(key, [{**room("open"), "socialId": name}]) for key, name in names]
    roomctl = saying(listed(sets, room("closed")))
    assert len(roomctl("social", "list", "-o", "json").json) == 1
    assert roomctl("social", "get", "Tent", "-o", "json").json["socialId"].lower() == ROOM
    assert roomctl("social", "get", ROOM.upper()).status == 0
    assert roomctl("social", "end", "Tent", ROOM, ROOM.upper(), "--expect-rooms", "2", "--yes").status == 8
    done = roomctl("social", "end", "Tent", ROOM.upper(), "--expect-rooms", "1", "--yes", "-o", "json")
    assert (done.status, [row["status"] for row in done.json]) == (0, ["ok"]), done
    assert posted(sent) == [ROOM]


CREATING = {
    "roomset.create": f"roomset create {ROOM}",
    "roomset.copy": f"roomset copy {ROOM} --name x",
    "social.create": f"social create --name x --room-set {ROOM}",
    "social.copy": f"social copy {ROOM}",
    "playlist.create": f"playlist create --name {ROOM}",
}


def test_every_operation_that_creates_is_here() -> None:
    assert set(CREATING) == {operation.name for operation in OPERATIONS if operation.creates}


@pytest.mark.parametrize("name", CREATING)
def test_r45_nothing_is_created_with_an_id_that_was_sent(name: str, saying: Callable[[Answer], Run]) -> None:
    reply = json.dumps({BY_NAME[name].identity: ROOM.upper()}).encode()
    done = saying(lambda method, _: b"[]" if method == "GET" else reply)(*CREATING[name].split())
    assert (done.status, "that was sent, so not a new record" in done.stderr) == (7, True), done


@pytest.mark.parametrize("name", [operation.name for operation in OPERATIONS if operation.assigns])
def test_a_body_that_creates_and_names_what_it_creates_is_refused(name: str, sandbox: Run, tmp_path: Path) -> None:
    operation = BY_NAME[name]
    body: JSON = {"invitedUserId": OTHER} if name == "invite.send" else {"name": "x"}
    for path in operation.assigns:
        *outer, last = path.split(".")
        inner = {last: OTHER}
        body |= {outer[0]: inner} if outer else inner
    command = [*operation.name.split("."), *(["Main Stage"] if name == "invite.send" else [])]
    (tmp_path / "read.json").write_text(json.dumps([body] if operation.many else body))
    ways = (
        [command]
        if name == "roomset.create"
        else [command, ["api", name, *(["-f", f"socialId={ROOM}"] * operation.many)]]
    )
    for way in ways:
        done = sandbox(*way, "--input", "read.json", "--yes")
        assert (done.status, done.stdout) == (2, ""), done
        assert all(path in done.stderr for path in operation.assigns), done.stderr
    shown = sandbox(*command, "--skeleton").json
    assert not {path.partition(".")[0] for path in operation.assigns} & set(shown[0] if operation.many else shown)


@pytest.mark.parametrize("command", ["roomset list", "social list"])
def test_r48_rows_without_an_id_are_counted_where_ids_are_asked_for(
    command: str, saying: Callable[[Answer], Run]
) -> None:
    sets = [{"socialRoomSetId": key, "socials": [{"socialId": key}]} for key in (SET, None, "")] + [{"socials": [{}]}]
    roomctl = saying(listed(sets))
    done = roomctl(*command.split(), "-o", "ids")
    assert (done.status, done.stdout) == (6, f"{SET}\n"), done
    assert (
        "`-o ids` leaves out 3 rows without an id" in done.stderr
        or "the ids of rooms of 3 room sets are not shown" in done.stderr
    )
    assert roomctl(*command.split(), "-o", "json").status == (6 if command == "social list" else 0)


@pytest.mark.parametrize("rooms", [..., None, {}, "x", [None], [ROOM], [{"socialId": ROOM}, None]], ids=repr)
def test_r46_a_set_that_does_not_show_its_rooms_is_not_a_set_without_rooms(
    rooms: Any, saying: Callable[[Answer], Run]
) -> None:
    main = {"socialId": ROOM, "name": "Main", "isOpen": True}
    sets = [room_in(SET, rooms), room_in(OTHER, [main])]
    run = saying(listed(sets))
    ended = run("social", "end", "--room-set", "set b", "--yes")
    said = "the rooms of 1 room set are not shown", "not all rooms of 1 room set are shown"
    some = rooms == [{"socialId": ROOM}, None]
    assert (ended.status, [each in ended.stderr for each in said]) == (8, [not some, some]), ended.stderr
    assert ("at least 1 room, not all shown" in run("roomset", "tree", SET).stdout) is some
    assert run("social", "list").status == run("social", "list", "--room-set", SET).status == 6
    assert run("social", "end", "Main", "--yes").status == 6, "another may be named so"
    assert run("social", "get", ROOM).status == 0


SETS_IN_DOUBT: dict[str, JSON] = {
    "a set with an error": {**room_in(SET, []), "error": "could not load rooms"},
    "a room with an error": room_in(SET, [{"socialId": ROOM, "isOpen": False, "error": "stale"}]),
    "rooms that are null": room_in(SET, None),
    "no rooms": room_in(SET, ...),
    "rooms with a hole": room_in(SET, [None, {"socialId": ROOM, "isOpen": False}]),
    "a room without success": room_in(SET, [{"socialId": ROOM, "isOpen": False, "success": False}]),
    "a room of another set": room_in(SET, [{"socialId": ROOM, "isOpen": False, "socialRoomSetId": NEW}]),
    "rooms in an object": room_in(SET, {"content": [], "totalElements": 9}),
}


@pytest.mark.parametrize("shown", SETS_IN_DOUBT)
def test_r46_every_view_of_rooms_doubts_the_same_sets(shown: str, saying: Callable[[Answer], Run]) -> None:
    sets = [SETS_IN_DOUBT[shown], room_in(OTHER, [{"socialId": NEW, "isOpen": False}])]
    run = saying(listed(sets))
    views = ("roomset tree", f"roomset tree {SET}", "social list", f"social list --room-set {SET}")
    assert [run(*view.split()).status for view in (*views, "social watch --times 1")] == [6] * 5
    assert run("social", "watch", "--until-closed", "--times", "1").status == 8
    assert run("social", "end", "--room-set", SET, "--yes").status == 8


@pytest.mark.parametrize("group", ["recording", "transcription"])
def test_r45_what_is_complete_with_an_error_was_not_waited_for_with_success(
    group: str, saying: Callable[[Answer], Run]
) -> None:
    record = {f"social{group.title()}Id": ROOM, "status": "COMPLETE", "participants": [], "error": "upload failed"}
    failed = {**record, f"social{group.title()}Id": NEW, "error": None, "success": False}
    rows = [record, failed, {**record, f"social{group.title()}Id": OTHER, "error": "", "success": True}]
    run = saying(listed(rows))
    commands = [(group, "wait"), *([(group, "timeline")] if group == "recording" else [])]
    assert [[run(*words, key).status for key in (ROOM, NEW, OTHER)] for words in commands] == [[6, 6, 0]] * len(
        commands
    )


@pytest.mark.parametrize("guard", [("--only-if-empty",), ("--max-present", "5"), ("--only-past-end",)])
def test_r48_a_guard_looks_at_every_record_of_a_room(guard: tuple[str, ...], saying: Callable[[Answer], Run]) -> None:
    def record(present: int, year: int) -> JSON:
        meta = {"numberCurrentlyPresent": present}
        return {"socialId": ROOM, "isOpen": True, "socialMeta": meta, "endDateTime": f"{year}-01-01T00:00:00Z"}

    sets = [room_in(SET, [record(0, 2020)]), room_in(OTHER, [record(9, 2099)])]
    run = saying(listed(sets))
    assert run("social", "end", ROOM, *guard, "--yes").status == 8
    assert run("social", "end", "--room-set", SET, *guard, "--yes").status == 8


@pytest.mark.parametrize("says", [{}, *({"recurring": each} for each in (None, False, "false", True, "true", "x"))])
def test_r46_a_room_that_recurs_is_not_past_its_end(says: JSON, saying: Callable[[Answer], Run]) -> None:
    record = {**room("closed"), "endDateTime": "2020-01-01T00:00:00Z"}
    sets = [room_in(SET, [{**record, "isOpen": True, **says}]), room_in(OTHER, [{**record, "isOpen": True}])]

    done = saying(listed(sets, record))("social", "end", ROOM, "--only-past-end", "--yes")
    recurs = says.get("recurring") not in (None, False, "false")
    assert (done.status, "it recurs" in done.stderr) == ((8, True) if recurs else (0, False)), done


@pytest.mark.parametrize(
    ("command", "code", "why"),
    [
        (f"social end --room-set {SET} --yes", 8, "nothing was sent"),
        (f"social end {ROOM} --only-if-empty --yes", 8, "nothing was sent"),
        ("social end Main --yes", 6, "nothing was sent, because another room may be named 'Main': "),
        (f"social end {ROOM} --yes", 7, "a second read does not say whether the room is open"),
        ("social list --open", 6, ""),
    ],
)
def test_r48_a_room_that_one_set_shows_open_and_another_closed_is_neither(
    command: str, code: int, why: str, saying: Callable[[Answer], Run]
) -> None:
    rooms = [{"socialId": ROOM, "name": "Main", "isOpen": state} for state in (False, True)]
    sets = [room_in(key, [each]) for key, each in zip((SET, OTHER), rooms, strict=True)]

    done = saying(listed(sets, {}))(*shlex.split(command))
    assert (done.status, why in done.stderr) == (code, True), done
    assert (f"room {ROOM} came twice, with different values" in done.stderr) is (code != 7), done


def test_a_copy_whose_query_names_another_room_is_refused(saying: Callable[[Answer], Run], sent: list[str]) -> None:
    copy = saying(listed([room_in(SET, [])], {}))
    done = copy("social", "copy", ROOM, "--query", f"socialId={OTHER}", "--yes")
    assert (done.status, posted(sent), f"`--query socialId={OTHER}` contradicts" in done.stderr) == (2, [], True), done


@pytest.mark.parametrize("command", [("roomset", "create", "--name", "x"), ("roomset", "copy", OTHER, "--name", "x")])
def test_r45_a_set_that_was_there_before_was_not_created(
    command: tuple[str, ...], saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    there = [room_in(SET, []), room_in(OTHER, [])]
    done = saying(listed(there, there[0]))(*command, "--yes")
    assert (done.status, posted(sent)) == (7, [command[1]]), done.stderr


@pytest.mark.parametrize("shown", ["new", "old"])
def test_r45_a_record_that_shows_another_value_than_was_sent_is_read_back(
    shown: str, saying: Callable[[Answer], Run]
) -> None:
    record = {**room_in(SET, []), "name": shown}
    done = saying(listed([record], record))("roomset", "update", SET, "--name", "new", "--yes")
    assert done.status == (0 if shown == "new" else 7)


ROOM_R, SET_R, SOON = {"socialId": NEW, "name": "R"}, {"socialRoomSetId": NEW, "name": "R"}, "2099-01-01T18:30:"
STOOD = {**room("closed"), "socialRoomSetId": SET, "free": False}


@pytest.mark.parametrize(
    ("command", "reply", "code", "told"),
    [
        (f"social end {ROOM} --yes", room("nothing"), 0, "is closed; a later read shows that it was done"),
        ("social create --name R", {"socialId": NEW, "name": "Z"}, 7, "another name than requested"),
        ("social create --name R", {"socialId": NEW, "name": " r "}, 0, 'from what was sent: name: "R" → " r "'),
        (f"social create --name R --room-set {SET}", {**ROOM_R, "socialRoomSetId": OTHER}, 7, "another social"),
        (f"social create --name R --room-set {SET}", {**ROOM_R, "socialRoomSetId": SET.upper()}, 0, ""),
        (f"social create --name R --starts {SOON}30Z", {**ROOM_R, "startDateTime": f"{SOON}00Z"}, 6, "done, but"),
        (f"social create --name R --theme {OTHER}", {**ROOM_R, "themeId": ROOM}, 6, f'themeId: "{OTHER}" → "{ROOM}"'),
        (f"social copy {ROOM}", {**ROOM_R, "socialRoomSetId": OTHER}, 7, "another socialRoomSetId than requested"),
        (f"social copy {ROOM} --query name=R", {**ROOM_R, "name": "Tent"}, 7, "another name than requested"),
        (f"social copy {ROOM}", {**ROOM_R, "free": True, "socialRoomSetId": SET}, 0, 'name: "Tent" → "R"; free'),
        (f"social copy {ROOM}", {**STOOD, "socialId": NEW}, 0, ""),
        (f"roomset copy {SET} --name R", {"socialRoomSetId": NEW, "name": "Z"}, 7, "another name than requested"),
        (f"roomset copy {SET} --name R", {**SET_R, "socials": [room("open")]}, 7, "rooms that existed before"),
        (f"roomset copy {SET} --name R", {**SET_R, "socials": []}, 0, "from its original: rooms: 1 → 0"),
        (f"roomset copy {SET} --name R", {**SET_R, "socials": [{"socialId": OTHER}]}, 0, ""),
        (f"roomset copy {SET} --name R", SET_R, 0, "from its original: rooms: 1 → not shown"),
        (f"roomset create {ROOM}", {"socialRoomSetId": NEW, "socials": [{"socialId": ROOM.upper()}]}, 0, ""),
        (f"roomset create {ROOM}", {"socialRoomSetId": NEW, "socials": []}, 0, f'rooms: ["{ROOM}"] → []'),
        (f"roomset create {ROOM}", {"socialRoomSetId": NEW}, 0, f'rooms: ["{ROOM}"] → not shown'),
        ("social create --name R", {**ROOM_R, "isValid": False}, 6, "says that it is not valid"),
        ("playlist create --name R --qty 12", {"playlistId": NEW, "name": "R", "qty": 3}, 6, "sent: qty: 12 → 3"),
        ("playlist create --name R", {"playlistId": NEW, "name": "Z"}, 7, "another name than requested"),
        ("theme save --name R", {"socialThemeId": NEW, "socialThemeName": "Z"}, 7, "another socialThemeName than"),
        (f"theme save --theme-id {NEW} --name R --yes", {"socialThemeId": NEW, "socialThemeName": "Z"}, 7, "another"),
        ("social create --name R", {"socialId": NEW, "isOpen": False}, 0, "the new room is closed"),
        ("social create --name R", {**ROOM_R, "deleted": True}, 7, "`deleted` says that it failed"),
        ("social create --name R", {**ROOM_R, "deletedAt": "2026-01-01T00:00:00Z"}, 7, "`deletedAt` says that it"),
        ("social create --name R", {**ROOM_R, "deletedAt": None}, 0, ""),
        ("social create --name R", {**ROOM_R, "status": "QUEUED"}, 7, "`status` says that it is not done yet"),
        ("social create --name R", {**ROOM_R, "message": "no room left"}, 7, "the service says: no room left"),
        ("social create --name R --starts 2099-01-01T18:30Z", {**ROOM_R, "startDateTime": "2099-01-01T18:30"}, 0, "18"),
        *(("social create --name R --starts 2099-01-01T18:30Z -q", {**ROOM_R, "startDateTime": each}, 0, "")
          for each in (4070975400, 4070975400000, [2099, 1, 1, 18, 30], "2099-01-01T19:30+01:00[Europe/Berlin]")),
        *(("social create --name R --starts 2099-01-01T18:30Z", {**ROOM_R, "startDateTime": each}, 6, "done, but")
          for each in (4070975401, [2099, 1, 2, 18, 30], "2099-01-02T18:30", "2099-01-01T18:37", "soon", "", 0, [])),
        ("social create --name R --max-participants 5", {**ROOM_R, "maxParticipants": "5"}, 0, '5 → "5"'),
        ("social create --name R --no-guests -q", {**ROOM_R, "allowGuestUsers": True}, 6, "false → true"),
        ("playlist create --name R -q", {"playlistId": NEW, "name": "R", "warnings": ["no"]}, 0, 'says: ["no"]'),
        ("theme save --name R --template-id y", {"socialThemeId": NEW, "templateId": "x"}, 6, '"y" → "x"'),
        (f"theme save --theme-id {NEW} --set description=null --yes", {"socialThemeId": NEW, "description": 1}, 7, ""),
        ("social create --name R --max-participants 5 -q", ROOM_R, 0, "sent: maxParticipants: 5 → not shown"),
        (f"social create --name R --room-set {SET}", ROOM_R, 0, f'sent: socialRoomSetId: "{SET}" → not shown'),
        ("theme save --name R", {"socialThemeId": NEW, "uploadStatus": {"failureReason": "x"}}, 7, "uploadStatus"),
        *(
            (f"transcription process --id {NEW} --status {sent}", {"socialTranscriptionId": NEW, "status": says}, *told)
            for sent, says, *told in (
                ("PROCESSING", "FAILED", 6, "reports FAILED for"),
                ("COMPLETE", "PROCESSING", 6, 'other values than were sent: status: "COMPLETE" → "PROCESSING"'),
                ("PROCESSING", "ERROR", 7, "`status` says that it failed"),
                ("PROCESSING", "COMPLETE", 6, 'status: "PROCESSING" → "COMPLETE"'),
                ("FAILED", "FAILED", 0, ""),
                ("PROCESSING", None, 6, 'other values than were sent: status: "PROCESSING" → '),
            )
        ),
    ],
)  # fmt: skip
def test_what_a_service_made_of_what_was_sent_is_said_where_it_differs(
    command: str, reply: JSON, code: int, told: str, saying: Callable[[Answer], Run]
) -> None:
    done = saying(listed([{"socialRoomSetId": SET, "socials": [STOOD]}], reply, "set/mine"))(*command.split())
    assert (done.status, told in done.stderr, bool(told) or " differs " not in done.stderr) == (code, True, True)


@pytest.mark.parametrize(
    ("command", "status", "more", "shown", "code"),
    [
        ("social create --name R", 200, {}, False, 0),
        ("social create --name R", 201, {}, False, 0),
        *(("social create --name R", status, {}, False, 7) for status in (202, 203, 206, 207, 226)),
        ("social create --name R", 202, {}, True, 0),
        ("social create --name R", 200, {"message": "Quota exceeded; not stored"}, True, 0),
        ("social create --name R", 200, {"warnings": ["theme is large"]}, True, 0),
        ("social create --name R", 200, {"state": "SCHEDULED"}, False, 0),
        ("social create --name R", 200, {"name": "R (1)"}, True, 6),
        (f"social create --name R --room-set {OTHER}", 200, {"name": "R (1)", "socialRoomSetId": SET}, True, 7),
        ("social create --name R", 200, {"queued": True, "name": "Z"}, False, 7),
        ("social create --name R", 499, {}, False, 7),
        ("playlist create --name R", 201, {}, False, 0),
        ("playlist create --name R", 202, {}, False, 7),
        (f"social end {ROOM} --yes", 202, {"socialId": ROOM, "isOpen": False}, False, 7),
        (f"social end {ROOM} --yes", 200, {"socialId": ROOM, "isOpen": False, "message": "queued for later"}, False, 7),
        (
            f"roomset update {SET} --description R --yes",
            200,
            {"socialRoomSetId": SET, "x": {"description": ""}},
            False,
            7,
        ),
        (f"roomset update {SET} --description R --yes", 200, {"socialRoomSetId": SET, "by": {"name": "Z"}}, False, 0),
        (f"rules save {SET} --entry-option ACCOUNT --yes", 200, {"socialRoomSetId": OTHER}, False, 7),
        (f"social end {ROOM} --leave-open-until 2099-01-01T00:00Z --yes", 202, {"socialId": ROOM}, False, 7),
        (f"rules save {SET} --entry-option ACCOUNT --yes", 200, {"socialRoomSetId": SET}, False, 0),
    ],
)
def test_r45_only_a_reply_that_says_done_and_no_more_is_believed_unread(
    command: str, status: int, more: JSON, shown: bool, code: int, saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    record = {"socialId": NEW, "playlistId": NEW, "configurationId": NEW, "name": "R", **more}

    def says(method: str, target: str) -> bytes | tuple[int, bytes]:
        rooms = [room("open"), *([record] if shown and posted(sent) else [])]
        body = with_status(listed([{**room_in(SET, rooms), "name": "old"}], record)(method, target))[1]
        return (200 if method == "GET" else status), body

    done = saying(says)(*command.split())
    assert (done.status, len(posted(sent))) == (code, 1), done
    assert ("message" not in more or f"the service says: {more['message']}" in done.stderr) is True


@pytest.mark.parametrize(("reply", "show"), [(None, ["--show"]), (None, ["--show", "-q"]), ("?", [])])
@pytest.mark.parametrize(("became", "told"), [("b", '"a" → "b"'), (None, '"a" → not shown')])
def test_fields_that_an_update_changed_though_they_were_not_sent_are_said(
    became: JSON, told: str, reply: JSON, show: list[str], saying: Callable[[Answer], Run]
) -> None:
    stands = [{**room_in(SET, []), "name": "old", "description": "a"}]

    def says(method: str, target: str) -> bytes:
        if method == "PATCH":
            stands[0] |= {"name": "new", "description": became}
        return json.dumps(stands if "page=0" in target else [] if method == "GET" else reply).encode()

    done = saying(says)("roomset", "update", SET, "--name", "new", *show, "--yes", "-o", "json")
    assert (done.status, done.stdout != "") == (0, bool(show)), done
    assert f"fields that were not sent have changed too: description: {told}\n" in done.stderr


@pytest.mark.parametrize("command", ["social create --name R", f"social copy {ROOM}", "roomset create --name R"])
def test_r45_a_record_is_not_new_where_what_stood_before_could_not_be_read(
    command: str, saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    new = json.dumps({**ROOM_R, **SET_R}).encode()
    done = saying(lambda method, _: b"{}" if method == "GET" else new)(*command.split(), "-o", "ids")
    assert (done.status, done.stdout, any(each.startswith("PATCH") for each in sent)) == (7, "", False), done
    assert f"{NEW}, which is not shown to be new" in done.stderr


def test_a_set_that_was_created_and_cannot_be_read_back_is_not_all_well(saying: Callable[[Answer], Run]) -> None:
    says = {"GET": b"[]", "POST": json.dumps(SET_R).encode(), "PATCH": b"null"}
    done = saying(lambda method, _: says[method])("roomset", "create", "--name", "R", "-o", "ids")
    assert (done.status, done.stdout) == (6, f"{NEW}\n"), done
    assert f"room set {NEW} was created and its fields were sent; " in done.stderr


def test_rooms_that_do_not_show_the_saved_rules_are_named(saying: Callable[[Answer], Run]) -> None:
    rooms = [{**room("open"), "configurationId": NEW}, {"socialId": OTHER, "name": "Bar", "configurationId": SET}]
    saved = {"name": "Doors", "entryOption": "ACCOUNT"}

    def says(method: str, target: str) -> bytes:
        if "details" in target:
            mine = f"configurationId={NEW}" in target
            return json.dumps({"configurationId": NEW, **saved} if mine else {"configurationId": SET}).encode()
        return b"null" if method == "POST" else json.dumps([room_in(SET, rooms)] if "page=0" in target else []).encode()

    words = f"rules save {SET} --name Doors --entry-option ACCOUNT --show --yes"
    done = saying(says)(*words.split())
    assert (done.status, f"these rooms do not show the saved rules: 1 room: Bar ({OTHER})\n" in done.stderr) == (
        0,
        True,
    )


@pytest.mark.parametrize("name", [each.name for each in OPERATIONS if not each.writes and not each.paged])
def test_r45_a_record_that_is_said_to_be_old_is_shown_and_not_proven(
    name: str, roomctl: Run, serving: Callable[[Recorder], Recorder]
) -> None:
    serving(Recorder(name)).headers = 'Warning: 110 - "Response is Stale"\r\n'
    done = roomctl(*COMMANDS[name], "-o", "json")
    assert (done.status, done.json) == (6, answer(name)), done
    assert "`warning` says that it is not whole, or old" in done.stderr


def of_a_set(state: bool, present: int) -> JSON:
    room = {"socialId": ROOM, "name": "Main", "isOpen": state, "endDateTime": "2020-01-01T00:00:00Z"}
    return room_in(SET, [{**room, "socialMeta": {"numberCurrentlyPresent": present}}])


DOUBTFUL = {
    "a set that comes twice, with other rooms": [of_a_set(True, 0), of_a_set(True, 9)],
    "a set that comes twice, open and closed": [of_a_set(False, 0), of_a_set(True, 0)],
    "a set that comes twice, with another name": [of_a_set(True, 0), {**of_a_set(True, 0), "description": "x"}],
    "a null": [of_a_set(True, 0), None],
    "a text": ["x", of_a_set(True, 0)],
    "an error": [of_a_set(True, 0), {"error": "unreadable"}],
}
ON_DOUBTFUL = {
    "roomset list": 6,
    "roomset tree": 6,
    "social list": 6,
    "social list --room-set 'set b'": 6,
    f"social end --room-set {SET} --yes": 8,
    f"invite send --room-set {SET} --user {OTHER} --yes": 8,
    f"social end --room-set {SET} --expect-rooms 1 --yes": 8,
    f"social end {ROOM} --only-if-empty --yes": 8,
    f"social end {ROOM} --max-present 5 --yes": 8,
    f"social end {ROOM} --only-past-end --yes": 8,
    "social end Main --yes": 6,
    "social end --room-set 'set b' --yes": 6,
    "roomset update 'set b' --description x --yes": 6,
    "roomset copy 'set b' --name x": 6,
    f"invite send Main --user {OTHER} --yes": 6,
}


@pytest.mark.parametrize("command", ON_DOUBTFUL)
def test_r30_a_list_with_rows_that_are_no_records_or_contradict_each_other_proves_nothing(
    command: str, saying: Callable[[Answer], Run], sent: list[str]
) -> None:
    for kind, sets in DOUBTFUL.items():
        done = saying(listed([room_in(OTHER, []), *sets]))(*shlex.split(command))
        assert (done.status, posted(sent)) == (ON_DOUBTFUL[command], []), (kind, done)


@pytest.mark.parametrize("rooms", [..., [None], [{"socialId": ROOM}]])
def test_r46_rooms_that_are_not_shown_are_not_said_to_be_none(rooms: Any, saying: Callable[[Answer], Run]) -> None:
    run = saying(listed([room_in(SET, rooms)]))
    shown = rooms == [{"socialId": ROOM}]
    says = "" if shown else "the rooms of 1 room set are not shown"
    watched = run("social", "watch", SET, "--times", "1")
    assert (watched.status, says in watched.stderr) == (0 if shown else 6, True), watched
    assert ("rooms not shown" in watched.stdout) is not shown
    ruled = run("rules", "get", SET)
    assert (ruled.status, (says or "has an entry configuration") in ruled.stderr) == (4, True), ruled


@pytest.mark.parametrize(("confirmed", "noted"), [("true", True), ("False", True), (True, False), ("maybe", False)])
def test_r46_a_registration_that_is_confirmed_in_a_text_is_counted_with_a_note(
    confirmed: JSON, noted: bool, saying: Callable[[Answer], Run]
) -> None:
    run = saying(listed([{"registrationId": ROOM, "confirmed": confirmed}]))
    for args in (("stats", SET, "-o", "csv"), ("report", SET, "--to", "r.json", "--force")):
        done = run("registration", *args)
        assert ("the service sends `confirmed` as text" in done.stderr) is noted, done


RECORDING = {"socialRecordingId": ROOM, "status": "COMPLETE", "participants": [{"userId": OTHER}]}


@pytest.mark.parametrize(
    ("rows", "waits", "shows"),
    [
        ([RECORDING, RECORDING], 0, 0),
        ([RECORDING, {**RECORDING, "status": "FAILED"}], 8, 6),
        ([RECORDING, {"error": "unreadable"}], 6, 6),
        ([{**RECORDING, "participants": None}], 0, 6),
        ([{**RECORDING, "participants": [None]}], 0, 6),
        ([{**RECORDING, "participants": [{"error": "not loaded"}]}], 0, 6),
        ([{**RECORDING, "status": "FAILED", "participants": []}], 6, 6),
    ],
)
def test_r46_what_a_recording_does_not_show_is_not_done_and_not_nobody(
    rows: JSON, waits: int, shows: int, saying: Callable[[Answer], Run]
) -> None:
    run = saying(listed(rows))
    waited = run("recording", "wait", ROOM, "--max-wait", "1s")
    assert (waited.status, "is not shown" in waited.stderr) == (waits, waits == 8), waited
    assert run("recording", "timeline", ROOM).status == shows


def test_r45_an_error_that_names_nobody_leaves_invitations_unproven(saying: Callable[[Answer], Run]) -> None:
    records = [{"socialInviteId": NEW, "invitedUserId": OTHER}, {"error": "quota"}]
    done = saying(lambda *_: json.dumps(records).encode())(
        "invite", "send", ROOM, "--user", OTHER, "--yes", "-o", "json"
    )
    assert (done.status, [row["status"] for row in done.json]) == (6, ["ok"]), done
    assert "an error for nobody in particular: quota" in done.stderr
