"""Visits of a recording reckoned for a picture: one line of stays for each person, and how many were there at once."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import accumulate
from typing import Any, NamedTuple

from roomctl.contract.records import folded
from roomctl.output.values import called, plain, short
from roomctl.text.times import instant

JSON = Any
Stay = tuple[datetime, datetime]


class Person(NamedTuple):
    """Someone who was there: the stays, apart from each other and in order, and comings whose end is not shown."""

    name: str
    stays: Sequence[Stay]
    came: Sequence[datetime]

    @property
    def length(self) -> timedelta:
        """How long the stays are together."""
        return sum((end - start for start, end in self.stays), timedelta())


class Crowd(NamedTuple):
    """The people of a recording, in the order of their visits; how many visits there are, and have no usable time."""

    people: Sequence[Person]
    visits: int
    timeless: int

    @property
    def moments(self) -> list[datetime]:
        """Every moment at which somebody came or left."""
        return [at for person in self.people for stay in person.stays for at in stay] + [
            at for person in self.people for at in person.came
        ]


def crowd(visits: Iterable[JSON], zone: tzinfo) -> Crowd:
    """Put the visits of each person together; stays that overlap or touch become one. All moments are in UTC.

    A person is a `userId`; where a visit shows none, its name and address.
    """
    found: dict[str, list[dict[str, JSON]]] = {}
    for visit in visits:
        if isinstance(visit, dict):
            found.setdefault(_identity(visit), []).append(visit)
    names = Counter(_name(each[0]) for each in found.values())
    people, timeless = [], 0
    for each in found.values():
        stays, came, lost = _times(each, zone)
        timeless += lost
        name = _name(each[0])
        people.append(
            Person(name if names[name] == 1 else f"{name} {_key(each[0])}".rstrip(), merge_stays(stays), came)
        )
    return Crowd(people, sum(map(len, found.values())), timeless)


def utc_moment(text: JSON, zone: tzinfo) -> datetime | None:
    """Read a moment that `zone` can show, in UTC: on the clock of a zone, an hour may be skipped or come twice."""
    at = instant(text, zone)
    return None if at is None else at.astimezone(UTC)


def merge_stays(stays: Iterable[Stay]) -> list[Stay]:
    """Make one stay of those that overlap or touch."""
    whole: list[Stay] = []
    for start, end in sorted(stays):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(whole[-1][1], end))
        else:
            whole.append((start, end))
    return whole


def peak(people: Iterable[Person]) -> tuple[int, datetime | None]:
    """Say how many were there at once at most, and since when; people are counted from coming up to leaving."""
    steps: Counter[datetime] = Counter()
    for person in people:
        for start, end in person.stays:
            steps[start] += 1
            steps[end] -= 1
    moments = sorted(steps)
    counts = list(accumulate(steps[at] for at in moments))
    largest = max(counts, default=0)
    return largest, moments[counts.index(largest)] if largest else None


def _times(visits: Iterable[dict[str, JSON]], zone: tzinfo) -> tuple[list[Stay], list[datetime], int]:
    stays, came, timeless = [], [], 0
    for visit in visits:
        start, end = (utc_moment(visit.get(name), zone) for name in ("startDateTime", "endDateTime"))
        if start is not None and end is not None and start <= end:
            stays.append((start, end))
        elif start is not None and visit.get("endDateTime") is None:
            came.append(start)
        else:
            timeless += 1
    return stays, came, timeless


def _identity(visit: dict[str, JSON]) -> str:
    return folded(visit.get("userId")) or repr((_name(visit), _key(visit)))


def _user(visit: dict[str, JSON]) -> dict[str, JSON]:
    user = visit.get("user")
    return user if isinstance(user, dict) else {}


def _name(visit: dict[str, JSON]) -> str:
    return short(called(_user(visit)) or plain(_user(visit).get("name"))) or _key(visit) or "(without a name)"


def _key(visit: dict[str, JSON]) -> str:
    """What tells people of one name apart."""
    return short(plain(_user(visit).get("emailAddress") or visit.get("userId")))
