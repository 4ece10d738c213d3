"""What the sandbox does when it is asked, in process: effects, refusals, paging, time."""

import json
import sqlite3
import stat
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from roomctl.contract.operations import OPERATIONS
from roomctl.errors import LocalFailure
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
from tests.conftest import Cases
from tests.sandbox.conftest import GONE, NOW, World
from tests.servers import KEY

JSON = {"Content-Type": "application/json"}


def test_a_room_left_open_closes_at_that_time(world: World) -> None:
    room = world.room("Main Stage")["socialId"]
    assert world.post(f"/social/end/{room}", leaveOpenUntil="2026-11-21T09:30:00+01:00").json()["isOpen"] is True
    world.store.freeze(NOW + timedelta(minutes=29))
    assert world.room("Main Stage")["isOpen"] is True
    world.store.freeze(NOW + timedelta(minutes=30))
    assert world.room("Main Stage")["isOpen"] is False


def test_what_is_sent_as_null_does_not_come_back_as_null_at_any_depth(world: World) -> None:
    person, tile, rule = {"name": None, "firstName": "Ada"}, {"uri": None, "x": 1}, {"property": "p", "value": None}
    room, of_set = world.room("Main Stage")["socialId"], {"socialRoomSetId": world.sets[0]["socialRoomSetId"]}
    theme = {"socialThemeName": "x", "description": None, "tiles": [tile]}
    meta = {"socialMeta": {"audioHost": None}, "alternateHosts": [person]}
    bodies: dict[str, Any] = {
        "/social/create": {"name": "x", "description": None, **meta},
        "/theme/custom": {"theme": theme, "imageBytes": None},
        "/transcription/processing": {"name": "x", "storageBucket": None, "user": person},
        "/audio/api/key/playlist": {"name": "x", "qty": None},
        f"/social/invite/{room}": [{"invitedUserId": None, "invitedUser": person, "didAttend": None}],
    }
    replies = {path: world.post(path, body) for path, body in bodies.items()}
    seen = {path: (reply.status_code, "null" in reply.text) for path, reply in replies.items()}
    assert seen == dict.fromkeys(bodies, (200, False))
    assert world.post("/rules/entry/config", {"name": "x", "entryFlow": None, "rules": [rule]}, **of_set).is_success
    assert world.client.patch("/social/room/set", json={**of_set, "description": None}).is_success
    config = {"configurationId": world.sets[0]["socials"][0]["configurationId"]}
    saved = world.get("/rules/entry/config/details", **of_set, **config)
    assert (saved["name"], saved["rules"]) == ("x", [{"property": "p"}])
    assert "null" not in json.dumps([saved, world.sets])


def test_rules_are_those_of_the_rooms_that_they_name(world: World) -> None:
    first, *others = world.sets[0]["socials"]
    key = world.sets[0]["socialRoomSetId"]
    before = first["configurationId"]
    world.post("/rules/entry/config", {"associatedSocialIds": [first["socialId"].upper()]}, socialRoomSetId=key)
    ids = [room.get("configurationId") for room in world.sets[0]["socials"]]
    assert ids[0] != before and ids[1:] == [before] * len(others)
    body = {"configurationId": ids[0], "associatedSocialIds": [others[0]["socialId"]]}
    assert world.post("/rules/entry/config", body, socialRoomSetId=key).status_code == 200
    assert [room.get("configurationId") for room in world.sets[0]["socials"]][:3] == [None, ids[0], before]
    elsewhere = {"associatedSocialIds": [world.sets[1]["socials"][0]["socialId"]]}
    assert world.post("/rules/entry/config", elsewhere, socialRoomSetId=key).status_code == 422


def test_what_is_processed_is_found_and_sorted_as_it_is_shown(world: World) -> None:
    for path in ("/transcription/company", "/recording/mine"):
        world.store.freeze(NOW)
        assert world.get(path, text="processing") != []
        world.store.freeze(NOW + timedelta(minutes=1))
        shown = [row["status"] for row in world.get(path, sort="status,desc")]
        assert shown == sorted(shown, reverse=True) and set(shown) == {"COMPLETE", "FAILED"}
        assert world.get(path, text="processing") == []


