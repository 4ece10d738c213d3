"""What the charts of a report show, laid out in shares of their width; its numbers and moments in words, as filters."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any
from unicodedata import east_asian_width

from roomctl.exports.cells import text
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.safe import visible
from roomctl.text.times import DATE_TIME, local, zone_name

STATES = {"COMPLETE": "complete", "PROCESSING": "still being processed", "FAILED": "failed"}
MOST_BARS = 12
MOST_COLUMNS = 62
LONGEST = 3_660
"""An event that is more days away from its registrations is not marked among them."""
_HIGH = 144


def bars(counts: Sequence[tuple[str, int]], total: int, *, rest: int = 0, noun: str, most: int) -> dict[str, JSON]:
    """Lay out labels with their numbers, and `most` rows of their table; all others are a last bar of `noun`."""
    room = min(MOST_BARS, most)
    shown = counts if len(counts) <= room + 1 else counts[:room]
    left, unlisted = ([("", rest), *counts[at:]] for at in (len(shown), most))
    lines = [*shown, *_rest(left, noun)]
    largest = max(number for _, number in lines) if lines else 0
    return {
        "bars": [
            {"label": label, "number": number, "share": share(number, total), "width": _part(number, largest)}
            | {"rest": place == len(shown)}
            for place, (label, number) in enumerate(lines)
        ],
        "text": "; ".join(f"{cut(label, 60)}: {number:,}, {share(number, total)}" for label, number in lines),
        "rows": [
            (cut(label, 200), f"{number:,}", share(number, total))
            for label, number in [*counts[:most], *_rest(unlisted, noun)]
        ],
    }


def _rest(left: Sequence[tuple[str, int]], noun: str) -> list[tuple[str, int]]:
    number = sum(number for _, number in left)
    return [(f"other {noun}", number)] if number else []


def days(per_day: Sequence[Mapping[str, JSON]], event: Mapping[str, JSON], zone: tzinfo) -> dict[str, JSON] | None:
    """Lay out registrations per day, of a long time per week or longer, with the event's begin among them."""
    known = {date.fromisoformat(each["day"]): each["registrations"] for each in per_day if each["day"]}
    if not known:
        return None
    begin, first, last = local(event.get("startDateTime"), zone), min(known), max(known)
    if begin and (max(last, begin.date()) - min(first, begin.date())).days < LONGEST:
        first, last = min(first, begin.date()), max(last, begin.date())
    else:
        begin = None
    span = (last - first).days + 1
    size = 1 if span <= MOST_COLUMNS else -(-span // (7 * MOST_COLUMNS)) * 7
    numbers = [0] * -(-span // size)
    for each, number in known.items():
        numbers[(each - first).days // size] += number
    largest, starts = max(numbers), [first + timedelta(size * place) for place in range(len(numbers))]
    unknown = sum(each["registrations"] for each in per_day if not each["day"])
    unit = "day" if size == 1 else "week" if size == 7 else f"{size // 7} weeks"
    found: dict[str, JSON] = {
        "event": None,
        "unit": "Day" if size == 1 else "From",
        "under": f"per {unit}" + (f"; the day of {unknown:,} is not shown" if unknown else ""),
        "largest": largest,
        "wide": round(82 / len(numbers), 3),
        "columns": [
            {"x": round((place + 0.09) * 100 / len(numbers), 3), "height": _part(number, largest, _HIGH)}
            for place, number in enumerate(numbers)
        ],
        "ticks": _ticks([day(each, short=True) for each in starts]),
        "rows": [(day(each, short=True), f"{number:,}") for each, number in zip(starts, numbers, strict=True)],
        "text": f"From {day(first)} to {day(last)}: most in the {unit} from {day(starts[numbers.index(largest)])} on, "
        f"{largest:,}." + (f" The event began on {day(begin)}." if begin else ""),
    }
    if begin is not None:
        at = round(((begin.date() - first).days + begin.hour / 24) * 100 / (size * len(numbers)), 2)
        found["event"] = {"at": at, "anchor": "b" if at < 12 else "e" if at > 88 else "m"}
    return found


class Course:
    """The time through which a report shows rooms: its steps, when the event was, and how moments are told."""

    def __init__(self, presence: Mapping[str, JSON], event: Mapping[str, JSON], zone: tzinfo) -> None:
        self._steps = [datetime.fromisoformat(each["from"]) for each in presence["together"]["steps"]]
        self._length = timedelta(minutes=presence["minutes"])
        self._zone = zone
        self._end = (self._steps[-1].astimezone(UTC) + self._length).astimezone(zone)
        self._dated = len({each.astimezone(zone).date() for each in (self._steps[0], self._end)}) > 1
        self._zoned = len({each.astimezone(zone).utcoffset() for each in (self._steps[0], self._end)}) > 1
        start, end = (local(event.get(name), zone) for name in ("startDateTime", "endDateTime"))
        self.event: dict[str, JSON] | None = None
        if start and end and start < self._end and end > self._steps[0]:
            whole, ends = self._end - self._steps[0], (max(start, self._steps[0]), min(end, self._end))
            left, right = ((at - self._steps[0]) / whole * 100 for at in ends)
            middle = round((left + right) / 2, 2)
            self.event = {"at": round(left, 2), "wide": round(right - left, 2), "label": middle, "anchor": "m"}

    def chart(self, room: Mapping[str, JSON], scale: int) -> dict[str, JSON]:
        first = self._steps.index(datetime.fromisoformat(room["steps"][0]["from"])) if room["steps"] else 0
        path = "".join(f"V{scale - each['mostAtOnce']}H{place}" for place, each in enumerate(room["steps"], first + 1))
        under = f"{numbered(room['people'], 'people')} in {numbered(room['visits'], 'visits')}"
        if room["mostAtOnce"]:
            under += (
                f"; first arrival {self._told(room['firstCame'])}, last departure {self._told(room['lastLeft'])}; "
                f"most at once: {room['mostAtOnce']:,}, from {self._told(room['mostAt'])} on"
            )
        if unknown := room["timesUnknown"]:
            under += f"; arrival or departure of {unknown:,} more is not known"
        return {
            "title": room.get("name"),
            "under": under,
            "scale": scale,
            "steps": len(self._steps),
            "path": f"M{first} {scale}{path}V{scale}Z",
            # in as few letters as three of a line may have on a phone
            "ticks": _ticks([f"{self._dated * f'{at.day} {at:%b}, '}{at:%H:%M}" for at in (*self._steps, self._end)]),
            "rows": [
                (self._told(each["from"]), *(f"{each[name]:,}" for name in ("came", "left", "mostAtOnce")))
                for each in room["steps"]
            ],
        }

    def _told(self, at: JSON) -> str:
        found = (datetime.fromisoformat(at) if type(at) is str else at).astimezone(self._zone)
        zone = f" {zone_name(found)}" if self._zoned else ""
        return (f"{day(found, short=True)}, " if self._dated else "") + f"{found:%H:%M}{zone}"


def stays(there: Mapping[str, JSON]) -> dict[str, JSON] | None:
    counts = []
    for each in there["stays"]:
        least, limit = each["fromMinutes"], each["toMinutes"]
        words = f"under {minutes(limit)}" if not least else f"{minutes(least)} to {minutes(limit)}"
        counts.append((words if limit else f"{minutes(least)} or longer", each["registrations"]))
    known = sum(number for _, number in counts)
    under = f"mean {minutes(there['meanMinutes'])}, median {minutes(there['medianMinutes'])}; {there['label']}"
    return {**bars(counts, known, noun="stays", most=len(counts)), "under": under} if known else None


def _part(number: int, whole: int, of: int = 100) -> float:
    return max(round(number * of / (whole or 1), 2), 1) if number else 0


def _ticks(labels: Sequence[str]) -> list[dict[str, JSON]]:
    ends = {0: (labels[0], "b"), 100: (labels[-1], "e")} if len(labels) > 1 else {0: (labels[0], "b")}
    if len(labels) > 2 and len(labels) % 2:
        ends[50] = (labels[len(labels) // 2], "m")
    return [{"at": at, "label": label, "anchor": anchor} for at, (label, anchor) in sorted(ends.items())]


def filters(zone: tzinfo) -> dict[str, Callable[..., Any]]:

    def told(form: Callable[[datetime], str]) -> Callable[[JSON], str]:
        return lambda value: form(at) if (at := local(value, zone)) else known(value)

    moment, clock = told(lambda at: f"{at:%A}, {day(at)}, {at:%H:%M}"), told(lambda at: f"{at:%H:%M}")

    def until(value: JSON, start: JSON) -> str:
        end, begun = local(value, zone), local(start, zone)
        same = end and begun and (end.date(), end.utcoffset()) == (begun.date(), begun.utcoffset())
        return clock(value) if same else moment(value)

    return {
        "moment": moment,
        "until": until,
        "moment_short": told(lambda at: f"{day(at, short=True)}, {at:%H:%M}"),
        "clock": clock,
        "in_zone": lambda words, start: DATE_TIME.sub(lambda found: until(found[0], start), words),
        "count": lambda number: f"{number:,}",
        "share": share,
        "minutes": minutes,
        "known": known,
        "sentence": lambda words: f"{words[:1].upper()}{words[1:].rstrip('.')}.",
        "state": lambda state: STATES.get(state, known(state)) if type(state) is str else known(state),
        "cut": cut,
    }


def day(found: Any, *, short: bool = False) -> str:
    return f"{found.day} {found:%b %Y}" if short else f"{found.day} {found:%B %Y}"


def known(value: JSON) -> str:
    return cut(value, 80) or "not shown"


def share(part: int, whole: int) -> str:
    """Write a part in percent of a whole: none only where it is nothing, all only where it is all."""
    if not whole:
        return "–"
    percent = round(100 * part / whole)
    if (percent == 0 and part) or (percent == 100 and part < whole):
        return "under 1%" if part * 2 < whole else "over 99%"
    return f"{percent}%"


def minutes(number: float | None) -> str:
    if number is None:
        return "not known"
    whole = round(number)
    return f"{whole} min" if whole < 60 else f"{whole // 60} h" + (f" {whole % 60:02} min" if whole % 60 else "")


def cut(value: JSON, width: int = 30) -> str:
    """Make a text of others visible and cut it to a width, in letters of the usual width."""
    shown = visible(text(value)[: width + 1])
    end = taken = 0
    for end, letter in enumerate(shown):
        taken += 2 if east_asian_width(letter) in "WF" else 1
        if taken > width:
            return shown[: max(end - 1, 0)] + "…"
    return shown


def zone_words(zone: tzinfo, said_by: str, *event: JSON) -> str:
    """Say in which zone moments are told, with its name at those of the event, and why in that one."""
    name, known_moments = str(zone), filter(None, (local(each, zone) for each in event))
    short = ", then ".join(dict.fromkeys(map(zone_name, known_moments))) or name
    why = {"event": ", the event owner's zone", "default": ", because no time zone was given"}.get(said_by, "")
    return (name if short == name else f"{name} ({short})") + why
