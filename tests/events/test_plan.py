"""A plan says what would be done, and what is wrong with the file, all of it at once."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.events.current import Current

Run = Callable[..., Any]
SETS = ("Autumn Summit", "Team Socials", "Onboarding", "Archive 2025")
EVENING = """\
room_set: Autumn Summit
zone: Europe/Berlin
settings: {description: "Autumn Summit: 5 rooms", startingPoint: Main Stage}
rules:
  name: Doors of Autumn Summit
  rules: [{property: emailAddress, operator: ENDS_WITH, value: "@example.org"}]
themes:
  stage: {type: SINGLE_COLOR, colorPrimary: "#2255aa"}
rooms:
  - {name: Main Stage, starts: 2026-11-21 07:00, maxParticipants: 51}
  - {name: Bar, starts: 2026-12-01 18:30, theme: stage, invite: people.csv}
playlists: [{name: Arrival, type: FREE_PLAYLIST}]
"""
PLAN = """\
= room set        Autumn Summit
~ settings
      description: Autumn Summit: 4 rooms → Autumn Summit: 5 rooms
+ theme           stage
      type: SINGLE_COLOR
      colorPrimary: #2255aa
! room            Main Stage
      maxParticipants: 50 → 51
      the service has no operation that changes a room: change it by hand, or end it and add a new one
+ room            Bar
      starts: 2026-12-01 18:30
      theme: stage
= starting point
~ rules           Doors of Autumn Summit
      rooms: Main Stage, Networking Lounge, Green Room, Help Desk → Main Stage, Networking Lounge, Green Room, Help Desk, Bar
? playlist        Arrival
      not shown by the service, so it may exist already: skipped; `--send-unseen` sends it
+ invitations     Bar  2 people
  room            Networking Lounge
      not in the file
  room            Green Room
      not in the file
  room            Help Desk
      not in the file

requests, in this order:
  1. PATCH /api/v1/social/room/set  settings
  2. POST /api/v1/theme/custom  theme stage
  3. POST /api/v1/social/create  room Bar
  4. POST /api/v1/rules/entry/config  rules Doors of Autumn Summit
  5. POST /api/v1/social/invite/{socialId}  invitations Bar

