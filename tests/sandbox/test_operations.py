"""What the sandbox does when it is asked, in process: effects, refusals, paging, time, and several writers at once."""

import json
import os
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import OPERATIONS
from roomctl.sandbox.app import build
from roomctl.sandbox.seed import Summary, seed
from roomctl.sandbox.store import Document, Store
from roomctl.sandbox.transport import SandboxTransport

KEY = "operations-test-key"
NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
GONE = "99999999-9999-4999-8999-999999999999"


class World:
    """A seeded sandbox and a client of it."""

    def __init__(self, path: Path, registrations: int = 40) -> None:
        self.store = Store(path)
        self.summary: Summary = seed(self.store, registrations=registrations, now=NOW)
        self.client = httpx.Client(
            transport=SandboxTransport(build(self.store, KEY)),
            base_url="http://localhost/api/v1",
            headers={"X-API-Key": KEY},
        )

    def get(self, path: str, **query: Any) -> Any:
        reply = self.client.get(path, params=query)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def post(self, path: str, body: Any = None, **query: Any) -> httpx.Response:
        return self.client.post(path, params=query, json=body)

    @property
    def sets(self) -> list[Any]:
        return list(self.get("/social/room/set/mine", size=100))

    def room(self, name: str) -> Any:
        return next(room for each in self.sets for room in each["socials"] if room["name"] == name)


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    made = World(tmp_path / "sandbox.db")
    yield made
    made.client.close()
    made.store.close()


def test_ending_a_room_closes_it_and_sends_people_home(world: World) -> None:
    room = world.room("Main Stage")
    assert room["isOpen"] is True and room["socialMeta"]["numberCurrentlyPresent"] > 0
    ended = world.post(f"/social/end/{room['socialId']}").json()
    assert (ended["isOpen"], ended["endDateTime"]) == (False, "2026-11-21T08:00:00Z")
    assert world.room("Main Stage")["socialMeta"]["numberCurrentlyPresent"] == 0


def test_a_room_left_open_closes_at_that_time(world: World) -> None:
    room = world.room("Main Stage")["socialId"]
    assert world.post(f"/social/end/{room}", leaveOpenUntil="2026-11-21T09:30:00+01:00").json()["isOpen"] is True
    world.store.freeze(NOW + timedelta(minutes=29))
    assert world.room("Main Stage")["isOpen"] is True
    world.store.freeze(NOW + timedelta(minutes=30))
    assert world.room("Main Stage")["isOpen"] is False


def test_copying_a_set_copies_rooms_and_settings_with_ids_of_their_own(world: World) -> None:
    old = world.sets[0]
    new = world.post("/social/room/set/copy", socialRoomSetId=old["socialRoomSetId"], roomSetName="Copy").json()
    assert [room["name"] for room in new["socials"]] == [room["name"] for room in old["socials"]]
    ids = {room["socialId"] for room in old["socials"]} | {old["socialRoomSetId"]}
    assert not ids & ({room["socialId"] for room in new["socials"]} | {new["socialRoomSetId"]})
    assert (new["name"], new["entryOption"]) == ("Copy", old["entryOption"])
    assert {room["isOpen"] for room in new["socials"]} == {False}
    assert new["startingPointSocialId"] == new["socials"][0]["socialId"]


def test_an_update_changes_what_is_named_clears_null_and_keeps_the_rest(world: World) -> None:
    old = world.sets[0]
    body = {"socialRoomSetId": old["socialRoomSetId"], "description": None, "groupFormerCount": 9}
    reply = world.client.patch("/social/room/set", json=body)
    assert (reply.status_code, reply.content) == (200, b"")
    expected = {**old, "groupFormerCount": 9}
    del expected["description"]
    assert world.sets[0] == expected
    assert world.client.patch("/social/room/set", json={"name": "x"}).status_code == 422


def test_invitations_answer_a_record_for_each_person(world: World) -> None:
    room, user = world.room("Main Stage")["socialId"], world.sets[0]["hostUser"]
    people = [{"invitedUserId": user["userId"]}, {"invitedUser": {"emailAddress": "no@example.invalid"}}]
    first = world.post(f"/social/invite/{room}", people).json()
    assert "error" not in first[0] and first[0]["invitedUser"] == user
    assert first[1]["error"] == "no user with this id or e-mail address"
    again = world.post(f"/social/invite/{room}", people[:1]).json()
    assert again[0]["error"] == "already invited"
    assert world.room("Main Stage")["socialMeta"]["numberOfInvites"] == 1


