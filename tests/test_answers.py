"""R45, R46, R48: 18 operations × what a 200 may say, over a socket and in process; what is not seen is never said."""

import itertools
import json
import re
import shlex
import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import BY_NAME, OPERATIONS, Operation
from roomctl.contract.records import NIL
from tests.conftest import Cases, Env, Patch, Run, Serving
from tests.servers import A, B, C, Recorder, answer
from tests.test_wire import COMMANDS, DOT
from tests.transcripts import said

JSON = Any
Words = bytes | tuple[int, bytes] | tuple[int, bytes, dict[str, str]]
Answer = Callable[[str, str], Words]
"""What a service says, by the method and the target of a request: a body, or a status, a body, and headers."""
Saying = Callable[[Answer], Run]
ROOM, SET, NEW, OTHER = (f"{letter * 8}-cdef-4abc-8def-abcdefabcdef" for letter in "abcd")


def lettered(text: str) -> str:
    return text.replace(A, ROOM).replace(B, SET).replace(C, NEW)


def with_status(said: Words) -> tuple[int, bytes, dict[str, str]]:
    status, body, *more = said if isinstance(said, tuple) else (200, said)
    headers: dict[str, str] = {"Content-Length": str(len(body))}
    return status, body, headers | (more[0] if more else {})


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
        status, body, headers = with_status(self.says(method, target))
        lines = [f"HTTP/1.1 {status} So", "Connection: close", *(f"{name}: {headers[name]}" for name in headers)]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


class Plugged(httpx.BaseTransport):
    """The same in this process."""

    def __init__(self, says: Answer) -> None:
        self.says = says

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        status, content, headers = with_status(self.says(request.method, request.url.raw_path.decode()))
        return httpx.Response(status, headers=headers, content=content)


@pytest.fixture
def sent() -> list[str]:
    return []


@pytest.fixture(params=["socket", "process"])
def saying(
    request: pytest.FixtureRequest, roomctl: Run, monkeypatch: Patch,
    serving: Serving, tmp_path: Any, sent: list[str],
) -> Saying:  # fmt: skip
    """Give the tool, before a service that says what it is told to."""
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    (tmp_path / "dot.gif").write_bytes(DOT)
    said: list[Answer] = []

    def says(method: str, target: str) -> Words:
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
    for name, value in (("saved", False), ("meta", {"error": "quota"}), ("failureReason", "quota")):
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
    if meaning == "done":
        return {0}
    if operation.many and not operation.writes:  # a field of a row is data, but an error; another id is another row
        said = value if meaning == "denied" else ()
        if operation.resource == "Registration" and any({"Success", "status"} & row.keys() for row in said):
            return {6}
        if any(row.get("error") or row.get("errors") or row.get("success") in FALSE for row in said):
            return {6}
        return {0} if isinstance(value, list) else {4, 6}
    if operation.reply is None and meaning == "empty":
        return {7} if value == [] else {0}
    if operation.name == "invite.send":
        plain = meaning == "denied" and not {"Success", "status", "saved", "meta", "failureReason"} & value[0].keys()
        return {6} if plain else {0, 7} if meaning == "other" else {7}
    if meaning == "other" and value[operation.identity] and operation.repeat == "create":
        return {7} if operation.name == "transcription.process" else {0}  # of the others, any id may be the new one
    return {7} if operation.writes else {4}


@pytest.mark.parametrize("name", COMMANDS)
def test_r45_r48_no_answer_says_more_than_it_says(name: str, saying: Saying, variables: Env, tmp_path: Path) -> None:
    operation = BY_NAME[name]
    words = [lettered(word) for word in COMMANDS[name] if word not in ("--page", "3")]
    for title, value, meaning in answers(operation):
        body = value if isinstance(value, bytes) else json.dumps(value).encode()

        def says(method: str, target: str, body: bytes = body) -> bytes:
            return b"[]" if method != operation.method or re.search("page=[1-9]", target) else body

        variables["ROOMCTL_STATE"] = str(tmp_path / title)  # each is the first answer that this machine gets
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
@pytest.mark.parametrize("status", [400, 401, 403, 409, 429])
def test_r42_a_refusal_that_shows_work_done_is_none(name: str, status: int, saying: Saying, sent: list[str]) -> None:
    record = record_of(BY_NAME[name])
    refused = 3 if status in (401, 403) else 6 if name == "invite.send" else 4
    idless = told(record, **{BY_NAME[name].identity: None})
    bodies = [(record, 7), (told(record, error="no"), refused), (idless, refused)]
    for body, expected in bodies[: 1 if status == 429 else None]:
        sent.clear()

        def says(method: str, _: str, body: JSON = body) -> bytes | tuple[int, bytes]:
            return b"[]" if method == "GET" else (status, json.dumps(body).encode())

        done = saying(says)(*[lettered(word) for word in COMMANDS[name]], "--yes", "-o", "json")
        assert (done.status, len(posted(sent))) == (expected, 1), (body, done)


