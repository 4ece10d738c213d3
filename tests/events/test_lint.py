"""What looks wrong with an evening: each kind of finding is in the transcript, and is explained."""

import json
import re
from pathlib import Path

import pytest

from roomctl.events.lint import codes
from tests.conftest import Run, Serving
from tests.servers import A, Paged
from tests.transcripts import GOLDEN


def test_each_kind_of_finding_is_in_the_transcript() -> None:
    text = (GOLDEN / "transcripts" / "lint.txt").read_text(encoding="utf-8")
    assert {*re.findall(r"(?m)^\w+\.yaml\t\d+\t\d+\t\w+\t([\w-]+)\t", text)} == codes().keys()


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
    told = {name: f"{name} is {outside}" for name in (absolute, "../key.env", "link.csv")}
    told |= {".": ". is not a file", "key.csv": "key.csv line 1: not an id"}
    told["header.csv"] = f"header.csv line 1: there is no column {people}"
    for name, message in told.items():
        text = json.dumps({"room_set": "S", "rooms": [{"name": "A", "maxParticipants": 9, "invite": name}]})
        (folder / "gala.json").write_text(text)
        done = sandbox("roomset", "lint", "evening/gala.json", "-o", "json")
        assert ([row["message"] for row in done.json], secret in done.stderr) == ([message], False)
    (folder / "gala.json").write_text('{"room_set": "S", "rooms": [{"name": "A", "invite": "loop.csv"}]}')
    assert sandbox("roomset", "lint", "evening/gala.json").status == 8


def test_what_would_invite_twice_or_names_two_themes_is_an_error(sandbox: Run, tmp_path: Path) -> None:
    (tmp_path / "sent.csv").write_text("emailAddress,status,error,id,at,job\nada@example.org,ok,,,,x\n")
    room = {"name": "Bar", "invite": "sent.csv", "theme": "blue", "themeId": A, "maxParticipants": 9}
    evening = {"room_set": "S", "themes": {"blue": {"type": "SINGLE_COLOR"}}, "rooms": [room]}
    (tmp_path / "gala.json").write_text(json.dumps(evening))
    done = sandbox("roomset", "lint", "gala.json", "-o", "json")
    assert [row["code"] for row in done.json if row["severity"] == "error"] == ["people", "schema"]
    assert sandbox("roomset", "apply", "gala.json", "--yes").status == 2


def test_a_time_that_a_set_shows_and_nobody_can_read_is_an_error(roomctl: Run, serving: Serving) -> None:
    room = {"socialId": "22222222-0000-4000-8000-000000000000", "name": "Bar", "isOpen": True, "maxParticipants": 9}
    room_set = {"socialRoomSetId": "11111111-0000-4000-8000-000000000000", "name": "Gala"}
    serving(Paged(set=[{**room_set, "socials": [{**room, "endDateTime": "gestern"}]}]))
    done = roomctl("roomset", "lint", "Gala", "-o", "json")
    message = "Bar, ends: the service shows gestern, which is not a time with a zone"
    assert (done.status, done.json) == (8, [{"file": "Gala", "severity": "error", "code": "time", "message": message}])


@pytest.mark.parametrize("code", codes())
def test_every_code_is_explained(code: str, roomctl: Run) -> None:
    done = roomctl("help", "lint", code, "-o", "json")
    assert (done.status, done.json) == (0, {"code": code, **codes()[code]})
