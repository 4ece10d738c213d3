"""What an answer says under a fault: the rows of a list, the records in it, and a refusal with status 200."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from roomctl.contract.records import UUID
from roomctl.sandbox.fault_effects import BESIDE, DENIALS
from roomctl.sandbox.faults import FaultStore, parse
from roomctl.sandbox.seed import seed
from roomctl.sandbox.store import Store
from tests.conftest import Cases
from tests.sandbox.conftest import GONE, NOW, client_of

SETS = "/social/room/set/mine"
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
Ask = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    folder = tmp_path_factory.mktemp("effects")
    store, stage = Store(folder / "sandbox.db"), FaultStore(folder / "stage.db")
    seed(store, registrations=20, now=NOW)
    with client_of(store, stage) as client:

        def asked(fault: str, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
            stage.clear()
            stage.add([parse(fault)] if fault else [])
            return client.request(method, path, params=query, json=body)

        yield asked
    stage.close()
    store.close()


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Give each value at any depth with the name of its field."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield key, item
            yield from leaves(item, key)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item, name)


@pytest.mark.parametrize(("word", "name"), [("list-field", "content"), ("list-field=items", "items")])
def test_rows_stand_in_a_field_beside_what_is_no_row(word: str, name: str, ask: Ask) -> None:
    reply, plain = ask(f"{word}:read", "GET", SETS, size=2).json(), ask("", "GET", SETS, size=2).json()
    assert reply.pop(name) == plain
    assert reply == {"number": 0, "size": 2, "first": True, "empty": False}
    assert ask(f"{word}:read", "GET", SETS, page=9).json()[name] == []
    assert isinstance(ask(f"{word}:*", "GET", f"/social/{STAGE}/ctaitem").json()[name], list)


@pytest.mark.parametrize("word", DENIALS)
def test_a_denial_has_status_200_and_only_with_after_commit_an_effect(word: str, ask: Ask) -> None:
    def name() -> str:
        return str(ask("", "GET", SETS).json()[0]["name"])

    before, body = name(), {"socialRoomSetId": ask("", "GET", SETS).json()[0]["socialRoomSetId"], "name": f"by {word}"}
    denied = ask(f"denied={word}:write", "PATCH", "/social/room/set", body)
    assert (denied.status_code, name()) == (200, before)
    assert denied.json() == ({**body, **DENIALS[word]} if word in BESIDE else DENIALS[word])
    assert ask(f"denied={word},after-commit:write", "PATCH", "/social/room/set", body).json() == denied.json()
    assert name() == f"by {word}"


def test_a_refusal_of_the_sandbox_stays_what_it_is(ask: Ask) -> None:
    for word in ("denied=0,after-commit", "empty-body", "list-field"):
        assert ask(f"{word}:*", "GET", f"/user/{GONE}").status_code == 404


def test_records_are_changed_at_any_depth_and_nothing_else_in_them(ask: Ask) -> None:
    plain = ask("", "GET", SETS).json()

    def changed(fault: str) -> Any:
        return ask(f"{fault}:read", "GET", SETS).json()

    assert "isOpen" in dict(leaves(plain)) and "isOpen" not in dict(leaves(changed("without=isOpen")))
    assert {*dict(leaves(plain))} - {*dict(leaves(changed("without=name+user")))} >= {"name", "user"}
    ids = [value for _, value in leaves(changed("uppercase-ids")) if isinstance(value, str) and UUID.fullmatch(value)]
    assert ids and all(value == value.upper() for value in ids)
    assert json.loads(json.dumps(changed("uppercase-ids")).lower()) == json.loads(json.dumps(plain).lower())
    nulls = changed("nulls")
    assert nulls[0]["socials"][0]["user"]["middleName"] is None and _without_nulls(nulls) == plain
    assert "somethingNew" in changed("unknown-fields")[0]["socials"][0]["user"]
    platforms = [value for name, value in leaves(changed("unknown-values=platform")) if name == "platform"]
    assert set(platforms) == {"SOMETHING_NEW"}
    assert changed("unknown-values=platform")[0]["entryOption"] == plain[0]["entryOption"]


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nulls(item) for name, item in value.items() if item is not None}
    return [_without_nulls(item) for item in value] if isinstance(value, list) else value


def test_a_moment_stays_the_same_in_another_form(ask: Ask, cases: Cases) -> None:
    until = {"leaveOpenUntil": "2026-11-21T08:00:00Z"}
    end = f"/social/end/{STAGE}"
    cases("offsets.txt", lambda word: str(ask(f"{word}:write", "POST", end, **until).json()["endDateTime"]))