SAYS: dict[str, JSON] = {"closed": False, "closed, as a text": "false", "open": True, "nothing": None}
"""What a room's record says of its state, by what that is called here."""


def room(says: str) -> JSON:
    return {"socialId": ROOM.upper(), "name": "Tent"} | ({} if SAYS[says] is None else {"isOpen": SAYS[says]})


def room_in(key: str, rooms: Any) -> JSON:
    return {"socialRoomSetId": key, "name": f"set {key[0]}", **({} if rooms is ... else {"socials": rooms})}


def posted(sent: list[str]) -> list[str]:
    return [each.partition("?")[0].rpartition("/")[2] for each in sent if not each.startswith("GET ")]


def outcome_of_end(reply: str, seen: str, later: bool) -> tuple[str, int, str]:
    """What an end is, by what reply and list say: its status in bulk, its exit code, its state in the journal."""
    tells = reply not in ("denial", "{}")
    if reply.startswith("closed") or seen == "closed" or (later and "open" in (reply, seen) and tells):
        return "ok", 0, "confirmed"
    return ("failed", 6, "refused") if seen == "open" and not later and reply != "{}" else ("unknown", 7, "unknown")


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("way", ["alone", "bulk", "api", "repeat"])
def test_r46_an_end_is_seen_not_done_or_unknown(way: str, later: bool, saying: Saying, tmp_path: Path) -> None:
    (tmp_path / "rooms.csv").write_text(f"socialId\n{ROOM}\n")
    until = ["--leave-open-until", "2099-01-01T00:00:00Z"] if later else []
    end, own = ["social", "end"], ["-f", "leaveOpenUntil=2099-01-01T00:00:00Z"] * later
    words = {"alone": [*end, ROOM, *until], "bulk": [*end, "--from", "rooms.csv", *until]}
    words["api"] = ["api", "POST", f"/social/end/{ROOM}", *own]
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
    api = ["api", name, *(["-f", f"socialId={ROOM}"] * operation.many)]
    ways = [command, *([api] if name != "roomset.create" else [])]
    for way in ways:
        done = sandbox(*way, "--input", "read.json", "--yes")
        assert (done.status, done.stdout) == (2, ""), done
        assert all(path in done.stderr for path in operation.assigns), done.stderr
    shown = sandbox(*command, "--skeleton").json
    assert not {path.partition(".")[0] for path in operation.assigns} & set(shown[0] if operation.many else shown)


def test_a_set_that_was_created_and_cannot_be_read_back_is_not_all_well(saying: Saying) -> None:
    says = {"GET": b"[]", "POST": json.dumps({"socialRoomSetId": NEW}).encode(), "PATCH": b"null"}
    done = saying(lambda method, _: says[method])("roomset", "create", "--name", "R", "-o", "ids")
    assert (done.status, done.stdout) == (6, f"{NEW}\n"), done
    assert f"room set {NEW} was created and its fields were sent; " in done.stderr


def test_rooms_that_do_not_show_the_saved_rules_are_named(saying: Saying) -> None:
    rooms = [{**room("open"), "configurationId": NEW}, {"socialId": OTHER, "name": "Bar", "configurationId": SET}]
    saved = {"name": "Doors", "entryOption": "ACCOUNT"}

    def says(method: str, target: str) -> bytes:
        if "details" in target:
            mine = f"configurationId={NEW}" in target
            return json.dumps({"configurationId": NEW, **saved} if mine else {"configurationId": SET}).encode()
        return b"null" if method == "POST" else json.dumps([room_in(SET, rooms)] if "page=0" in target else []).encode()

    words = f"rules save {SET} --name Doors --entry-option ACCOUNT --yes".split()
    done = [saying(says)(*words, *more) for more in ([], ["--show"])]
    assert all(each.status == 6 and f"have other rules: 1 room: Bar ({OTHER})\n" in each.stderr for each in done), done


