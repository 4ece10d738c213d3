"""Commands that are named in messages: they ask the service that this run was told to ask."""

import re
from collections.abc import Sequence

_CHOSEN = re.compile(r"(?<![^\0])(--sandbox|--profile[\0=][^\0]+)(?![^\0])")
_ASKING = re.compile(
    r"(?<=`)roomctl (?!(completion|demo|describe|help|profile|rehearse|sandbox)\b)"
    r"(?![^`]*--(help|profile|sandbox))[^`]+"
)
"""A command that asks the profile's service, or its journal, and does not say yet of which profile."""


def same_service(text: str, argv: Sequence[str]) -> str:
    """Add the `--sandbox` or `--profile` of a command line to the commands in a text."""
    chosen = _CHOSEN.search("\0".join(argv))
    return _ASKING.sub(lambda match: f"{match[0]} {chosen[0]}".replace("\0", " "), text) if chosen else text
