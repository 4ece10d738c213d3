"""What looks wrong with an evening: each kind of finding once, with its place, and explained."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.events.lint import CODES

Run = Callable[..., Any]
EVENING = """\
room_set: Gala
zone: Europe/Berln
rules: {entryOption: DEFAULT, rules: [{property: emailAdress, operator: ENDS_WITH, value: x}]}
themes:
  hall: {type: LAYERED, colorButtonText: "#fff", colorButtonBG: "#eee", image: none.png, colour: red}
rooms:
  - {name: Bar, maxParticipants: 1, starts: 2020-12-01 18:30, ends: 2020-12-01 17:00, theme: hal, invite: people.csv}
  - {name: Bar, maxParticipants: 9, starts: 2027-12-01 18:30, invite: bad.csv}
  - {name: "Hall\\u202e", starts: 2027-12-01 19:00, id: 0a000000-0000-4000-8000-000000000001}
  - {name: bar, maxParticipants: -1, id: 0A000000-0000-4000-8000-000000000001}
  - {name: " ", maxParticipants: 1}
playlists: [{name: X}, {name: X}]
"""
MORE = """\
room_set: "Gala "
settings: {entryOption: ACCOUNT}
rules: {name: Doors, rules: [{property: emailAddress, operator: ENDS_WITH}]}
themes:
  hall: {type: SINGLE_IMAGE, colorPrimary: blu, image: null}
  Hall: {type: SINGLE_COLOR, image: ""}
rooms:
  - {name: Bar, maxParticipants: 0, ends: 2020-12-01T18:30:00Z, invite: none.csv}