def test_the_rules_that_are_saved_are_the_rules_that_are_read(world: World) -> None:
    key = world.sets[0]["socialRoomSetId"]
    rules = {"name": "Gate", "entryFlow": "GRID", "rules": [{"property": "a", "operator": "b", "value": "c"}]}
    assert world.post("/rules/entry/config", rules, socialRoomSetId=key).content == b""
    config = world.sets[0]["socials"][0]["configurationId"]
    read = world.get("/rules/entry/config/details", socialRoomSetId=key, configurationId=config)
    assert {name: read[name] for name in rules} == rules
    world.post("/rules/entry/config", {"configurationId": config, "name": "Door"}, socialRoomSetId=key)
    again = world.get("/rules/entry/config/details", socialRoomSetId=key, configurationId=config)
    assert again == {**read, "name": "Door"}


def test_a_transcription_is_complete_a_minute_later(world: World) -> None:
    made = world.post("/transcription/processing", {"name": "Speech"}).json()
    assert made["status"] == "PROCESSING"
    world.store.freeze(NOW + timedelta(minutes=1))
    found = world.get("/transcription/company", text="speech")
    assert [(each["name"], each["status"]) for each in found] == [("Speech", "COMPLETE")]


def test_a_theme_with_an_id_is_updated_and_one_without_is_made(world: World) -> None:
    made = world.post("/theme/custom", {"theme": {"socialThemeName": "Dusk"}, "imageBytes": "R0lGODlh"}).json()
    assert made["previewImageURI"].endswith("/imageBytes") and made["uploadStatus"]["progress"] == 100
    update = {"theme": {"socialThemeId": made["socialThemeId"], "colorPrimary": "#fff"}}
    changed = world.post("/theme/custom", update).json()
    assert (changed["socialThemeName"], changed["colorPrimary"]) == ("Dusk", "#fff")
    assert world.post("/theme/custom", {"theme": {"socialThemeId": GONE}}).status_code == 404


def test_rooms_move_into_a_set_that_is_made_of_them(world: World) -> None:
    room = world.room("Green Room")["socialId"]
    made = world.post("/social/room/set/create", [room]).json()
    assert [each["socialId"] for each in made["socials"]] == [room]
    assert room not in [each["socialId"] for each in world.sets[0]["socials"]]


@pytest.mark.parametrize("size", [1, 7, 39, 40, 41, 1000])
def test_pages_cover_all_rows_once_in_the_same_order(world: World, size: int) -> None:
    event = world.summary.events[0].id
    pages: list[Any] = []
    while page := world.get("/event/registration", socialEventId=event, page=len(pages), size=size):
        assert len(page) <= size
        pages.append(page)
    ids = [row["registrationId"] for page in pages for row in page]
    assert len(ids) == len(set(ids)) == 40
    rows = world.get("/event/registration", socialEventId=event, size=1000, sort="registeredDateTime,desc")
    dates = [row["registeredDateTime"] for row in rows]
    assert dates == sorted(dates, reverse=True)
    found = world.get("/event/registration", socialEventId=event, size=1000, text="MÜLLER")
    assert {row["user"]["lastName"] for row in found} == {"Müller"}


