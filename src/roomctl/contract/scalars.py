"""The scalar types and enumerations of the interface, and what a value must be to be one. Imports no pydantic."""

import re
from collections.abc import Callable
from typing import Any

from roomctl.contract.records import is_uuid
from roomctl.text import JSON

ENTRY_OPTION = ("DEFAULT", "ACCOUNT", "CUSTOM_RULES", "STARTING_POINT")
ENTRY_FLOW = ("SPIRAL", "GRID")
PERMISSION_TYPE = ("PUBLIC", "COMPANY_AND_CONNECTIONS", "CONNECTIONS", "COMPANY")
PLATFORM = ("PLATFORM_A", "PLATFORM_B")
THEME_TYPE = ("LAYERED", "SINGLE_IMAGE", "SINGLE_COLOR")
CTA_TYPE = ("URL", "DOWNLOAD")
BUTTON_SIZE = ("SMALL", "MEDIUM", "LARGE")
PLAYLIST_TYPE = ("FREE_PLAYLIST", "PAID_PLAYLIST")
PROCESSING_STATUS = ("PROCESSING", "COMPLETE", "FAILED")
RULES = {"property": ("emailAddress",), "operator": ("ENDS_WITH",)}
"""What rules are known to use; the interface names no property and no operator, a service may know others."""

_IMAGES = {b"\x89PNG\r\n\x1a\n": b"IEND", b"\xff\xd8\xff": b"\xff\xd9", b"GIF87a": b";", b"GIF89a": b";", b"BM": b""}
"""How images begin, and what stands near their end; of BMP and WebP the head says how long they are."""
_TAIL = 4096  # bytes at the end of an image; some programs append data of their own
_SMALLEST_IMAGE = 26  # bytes; a GIF of one pixel

LEAST, MOST = -(2**63), 2**63 - 1
"""The bounds of an integer. The interface shows none; these are what 64 bits, SQLite and `format: int64` hold."""
TEXT_PLACEHOLDER = "<string>"
"""What stands for a text in a skeleton; it is refused like any placeholder, so that half a form is never sent."""
UNFILLED = "still holds the placeholder of the skeleton"

_DATE_TIME = r"(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)"


def kind_of(value: JSON) -> str:
    """Name the JSON type of a value, with its article."""
    names = {bool: "a boolean", int: "an integer", float: "a decimal number", str: "a string", list: "an array"}
    return "null" if value is None else names.get(type(value), "an object")


def _of(kind: type, noun: str, wrong: Callable[[Any], str] = lambda _: "") -> Callable[[JSON], str]:
    """Make what says why a value is not of a type, and what is `wrong` with one that is; empty where nothing is."""

    def problem(value: JSON) -> str:
        fits = isinstance(value, kind) and (kind is not int or not isinstance(value, bool))
        return wrong(value) if fits else f"must be {noun}, not {kind_of(value)}"

    return problem


def _text(value: str) -> str:
    if value == TEXT_PLACEHOLDER:
        return UNFILLED
    try:
        value.isascii() or value.encode()
    except UnicodeEncodeError:
        return "must be valid text, without half of a surrogate pair"
    return ""


def _date_time(value: str) -> str:
    if not (match := re.fullmatch(_DATE_TIME, value, re.ASCII)):
        return "must be a date-time with its offset, such as 2026-12-01T18:00:00+01:00"
    from datetime import date

    try:
        date(int(match[1]), int(match[2]), int(match[3]))
    except ValueError:
        return "must be a valid date"
    return ""


def _base64(value: str) -> str:
    from binascii import a2b_base64

    try:
        a2b_base64(value, strict_mode=True)
    except ValueError:
        return "must be base64 text without line breaks"
    return ""


def image_problem(data: bytes) -> str:
    """Say why bytes are not a whole image of a form that is known here; empty where they are."""
    webp = data[:4] + data[8:12] == b"RIFFWEBP"
    ending = b"" if webp else next((_IMAGES[head] for head in _IMAGES if data.startswith(head)), None)
    if ending is None or len(data) < _SMALLEST_IMAGE:
        return "is not in a supported image format: PNG, JPEG, GIF, WebP or BMP"
    length = int.from_bytes(data[4:8] if webp else data[2:6] if not ending else b"", "little")
    return "" if length <= len(data) and ending in data[-_TAIL:] else "is cut off: the end of the image is missing"


date_time_problem = _of(str, "a date-time", _date_time)
PROBLEMS: dict[str, Callable[[JSON], str]] = {
    "string": _of(str, "a string", _text),
    "uuid": _of(str, "a uuid", lambda value: "" if is_uuid(value) else "must be a canonical uuid of 36 characters"),
    "date-time": date_time_problem,
    "byte": _of(str, "base64 text", _base64),
    "integer": _of(
        int, "an integer", lambda value: "" if LEAST <= value <= MOST else "must be an integer of at most 64 bits"
    ),
    "boolean": _of(bool, "true or false"),
}
"""What keeps a value from being of a scalar type, by the name that the interface gives it."""
