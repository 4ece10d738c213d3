"""What a plan rests on: an exported set is as its file says, and a room that contradicts itself is not proven."""

from typing import Any

import pytest

from roomctl.events.current import Current
from tests.conftest import Run

KEY, OTHER = "0a000000-0000-4000-8000-000000000001", "0a000000-0000-4000-8000-000000000002"
BAR = {"socialId": KEY, "name": "Bar", "isOpen": True, "maxParticipants": 7}
DOUBTS = [
    ([BAR, dict(BAR)], ""),
    ([{**BAR, "socialRoomSetId": OTHER}], "it belongs to another room set"),
    ([BAR, {**BAR, "isOpen": False}], "it is listed twice, with different values of isOpen"),
    ([BAR, {**BAR, "maxParticipants": 8}], "it is listed twice, with different values of maxParticipants"),
]


@pytest.mark.parametrize("name", ["Autumn Summit", "Team Socials", "Onboarding", "Archive 2025"])
@pytest.mark.parametrize("form", ["yaml", "json"])
def test_a_set_that_was_exported_is_as_its_file_says(name: str, form: str, sandbox: Run) -> None:
    assert sandbox("roomset", "export", name, "--to", f"set.{form}").status == 0
    done = sandbox("roomset", "plan", f"set.{form}", "--check")
    assert (done.status, done.stdout.splitlines()[-1].partition(",")[0]) == (0, "no changes"), done.stdout


@pytest.mark.parametrize(("listed", "why"), DOUBTS)
def test_a_room_that_contradicts_itself_is_not_proven(listed: list[Any], why: str) -> None:
    standing = Current({"socialRoomSetId": KEY, "socials": listed})
    assert [standing.doubt(each) for each in standing.rooms] == [why]