"""
FOUND_MORE = [
    (1, 1, "warning", "text", "the name 'Gala ' begins or ends with a blank"),
    (
        2,
        12,
        "warning",
        "rules-ignored",
        "rules apply under CUSTOM_RULES only, and the entryOption of the settings is ACCOUNT",
    ),
    (3, 30, "warning", "rule-part", "this rule has no value"),
    (5, 3, "warning", "picture", "hall is SINGLE_IMAGE, but has no image"),
    (5, 30, "warning", "color", "hall: colorPrimary is 'blu', which is not read as a colour"),
    (6, 3, "warning", "alike", "'Hall' differs from 'hall' only in case or blanks"),
    (6, 30, "error", "file", "`image` names no file"),
    (8, 5, "warning", "past", "Bar ends in the past"),
    (8, 5, "warning", "capacity", "Bar has room for 0, and 0 are invited"),
    (8, 65, "warning", "nobody", "the invitation file of Bar has no people"),
]
FOUND = [
    (2, 1, "error", "time", "there is no time zone 'Europe/Berln'; did you mean `Europe/Berlin`?"),
    (3, 9, "warning", "rules-ignored", "rules apply under CUSTOM_RULES only, and entryOption is DEFAULT"),
    (3, 40, "warning", "rule-word", "no known rule uses the property emailAdress; did you mean `emailAddress`?"),
    (5, 3, "warning", "picture", "hall is LAYERED, but has no imageFar or imageMid or imageNear"),
    (5, 25, "warning", "contrast", "hall: colorButtonText on colorButtonBG has a contrast of 1.2 to 1"),
    (5, 73, "error", "file", "cannot read none.png: no such file or directory"),
    (5, 90, "error", "form", "no such field 'colour'; there are "),
    (7, 5, "error", "ends-first", "Bar ends before it starts"),
    (7, 5, "warning", "past", "Bar starts in the past"),
    (7, 5, "warning", "outside", "Bar starts far from the other rooms"),
    (7, 5, "warning", "capacity", "Bar has room for 1, and 2 are invited"),
    (7, 87, "error", "reference", "this file has no theme 'hal'; did you mean `hall`?"),
    (8, 5, "error", "twins", "an earlier room has the same name: give each an `id`"),
    (8, 63, "error", "people", "bad.csv line 2: emailAddress: not an e-mail address"),
    (9, 5, "note", "no-capacity", "Hall\u202e has no maxParticipants"),
    (9, 6, "warning", "text", "the name has invisible characters"),
    (10, 5, "warning", "capacity", "bar has room for -1, and 0 are invited"),
    (10, 6, "warning", "alike", "'bar' differs from 'Bar' only in case or blanks"),
    (10, 38, "error", "twins", "an earlier room has the same id"),
    (11, 5, "error", "form", "a room needs a `name`"),
    (12, 24, "error", "twins", "an earlier playlist has the same name: give each another name"),
]


@pytest.fixture
def file(tmp_path: Path) -> str:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\ngrace@example.org\n")
    (tmp_path / "bad.csv").write_text("emailAddress\nnobody\n")
    (tmp_path / "none.csv").write_text("emailAddress\n")
    (tmp_path / "gala.yaml").write_text(EVENING)
    (tmp_path / "more.yaml").write_text(MORE)
    return "gala.yaml"


def test_each_kind_of_finding_is_made_at_its_line_and_column(sandbox: Run, file: str) -> None:
    for name, expected in {file: FOUND, "more.yaml": FOUND_MORE}.items():
        done = sandbox("roomset", "lint", name, "-o", "json")
        told = [tuple(row[name] for name in ("line", "column", "severity", "code", "message")) for row in done.json]
        assert done.status == 8
        assert [(*row[:4], row[4][: len(found[4])]) for row, found in zip(told, expected, strict=True)] == expected
    assert {code for _, _, _, code, _ in (*FOUND, *FOUND_MORE)} == CODES.keys()


def test_a_file_that_is_named_stands_in_the_folder_and_no_word_of_it_is_told(sandbox: Run, tmp_path: Path) -> None:
    """Whoever proposes an event file does not read what stands elsewhere on the machine that checks it."""
    folder, secret = tmp_path / "evening", "KEY=s3cret"
    folder.mkdir()
    for name in ("key.env", "evening/key.csv", "evening/header.csv"):
        (tmp_path / name).write_text(f"{secret},x\n" if "header" in name else f"{secret}\n")
    (folder / "link.csv").symlink_to(tmp_path / "key.env")
    (folder / "loop.csv").symlink_to("loop.csv")
    absolute = str(tmp_path / "key.env")
    outside, people = "not in the folder of the event file", "invitedUserId or emailAddress"
    told = {
        absolute: f"{absolute} is {outside}",
        "../key.env": f"../key.env is {outside}",
        "link.csv": f"link.csv is {outside}",
        ".": ". is not a file",
        "key.csv": "key.csv line 1: invitedUserId: not an id",
        "header.csv": f"header.csv line 1: there is no column {people}",
    }
    for name, message in told.items():
        text = json.dumps({"room_set": "S", "rooms": [{"name": "A", "maxParticipants": 9, "invite": name}]})
        (folder / "gala.json").write_text(text)
        done = sandbox("roomset", "lint", "evening/gala.json", "-o", "json")
        assert ([row["message"] for row in done.json], secret in done.stderr) == ([message], False)
    (folder / "gala.json").write_text('{"room_set": "S", "rooms": [{"name": "A", "invite": "loop.csv"}]}')
    assert sandbox("roomset", "lint", "evening/gala.json").status == 8


@pytest.mark.parametrize("rule", [5, None])
def test_a_rule_that_is_no_object_is_an_error_in_the_form(rule: object, sandbox: Run, tmp_path: Path) -> None:
    (tmp_path / "gala.json").write_text(json.dumps({"room_set": "S", "rules": {"rules": [rule]}}))
    done = sandbox("roomset", "lint", "gala.json", "-o", "json")
    assert (done.status, [row["code"] for row in done.json]) == (8, ["form"]), done.stderr


def test_what_is_found_below_the_severity_asked_for_is_no_failure(sandbox: Run, tmp_path: Path, file: str) -> None:
    (tmp_path / "past.yaml").write_text("room_set: S\nzone: UTC\nrooms: [{name: Bar, starts: 2020-12-01 18:30}]\n")
    statuses = [sandbox("roomset", "lint", "past.yaml", "--severity", each).status for each in ("error", "warning")]
    assert statuses == [0, 8]
    marked = sandbox("roomset", "lint", "past.yaml", "--severity", "note", "--error-format", "github").stderr
    assert "::warning file=past.yaml,line=3,col=9,title=roomctl lint[past]::Bar starts in the past" in marked
    assert "::notice file=past.yaml,line=3,col=9,title=roomctl lint[no-capacity]" in marked


def test_a_file_is_looked_at_without_a_profile_and_from_stdin(roomctl: Run, file: str) -> None:
    named, piped = roomctl("roomset", "lint", file), roomctl("roomset", "lint", "-", stdin=EVENING)
    assert (named.status, named.stdout) == (8, piped.stdout.replace("stdin", file)), named.stderr
    planned = roomctl("--sandbox", "roomset", "plan", "-", "--check", stdin="room_set: S\n")
    assert (planned.status, "+ room set" in planned.stdout) == (8, True), planned.stderr


def test_a_set_is_looked_at_as_it_stands(sandbox: Run) -> None:
    done = sandbox("roomset", "lint", "Autumn Summit", "--severity", "warning", "-o", "json")
    assert (done.status, {row["code"] for row in done.json}) == (8, {"past", "contrast"})
    assert {row.pop("file") for row in done.json} == {"Autumn Summit"}
    assert all("line" not in row for row in done.json)


@pytest.mark.parametrize("code", CODES)
def test_every_code_is_explained(code: str, roomctl: Run) -> None:
    done = roomctl("help", "lint", code, "-o", "json")
    assert (done.status, done.json) == (0, {"code": code, **CODES[code]._asdict()})
    assert code in roomctl("help", "lint").stdout
    assert "did you mean `twins`?" in roomctl("help", "lint", "twin").stderr
