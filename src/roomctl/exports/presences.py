"""Somebody in a recording: by which names they are known, and from when to when they were there."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from roomctl.contract.evidence import invalid
from roomctl.contract.outcome import compared, denial
from roomctl.contract.records import folded, truth
from roomctl.contract.statements import something
from roomctl.text import JSON
from roomctl.text.times import Span, merge_spans, moment

When = datetime | None
SLACK = timedelta(minutes=5)  # what the recordings of a room may leave out of an event at a time
_MASKED = frozenset("*•…")


class Presence(NamedTuple):
    """Somebody in a room; `span` None: not shown when. An unknown end is its start; `timed`: both ends are shown."""

    room: str
    span: Span | None
    timed: bool = True


def presence_of(room: str, person: Mapping[str, JSON], first: When, last: When) -> Presence | None:
    """Give somebody's presence in a recording, cut to it; None for who did not attend, or at times outside it.

    Who shows no end stayed until that of the recording; of an end that cannot be read, nothing is known.
    """
    start, end = moment(person.get("startDateTime")), moment(person.get("endDateTime"))
    outside = (start and last and start > last) or (end and first and end < first) or (start and end and end < start)
    if outside or truth(person.get("didAttend")) is False:
        return None
    start = max(start, first) if start and first else start
    if last and (end or not something(person.get("endDateTime"))):
        end = min(end or last, last)
    timed = bool(start and end)
    return Presence(room, (start, end or start) if start else None, timed)


def merged(presences: Iterable[Presence]) -> list[Span]:
    """Give when somebody was there; what overlaps or touches, in one room or several, is one visit."""
    return merge_spans(presence.span for presence in presences if presence.span)


def touches(span: tuple[When, When], window: Span | None) -> bool:
    """Whether a span and a window meet, as far as both ends are known."""
    start, end = span
    return window is None or not ((start and start > window[1]) or (end and end < window[0]))


def length(spans: Iterable[Span]) -> timedelta:
    return sum((max(end - start, timedelta()) for start, end in spans), timedelta())


def names_of(thing: JSON) -> dict[str, str]:
    """Give the names that a registration or a participant is known by: user ids and an address, with their kinds.

    A masked address (`***@example.org`) is the name of nobody.
    """
    user = each if type(each := thing.get("user")) is dict else {}
    names = {}
    for user_id in (thing.get("userId"), user.get("userId")):
        if type(user_id) is str and (name := folded(user_id.strip())):
            names[name] = "id"
    address = user.get("emailAddress")
    if type(address) is str and _MASKED.isdisjoint(address) and (name := compared(address.strip())):
        names[name] = "address"
    return names


def is_shown(person: Mapping[str, JSON]) -> bool:
    """Whether somebody in a recording has a name, and is not said to be removed, refused, or not there."""
    kind = "RecordingParticipant"
    return bool(names_of(person)) and not (denial(person, kind) or invalid(person, kind))


def people_in(recording: Mapping[str, JSON]) -> list[JSON]:
    people = recording.get("participants")
    return [each for each in people if type(each) is dict] if type(people) is list else []


def missing(times: Iterable[Span], window: Span) -> Iterator[Span]:
    """Give what recordings leave out of a window, but for what is so short that it means nothing."""
    at = window[0]
    for start, end in (*merge_spans(times), (window[1], window[1])):
        if min(start, window[1]) - at > SLACK:
            yield at, min(start, window[1])
        at = max(at, end)
