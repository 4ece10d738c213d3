"""Strict JSON, and nothing of it that carries a bearer credential (R7, R28).

Numbers stay what they are: integers of any length, and decimals whose text a float would not give back, such as `0.10`
or `1e999`, as `Exact`. A key that stands twice in one object is refused, in list pages too: there the check makes
decoding 1.4 times as long, and to count colons in the text instead would cost the same.
"""

import json
from gc import is_tracked
from itertools import chain
from typing import TYPE_CHECKING, Final

from roomctl.text import JSON

if TYPE_CHECKING:
    from decimal import Decimal

DEPTH: Final = 100
DIGITS: Final = 10_000  # of an integer: Python's own bound is 4,300, and beyond this one time is the price
_NESTING: Final = {dict, list}
_BOM: Final = b"\xef\xbb\xbf"
_TOO_DEEP: Final = f"nested deeper than {DEPTH} levels"


class NotStrict(ValueError):
    """A text that is not strict JSON; the message says why and quotes nothing of it."""


def parse(data: bytes) -> JSON:
    """Read UTF-8 (a byte order mark in front is skipped) and strict JSON, without bearer fields. Raises NotStrict."""
    if not data:
        raise NotStrict("empty")
    try:
        text = data.removeprefix(_BOM).decode()
        try:
            value = _DECODER.decode(text)
        except json.JSONDecodeError as error:
            page = text.lstrip()[:1] == "<"
            raise NotStrict("HTML" if page else f"not JSON at character {error.pos + 1}") from None
        except ValueError:  # an integer longer than Python turns into a number at once
            value = _LONG.decode(text)
    except UnicodeDecodeError:
        raise NotStrict("not UTF-8") from None
    except RecursionError:
        raise NotStrict(_TOO_DEEP) from None
    return remove_bearer(value)


def remove_bearer(value: JSON) -> JSON:
    """Remove bearer fields, level by level, without recursion. Raises NotStrict where there are too many levels.

    Python's garbage collector does not track a dict that holds plain values only, and most hold nothing else: to ask it
    is much quicker than to look at each value. A Python that tracks all of them makes this slower, not wrong.
    """
    level = [value] if type(value) in _NESTING else []
    depth = 0
    while level:
        depth += 1
        if depth > DEPTH:
            raise NotStrict(_TOO_DEEP)
        objects = [each for each in level if type(each) is dict]
        arrays = [each for each in level if type(each) is list] if len(objects) < len(level) else []
        for name in set().union(*objects):
            if "bearer" in name.lower():
                for each in objects:
                    each.pop(name, None)
        holding = map(dict.values, filter(is_tracked, objects))
        values = chain(chain.from_iterable(holding), chain.from_iterable(arrays))
        level = [each for each in values if type(each) in _NESTING]
    return value


def unique(pairs: list[tuple[str, JSON]]) -> dict[str, JSON]:
    """Make an object of its members. Raises NotStrict where a key occurs twice."""
    made = dict(pairs)
    if len(made) != len(pairs):
        raise NotStrict("a key occurs twice in one object")
    return made


def _decimal(literal: str) -> "float | Decimal":
    number = float(literal)
    if repr(number) == literal:
        return number
    from roomctl.text.exact import Exact

    try:
        return Exact(literal)
    except ArithmeticError:
        raise NotStrict("a number is too large") from None


def integer(literal: str) -> int:
    """Read an integer of any length, for `parse_int`. Raises NotStrict."""
    if len(literal) > DIGITS:
        raise NotStrict(f"a number has more than {DIGITS:,} digits")
    from decimal import Decimal

    return int(Decimal(literal))  # exact, and without the bound that `int` has for text


def no_constant(name: str) -> JSON:
    """Refuse NaN and the infinities, for `parse_constant`. Raises NotStrict."""
    raise NotStrict(f"{name} is not JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=unique, parse_float=_decimal, parse_constant=no_constant)
_LONG: Final = json.JSONDecoder(
    object_pairs_hook=unique, parse_float=_decimal, parse_int=integer, parse_constant=no_constant
)