@pytest.mark.parametrize("name", [each.name for each in OPERATIONS if not each.writes and not each.paged])
def test_r45_a_record_that_is_said_to_be_old_is_shown_and_not_proven(name: str, roomctl: Run, serving: Serving) -> None:
    serving(Recorder(name)).headers = 'Warning: 110 - "Response is Stale"\r\n'
    done = roomctl(*COMMANDS[name], "-o", "json")
    assert (done.status, done.json) == (6, answer(name)), done
    assert "`Warning` header says that it is incomplete or out of date" in done.stderr


@pytest.mark.parametrize(("headers", "code"), [({"Age": "99"}, 4), ({"X-Cache": "HIT"}, 4), ({"X-Cache": "MISS"}, 0)])
def test_a_stored_copy_does_not_show_that_a_key_works(headers: dict[str, str], code: int, saying: Saying) -> None:
    done = saying(lambda *_: (200, b"[]", headers))("profile", "check")
    assert (done.status, "does not show whether the key is accepted" in done.stderr) == (code, code == 4), done


@pytest.mark.parametrize(
    ("command", "headers", "code"),
    [
        (f"{command} --max-wait 1s", headers, code)
        for command in (f"recording wait {ROOM}", "social watch --until-empty --interval 1s")
        for headers, code in (({"X-Cache": "HIT"}, 8), ({}, 0))
    ],
)
def test_a_stored_copy_ends_no_wait(command: str, headers: dict[str, str], code: int, saying: Saying) -> None:
    empty = {"socialId": ROOM, "isOpen": True, "socialMeta": {"numberCurrentlyPresent": 0}}
    record = {"socialRecordingId": ROOM, "status": "COMPLETE", **room_in(SET, [empty])}
    done = saying(lambda _, target: (200, json.dumps([record] if "page=0" in target else []).encode(), headers))
    assert done(*command.split()).status == code


STORED = [{"X-Cache-Status": "HIT"}, {"X-Replica-Lag": "12"}, {"X-Data-Freshness": "stale"}]
CURRENT = [{"X-Cache-Status": "MISS"}, {"X-Replica-Lag": "0"}]


@pytest.mark.parametrize(("headers", "code"), [*((each, 7) for each in STORED), *((each, 0) for each in CURRENT)])
def test_r46_a_list_from_a_cache_shows_no_end(headers: dict[str, str], code: int, saying: Saying) -> None:
    closed = f'[{{"socialRoomSetId": "{SET}", "socials": [{{"socialId": "{ROOM}", "isOpen": false}}]}}]'.encode()

    def answers(method: str, target: str) -> Any:
        listed = closed if "page=0" in target else b"[]"
        return (504, b"", {}) if method == "POST" else (200, listed, headers)

    roomctl = saying(answers)
    ends = [roomctl("social", "end", *which, "--yes").status for which in ([ROOM], ["--room-set", SET])]
    assert [*ends, roomctl("journal", "verify").status] == [code, code and 8, code]


WORDS = {name: key for key, name in ((ROOM, "ROOM"), (SET, "SET"), (NEW, "NEW"), (OTHER, "OTHER"))}
WORDS |= {f"{name}!": key.upper() for name, key in WORDS.items()}
MOMENT = re.compile(r"(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ  ")


@pytest.mark.parametrize("name", ["rooms", "writes", "reads"])
def test_r45_r46_r48_what_is_not_shown_is_not_said(
    name: str, saying: Saying, sent: list[str], cases: Cases, variables: Env, tmp_path: Path
) -> None:
    service: list[JSON] = []

    def answer(method: str, target: str) -> Words:
        lists, reply, status, headers = service
        if method != "GET":
            text = reply if isinstance(reply, str) and reply[:1] == "<" else json.dumps(reply)
            return status, text.encode(), headers
        if "details" in target and "details" in lists:
            return json.dumps(lists["details"]).encode()
        rows = lists["then"] if posted(sent) and "then" in lists else [*lists.values(), []][0]
        here = "page=0" in target and not (lists.keys() == {"set/mine"} and "set/mine" not in target)
        return json.dumps(rows if here or rows == {} else []).encode()

    def says(
        command: str, lists: JSON = None, reply: JSON = None, status: int = 200, headers: JSON = MappingProxyType({})
    ) -> str:
        if lists is not None:
            rows = service[0] if lists == "=" else lists if isinstance(lists, dict) and lists else {"": lists}
            service[:] = [*spelled([rows, reply, status]), headers]
        shutil.rmtree(variables["ROOMCTL_STATE"], ignore_errors=True)
        sent.clear()
        told = re.sub(MOMENT, "NOW  ", said(tool(*shlex.split(spelled(command))), tmp_path))
        writes = [each for each in sent if not each.startswith("GET ")]
        states = [each["state"] for each in tool("journal", "list", "-o", "json").json]
        told += "".join(f"{each}: {state}\n" for each, state in zip(writes, reversed(states), strict=True))
        for word, key in WORDS.items():
            told = told.replace(key, word)
        return told.removesuffix("\n").replace("\n", "\n  ")

    (tmp_path / "rooms.csv").write_text(f"socialId\n{ROOM}\n{OTHER}\n")
    tool = saying(answer)
    cases(f"answers-{name}.txt", says)


