"""Moments as the service writes them: ISO 8601 text, read only where something is reckoned with them."""

from datetime import datetime
from typing import Any

JSON = Any


def moment(text: JSON) -> datetime | None:
    """Read a moment; None where the text is none, or names no offset: its place in time is then not known."""
    if type(text) is not str:
        return None
    try:
        read = datetime.fromisoformat(text.upper())
    except ValueError:
        return None
    return read if read.tzinfo else None
