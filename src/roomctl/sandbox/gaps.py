"""What the interface does not show: the entries of `gaps.toml`, read strictly, leniently, or as badly as it allows.

A handler that comes upon a gap asks the request's Strictness, which names it in the response's header.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from roomctl.contract.operations import SOCIAL_END, Operation
from roomctl.sandbox.fault_rewrite import Effects, rewrite
from roomctl.text import JSON

LEVELS: Final = ("strict", "lenient", "hostile")
SETTING: Final = "reading"  # the fact under which the world keeps how its gaps are read
HEADER: Final = "X-Sandbox-Assumption"


@cache
def all_gaps() -> Mapping[str, Mapping[str, str]]:
    """Read each gap by its id: our choice and its reason, the interface's own words, and what other readings do."""
    return tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class Strictness:
    """How gaps are read for one request, and which of them it met."""

    def __init__(self, level: str) -> None:
        self.level = level
        self.gaps: dict[str, None] = {}

    def note(self, *gaps: str) -> None:
        self.gaps |= dict.fromkeys(gaps)

    def strict(self, gap: str) -> bool:
        """Note a gap, and say whether what is not documented is refused."""
        self.note(gap)
        return self.level == "strict"

    def hostile(self, gap: str) -> bool:
        """Note a gap, and say whether it is read as badly as can be."""
        self.note(gap)
        return self.level == "hostile"

    @property
    def headers(self) -> dict[str, str]:
        return {HEADER: ", ".join(self.gaps)} if self.gaps else {}

    def reply(self, operation: Operation, value: JSON) -> JSON:
        """Give a reply; read hostilely, with fields in other forms, left out, or unknown, and null for no rows."""
        if self.level != "hostile" or operation.reply is None:
            return value
        self.note("required-fields", "date-times", "versions", "case-of-ids")
        if operation.paged and not value:
            self.note("end-of-list")
            return None
        effects: Effects = {
            "date-offset": "+0000",
            "unknown-fields": True,
            "unknown-values": "platform+buttonSize+entryFlow",
            "uppercase-ids": True,
            "without": "User.name+isOpen" if operation is SOCIAL_END else "User.name",
        }
        return rewrite(operation.reply, value, effects)