@pytest.mark.parametrize(
    ("method", "path", "more", "status"),
    [
        ("GET", "/nothing", {}, 404),
        ("PUT", "/social/copy", {}, 405),
        ("GET", "/social/room/set/mine?page=-1", {}, 400),
        ("GET", "/social/room/set/mine?size=0", {}, 400),
        ("GET", "/social/room/set/mine?size=a", {}, 400),
        ("GET", "/social/room/set/mine?size=1&size=2", {}, 400),
        ("GET", "/social/room/set/mine?sort=socials", {}, 400),
        ("GET", "/user/123", {}, 400),
        ("GET", f"/user/{GONE}", {}, 404),
        ("GET", "/event/registration", {}, 400),
        ("POST", "/social/copy", {}, 400),
        ("POST", f"/social/end/{GONE}", {}, 404),
        ("POST", "/social/create", {"json": {"nam": "x"}}, 422),
        ("POST", "/social/create", {"json": []}, 422),
        ("POST", "/social/create", {"content": "{", "headers": {"Content-Type": "application/json"}}, 400),
        ("POST", "/social/create", {"content": "{}"}, 415),
        ("POST", "/social/create", {"json": {"maxParticipants": "5"}}, 422),
        ("POST", "/social/room/set/create", {"json": [GONE]}, 404),
    ],
)
def test_a_wrong_request_says_what_is_wrong_and_changes_nothing(
    world: World, method: str, path: str, more: dict[str, Any], status: int
) -> None:
    before = world.sets
    reply = world.client.request(method, path, **more)
    assert reply.status_code == status, reply.text
    assert {"status", "message", "problems"} == set(reply.json())
    assert world.sets == before


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
@pytest.mark.parametrize("key", ["", "wrong", KEY + "x"])
def test_every_operation_needs_the_key(world: World, operation: Any, key: str) -> None:
    path = operation.path.replace("{socialId}", GONE).replace("{userId}", GONE)
    assert world.client.request(operation.method, path, headers={"X-API-Key": key}).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:80"])
def test_r57_another_host_is_not_served(world: World, host: str) -> None:
    assert world.client.get("/social/room/set/mine", headers={"Host": host}).status_code == 421


def test_the_same_seed_makes_the_same_world(tmp_path: Path) -> None:
    answers = []
    for name in ("one", "two"):
        world = World(tmp_path / f"{name}.db")
        event = world.summary.events[0].id
        made = world.post("/audio/api/key/playlist", {"name": "Rain"}).content
        paths = ["/social/room/set/mine", "/recording/mine", "/transcription/company"]
        answers.append([made, *(world.client.get(path).content for path in paths)])
        answers[-1].append(world.client.get("/event/registration", params={"socialEventId": event}).content)
        world.client.close()
        world.store.close()
    assert answers[0] == answers[1]


def test_the_file_is_private(world: World) -> None:
    assert stat.S_IMODE(world.store.path.stat().st_mode) == 0o600


def test_a_reply_can_be_left_before_its_end_and_several_threads_can_ask(world: World) -> None:
    event = world.summary.events[0].id
    for _ in range(20):
        with world.client.stream("GET", "/event/registration", params={"socialEventId": event}) as reply:
            assert reply.status_code == 200
    found: list[int] = []
    threads = [threading.Thread(target=lambda: found.append(len(world.sets))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [4] * 8


WRITER = """
import sys
from pathlib import Path
from roomctl.sandbox.store import Document, Store
store = Store(Path(sys.argv[1]))
for number in range(int(sys.argv[3])):
    key = f"{sys.argv[2]}-{number}"
    store.put(Document("note", key, "", {"text": key}))
    print(key, flush=True)
"""


def test_r58_several_processes_lose_no_write(tmp_path: Path) -> None:
    path = tmp_path / "sandbox.db"
    Store(path).close()
    running = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number), "50"], stdout=subprocess.DEVNULL)
        for number in range(4)
    ]
    assert [process.wait(60) for process in running] == [0] * 4
    store = Store(path)
    assert len(store.all("note", "")) == 200
    assert [row["text"] for row in store.page("note", "", page=1, size=150)] == [
        row["text"] for row in store.all("note", "")[150:]
    ]
    store.close()


@pytest.mark.parametrize("delay", [0.25, 0.4, 0.6])
def test_r58_after_a_kill_every_acknowledged_write_is_there(tmp_path: Path, delay: float) -> None:
    path = tmp_path / "sandbox.db"
    Store(path).close()
    with subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), "w", "100000"], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(delay)
        os.kill(process.pid, signal.SIGKILL)
        acknowledged = ["w-0", *process.stdout.read().split("\n")[:-1]]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = {json.loads(row[0])["text"] for row in connection.execute("SELECT doc FROM document")}
    connection.close()
    assert set(acknowledged) <= kept


def test_a_write_that_fails_halfway_leaves_nothing(world: World) -> None:
    before = world.store.count("note", "")
    with pytest.raises(RuntimeError), world.store.writing():
        world.store.put(Document("note", "x", "", {}))
        raise RuntimeError
    assert world.store.count("note", "") == before
