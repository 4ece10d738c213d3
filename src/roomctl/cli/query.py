"""`--query`: a JMESPath expression that is applied to the whole result; jmespath is loaded only when one is given."""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

from roomctl.errors import BadValue
from roomctl.text.counted import numbered
from roomctl.text.suggest import nearest

JSON = Any
_PARAMETER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*=(?!=)")
_HINT = "see https://jmespath.org for expressions; `length(@)` counts rows, `[?isOpen].name` names the open rooms"
_ELSEWHERE = "`key=value` is a query parameter after `roomset create`, `social create`, `social copy` and `api`"


def is_parameter(text: str) -> bool:
    """Whether a text of `--query` is a query parameter, `key=value`: no expression begins like that."""
    return _PARAMETER.match(text) is not None


def check(text: str) -> None:
    """Refuse what is no expression, with a caret under the place; also unknown functions. Raises BadValue."""
    from jmespath import compile as read
    from jmespath.exceptions import JMESPathError

    try:
        parsed = read(text).parsed
    except (JMESPathError, RecursionError) as error:
        place, said = getattr(error, "lex_position", None), "invalid JMESPath in `--query`"
        if not text.strip() or place is None:
            said = f"{said}: {text!r}"
        else:
            below = f"  {text}\n  {' ' * place}^" if text.isprintable() else ""
            said = f"{said}, at character {place + 1}:" + (f"\n{below}" if below else f" {text!r}")
        raise BadValue(said, hint=_ELSEWHERE if is_parameter(text) else _HINT) from None
    for call in _calls(cast(dict[str, JSON], parsed)):
        _check_call(text, call["value"], len(call["children"]))


def _calls(node: dict[str, JSON]) -> Iterator[dict[str, JSON]]:
    if node["type"] == "function_expression":
        yield node
    for child in node["children"]:
        if isinstance(child, dict):
            yield from _calls(child)


def _check_call(text: str, name: str, given: int) -> None:
    from jmespath.functions import Functions

    known = Functions.FUNCTION_TABLE
    if name not in known:
        near = nearest(name, known)
        hint = f"did you mean `{near}()`?" if near else _HINT
        raise BadValue(f"`--query` calls a function that JMESPath does not have: {name}() in {text!r}", hint=hint)
    takes = known[name]["signature"]
    enough = given >= len(takes) if takes and takes[-1].get("variadic") else given == len(takes)
    if not enough:
        raise BadValue(
            f"`--query` gives {name}() {numbered(given, 'arguments')}, and it takes {len(takes)}: {text!r}", hint=_HINT
        )


def search(expression: str, value: JSON, unknown: dict[str, JSON]) -> JSON:
    """Apply an expression to a result. Raises BadValue where it does not fit.

    The members that it names and nothing has come to be `unknown`, each with an object or array that was asked for it.
    """
    from jmespath import compile as read
    from jmespath.exceptions import JMESPathError, JMESPathTypeError
    from jmespath.visitor import TreeInterpreter

    known = set[str]()

    class Interpreter(TreeInterpreter):
        def visit_field(self, node: JSON, value: JSON) -> JSON:
            name = node["value"]
            if isinstance(value, dict) and name in value:
                known.add(name)
                unknown.pop(name, None)
            elif isinstance(value, dict | list) and value and name not in known:
                unknown.setdefault(name, value)
            return super().visit_field(node, value)

    try:  # it knows no other kind of list
        return Interpreter().visit(read(expression).parsed, [*value] if isinstance(value, list) else value)
    except (JMESPathError, TypeError, RecursionError) as error:
        why = " ".join(str(error).split())
        if isinstance(error, JMESPathTypeError):  # whose text holds the whole value
            why = f"{error.function_name}() takes {' or '.join(error.expected_types)}, not {error.actual_type}"
        said = f"`--query` does not fit the result: {why}"
        raise BadValue(said, hint="`-o json` without `--query` shows the result") from None


def are_rows_of(found: JSON, value: JSON) -> bool:
    """Whether what was found is the result itself or some of its rows, untouched."""
    rows: Iterable[JSON] = value if isinstance(value, list) else [value]
    known = {id(row) for row in rows}
    picked = found if isinstance(found, list) else [found]
    return bool(picked) and all(id(row) in known for row in picked)