def test_a_theme_with_an_id_is_updated_and_one_without_is_made(world: World) -> None:
    made = world.post("/theme/custom", {"theme": {"socialThemeName": "Dusk"}, "imageBytes": "R0lGODlh"}).json()
    assert made["previewImageURI"].endswith("/imageBytes") and made["uploadStatus"]["progress"] == 100
    update = {"theme": {"socialThemeId": made["socialThemeId"], "colorPrimary": "#fff"}}
    changed = world.post("/theme/custom", update).json()
    assert changed == {**made, "colorPrimary": "#fff"}
    tiles = [{"uri": "https://example.org/t.png", "x": 1}]
    body = {"theme": {"socialThemeId": made["socialThemeId"].upper(), "tiles": tiles}, "imageFarId": GONE}
    uri = f"https://rooms.example.org/images/{GONE}"
    assert world.post("/theme/custom", body).json() == {**changed, "tiles": tiles, "imageFarURI": uri}
    assert world.post("/theme/custom", {"theme": {"socialThemeId": GONE}}).status_code == 404


@pytest.mark.parametrize("more", [{}, {"sort": "source"}, {"sort": "source", "text": "o"}])
def test_the_last_page_that_can_be_named_is_empty(world: World, more: dict[str, str]) -> None:
    event = world.events[0].id
    for size in (1, 1000, 2**63 - 1):
        assert world.get("/event/registration", socialEventId=event, page=2**63 - 1, size=size, **more) == []


@pytest.mark.parametrize("size", [1, 7, 39, 40, 41, 1000])
def test_pages_cover_all_rows_once_in_the_same_order(world: World, size: int) -> None:
    event = world.events[0].id
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


def test_a_wrong_request_says_what_is_wrong_and_changes_nothing(world: World, cases: Cases) -> None:
    before = world.sets

    def says(method: str, path: str, more: Mapping[str, Any] = MappingProxyType({})) -> str:
        content = {"content": more["content"].encode("latin-1")} if "content" in more else {}
        reply = world.client.request(method, path, **{**more, **content})
        if method == "HEAD":
            return str(reply.status_code)
        told = reply.json()
        assert list(told) == ["status", "message", "problems"] and told["status"] == reply.status_code
        assert all(set(problem) == {"path", "message"} for problem in told["problems"])
        return f"{told['status']}: {told['message']}"

    cases("wrong-requests.txt", says)
    assert says("GET", "/social/room/set/mine?size=" + "9" * 5000).startswith("400: ")
    assert says("POST", "/social/create", {"content": "[" * 100_000, "headers": JSON}).startswith("400: ")
    assert world.sets == before


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
@pytest.mark.parametrize("key", ["", "wrong", KEY + "x"])
def test_every_operation_needs_the_key(world: World, operation: Any, key: str) -> None:
    path = operation.path.replace("{socialId}", GONE).replace("{userId}", GONE)
    assert world.client.request(operation.method, path, headers={"X-API-Key": key}).status_code == 401


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "", "evil.example:80"])
def test_r57_another_host_is_not_served(world: World, host: str) -> None:
    assert world.client.get("/social/room/set/mine", headers={"Host": host}).status_code == 421


def test_the_file_is_private(world: World) -> None:
    files = list(world.store.path.parent.glob("sandbox.db*"))
    assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    assert len(files) == 3


def test_a_world_stays_until_the_store_is_emptied(world: World) -> None:
    assert seed(world.store, registrations=7) == world.events
    world.store.reset()
    assert world.store.empty and world.store.path.stat().st_size < 200_000
    assert seed(world.store, registrations=7)[0].registrations == 7


def test_a_store_that_another_process_writes_to_says_so(world: World) -> None:
    other = sqlite3.connect(world.store.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    world.store._connection.execute("PRAGMA busy_timeout = 10")
    reply = world.post("/audio/api/key/playlist", {})
    why = "the sandbox cannot be written, so nothing was changed: database is locked"
    assert (reply.status_code, reply.json()["message"]) == (503, why)
    assert world.get("/recording/mine") != []
    other.execute("ROLLBACK")
    other.close()
    assert world.post("/audio/api/key/playlist", {}).status_code == 200


def test_a_file_that_is_no_sandbox_is_a_local_failure(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"not a database, but long enough to look at" * 100)
    with pytest.raises(LocalFailure, match="cannot be opened"):
        Store(tmp_path / "x.db")
