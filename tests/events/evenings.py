"""Events made from a number: registrations, room sets and recordings, as a service would list them.

All moments are whole minutes, so that who was where can be counted minute by minute.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, Operation
from roomctl.events.report import Recorded
from tests.exports.paged import PagedService, identifier

JSON = Any
EVENT, SET = identifier(999_999), identifier(777)
ANSWERS = ["yes", "no", "vegan", "Ünïcode", "ada@example.org", "+49 170 1234567", "2026-10-25", "x" * 101, "", None]


class Evening(NamedTuple):
    """An event, all of it."""

    registrations: Sequence[JSON]
    sets: Sequence[JSON]
    recordings: Sequence[JSON]

    @property
    def recorded(self) -> Recorded:
        return Recorded(self.sets, self.recordings)

    def page(self, operation: Operation, **asked: Any) -> list[JSON]:
        lists = (REGISTRATION_LIST, self.registrations), (ROOMSET_LIST, self.sets), (RECORDING_LIST, self.recordings)
        rows = next(rows for each, rows in lists if each is operation)
        return PagedService(rows).page(operation, **asked)


def wire(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")


def evening(number: int) -> Evening:
    """Make an event. Number 0 is empty, 1 has no recordings, 2 has 100 questions; 3 lasts over the night in which
    summer time ends in Berlin.
    """
    random = Random(number)
    start = datetime(2026, 10, 24, 21, tzinfo=UTC) if number == 3 else datetime(2026, 6, 1, 16, tzinfo=UTC)
    start += timedelta(minutes=0 if number == 3 else random.randrange(200_000))
    end = start + timedelta(minutes=random.randrange(60, 600))
    people = []
    for each in range(random.randrange(5, 90)):
        person = {"userId": identifier(500_000 + each), "name": f"Person {each}", "firstName": "Person"}
        people.append({**person, "emailAddress": f"p{each}@example.org", "mobilePhone": f"+49 30 {each:07}"})
    event: JSON = {"socialEventId": EVENT, "name": f"Event {number}", "startDateTime": wire(start)}
    event["endDateTime"] = wire(end)
    event |= {"socialRoomSetId": SET, "user": {"timeZone": "Europe/Berlin"}}
    questions = [f"Question {each}" for each in range(100 if number == 2 else random.randrange(4))]
    rows = []
    for each, person in enumerate(people if number else []):
        at = random.choice([wire(start - timedelta(minutes=random.randrange(90_000))), None, "soon"])
        row = {"registrationId": identifier(each), "registeredDateTime": at, "user": person, "event": event}
        row |= {"confirmed": random.choice([True, False, None]), "source": random.choice(["WEB", "MAIL", None])}
        told = [*ANSWERS, person["name"]]
        row["values"] = [{"name": each, "value": random.choice(told)} for each in questions if random.random() < 0.9]
        rows.append(row)
    rooms = [{"socialId": identifier(each), "name": f"Room {each}"} for each in range(1, 5)]
    guests = [*people, {"userId": identifier(600_000), "emailAddress": "guest@example.org"}]
    states = ("COMPLETE",) if number % 2 else ("COMPLETE", "PROCESSING", "FAILED")
    recordings = [
        _recording(random, each, room, guests, start, end, states)
        for each, room in enumerate(random.choices([*rooms[:3], {"socialId": identifier(9)}], k=6))
    ]
    return Evening(rows, [{"socialRoomSetId": SET, "socials": rooms}], recordings if number != 1 else [])


def _recording(
    random: Random, number: int, room: JSON, guests: list[JSON], start: datetime, end: datetime, states: Sequence[str]
) -> JSON:
    def visit(person: JSON) -> JSON:
        came = start + timedelta(minutes=random.randrange(-90, int((end - start).total_seconds() // 60) + 60))
        left = came + timedelta(minutes=random.randrange(1, 120))
        times = {"startDateTime": wire(came), "endDateTime": wire(left)} if random.random() < 0.95 else {}
        return {"userId": person["userId"], "user": person, **times}

    made = {"socialRecordingId": identifier(number), "socialId": room["socialId"], "status": random.choice(states)}
    times = {"startDateTime": wire(start - timedelta(hours=2)), "endDateTime": wire(end + timedelta(hours=4))}
    people = random.choices(guests, k=random.randrange(40))
    return {**made, **times, "participants": [visit(person) for person in people]}
