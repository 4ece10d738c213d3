"""Each gap of the interface has its entry, is read in three ways, and is named in answers that rest on it."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from roomctl.contract.operations import OPERATIONS
from roomctl.sandbox.gaps import LEVELS, all_gaps
from tests.conftest import Cases
from tests.sandbox.conftest import GONE, World

MINE = "/social/room/set/mine"


def test_what_is_not_documented_is_refused_taken_or_misread(world: World, cases: Cases) -> None:
    ids = {"SET": world.sets[0]["socialRoomSetId"], "ROOM": world.room("Main Stage")["socialId"]}

    def says(*asked: Any) -> str:
        known = re.sub("SET|ROOM", lambda word: ids[word[0]], json.dumps(asked))
        method, path, body, query = (*json.loads(known), None, None)[:4]
        answers = {name: world.ask(name, method, path, body, **(query or {})).status_code for name in LEVELS}
        return ", ".join(f"{name} {status}" for name, status in answers.items())

    cases("gaps.txt", says)


def test_hostile_pages_are_short_and_begin_with_the_newest_and_miss_nothing(world: World) -> None:
    def ids(reading: str, size: int) -> list[list[str]]:
        pages: list[list[str]] = []
        while not pages or pages[-1]:
            query = {"socialEventId": world.events[0].id, "size": size, "page": len(pages)}
            reply = world.ask(reading, "GET", "/event/registration", **query).json()
            pages.append([row["registrationId"].lower() for row in reply or []])
        return pages

    kind = ids("lenient", 100)
    assert [len(page) for page in ids("hostile", 100)] == [7, 7, 7, 7, 7, 5, 0]
    assert [each for page in ids("hostile", 100) for each in page] == kind[0][::-1]


def test_hostile_refuses_some_of_a_request_and_turns_the_order_round(world: World) -> None:
    addresses = [row["emailAddress"] for row in world.store.all("user", "")[:4]]
    body = [{"invitedUser": {"emailAddress": each}} for each in addresses]
    reply = world.ask("hostile", "POST", f"/social/invite/{world.room('Help Desk')['socialId']}", body).json()
    assert [each["invitedUser"]["emailAddress"] for each in reply] == addresses[::-1]
    assert [each.get("error", "") for each in reply] == ["", "try again later", "", ""]


def test_hostile_answers_what_nobody_documented(world: World) -> None:
    wrong = world.ask("hostile", "GET", f"/user/{GONE}")
    assert (wrong.headers["content-type"], wrong.text[:9]) == ("text/html; charset=utf-8", "<!doctype")
    body = {"socialRoomSetId": world.sets[0]["socialRoomSetId"], "name": "y"}
    saved = world.ask("hostile", "PATCH", "/social/room/set", body)
    assert (saved.headers["content-type"], saved.text) == ("text/plain", "OK")
    record = world.ask("hostile", "GET", MINE).json()[0]
    assert ("somethingNew" in record, record["socials"][0]["platform"]) == (True, "SOMETHING_NEW")
    assert "name" not in record["hostUser"]


INTERFACE = Path(__file__).parent.parent / "contract" / "interface.toml"
NOT_DESCRIBED = "A room carries the boolean isOpen; a registration carries the boolean confirmed. "
NOT_DESCRIBED += "Other lifecycles are not described."


def quotes() -> set[str]:
    return {" ".join(gap["quote"].split()) for gap in all_gaps().values() if gap.get("quote")}


def test_each_line_that_is_not_shown_has_its_entry_and_back() -> None:
    lines = tomllib.loads(INTERFACE.read_text(encoding="utf-8"))["not_shown"]
    wanted = {" ".join(line["quote"].split()) for line in lines}
    documented = wanted | {line for each in OPERATIONS for line in each.not_shown} | {NOT_DESCRIBED}
    assert {line for line in wanted if not any(line in quote or quote in line for quote in quotes())} == set()
    assert {quote for quote in quotes() if not any(quote in line or line in quote for line in documented)} == set()


def test_each_entry_has_a_choice_and_a_reason_and_nothing_that_nobody_reads() -> None:
    assert all(gap["lenient"] and gap["why"] for gap in all_gaps().values())
    assert {name for gap in all_gaps().values() for name in gap} == {"lenient", "why", "quote", "strict", "hostile"}
