"""What a plan calls a difference, and what it does not: fields, themes and rules that a service does not show."""

from pathlib import Path
from typing import Any

import pytest

from roomctl.bulk import Mark
from roomctl.errors import Ambiguous
from roomctl.events.apply import find_unmet
from roomctl.events.current import Current
from roomctl.events.event_file import read
from roomctl.events.history import Fact, History, number_of
from roomctl.events.plan import Choices
from roomctl.events.planner import make_plan
from tests.conftest import Cases, error_of

KEY, OTHER = "0a000000-0000-4000-8000-000000000001", "0a000000-0000-4000-8000-000000000002"
BAR = {"socialId": KEY, "name": "Bar", "isOpen": True, "maxParticipants": 7}
SET = {"socialRoomSetId": KEY, "name": "S"}


def history_of(key: str, mark: Mark, content: str = "") -> History:
    return History({(number := number_of(KEY, key)): [Fact(number, mark, content=content)]})


def test_what_a_plan_calls_a_difference_is_not_done_by_an_apply(cases: Cases) -> None:
    """A field is not shown where no record of its kind shows it; else it is there, or it is not set."""

    def says(key: str, own: dict[str, Any], other: dict[str, Any], content: str = "") -> str:
        text = f"room_set: S\nsettings: {{description: Music}}\nthemes: {{blue: {{id: {OTHER}, type: SINGLE_COLOR}}}}\n"
        text += "rooms: [{name: Bar, maxParticipants: 7}]\nrules: {name: D, entryOption: ACCOUNT, rooms: [Bar]}\n"
        event_file, problems = read(Path("e.yaml"), text)
        event_file = event_file._replace(themes={"blue": event_file.themes["blue"]._replace(images={"imageBytes": ""})})
        music, worn = {"description": "Music"}, {**BAR, "theme": {**BLUE, **own}}
        room, setting = {"room Bar": ({}, music), "settings": (BAR, {}), "theme blue": (worn, music)}[key]
        socials = [room or own, {"socialId": OTHER, "name": "Foyer", "isOpen": True, **(other if not room else {})}]
        sets = [{**SET, "socials": socials, **(setting or own)}, {"socialRoomSetId": OTHER, **(other if room else {})}]
        known = history_of(key if content else "settings", Mark("ok", at="2026-11-22"), content)
        steps = make_plan(event_file, sets, {}, known, Choices())
        told = [step.key.replace("images", "theme") for step in steps if step.differs]
        assert (problems, told) == ([], [*find_unmet(steps)])
        return " ".join(told) or "no difference"

    cases("differences.txt", says)


BLUE = {"socialThemeId": OTHER, "socialThemeName": "blue", "type": "SINGLE_COLOR"}


@pytest.mark.parametrize(
    ("worn", "known", "action"),
    [
        ({"themeId": OTHER, "theme": BLUE}, "", "same"),
        ({"themeId": OTHER, "theme": BLUE, "deletedAt": "2026-11-01"}, "", "cannot"),
        ({"themeId": OTHER, "theme": {**BLUE, "socialThemeId": KEY}}, OTHER, "cannot"),
        ({"themeId": OTHER}, OTHER, "same"),
        ({"themeId": OTHER}, KEY, "cannot"),
        ({"themeId": OTHER}, "", "unseen"),
        ({"themeId": None, "theme": None}, "", "cannot"),
        ({"theme": None}, OTHER, "cannot"),
        ({"theme": {**BLUE, "socialThemeId": KEY, "socialThemeName": "red"}}, OTHER, "cannot"),
        ({"theme": {"socialThemeName": "red"}}, OTHER, "cannot"),
        ({"theme": {"socialThemeName": "blue"}}, OTHER, "unseen"),
        ({"themeId": None}, OTHER, "cannot"),
        ({}, "", "unseen"),
    ],
)
def test_a_room_has_the_theme_of_the_file_where_it_shows_that(worn: dict[str, Any], known: str, action: str) -> None:
    event_file, _ = read(Path("e.yaml"), "room_set: S\nthemes: {blue: {}}\nrooms: [{name: Bar, theme: blue}]\n")
    sets = [{**SET, "socials": [{**BAR, **worn}]}]
    history = history_of("theme blue", Mark("ok", id=known)) if known else History()
    room = next(each for each in make_plan(event_file, sets, {}, history, Choices()) if each.kind == "room")
    assert room.action == action


def test_two_sets_of_rules_of_one_name_are_ambiguous() -> None:
    event_file, _ = read(Path("evening.yaml"), "room_set: S\nrules: {name: Doors}\n")
    both = Current(SET, {KEY: {"name": "Doors"}, OTHER: {"name": "Doors"}})
    told = error_of(Ambiguous, both.config, *event_file.rules, event_file.rules).message
    assert KEY in told and OTHER in told