3 to create, 2 to change, 1 that cannot be changed, 1 not shown, 2 the same, 3 not in the file
"""  # noqa: E501


@pytest.fixture
def evening(tmp_path: Path) -> Callable[[str], str]:
    (tmp_path / "people.csv").write_text("emailAddress\nada.lovelace@example.org\ngrace.hopper@example.org\n")

    def write(text: str, name: str = "evening.yaml") -> str:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return name

    return write


def writes(roomctl: Run) -> list[str]:
    return [each["method"] for each in roomctl("sandbox", "log", "-o", "json").json if each["method"] != "GET"]


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_set_that_was_exported_is_as_its_file_says(name: str, form: str, sandbox: Run) -> None:
    assert sandbox("roomset", "export", name, "--to", f"set.{form}").status == 0
    done = sandbox("roomset", "plan", f"set.{form}", "--check")
    assert (done.status, done.stdout.splitlines()[-1].partition(",")[0]) == (0, "no changes"), done.stdout


def test_a_plan_says_what_would_be_done_and_sends_nothing(sandbox: Run, evening: Callable[..., str]) -> None:
    file = evening(EVENING)
    done = sandbox("roomset", "plan", file)
    assert (done.status, done.stdout) == (0, PLAN), done.stderr
    checked = sandbox("roomset", "plan", file, "--check", "-o", "md")
    assert (checked.status, len(checked.stdout.splitlines())) == (8, 14)
    kept = sandbox("roomset", "plan", file, "-o", "json").json
    assert [each["action"] for each in kept["steps"]].count("create") == 3
    assert sandbox("roomset", "plan", file, "--to", "plan.json").status == 0
    assert json.loads(Path("plan.json").read_text()) == kept
    assert writes(sandbox) == []


def test_rooms_of_one_name_need_their_ids_and_closed_rooms_do_not_count(
    sandbox: Run, evening: Callable[..., str]
) -> None:
    make = ("social", "create", "--room-set", "Onboarding", "--name", "Bar", "-o", "ids")
    first, second = (sandbox(*make).stdout.strip() for _ in range(2))
    twice = sandbox("roomset", "plan", evening("room_set: Onboarding\nrooms: [{name: Bar}]\n"), "-o", "json")
    error = json.loads(twice.stderr.splitlines()[-1])["error"]
    assert (twice.status, error["code"], first in error["message"], second in error["message"]) == (
        2,
        "ambiguous",
        True,
        True,
    )
    named = evening(f"room_set: Onboarding\nrooms: [{{name: Bar, id: {first}}}, {{name: Bar, id: {second}}}]\n")
    assert sandbox("roomset", "plan", named, "--check").status == 0
    assert sandbox("social", "end", second, "--yes").status == 0
    assert sandbox("roomset", "plan", evening("room_set: Onboarding\nrooms: [{name: Bar}]\n"), "--check").status == 0
    assert sandbox("social", "end", first, "--yes").status == 0
    closed = sandbox("roomset", "plan", evening("room_set: Onboarding\nrooms: [{name: Bar}]\n"), "--check")
    assert (closed.status, "it is closed" in closed.stdout) == (8, True)
    assert "1 step differs from the file" in closed.stderr
    assert "roomset apply" not in closed.stderr  # which could not change it


def test_a_list_that_is_not_proven_whole_is_planned_on_and_said(sandbox: Run, evening: Callable[..., str]) -> None:
    hole = ("--fault", "end-of-list=404:roomset.list")
    done = sandbox("roomset", "plan", evening(EVENING), *hole)
    assert (done.status, done.stdout) == (6, PLAN), done.stderr


UNPROVEN = [
    ("without=maxParticipants:roomset.list", "room", 8, {"unseen"}, "4 steps differ from the file"),
    ("without=isOpen:roomset.list", "room", 6, {"unseen"}, "whether it is open is not shown"),
    ("without=socialId:roomset.list", "room", 6, {"unseen"}, "its id is not shown"),
    ("without=socials:roomset.list", "room", 6, {"create"}, "the rooms of 'Autumn Summit' are not shown"),
    ("status=404:rules.get", "rules", 6, {"unseen"}, "which rooms name, could not be read"),
]


@pytest.mark.parametrize(("fault", "kind", "status", "actions", "why"), UNPROVEN)
def test_what_is_not_shown_is_not_said_to_be_the_same(
    fault: str, kind: str, status: int, actions: set[str], why: str, sandbox: Run
) -> None:
    assert sandbox("roomset", "export", "Autumn Summit", "--to", "set.yaml").status == 0
    done = sandbox("roomset", "plan", "set.yaml", "--check", "--fault", fault, "-o", "json")
    found = {each["action"] for each in done.json["steps"] if each["step"] == kind}
    assert (done.status, found - {"stays"}, why in done.stderr) == (status, actions, True), done.stderr


KEY, OTHER = "0a000000-0000-4000-8000-000000000001", "0a000000-0000-4000-8000-000000000002"
BAR = {"socialId": KEY, "name": "Bar", "isOpen": True, "maxParticipants": 7}
DOUBTS = [
    ([BAR, dict(BAR)], ""),
    ([{**BAR, "socialRoomSetId": OTHER}], "it says that it is of another room set"),
    ([BAR, {**BAR, "isOpen": False}], "it is listed twice, each time with another isOpen"),
    ([BAR, {**BAR, "maxParticipants": 8}], "it is listed twice, each time with another maxParticipants"),
]


@pytest.mark.parametrize(("listed", "why"), DOUBTS)
def test_a_room_that_contradicts_itself_is_not_proven(listed: list[Any], why: str) -> None:
    standing = Current({"socialRoomSetId": KEY, "socials": listed})
    assert [standing.doubt(each) for each in standing.rooms] == [why]


def test_a_time_without_a_zone_is_on_the_clock_of_the_option_the_file_or_the_profile(
    sandbox: Run, roomctl: Run, evening: Callable[..., str]
) -> None:
    room = "rooms: [{name: Loft, starts: 2026-12-01 18:30}]\n"
    none, own = evening("room_set: S\n" + room, "none.yaml"), evening("room_set: S\nzone: Europe/Berlin\n" + room)
    refused = sandbox("roomset", "plan", none)
    assert (refused.status, "a time without a zone" in refused.stderr) == (2, True)

    def sent(*args: str) -> str:
        requests = sandbox("roomset", "apply", *args, "--dry-run", "-o", "json").json
        return str(requests[2]["body"]["startDateTime"])

    assert [sent(own), sent(none, "--tz", "Europe/Berlin"), sent(own, "--tz", "America/New_York")] == [
        "2026-12-01T17:30:00Z",
        "2026-12-01T17:30:00Z",
        "2026-12-01T23:30:00Z",
    ]

    skipped = evening("room_set: S\nrooms: [{name: Loft, starts: 2027-03-28 02:30}]\n", "skipped.yaml")
    made = ("profile", "add", "berlin", "--base-url", "http://127.0.0.1:9", "--key-env", "K")
    assert roomctl(*made, "--time-zone", "Europe/Berlin").status == 0
    assert [roomctl("roomset", "plan", skipped, *tz).status for tz in ((), ("--tz", "UTC"))] == [2, 3]
    assert "the clocks of Europe/Berlin skip" in roomctl("roomset", "plan", skipped).stderr


WRONG = """\
room_set: Autumn
zone: Europe/Berln
setings: {}
settings:
  socialPermissionType: COMPNY
  startingPoint: Main Stag
