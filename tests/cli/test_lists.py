"""Lists and names on the command line, where a list has a hole or an end of its own (R30)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Env, Run, Serving
from tests.servers import Paged

UNPROVEN = "the list may be incomplete"


def identifier(number: int) -> str:
    return f"{number:08}-0000-4000-8000-000000000000"


def room_set(number: int) -> dict[str, Any]:
    room = {"socialId": identifier(1000 + number), "name": f"Room {number}", "isOpen": True}
    return {"socialRoomSetId": identifier(number), "name": f"Set {number}", "socials": [room]}


@pytest.fixture
def paged(serving: Serving, variables: Env) -> Paged:
    variables["ROOMCTL_PAGE_SIZE"] = "10"
    return serving(Paged(set=[room_set(number) for number in range(50)]))


@pytest.mark.parametrize("end", ["204", "", "null", "404", "400"])
def test_each_end_of_a_list_is_known_r30(end: str, roomctl: Run, paged: Paged, variables: Env, tmp_path: Path) -> None:
    paged.end = end
    refused = end in ("400", "404")
    done = roomctl("roomset", "list", "-o", "json")
    assert (done.status, len(done.json)) == (6 if refused else 0, 50)
    assert ("page 5 was refused with HTTP" in done.stderr) is refused
    assert roomctl("roomset", "list", "--to", str(tmp_path / "r.csv")).status == done.status
    assert roomctl("recording", "list").status == (4 if refused else 6)
    variables["ROOMCTL_END_OF_LIST"] = end or "empty"
    assert roomctl("roomset", "list", "-o", "json").status == 0
    assert roomctl("recording", "list").status == (4 if refused else 0)
    assert roomctl("roomset", "get", "Set 45").status == 0
    assert roomctl("roomset", "list", "--to", str(tmp_path / "r.csv"), "--force").status == 0
    assert json.loads((tmp_path / "r.csv.manifest.json").read_bytes())["complete"]


def test_a_query_reads_booleans_that_come_as_text(roomctl: Run, serving: Serving) -> None:
    named = {"a": "false", "b": "true"}
    rooms = [{"socialId": identifier(ord(name)), "name": name, "isOpen": said} for name, said in named.items()]
    registered = {"registrationId": "r", "confirmed": "false", "user": {"active": "FALSE"}}
    serving(Paged(set=[{**room_set(1), "socials": rooms}], registration=[registered]))
    for words, expression, found, field in (
        (["social", "list"], "[?isOpen].name", ["b"], "isOpen"),
        (["roomset", "list"], "[].socials[?isOpen==`true`].name", [["b"]], "isOpen"),
        (["registration", "list", identifier(1)], "[?confirmed || user.active]", [], "confirmed"),
    ):
        done = roomctl(*words, "--query", expression, "-o", "json")
        assert (done.status, done.json) == (0, found), done
        assert done.stderr.count(f"sends `{field}` as text: it is read as true or false") == 1


@pytest.mark.parametrize(("number", "status"), [(145, 0), (25, 7)])
def test_a_room_seen_closed_is_ended_whatever_holes_r30(number: int, status: int, roomctl: Run, paged: Paged) -> None:
    """The answer to the write is a list, and proves nothing; what reading shows of the room by its id does."""
    paged.holes = {0}
    paged.lists["set"] += [room_set(number) for number in range(50, 150)]
    for each in paged.lists["set"]:
        each["socials"][0]["isOpen"] = False
    done = roomctl("social", "end", identifier(1000 + number), "--yes")
    assert done.status == status, done.stderr
    assert (UNPROVEN in done.stderr) is (status == 7)


CLOSED = {"isOpen": False}


@pytest.mark.parametrize(
    ("later", "which", "status", "why"),
    [
        ([[CLOSED], [{}]], (), 0, ""),
        ([[], [{}]], (), 8, f"still waiting for 1 room: Room 0 ({identifier(1000)})"),
        ([[{}]], (), 8, f"still waiting for 1 room: Room 0 ({identifier(1000)})"),
        ([[], [CLOSED, {}]], (identifier(0),), 0, ""),
    ],
)
def test_what_is_no_longer_shown_is_not_closed(
    later: Any, which: tuple[str, ...], status: int, why: str, roomctl: Run, paged: Paged, monkeypatch: Any
) -> None:
    """`later` are the sets as they are at the second look, with what is new of their rooms; an open one is closed."""
    sets = [room_set(number) for number in range(2)]
    sets[1]["socials"][0] |= CLOSED
    rooms = [each["socials"][0] for each in sets]
    paged.lists["set"] = sets

    def change(_: float) -> None:
        shown = sets if len(later) > 1 else sets[1:]
        paged.lists["set"] = [
            {**each, "socials": [{**rooms[0 if change_ else 1], **change_} for change_ in changes]}
            for each, changes in zip(shown, later, strict=True)
        ]

    monkeypatch.setattr("roomctl.cli.social.watch.time.sleep", change)
    done = roomctl("social", "watch", *which, "--until-closed", "--times", "2", "-o", "json")
    assert (done.status, why in done.stderr) == (status, True), done.stderr
