"""What was given on a command line: the values of options, and who gave what.

An option that would be dropped, because it came twice or is contradicted, is refused (R47).
"""

from typing import Any, NamedTuple

from roomctl.cli import options
from roomctl.cli.parsers import Names
from roomctl.cli.query import check, is_parameter
from roomctl.errors import WrongCall
from roomctl.text import JSON


def key_of(text: str, placeholder: str) -> str:
    """Give the key that a value of a repeatable `key=value` option is for; empty where it adds to the others."""
    if "=" not in placeholder or ("EXPR" in placeholder and not is_parameter(text)):
        return ""
    key = text.partition("=")[0]
    return "" if key.endswith("[]") else key  # of an array that `api` adds to


class Said(NamedTuple):
    """A value, and the words of the command line that gave it."""

    value: JSON
    option: str
    text: str = ""

    def __str__(self) -> str:
        from shlex import quote

        return f"`{self.option} {quote(self.text)}`" if self.text else f"`{self.option}`"


def contradiction(one: Said, other: Said) -> WrongCall:
    if one.option == other.option:
        once = "give each key one value" if "=" in one.text else f"give `{one.option}` once"
        hint = f"{once}; `roomctl help options` says which options may be repeated"
        return WrongCall(f"{one} and {other} contradict each other", hint=hint)
    return WrongCall(f"{one} and {other} cannot be used together", hint="use only one of them")


class Given(
    options.OutputOptions, options.ConnectionOptions, options.WritingOptions, options.BodyOptions, options.QueryOptions,
    options.PartOptions, options.WholeOptions, options.TextOptions, options.BulkOptions, options.ResendOptions,
    options.GuardOptions,
):  # fmt: skip
    """The values of options; `said` is who gave what, `typed` all values that were typed.

    `body` and `parameters` fill the body and the query of a request.
    """

    def __init__(self) -> None:
        for bundle in Given.__bases__:
            for name, kind in bundle.__annotations__.items():
                setattr(self, name, kind() if kind in (bool, list[str], Names) else None)
        self.body: dict[str, JSON] = {}
        self.parameters: list[tuple[str, str]] = []
        self.said: dict[str, Said] = {}
        self.typed: dict[str, list[JSON]] = {}


def store(body: str, ctx: Any, param: Any, value: Any) -> Any:
    """Take a value from the command line; one that stands nearer to the command wins."""
    given, name = ctx.obj.given, param.name
    if value in (None, [], ()):
        return value
    if body:
        given.body[name] = value
    elif name == "json":
        given.output = "json"
    elif name == "curl":
        given.curl = given.dry_run = True
    elif name == "fault":
        given.fault += value
    elif name in ("expression", "query"):  # where a command takes query parameters, these and expressions
        for text in value if name == "query" else [value]:
            if name == "query" and is_parameter(text):
                key, _, said = text.partition("=")
                given.parameters.append((key, said))
            else:
                check(text)
                given.expression = text
    else:
        setattr(given, name, value)
    return value
