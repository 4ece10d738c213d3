"""The report of an event: its numbers, counted apart."""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.errors import BadInput
from roomctl.events.report import NO_EVENT, Report, compose
from roomctl.events.report_answers import is_contact
from roomctl.events.report_lists import Listing, Served
from roomctl.events.report_page import writer
from roomctl.exports.attendance import attendance_of
from roomctl.exports.stats import statistics
from tests.conftest import Cases, Patch, soak
from tests.events.evenings import EVENT, SET, Evening, evening
from tests.events.pages import page_of
from tests.exports.paged import clock

BERLIN = ZoneInfo("Europe/Berlin")
MINUTE = timedelta(minutes=1)
TOLD = {"yes", "no", "vegan", "Ünïcode", "2026-10-25"}


def listing(made: Evening) -> Listing:
    return Served(made, EVENT, size=7, host="https://rooms.example", at=clock())


def reported(made: Evening, *, people: bool = False, room_set: str = "") -> Report:
    recorded = made.recorded._replace(room_set=room_set) if room_set else made.recorded
    return compose(listing(made), recorded, at=clock(), with_people=people)


def minutes(visit: Any) -> set[datetime]:
    if "startDateTime" not in visit:
        return set()
    start, end = (datetime.fromisoformat(visit[name]) for name in ("startDateTime", "endDateTime"))
    return {start + each * MINUTE for each in range((end - start) // MINUTE)}


def visits(made: Evening) -> Iterator[tuple[str, str, set[datetime]]]:
    """Give room, person and minutes of each visit to a room of the event at its time."""
    event = made.registrations[0]["event"]
    start, end = (datetime.fromisoformat(event[name]) for name in ("startDateTime", "endDateTime"))
    names = {room["socialId"]: room["name"] for each in made.sets for room in each["socials"]}
    for recording in made.recordings:
        for visit in recording["participants"] if recording["socialId"] in names else ():
            there = minutes(visit)
            if not there or (min(there) <= end and max(there) + MINUTE >= start):
                yield names[recording["socialId"]], visit["userId"], there


def presences(made: Evening, room: str | None = None) -> dict[str, set[datetime]]:
    found: dict[str, set[datetime]] = {}
    for where, person, there in visits(made):
        if room in (None, where):
            found.setdefault(person, set()).update(there)
    return found


def check_room(found: Any, people: dict[str, set[datetime]], length: timedelta) -> None:
    crowd = Counter(each for there in people.values() for each in there)
    came = [each for there in people.values() for each in there if each - MINUTE not in there]
    left = [each + MINUTE for there in people.values() for each in there if each + MINUTE not in there]
    assert (found["people"], found["visits"]) == (len(people), len(came))
    most = max(crowd.values(), default=0)
    assert found["mostAtOnce"] == most
    if came:
        first = min(each for each, number in crowd.items() if number == most)
        moments = [datetime.fromisoformat(found[name]) for name in ("firstCame", "lastLeft", "mostAt")]
        assert moments == [min(came), max(left), first]
    for step in found["steps"]:
        start = datetime.fromisoformat(step["from"])
        counted = [sum(start <= each < start + length for each in moments) for moments in (came, left)]
        inside = max((number for each, number in crowd.items() if start <= each < start + length), default=0)
        assert [step["came"], step["left"], step["mostAtOnce"]] == [*counted, inside]
    assert sum(step["came"] for step in found["steps"]) == len(came)


def check_attendance(document: Any, made: Evening) -> None:
    people, registered = presences(made), [row["user"]["userId"] for row in made.registrations]
    untimed = {person for _, person, there in visits(made) if not there}
    seen = [each for each in registered if each in people]
    known = [len(people[each]) for each in seen if each not in untimed]
    rooms = {room["socialId"] for each in made.sets for room in each["socials"]}
    recorded = [each["status"] for each in made.recordings if each["socialId"] in rooms]
    is_shown, rest = {*recorded} == {"COMPLETE"}, len(registered) - len(seen)
    others = [each["participants"] for each in made.recordings if each["socialId"] not in rooms]
    unsure = {visit["userId"] for visits in others for visit in visits}.intersection(registered).difference(seen)
    there = document["attendance"]
    assert (there["seen"], there["neverSeen"]) == (len(seen), rest - len(unsure) if is_shown else 0)
    undecided = len(unsure) if is_shown else rest
    assert (there["notShown"], document["complete"]) == (undecided, is_shown and not unsure)
    middle = (round(sum(known) / len(known), 1), median(known)) if known else (None, None)
    assert (there["meanMinutes"], there["medianMinutes"]) == middle
    assert there["timesUnknown"] == len(seen) - len(known)
    stays = [sum(low <= each < high for each in known) for low, high in [(0, 5), (5, 15), (15, 30), (30, 60)]]
    assert [each["registrations"] for each in there["stays"]][:4] == stays
    assert sum(each["registrations"] for each in there["stays"]) == len(known)
    told = document["presence"]
    if told:
        length = timedelta(minutes=told["minutes"])
        check_room(told["together"], people, length)
        for room in told["rooms"]:
            check_room(room, presences(made, room["name"]), length)
        rooms = {room for room, _, _ in visits(made)} | {each["room"] for each in document["recordings"]}
        assert {room["name"] for room in told["rooms"]} == rooms
        assert {*told["notRecorded"]} == {f"Room {each}" for each in range(1, 5)} - rooms


def check_answers(document: Any, made: Evening) -> None:
    given: dict[str, Counter[str]] = {}
    for row in made.registrations:
        for each in row["values"]:
            if each["value"]:
                given.setdefault(each["name"], Counter())[each["value"]] += 1
    assert {each["question"] for each in document["questions"]} == set(given)
    for each in document["questions"]:
        counts = given[each["question"]]
        expected = {answer: number for answer, number in counts.items() if number >= 5 and answer in TOLD}
        assert {answer["answer"]: answer["registrations"] for answer in each["answers"]} == expected
        assert (each["answered"], each["others"]) == (counts.total(), counts.total() - sum(expected.values()))


def check_page(document: Report, made: Evening) -> None:
    page = page_of(document)
    assert page.numbers["registered"] == str(len(made.registrations))
    assert page.numbers["confirmed"] == str(sum(row["confirmed"] is True for row in made.registrations))
    if document["recordings"]:
        assert page.numbers["seen"] == str(document["attendance"]["seen"])
        assert page.numbers["not seen"] == str(document["attendance"]["neverSeen"])
    for each in document["questions"]:
        rows = page.tables.get(each["question"], [["", "0"]])
        assert sum(int(row[1]) for row in rows) == (each["answered"] if each["answers"] else 0)
    sources = Counter(row["source"] or "not shown" for row in made.registrations)
    assert {row[0]: row[1] for row in page.tables.get("Where registrations came from", [])} == {
        source: str(number) for source, number in sources.items()
    }
    per_day = [int(row[1]) for row in page.tables.get("When people registered", [])]
    assert sum(per_day) == len(made.registrations) * any(each["day"] for each in document["registrations"]["perDay"])


def test_a_room_set_other_than_the_one_that_the_registrations_name_is_refused() -> None:
    made, other = evening(3), "00000000-0000-4000-8000-0000000000ff"
    with pytest.raises(BadInput, match=f"the registrations name the room set {SET}, not {other}"):
        reported(made, room_set=other)
    reported(made, room_set=SET.upper())


def test_a_list_that_repeats_its_pages_makes_a_report_that_says_so() -> None:
    made = evening(3)
    document = reported(made._replace(registrations=[*made.registrations[:7]] * 3))
    assert document["registrations"]["registrations"] == 7
    assert document["doubts"][0] == "the list may be incomplete: pages 1 and 2 have no new rows"
    assert document["proof"]["why"] == document["doubts"][0]


def test_a_visit_of_which_a_recording_shows_no_times_is_seen_and_has_none() -> None:
    made = evening(3)
    room, person = made.sets[0]["socials"][0], made.registrations[0]["user"]
    start, end = (made.registrations[0]["event"][name] for name in ("startDateTime", "endDateTime"))
    visit = {"userId": person["userId"]}
    recording = {"socialId": room["socialId"], "status": "COMPLETE", "startDateTime": start, "endDateTime": end}
    report = reported(made._replace(recordings=[{**recording, "participants": [visit]}]))
    there = report["attendance"]
    assert [there[name] for name in ("seen", "meanMinutes", "timesUnknown")] == [1, None, 1]
    assert report["presence"] is None
    assert "Left out: 1 whose times the recordings do not show." in page_of(report).html
    visit |= {"startDateTime": start, "endDateTime": f"{datetime.fromisoformat(start) + 4.97 * MINUTE:%FT%TZ}"}
    there = reported(made._replace(recordings=[{**recording, "participants": [visit]}]))["attendance"]
    assert (there["meanMinutes"], there["stays"][0]["registrations"]) == (4.9, 1)


def test_the_room_set_that_is_named_tells_who_was_there_although_nobody_registered() -> None:
    made = evening(3)
    empty = made._replace(registrations=[])
    assert reported(empty)["withoutRecordings"] == NO_EVENT
    document = reported(empty, room_set=SET)
    assert (document["attendance"]["seen"], document["presence"]["together"]["people"] > 0) == (0, True)
    assert document["notes"][-1] == "the start and end of the event are not both shown, so recordings of any time count"


def test_an_answer_that_holds_the_full_name_of_anybody_who_registered_is_not_told() -> None:
    made = evening(3)
    first, *_, last = made.registrations
    first["user"] = {**first["user"], "name": "Ada Lovelace"}
    last["user"] = {**last["user"], "name": None, "firstName": "Grace", "lastName": "Hopper"}
    named = ("ADA  Lovelace", "grace hopper", "Lovelace, Ada", "Dr. Grace Hopper", "Ada Lovelace and Ma")
    for number, row in enumerate(made.registrations):
        told = "a friend" if number % 2 else named[number // 2 % len(named)]
        row["values"] = [{"name": "Who told you of it?", "value": told}]
    [found] = reported(made)["questions"]
    assert [answer["answer"] for answer in found["answers"]] == ["a friend"]
    assert min(Counter(row["values"][0]["value"] for row in made.registrations).values()) >= 5


def test_answers_too_many_to_keep_are_only_numbered_and_said(monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.events.report_answers._MOST_KEPT", 10)
    made = evening(3)
    for number, row in enumerate(made.registrations):
        row["values"] = [{"name": "Meal", "value": "vegan"}, {"name": "Ideas", "value": f"idea {number}"}]
    document, many = reported(made), len(made.registrations)
    meal = {"question": "Meal", "answered": many, "answers": [{"answer": "vegan", "registrations": many}], "others": 0}
    ideas = {"question": "Ideas", "answered": many, "answers": [], "others": many}
    assert document["questions"] == [meal, ideas]
    assert "too many different answers to count one by one: Ideas" in document["notes"]


def test_what_makes_numbers_doubtful_or_early_is_said_alike_on_the_page_and_in_markdown() -> None:
    again, early, part, away = (evening(3) for _ in range(4))
    again = again._replace(registrations=[*again.registrations[:7], again.registrations[0], *again.registrations[7:]])
    for row, other in zip(early.registrations, away.registrations, strict=True):
        row["event"]["endDateTime"] = "2026-11-22T08:00:00Z"
        other["event"]["user"] = {"timeZone": "GMT+2"}
    for recording in part.recordings:
        recording["startDateTime"] = "2026-10-24T22:30:00Z"
    empty = early._replace(registrations=[[], None, *evening(3).registrations])
    cases = {"the list changed while it was being read, so rows may be missing": again}
    cases["the event had not ended when this report was made, so its numbers are not final"] = early
    cases["time zone cannot be read"] = away
    cases["2 of the rows are not registrations"] = empty
    cases["Room 1 has no recording from 24 Oct 2026, 23:00 to 25 Oct 2026, 00:30"] = part
    for words, made in cases.items():
        report = reported(made)
        html = page_of(report).html
        assert (words[1:] in html, words[1:] in writer(".md")(report).decode()) == (True, True), words
        assert report["registrations"]["registrations"] == len(evening(3).registrations), words
        assert ("so far" in html) == (made is early), words
        assert ("The list of registrations is complete" in html) == (made in (early, part, away)), words


def test_questions_of_which_no_answer_is_shown_are_one_list_after_the_others() -> None:
    report = reported(evening(2))
    untold = [each for each in report["questions"] if not each["answers"]]
    lines = [f"{each['question']}: {each['answered']} answered" for each in untold]
    html, md = (writer(ending)(report).decode() for ending in (".html", ".md"))
    assert html.split("<ul>\n")[1].split("</ul>")[0] == "".join(f"<li>{line}</li>\n" for line in lines)
    assert md.split("might identify somebody:\n\n")[1].split("\n\n")[0].split("\n") == [f"- {line}" for line in lines]


def test_a_person_whom_recordings_know_by_other_names_is_one() -> None:
    made = evening(3)
    room, person = made.sets[0]["socials"][0], made.registrations[0]["user"]
    times = {name: made.registrations[0]["event"][name] for name in ("startDateTime", "endDateTime")}
    by_address, by_id = {"user": {"emailAddress": person["emailAddress"]}}, {"userId": person["userId"]}
    visits = [{**by_address, **times}, {**by_id, **times}, {"user": person, **times}]
    recording = {"socialId": room["socialId"], "status": "COMPLETE", **times, "participants": visits}
    together = reported(made._replace(recordings=[recording]))["presence"]["together"]
    assert [together[name] for name in ("people", "visits", "mostAtOnce")] == [1, 1, 1]


def test_answers_that_are_a_way_to_reach_somebody_are_told_from_others(cases: Cases) -> None:
    cases("personal.txt", lambda text: "personal" if is_contact(text) else "told")


@pytest.mark.parametrize("number", [*range(20), *map(soak, range(20, 200))])
def test_numbers_are_those_counted_apart(number: int) -> None:
    made = evening(number)
    document = reported(made)
    assert document["registrations"] == statistics(made.registrations, BERLIN if made.registrations else None)
    moments = [row["registeredDateTime"] for row in made.registrations]
    told = [datetime.fromisoformat(at).astimezone(BERLIN) for at in moments if at not in (None, "soon")]
    days = Counter(at.date().isoformat() for at in told)
    assert {each["day"]: each["registrations"] for each in document["registrations"]["perDay"] if each["day"]} == {
        each["day"]: days[each["day"]] for each in document["registrations"]["perDay"] if each["day"]
    }
    if made.registrations:
        check_attendance(document, made)
        attendance = attendance_of(made.registrations[0]["event"], made.sets, made.recordings, print)
        seen = [attendance.of(row)["seen"] for row in made.registrations]
        names = ("seen", "neverSeen", "notShown")
        assert [document["attendance"][name] for name in names] == [*map(seen.count, (True, False, None))]
    check_answers(document, made)
    check_page(document, made)
