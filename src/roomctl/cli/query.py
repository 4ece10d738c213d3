"""`--query`: a JMESPath expression that is applied to the whole result; jmespath is loaded only when one is given."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import cast

from roomctl.errors import BadValue
from roomctl.text import JSON
from roomctl.text.jsontext import compact

_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*=(?!=)")
_HINT = "see https://jmespath.org for expressions; `length(@)` counts rows, `[?isOpen].name` names the open rooms"
_MISTAKES = (
    (r"[<>=] *-?[0-9]", "put a number in backticks, as in [?maxParticipants>`50`]"),
    (r"[^=<>!]=[^=]", "a comparison is written `==`, as in `[?name=='Hall']`"),
)
_ELSEWHERE = (
    "for a filter write `[?isOpen]`, or `[?name=='Hall']`; `key=value` is a query parameter, after `roomset create`, "
    "`social create`, `social copy` and `api`"
)

NO_FIELDS = "`{}` has no effect with `--query`: the result of {} has no fields"


def is_parameter(text: str) -> bool:
    """Whether a text of `--query` is a query parameter, `key=value`: no expression begins like that."""
    return _PARAMETER.match(text) is not None


def check(text: str) -> None:
    """Refuse what is no expression, with a caret under the place; also unknown functions. Raises BadValue."""
    from jmespath.exceptions import JMESPathError, JMESPathTypeError
    from jmespath.functions import Functions

    try:
        for node in _nodes(text):
            if node["type"] == "function_expression":
                with suppress(JMESPathTypeError):  # of `null`: here only the name and the number of arguments count
                    Functions().call_function(node["value"], [None] * len(node["children"]))
    except (JMESPathError, RecursionError) as error:
        place, said = getattr(error, "lex_position", None), "invalid JMESPath in `--query`"
        if place is None:
            said = f"{said}: {error}" if text.strip() else f"{said}: {compact(text)}"
        else:
            said = f"{said}, at character {place + 1}:" + (
                f"\n  {text}\n  {' ' * place}^" if text.isprintable() else f" {compact(text)}"
            )
        hint = next((each for pattern, each in _MISTAKES if re.search(pattern, text)), _HINT)
        raise BadValue(said, hint=_ELSEWHERE if is_parameter(text) else hint) from None


def names_in(expression: str) -> list[str]:
    """The fields that an expression asks for, but for those that it makes itself."""
    nodes = [*_nodes(expression)]
    made = {node["value"] for node in nodes if node["type"] == "key_val_pair"}
    return [node["value"] for node in nodes if node["type"] == "field" and node["value"] not in made]


def _nodes(expression: str) -> Iterator[dict[str, JSON]]:
    """The nodes of an expression's syntax tree, each before those below it."""
    from jmespath import compile as read

    left = [cast(dict[str, JSON], read(expression).parsed)]
    while left:
        node = left.pop()
        yield node
        left += reversed([child for child in node["children"] if isinstance(child, dict)])


def search(expression: str, value: JSON) -> JSON:
    """Apply an expression to a result. Raises BadValue where it does not fit."""
    from jmespath import search as found_by
    from jmespath.exceptions import JMESPathError, JMESPathTypeError

    try:  # it knows no other kind of list
        return found_by(expression, [*value] if isinstance(value, list) else value)
    except (JMESPathError, TypeError, RecursionError) as error:
        why = " ".join(str(error).split())
        if isinstance(error, JMESPathTypeError):  # whose text holds the whole value
            why = f"{error.function_name}() takes {' or '.join(error.expected_types)}, not {error.actual_type}"
        said = f"`--query` does not fit the result: {why}"
        raise BadValue(said, hint="`-o json` without `--query` shows the result") from None


def lacks_fields(found: JSON) -> bool:
    """Whether what was found is something, and none of it has fields."""
    rows = found if isinstance(found, list) else [found]
    return found not in (None, []) and not any(isinstance(each, dict) for each in rows)


def are_rows_of(found: JSON, value: JSON) -> bool:
    """Whether what was found is the result itself or some of its rows, untouched."""
    known = {id(row) for row in (value if isinstance(value, list) else [value])}
    picked = found if isinstance(found, list) else [found]
    return bool(picked) and all(id(row) in known for row in picked)
