"""Strict JSON, and nothing of it that carries a bearer credential (R7, R28).

Numbers stay what they are: integers of any length, and decimals whose text a float would not give back, such as `0.10`
or `1e999`, as `Exact`. A key that stands twice in one object is refused, in list pages too: there the check makes
decoding 1.4 times as long, and to count colons in the text instead would cost the same.
"""

import json
from gc import is_tracked
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from roomctl.service.wire import Unreadable

if TYPE_CHECKING:
    from decimal import Decimal

JSON = Any
DEPTH: Final = 100
DIGITS: Final = 10_000  # of an integer: Python's own bound is 4,300, and beyond this one time is the price
_NESTING: Final = {dict, list}
_BOM: Final = b"\xef\xbb\xbf"


def parse(data: bytes) -> JSON:
    """Read a reply: UTF-8 (a byte order mark in front is skipped), strict JSON. Raises Unreadable."""
    if not data:
        raise Unreadable("empty")
    try:
        text = data.removeprefix(_BOM).decode()
    except UnicodeDecodeError:
        raise Unreadable("not UTF-8") from None
    return _pruned(_load(text))


def _load(text: str) -> JSON:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        page = text.lstrip()[:1] == "<"
        raise Unreadable("HTML" if page else f"not JSON at character {error.pos + 1}") from None
    except RecursionError:
        raise Unreadable(_TOO_DEEP) from None
    except ValueError:  # an integer longer than Python turns into a number at once
        return _LONG.decode(text)


def _pruned(value: JSON) -> JSON:
    """Remove bearer fields, level by level, without recursion. Raises Unreadable when there are too many levels."""
    level = [value] if type(value) in _NESTING else []
    depth = 0
    while level:
        depth += 1
        if depth > DEPTH:
            raise Unreadable(_TOO_DEEP)
        objects = [each for each in level if type(each) is dict]
        arrays = [each for each in level if type(each) is list] if len(objects) < len(level) else []
        for name in set().union(*objects):
            if "bearer" in name.lower():
                _remove(name, objects)
        level = _nested(objects, arrays)
    return value


def _remove(name: str, objects: list[dict[str, JSON]]) -> None:
    for each in objects:
        each.pop(name, None)


def _nested(objects: list[dict[str, JSON]], arrays: list[list[JSON]]) -> list[JSON]:
    """Give the objects and arrays that stand directly in others.

    Python's garbage collector does not track a dict that holds plain values only, and most hold nothing else: to ask it
    is much quicker than to look at each value. A Python that tracks all of them makes this slower, not wrong.
    """
    holding = map(dict.values, filter(is_tracked, objects))
    values = chain(chain.from_iterable(holding), chain.from_iterable(arrays))
    return [each for each in values if type(each) in _NESTING]


def _object(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Unreadable("a key stands twice in one object")
    return made


def _decimal(literal: str) -> "float | Decimal":
    number = float(literal)
    if repr(number) == literal:
        return number
    from roomctl.service.exact import Exact

    try:
        return Exact(literal)
    except ArithmeticError:
        raise Unreadable("a number is beyond all bounds") from None


def _integer(literal: str) -> int:
    if len(literal) > DIGITS:
        raise Unreadable(f"a number has more than {DIGITS:,} digits")
    from decimal import Decimal

    return int(Decimal(literal))  # exact, and without the bound that `int` has for text


def _constant(name: str) -> JSON:
    raise Unreadable(f"{name} is not JSON")


_TOO_DEEP: Final = f"nested deeper than {DEPTH} levels"
_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object, parse_float=_decimal, parse_constant=_constant)
_LONG: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_float=_decimal, parse_int=_integer, parse_constant=_constant
)
