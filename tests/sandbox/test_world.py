"""A world: what is wrong with it, and what stands in the store afterwards; the seeded one is always the same."""

import sqlite3
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
from roomctl.sandbox.world import fill
from tests.sandbox.conftest import NOW

A = "AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA"
ADA = {"name": "Ada", "emailAddress": "ada@example.org"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(tmp_path / "sandbox.db")
    yield made
    made.close()


def test_what_has_no_id_gets_the_same_one_each_time_and_an_id_given_stands(store: Store) -> None:
    document = {"users": [ADA], "roomSets": [{"socials": [{"name": "Stage"}, {"name": "Bar", "socialId": A}]}]}
    fill(store, document, now=NOW)
    first = store.all("social", store.all("roomset", "me")[0]["socialRoomSetId"])
    fill(store, document, now=NOW)
    assert store.all("social", store.all("roomset", "me")[0]["socialRoomSetId"]) == first
    assert first[1]["socialId"] == A.lower() and first[0]["socialId"] != first[1]["socialId"]
    fill(store, document, seed=2)
    assert store.get("social", first[0]["socialId"]) is None


def test_the_rooms_of_a_set_have_its_rules(store: Store) -> None:
    rooms = [{"name": "Stage", "themeId": A.lower()}, {"name": "Bar", "configurationId": A.lower()}]
    configs = [{"name": "Doors"}, {"name": "Others", "configurationId": A}]
    themes = [{"socialThemeName": "Blue", "socialThemeId": A}]
    fill(store, {"themes": themes, "roomSets": [{"socials": rooms, "entryConfigs": configs}]})
    parent = store.all("roomset", "me")[0]["socialRoomSetId"]
    stage, bar = store.all("social", parent)
    doors, others = store.all("config", parent)
    assert (stage["themeId"], stage["configurationId"]) == (A.lower(), doors["configurationId"])
    assert doors["associatedSocialIds"] == [stage["socialId"]]
    assert others["associatedSocialIds"] == [bar["socialId"]]


def test_what_is_null_is_not_there_and_numbers_can_be_counted_on(store: Store) -> None:
    room = {"name": None, "socialMeta": {"numberOfInvites": None, "numberCurrentlyPresent": 3}}
    fill(store, {"roomSets": [{"socials": [room]}], "users": None or []})
    made = store.all("social", store.all("roomset", "me")[0]["socialRoomSetId"])[0]
    meta = {name: value for name, value in made["socialMeta"].items() if name.startswith("number")}
    assert made["name"] == "Room"
    assert meta == {"numberOfInvites": 0, "numberOfAttendees": 0, "numberCurrentlyPresent": 3}


@pytest.mark.parametrize(("number", "digest"), [(1, "4be2cfde131c1f47"), (7, "05603d7c24be10ed")])
def test_a_number_makes_the_same_world_to_the_byte(number: int, digest: str, store: Store) -> None:
    seed(store, registrations=300, seed=number, now=NOW)
    with sqlite3.connect(store.path) as connection:
        rows = [*connection.execute("SELECT kind, id, parent, place, doc, words FROM document ORDER BY kind, id")]
    connection.close()
    found = sha256(repr(rows).encode()).hexdigest()[:16]
    assert found == digest, "another world: if that is meant, its digest goes above"
