"""The one order of values, whatever they are: by it rows are sorted, and held against an order that was asked for."""

import re
from typing import Any

from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.times import instant

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?", re.ASCII)
_BEYOND = re.compile(r"[.,]\d{6}(\d+)", re.ASCII)  # digits for which a moment has no place


def place(value: JSON) -> tuple[int, Any, str]:
    """Give what values are compared by: booleans, then numbers and texts that are numbers, moments by instant, other
    texts without regard to case, nested values, null.
    """
    if isinstance(value, str):
        if _NUMBER.fullmatch(value):
            from decimal import Decimal

            return 1, Decimal(value), ""
        if at := instant(value):
            return 2, at, beyond[1] if (beyond := _BEYOND.search(value)) else ""
        return 3, value.casefold(), value
    if value is None:
        return 5, 0, ""
    if isinstance(value, dict | list):
        return 4, compact(value), ""
    return 0 if isinstance(value, bool) else 1, value, ""
