"""A room set as it stands becomes a file: the same bytes for the same state, and nothing that it cannot hold."""

import json
from datetime import date
from typing import Any

import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from roomctl.contract.event_file import check, schema
from roomctl.events.clock import local_text, read, wire, zone_named
from roomctl.events.export import Exported, days_to
from roomctl.text.document import parse
from tests.conftest import Cases, Golden, Run, Serving
from tests.servers import Paged

BERLIN = zone_named("Europe/Berlin")
A, B, C, D, E, F = (f"{letter * 8}-0000-4000-8000-000000000000" for letter in "abcdef")
BLUE = {"socialThemeName": "Blue", "type": "SINGLE_COLOR", "previewImageURI": "https://x.example/p"}
SET = {
    "socialRoomSetId": A,
    "name": "Autumn: 2026",
    "socialPermissionType": "SECRET",
    "allowGuestUsers": True,
    "startingPointSocialId": C.upper(),
    "alternateHosts": [{"userId": D}],
    "lobbyMode": "STRICT",
    "socials": [
        {
            "name": "Stage", "socialId": C, "isOpen": True, "startDateTime": "2026-10-24T16:30:00Z",
            "endDateTime": "2026-10-25T00:30:00Z", "theme": {**BLUE, "socialThemeId": D}, "configurationId": D,
            "guestBearer": "not-for-eyes", "playlistId": E,
        },
        {"name": "Bar", "socialId": D, "theme": {**BLUE, "socialThemeId": E}, "startDateTime": "soon"},
        {"name": "Bar", "socialId": E, "isOpen": True},
        {"socialId": F, "isOpen": True, "maxParticipants": 3},
        {
            "name": "Old", "socialId": B, "isOpen": False, "endDateTime": "2026-10-24T18:00:00.5Z",
            "configurationId": B, "waitingRoom": True,
        },
    ],
}  # fmt: skip


def test_a_set_becomes_a_file_in_the_order_of_people_with_what_it_cannot_hold_in_comments(golden: Golden) -> None:
    configs = {D: {"configurationId": D, "name": "Doors", "rules": [], "associatedSocialIds": [C]}}
    configs[B] = {"name": "Backstage"}
    made = Exported(SET, configs, BERLIN)
    golden("event.yaml", made.yaml())
    assert parse(made.json()) == parse(made.yaml())
    assert check(parse(made.yaml())) == []
    whole = parse(Exported(SET, configs, BERLIN, ids=True).yaml())
    ids = [whole["id"], whole["rules"]["id"], *(each["id"] for each in (*whole["themes"].values(), *whole["rooms"]))]
    assert (ids, whole["rooms"][0]["playlistId"]) == ([A, D, D, E, C, D, E], E)


def test_the_order_in_which_the_service_lists_makes_no_difference() -> None:
    configs = {D: {"name": "Doors", "rules": [{"value": "x", "operator": "y", "property": "z"}]}}
    turned = {D: {"rules": [{"property": "z", "operator": "y", "value": "x"}], "name": "Doors"}}
    listed = {**SET, "socials": SET["socials"][::-1]}  # type: ignore[index]
    assert Exported(listed, turned, BERLIN).yaml() == Exported(SET, configs, BERLIN).yaml()


def test_times_move_by_whole_days_and_keep_the_hours_of_the_clock_across_summer_time() -> None:
    """From a Saturday in summer time to one in winter time; a time that comes twice has its offset."""
    assert days_to(SET, date(2027, 11, 6), BERLIN) == 378 == 54 * 7
    moved = Exported(SET, {}, BERLIN, days=378).document["rooms"]
    assert [moved[0]["starts"], moved[0]["ends"]] == ["2027-11-06 18:30", "2027-11-07 02:30"]
    back = Exported(SET, {}, BERLIN, days=-210).document["rooms"]  # 02:30 is skipped on that night
    assert [back[0]["starts"], back[0]["ends"]] == ["2026-03-28 18:30", "2026-03-29 03:30"]
    late = {"socials": [{"name": "Bar", "isOpen": True, "startDateTime": "2026-10-24T00:30:00Z"}]}
    twice, skipped = (Exported(late, {}, BERLIN, days=days) for days in (1, -209))
    assert [twice.document["rooms"][0]["starts"], *twice.notes, *skipped.notes] == [
        "2026-10-25T02:30:00+02:00",
        "Bar, starts: the clocks in Europe/Berlin skip 02:30 on 2026-03-29, so it became 03:30",
    ]


