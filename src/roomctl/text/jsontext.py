"""Values as JSON text: lossless, lone surrogates and any integer included, and what is not printable escaped (R25)."""

import json
import re
from json.encoder import encode_basestring
from typing import Any

from roomctl.text import JSON
from roomctl.text.safe import json_escape, unsafe

_NUMBER = r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?"
_INFINITE = {"inf": "1e999", "-inf": "-1e999", "nan": '"NaN"'}
_quick = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def compact(value: JSON) -> str:
    """Write a value on one line, without blanks."""
    text = exact(value)
    return text if text.isprintable() else unsafe("\n\t").sub(json_escape, text)


def exact(value: JSON) -> str:
    """Write a value as `compact` does, strings as they are, whether or not they show."""
    try:
        return _quick(value)
    except (ValueError, TypeError):  # an infinity, an integer of more than 4,300 digits, a Decimal
        return _compact(value)


def pretty(value: JSON) -> str:
    """Write a value over several lines, indented by two blanks."""
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    except (ValueError, TypeError):  # as in `exact`
        text = indented(value)
    return text if text.replace("\n", "").isprintable() else unsafe("\n\t").sub(json_escape, text)


def indented(value: JSON, margin: str = "") -> str:
    """Write a value as `pretty` does, strings as they are: for a `Wall`. `margin` is before each line but the first."""
    inner = margin + "  "
    if isinstance(value, dict) and value:
        parts = [f"{inner}{encode_basestring(str(key))}: {indented(each, inner)}" for key, each in value.items()]
        return "{\n" + ",\n".join(parts) + f"\n{margin}}}"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join([inner + indented(each, inner) for each in value]) + f"\n{margin}]"
    return _compact(value)


def number(value: Any) -> str:
    """Write a number as JSON does, exactly; an infinity, which `1e999` reads as, as `1e999` again."""
    if isinstance(value, int):
        try:
            return int.__repr__(value)
        except ValueError:  # more digits than Python turns into text at once; a Decimal is exact and has no such limit
            from decimal import Decimal

            return format(Decimal(value), "f")
    text = repr(value) if isinstance(value, float) else str(value)
    return text if re.fullmatch(_NUMBER, text) else _INFINITE.get(text) or encode_basestring(text)


def _compact(value: JSON) -> str:
    if type(value) is str:
        return encode_basestring(value)
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    if isinstance(value, dict):
        return "{" + ",".join([f"{encode_basestring(str(key))}:{_compact(each)}" for key, each in value.items()]) + "}"
    if isinstance(value, list | tuple):
        return "[" + ",".join([_compact(each) for each in value]) + "]"
    return number(value)
