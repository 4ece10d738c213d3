"""What the options were given as; one that would be dropped, because it came twice or is contradicted, is refused."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from roomctl.cli import options
from roomctl.cli.query import is_parameter
from roomctl.errors import WrongCall

JSON = Any


def key_of(text: str, placeholder: str) -> str:
    """Give the key that a value of a repeatable `key=value` option is for; empty where it adds to the others."""
    if "EXPR" in placeholder and not is_parameter(text):
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
    """Make the refusal of two options of which one would be dropped."""
    return WrongCall(
        f"{one} and {other} contradict each other: nothing was sent",
        hint="give one of them; `roomctl help options` says which options may be repeated",
    )


class Given(
    options.OutputOptions, options.ConnectionOptions, options.WritingOptions, options.BodyOptions, options.QueryOptions,
    options.ListOptions, options.TextOptions, options.BulkOptions, options.GuardOptions,
):  # fmt: skip
    """The values of the options that many commands take; `body` are those that fill a body, `said` who gave what."""

    def __init__(self) -> None:
        for bundle in Given.__bases__:
            for name, kind in bundle.__annotations__.items():
                setattr(self, name, kind() if kind in (bool, list[str], options.Names) else None)
        self.body: dict[str, JSON] = {}
        self.said: dict[str, Said] = {}

    def say(self, subject: str, said: Said) -> None:
        """Hear what gives a subject its value. Raises WrongCall where something else gave it another one."""
        before = self.said.setdefault(subject, said) if subject else said
        if repr(before.value) != repr(said.value):  # True is not 1
            raise contradiction(before, said)

    def set(self, name: str, value: Any, body: str = "") -> None:
        """Take a value from the command line; one that stands nearer to the command wins."""
        if body:
            self.body[name] = value
        elif name == "json":
            self.output = "json"
        elif name == "fault":
            self.fault += value
        elif name == "query":
            self._add_query(value)
        elif name == "expression":
            self._add_query((value,), parameters=False)
        else:
            setattr(self, name, value)

    def _add_query(self, texts: Sequence[str], *, parameters: bool = True) -> None:
        """Take the texts of `--query`: a query parameter where the command takes those, else an expression."""
        from roomctl.cli.query import check

        for text in texts:
            if parameters and is_parameter(text):
                self.query.append(text)
            else:
                check(text)
                self.expression = text
