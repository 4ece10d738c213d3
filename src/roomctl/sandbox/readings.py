"""How the gaps of the interface are read: strictly, leniently, or as badly as the interface still allows.

A handler that comes upon a gap says so to the request's Reading, which answers how to go on, and remembers it: the
answer's header X-Sandbox-Assumption names the gaps that it rests on.
"""

from typing import Any, Final

from roomctl.contract.fields import fields
from roomctl.contract.operations import SOCIAL_END, Operation
from roomctl.sandbox.rewriting import Effects, rewritten

JSON = Any
READINGS: Final = ("strict", "lenient", "hostile")
KEPT: Final = "reading"
"""The fact under which the world keeps how its gaps are read."""
HEADER: Final = "X-Sandbox-Assumption"
BADLY: Final[Effects] = {
    "date-offset": "+0000",
    "unknown-fields": True,
    "unknown-values": "platform+buttonSize+entryFlow",
    "uppercase-ids": True,
}
"""What a hostile reading does to every record, in the words of faults."""
PAGE: Final = (
    "<html><head><title>{status}</title></head><body><h1>{status} Something went wrong</h1>Please try again."
    "</body></html>"
)


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
    """Give a reply as a hostile reading has it: fields in other forms, left out, or unknown; null for no rows."""
    if reading.name != "hostile" or operation.reply is None:
        return reply
    reading.meets("required-fields", "date-times", "versions", "case-of-ids")
    if operation.paged and not reply:
        reading.meets("end-of-list")
        return None
    left_out = "User.name+isOpen" if operation is SOCIAL_END else "User.name"
    return rewritten(operation.reply, reply, {**BADLY, "without": left_out})


def named(type_name: str, value: JSON) -> JSON:
    """Leave out, at any depth, the fields that the interface does not name."""
    if isinstance(value, list):
        return [named(type_name.removesuffix("[]"), each) for each in value]
    if not isinstance(value, dict):
        return value
    known = fields(type_name)
    return {name: named(known[name].type, item) for name, item in value.items() if name in known}