def spelled(value: JSON) -> JSON:
    return json.loads(re.sub(r"\b(ROOM|SET|NEW|OTHER)\b!?", lambda word: WORDS[word[0]], json.dumps(value)))


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
def test_r30_a_list_with_odd_or_opposing_rows_proves_nothing(command: str, saying: Saying, sent: list[str]) -> None:
    for kind, sets in DOUBTFUL.items():
        done = saying(listed([room_in(OTHER, []), *sets]))(*shlex.split(command))
        assert (done.status, posted(sent)) == (ON_DOUBTFUL[command], []), (kind, done)


@pytest.mark.parametrize(("behind", "code"), [(0, 0), (2, 8)])
def test_an_end_has_passed_by_the_clock_of_the_service(behind: int, code: int, roomctl: Run, serving: Serving) -> None:
    now = datetime.now(UTC)
    ended = (now - timedelta(hours=1)).isoformat()
    over = {"socialId": ROOM, "name": "Tent", "isOpen": False, "endDateTime": ended, "recurring": False}
    date = {"Date": format_datetime(now - timedelta(hours=behind), usegmt=True)}

    def says(method: str, target: str) -> Words:
        listed = [room_in(SET, [over | {"isOpen": True}])] if "page=0" in target else []
        return 200, json.dumps(over if method == "POST" else listed).encode(), date

    serving(Said(says))
    assert roomctl("social", "end", ROOM, "--only-past-end", "--yes").status == code


def test_a_new_set_that_a_list_shows_without_name_is_taken_up(saying: Saying, sent: list[str], tmp_path: Path) -> None:
    room_set = {"socialRoomSetId": NEW, "name": "New set", "socials": []}
    lags = [True]

    def says(method: str, target: str) -> JSON:
        if method == "GET":
            made = any(each.endswith("/create") for each in sent)
            return [room_set if lags else room_set | {"name": "S"}] if made and "page=0" in target else []
        return room_set if target.endswith("/create") else None

    file = tmp_path / "e.yaml"
    file.write_text("room_set: S\n")
    apply = saying(lambda *asked: json.dumps(says(*asked)).encode())
    verify, again = ("journal", "verify"), ("roomset", "apply", str(file), "--yes")
    assert [apply(*words).status for words in (again, verify, again, verify)] == [7, 7, 7, 7]
    lags.clear()
    assert [apply(*words).status for words in (again, verify)] == [0, 0]
    assert posted(sent) == ["create", "set"]


def test_a_new_set_whose_naming_is_lost_is_known_by_its_id_and_named_only_when_that_is_asked_for(
    saying: Callable[[Answer], Run], sent: list[str], tmp_path: Path
) -> None:
    def says(method: str, target: str) -> Words:
        room_set: JSON = {"socialRoomSetId": NEW, "name": "S" if posted(sent).count("set") > 1 else None, "socials": []}
        if method == "GET":
            listed = [room_set] if posted(sent) and "page=0" in target else []
            return json.dumps(listed).encode()
        if method == "POST":
            return json.dumps(room_set).encode()
        return (504, b"") if posted(sent).count("set") == 1 else b""

    file = tmp_path / "e.yaml"
    file.write_text("room_set: S\n")
    run = saying(says)
    for verb in ("apply", "apply", "plan"):
        done = run("roomset", verb, str(file), "--yes")
        assert (done.status, posted(sent)) == (7, ["create", "set"]), done
        assert f'it is not known whether room set {NEW} has the name "S"' in done.stderr, done
        assert "with `--retry-unknown`, which names the set" in done.stderr
    assert run("roomset", "apply", str(file), "--yes", "--retry-unknown").status == 0
    assert posted(sent) == ["create", "set", "set"]