themes:
  stage: {type: SINGLE_IMAGE, image: none.png, imageFar: people.csv, colorPrimry: red}
rooms:
  - {name: Main Stage, starts: 2026-10-25 02:30@Europe/Berlin, ends: tomorrow, theme: stag}
  - {name: Main Stage, starts: 2026-12-01 18:30, ends: 2026-12-01 18:00, invite: people.csv}
  - {maxParticipants: many, invite: nobody.csv}
rules: {rooms: [Main Stage, Loft]}
"""
FOUND = """\
line 2, column 1: there is no time zone 'Europe/Berln'; did you mean `Europe/Berlin`?
line 3, column 1: no such field 'setings'; did you mean `settings`?
line 5, column 3: `socialPermissionType` must be one of PUBLIC, COMPANY_AND_CONNECTIONS, CONNECTIONS, COMPANY; did you mean `COMPANY`?
line 6, column 3: this file has no room 'Main Stag'; did you mean `Main Stage`?
line 8, column 31: cannot read none.png: no such file or directory
line 8, column 48: people.csv is not an image that roomctl knows: PNG, JPEG, GIF, WebP or BMP
line 8, column 70: no such field 'colorPrimry'; did you mean `colorPrimary`?
line 10, column 24: `starts`: 02:30 occurs twice in Europe/Berlin on 2026-10-25: write it with an offset, such as +02:00
line 10, column 64: `ends`: 'tomorrow' is not a time: write 2026-12-01 18:30 with a `zone`, or 2026-12-01T18:30:00+01:00
line 10, column 80: this file has no theme 'stag'; did you mean `stage`?
line 11, column 5: an earlier room has the same name: give each an `id`
line 11, column 5: Main Stage ends before it starts
line 11, column 74: people.csv line 3: emailAddress: not an e-mail address
line 12, column 5: a room needs a `name`
line 12, column 6: `maxParticipants` must be an integer, not a string
line 12, column 29: cannot read nobody.csv: no such file or directory
line 13, column 29: this file has no room 'Loft'
"""  # noqa: E501


def test_all_that_is_wrong_with_a_file_is_said_at_once_with_line_and_column(
    sandbox: Run, evening: Callable[..., str], tmp_path: Path
) -> None:
    file = evening(WRONG)
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\nnobody\n")
    done = sandbox("roomset", "plan", file)
    told = re.findall(r"(?m)^  (line .*)$", done.stderr)
    assert (done.status, "\n".join(told) + "\n") == (2, FOUND)
    marked = sandbox("roomset", "plan", file, "--error-format", "github").stderr.splitlines()
    assert marked[1].startswith("::error file=evening.yaml,line=2,col=1,title=roomctl lint[time]::there is no time")
    assert sum(line.startswith("::error file=") for line in marked) == len(told)
    assert writes(sandbox) == []


BROKEN = [
    ("rooms: [", "line 1, column 9: a value is missing here"),
    ("a: 1\na: 2\n", "line 2, column 1: the key 'a' appears twice"),
    ("a: x\n? [b]\n: y\n", "line 2, column 3: a key must be a text"),
    ("".join(f"k{n}: &a{n} [{f'*a{n - 1}, ' * 9}]\n" if n else "k0: &a0 1\n" for n in range(12)), "repeat too much"),
    ("a: &a [*a]\n", "line 1, column 4: its aliases repeat too much"),
    ("- x\n", "line 1, column 1: must be an object, not an array"),
    ("zone: UTC\n", "line 1, column 1: `room_set` is missing"),
]


@pytest.mark.parametrize(("text", "why"), BROKEN)
def test_a_file_that_cannot_be_read_says_where(text: str, why: str, sandbox: Run, evening: Callable[..., str]) -> None:
    done = sandbox("roomset", "plan", evening(text))
    assert (done.status, why in done.stderr) == (2, True), done.stderr
