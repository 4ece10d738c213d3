"""JSON values as text, exactly: numbers keep every digit, whatever they are held in."""

import json
from itertools import chain
from json.encoder import encode_basestring
from typing import Any

JSON = Any
_USUAL = frozenset({str, int, bool, type(None), dict, list})
_NESTED = frozenset({dict, list})
_quick = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


def compact(value: JSON) -> str:
    """Write a value as JSON without blanks; strings as they are, whether or not they show."""
    try:
        return _quick(value)
    except (TypeError, ValueError):  # a number kept as its text, or an integer of more than 4,300 digits
        return _slow(value)


def loads(text: str) -> JSON:
    """Read JSON, its numbers exactly: fractions that no float gives back, integers of any length. Raises ValueError."""
    try:
        return DECODER.decode(text)
    except ValueError:
        return _LONG.decode(text)


def _fraction(text: str) -> Any:
    from decimal import Decimal

    number = float(text)
    return number if repr(number) == text else Decimal(text)


def _integer(text: str) -> int:
    from decimal import Decimal

    return int(Decimal(text))


DECODER = json.JSONDecoder(parse_float=_fraction)
_LONG = json.JSONDecoder(parse_float=_fraction, parse_int=_integer)


def has_fractions(values: list[JSON]) -> bool:
    """Whether anything at any depth is a number other than an integer: writers differ in how they write those."""
    level = values
    while level:
        kinds = set(map(type, level))
        if not kinds <= _USUAL:
            return True
        if _NESTED.isdisjoint(kinds):
            return False
        nested = [each.values() if type(each) is dict else each for each in level if type(each) in _NESTED]
        level = list(chain.from_iterable(nested))
    return False


def _slow(value: JSON) -> str:
    if type(value) is dict:
        return "{" + ",".join([f"{encode_basestring(name)}:{_slow(each)}" for name, each in value.items()]) + "}"
    if type(value) is list:
        return "[" + ",".join([_slow(each) for each in value]) + "]"
    if type(value) is int:
        from decimal import Decimal

        return format(Decimal(value), "f")  # exact, and without the bound on digits that `str` has
    return _quick(value) if type(value) in (str, bool, type(None), float) else str(value)
