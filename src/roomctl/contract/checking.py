"""The strict check of what a person writes and of what the sandbox accepts. Imports no pydantic.

Reading is tolerant (see `resources`), writing is strict: unknown fields, other values of an enumeration, dates that no
calendar has and values of another JSON type are problems. A problem never repeats a value, so it cannot hold a secret.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from roomctl.contract.fields import Field, fields
from roomctl.contract.operations import UUID
from roomctl.contract.shapes import SHAPES
from roomctl.contract.skeletons import TEXT

JSON = Any

LEAST, MOST = -(2**63), 2**63 - 1
"""The bounds of an integer. The interface shows none; these are what 64 bits, SQLite and `format: int64` hold."""

_DATE_TIME = r"(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"
_LONGEST_NAME = 64
MOST_PROBLEMS = 1_000
UNFILLED = "still holds the placeholder of the skeleton"


class Problem(NamedTuple):
    """What is wrong with a value, and where: `theme.tiles[0].x`; the path is empty for the value as a whole."""

    path: str
    message: str


def check(
    type_name: str, value: JSON, *, allow_unknown: bool = False, allow_placeholders: bool = False
) -> list[Problem]:
    """List what keeps a value from being a `RoomSet`, `SocialInvite[]`, `uuid[]`, `date-time`, or another such type.

    A field may be missing or null (which clears it). With `allow_unknown`, fields and values of enumerations that the
    interface does not name pass. A text that a skeleton left to fill in is a problem, except where a service checks
    (`allow_placeholders`). At most 1,000 problems are listed. Raises KeyError for a type that there is not.
    """
    found = _problems(Field("", type_name), value, "", allow_unknown)
    kept = (problem for problem in found if not allow_placeholders or problem.message != UNFILLED)
    return list(islice(kept, MOST_PROBLEMS))


def _problems(field: Field, value: JSON, path: str, lenient: bool) -> Iterator[Problem]:
    if field.array:
        yield from _array(field, value, path, lenient)
    elif field.type in SHAPES:
        yield from _object(field, value, path, lenient)
    elif message := _enum(field.values, value, lenient) if field.values else _CHECKS[field.type](value):
        yield Problem(path, message)


def _array(field: Field, value: JSON, path: str, lenient: bool) -> Iterator[Problem]:
    if not isinstance(value, list):
        yield Problem(path, f"must be an array, not {_kind(value)}")
        return
    for index, item in enumerate(value):
        yield from _problems(field.item, item, f"{path}[{index}]", lenient)


def _object(field: Field, value: JSON, path: str, lenient: bool) -> Iterator[Problem]:
    if not isinstance(value, dict):
        yield Problem(path, f"must be an object, not {_kind(value)}")
        return
    known = fields(field.type)
    for name, item in value.items():
        at = f"{path}.{_short(name)}" if path else _short(name)
        if not isinstance(name, str):
            yield Problem(at, "must be a field whose name is a string")
        elif name in known and item is not None:
            yield from _problems(known[name], item, at, lenient)
        elif name not in known and not lenient:
            yield Problem(at, _unknown(_short(name), field.type))


@lru_cache(maxsize=256)  # a wrong column makes the same problem in each row
def _unknown(name: str, resource: str) -> str:
    from difflib import get_close_matches

    folded = {known.casefold(): known for known in fields(resource)}
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, 1)]
    return f"{resource} has no such field" + (f"; did you mean `{near[0]}`?" if near else "")


def _enum(values: tuple[str, ...], value: JSON, lenient: bool) -> str:
    if not isinstance(value, str) or lenient:
        return _string(value)
    return "" if value in values else f"must be one of {', '.join(values)}"


def _string(value: JSON) -> str:
    if not isinstance(value, str):
        return f"must be a string, not {_kind(value)}"
    if value == TEXT:
        return UNFILLED
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        return "must be valid text, without half of a surrogate pair"
    return ""


def _uuid(value: JSON) -> str:
    if not isinstance(value, str):
        return f"must be a uuid, not {_kind(value)}"
    return "" if UUID.fullmatch(value) else "must be a canonical uuid of 36 characters"


def _date_time(value: JSON) -> str:
    if not isinstance(value, str):
        return f"must be a date-time, not {_kind(value)}"
    if not (match := re.fullmatch(_DATE_TIME, value, re.ASCII)):
        return "must be a date-time with its offset, such as 2026-12-01T18:00:00+01:00"
    from datetime import date

    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return "must be a date of the calendar"
    return ""


def _byte(value: JSON) -> str:
    if not isinstance(value, str):
        return f"must be base64 text, not {_kind(value)}"
    from binascii import a2b_base64

    try:
        a2b_base64(value, strict_mode=True)
    except ValueError:
        return "must be base64 text without line breaks"
    return ""


def _integer(value: JSON) -> str:
    if not isinstance(value, int) or isinstance(value, bool):
        return f"must be an integer, not {_kind(value)}"
    return "" if LEAST <= value <= MOST else "must be an integer of at most 64 bits"


def _boolean(value: JSON) -> str:
    return "" if isinstance(value, bool) else f"must be true or false, not {_kind(value)}"


_CHECKS: dict[str, Callable[[JSON], str]] = {
    "uuid": _uuid,
    "string": _string,
    "boolean": _boolean,
    "integer": _integer,
    "date-time": _date_time,
    "byte": _byte,
}


def _kind(value: JSON) -> str:
    names = {bool: "a boolean", int: "an integer", float: "a decimal number", str: "a string", list: "an array"}
    return "null" if value is None else names.get(type(value), "an object")


def _short(name: JSON) -> str:
    text = name if isinstance(name, str) else f"({_kind(name)})"
    return text if len(text) <= _LONGEST_NAME else f"{text[: _LONGEST_NAME - 1]}…"
