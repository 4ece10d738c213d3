"""Values as YAML: JSON's own scalars in YAML's layout.

A string is plain only where no reader, of YAML 1.1 or 1.2, could take it for anything else; every other one stands in
double quotes, as in JSON, on one line. PyYAML's own dumper folds lines, leaves bidi controls as they are and is ten
times slower; it reads what this writes, which a test shows.
"""

import re
from collections.abc import Iterator
from json.encoder import encode_basestring

from roomctl.text import JSON
from roomctl.text.jsontext import compact, number
from roomctl.text.safe import escape, unsafe

_PLAIN = re.compile(r"[^\W\d_](?:[\w./@()&+-]| (?=[\w./@()&+-]))*|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity"])
_SIMPLE_KEY = 1000  # a key of more than 1,024 characters needs the explicit form


def yaml_text(value: JSON) -> str:
    return "".join(line + "\n" for line in _block(value, ""))


def _block(value: JSON, margin: str) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, each in value.items():
            name = _string(str(key))
            if len(name) > _SIMPLE_KEY:
                yield f"{margin}? {name}"
                name = ""
            if isinstance(each, dict | list | tuple) and each:
                yield f"{margin}{name}:"
                yield from _block(each, margin + "  ")
            else:
                yield f"{margin}{name}: {_scalar(each)}"
    elif isinstance(value, list | tuple) and value:
        for each in value:
            inner = _block(each, margin + "  ")
            yield f"{margin}- {next(inner).removeprefix(margin + '  ')}"
            yield from inner
    else:
        yield margin + _scalar(value)


def _scalar(value: JSON) -> str:
    if isinstance(value, str):
        return _string(value)
    if value is None or isinstance(value, bool | dict | list | tuple):
        return compact(value)
    head, exponent, power = number(value).lower().partition("e")
    if not exponent:
        return number(value)
    # YAML 1.1 takes a number with an exponent for text, unless it has a point and a sign
    return f"{head if '.' in head else head + '.0'}e{power if power[0] in '+-' else '+' + power}"


def _string(text: str) -> str:
    if not text.isprintable():
        return unsafe("\n\t").sub(escape, encode_basestring(text))
    return text if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS else encode_basestring(text)