def test_what_a_file_cannot_say_of_times_and_the_starting_point_is_said() -> None:
    """A time without a zone is not given that of the file; of rooms of one name ids say which is meant."""
    twins = [{"name": "Bar", "socialId": key, "isOpen": True, "configurationId": A} for key in (C, D)]
    shown = {"socials": [*twins, {"name": "Old", "socialId": B, "isOpen": False}], "startingPointSocialId": D}
    twins[0] |= {"startDateTime": "2026-12-01T18:30:00", "endDateTime": 1827000000000}
    made = Exported({"name": "S", **shown}, {A: {"name": "Doors"}, B: {"name": "x"}}, BERLIN, days=7)
    assert (made.document["settings"], check(parse(made.yaml()))) == ({"startingPoint": D}, [])
    assert made.document["rooms"] == [{"id": key, "name": "Bar"} for key in (C, D)]
    why = "which is not a time with a zone: left out, not moved"
    times = {"starts": "2026-12-01T18:30:00", "ends": "1827000000000"}
    assert made.notes == [f"Bar, {name}: the service shows {time}, {why}" for name, time in times.items()]
    twins[0]["configurationId"] = B
    split = Exported({"name": "S", **shown, "startingPointSocialId": B}, {A: {}, B: {"name": "x"}}, BERLIN)
    assert split.notes[0] == "the starting point is left out: it is not a room in this file"
    assert split.document["rules"] == [{"name": "x", "rooms": [C]}, {"rooms": [D]}]


def test_a_time_is_read_on_the_clock_of_the_zone_or_refused(cases: Cases) -> None:
    def says(text: str) -> str:
        try:
            when = read(text, BERLIN)
        except ValueError as error:
            return str(error)
        assert read(local_text(when, BERLIN), BERLIN) == when
        return wire(when)

    cases("event-times.txt", says)


def test_the_schema_takes_and_refuses_what_the_check_does(roomctl: Run) -> None:
    done = roomctl("roomset", "schema")
    assert json.loads(done.stdout) == schema()
    validator = Draft202012Validator(done.json)
    Draft202012Validator.check_schema(done.json)
    good = {"room_set": "S", "rules": {"name": "D"}, "themes": {"a": {"image": "a.png"}}, "rooms": [{"name": "R"}]}
    wrong = [{}, {**good, "rooms": {}}, {**good, "zone": 3}, {**good, "themes": {"a": {"colour": ""}}}]
    wrong += [{**good, "settings": {"socialPermissionType": "SECRET"}}, {**good, "rules": [{"rules": [{"a": "b"}]}]}]
    assert (list(validator.iter_errors(good)), check(good)) == ([], [])
    for each in wrong:
        assert (bool(list(validator.iter_errors(each))), bool(check(each))) == (True, True), each


@pytest.mark.parametrize(("rules", "shown"), [({}, False), ({"rules": None}, False), ({"rules": []}, True)])
def test_rules_that_are_not_shown_are_left_out_and_the_file_is_not_whole(
    rules: dict[str, Any], shown: bool, roomctl: Run, serving: Serving
) -> None:
    class Doors(Paged):
        def reply(self, request: bytes) -> bytes:
            config = {"configurationId": B, "name": "Doors", "entryOption": "CUSTOM_RULES", **rules}
            self.end = json.dumps(config) if b"/details?" in request else "[]"
            return super().reply(request)

    room = {"socialId": C, "name": "Bar", "isOpen": True, "maxParticipants": 9, "configurationId": B}
    serving(Doors(set=[{"socialRoomSetId": A, "name": "Gala", "socials": [room]}]))
    done = roomctl("roomset", "export", "Gala", "-o", "yaml")
    told = ("# the entry rules of Bar are not shown" in done.stdout, "CUSTOM_RULES" in done.stdout)
    assert (done.status, told) == ((0, (False, True)) if shown else (6, (True, False)))
    assert ("its rules are not shown" in done.stderr) is not shown
