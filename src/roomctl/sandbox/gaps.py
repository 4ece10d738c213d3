"""What the interface does not show, and what the sandbox does there: the entries of `gaps.toml`."""

import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Gap(NamedTuple):
    """A gap: its id, our choice and its reason, the interface's own words, and what other readings do."""

    id: str
    lenient: str
    why: str
    quote: str = ""
    strict: str = ""
    hostile: str = ""


@cache
def all_gaps() -> tuple[Gap, ...]:
    """Give all gaps, in their order."""
    text = Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
    return tuple(Gap(name, **entry) for name, entry in tomllib.loads(text).items())
