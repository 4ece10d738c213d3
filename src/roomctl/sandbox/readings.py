"""How the gaps of the interface are read: strictly, leniently, or as badly as the interface still allows.

A handler that comes upon a gap says so to the request's Reading, which answers how to go on, and remembers it: the
answer's header X-Sandbox-Assumption names the gaps that it rests on.
"""

import re
from typing import Any, Final

from roomctl.contract.fields import fields
from roomctl.contract.operations import SOCIAL_END, Operation

JSON = Any
READINGS: Final = ("strict", "lenient", "hostile")
KEPT: Final = "reading"
"""The fact under which the world keeps how its gaps are read."""
HEADER: Final = "X-Sandbox-Assumption"
UNKNOWN: Final = {
    "platform": "PLATFORM_C",
    "buttonSize": "HUGE",
    "entryFlow": "ZIGZAG",
    "status": {"PROCESSING": "QUEUED"},
}
"""Values of enumerations that a later version might answer."""
PAGE: Final = (
    "<html><head><title>{status}</title></head><body><h1>{status} Something went wrong</h1>Please try again."
    "</body></html>"
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


class Reading:
    """How gaps are read in one request, and which of them it met."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.met: dict[str, None] = {}

    def meets(self, *gaps: str) -> None:
        """Note gaps that the answer rests on."""
        self.met |= dict.fromkeys(gaps)

    def strict(self, gap: str) -> bool:
        """Note a gap, and say whether what is not documented is refused."""
        self.meets(gap)
        return self.name == "strict"

    def hostile(self, gap: str) -> bool:
        """Note a gap, and say whether it is read as badly as can be."""
        self.meets(gap)
        return self.name == "hostile"

    @property
    def header(self) -> dict[str, str]:
        """Give the header that names the gaps met; none where none was."""
        return {HEADER: ", ".join(self.met)} if self.met else {}


def twisted(reading: Reading, operation: Operation, reply: JSON) -> JSON:
    """Give a reply as a hostile reading has it: other forms of date-times, fields left out, fields nobody knows."""
    if reading.name != "hostile" or operation.reply is None:
        return reply
    reading.meets("required-fields", "date-times", "versions")
    if isinstance(reply, list):
        return [_record(each) for each in reply]
    left_out = {"isOpen"} if operation is SOCIAL_END else set[str]()
    return {name: item for name, item in _record(reply).items() if name not in left_out}


def _record(value: JSON) -> JSON:
    return (
        {**_twisted(value), "apiRevision": 7, "links": {"self": {"href": None}}} if isinstance(value, dict) else value
    )


def _twisted(value: JSON) -> JSON:
    if isinstance(value, list):
        return [_twisted(each) for each in value]
    if isinstance(value, str):
        return f"{value[:-1]}.000+0000" if _MOMENT.fullmatch(value) else value
    if not isinstance(value, dict):
        return value
    made = {name: _value(name, item) for name, item in value.items()}
    if "userId" in made and "firstName" in made:
        made.pop("name", None)
    return made


def _value(name: str, item: JSON) -> JSON:
    other = UNKNOWN.get(name)
    if isinstance(other, dict):
        return other.get(item, item)
    return other if other and item is not None else _twisted(item)


def named(type_name: str, value: JSON) -> JSON:
    """Leave out, at any depth, the fields that the interface does not name."""
    if isinstance(value, list):
        return [named(type_name.removesuffix("[]"), each) for each in value]
    if not isinstance(value, dict):
        return value
    known = fields(type_name)
    return {name: named(known[name].type, item) for name, item in value.items() if name in known}
