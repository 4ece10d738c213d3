"""What the options were given as; one that would be dropped, because it came twice or is contradicted, is refused."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from roomctl.errors import WrongCall

JSON = Any


def _key(text: str) -> str:
    key = text.partition("=")[0]
    return "" if key.endswith("[]") else key  # of an array that `api` adds to


def _parameter(text: str) -> str:
    from roomctl.cli.querying import is_parameter

    return _key(text) if is_parameter(text) else ""


LAST_WINS = frozenset(
    (
        *("--output", "--json", "--fields", "--sort-by", "--query", "--no-header", "--error-format"),
        *("--quiet", "--verbose", "--timeout", "--retries", "--rate", "--concurrency"),
    )
)
"""Options whose last value counts, so that a shell alias can be overruled; `--query` where it is an expression."""
REPEATABLE: Mapping[str, Callable[[str], str] | None] = {
    "--user": None,
    "--email": None,
    "--rule": None,
    "--fault": None,
    "--room-set": None,
    "--set": _key,
    "--rename": _key,
    "--field": _key,
    "--raw-field": _key,
    "--query": _parameter,
}
"""Options whose values all count, where a command takes several; and what finds the key that takes one value."""


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


class Given:
    """The values of the options that many commands take; `fields` are those that fill a body."""

    def __init__(self) -> None:
        self.output: str | None = None
        self.to: str | None = None
        self.force = False
        self.fields: tuple[str, ...] = ()
        self.sort_by: str | None = None
        self.no_header = False
        self.error_format: str | None = None
        self.quiet = False
        self.verbose = False
        self.debug = False
        self.profile: str | None = None
        self.sandbox = False
        self.fault: list[str] = []
        self.timeout: float | None = None
        self.retries: int | None = None
        self.rate: float | None = None
        self.concurrency: int | None = None
        self.yes = False
        self.no_input = False
        self.dry_run = False
        self.curl = False
        self.expect_profile: str | None = None
        self.input: str | None = None
        self.set_: list[str] = []
        self.skeleton = False
        self.allow_unknown = False
        self.query: list[str] = []
        self.expression: str | None = None
        self.results: str | None = None
        self.resume = False
        self.retry_unknown = False
        self.skip_bad = False
        self.keep_going = False
        self.max_present: int | None = None
        self.only_if_empty = False
        self.only_past_end = False
        self.expect_rooms: int | None = None
        self.limit: int | None = None
        self.page: int | None = None
        self.page_size: int | None = None
        self.sort: str | None = None
        self.text: str | None = None
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
            self._ask(value)
        elif name == "expression":
            self._ask((value,), parameters=False)
        else:
            setattr(self, {"set": "set_"}.get(name, name), value)

    def _ask(self, texts: Sequence[str], *, parameters: bool = True) -> None:
        """Take the texts of `--query`: a query parameter where the command takes those, else an expression."""
        from roomctl.cli.querying import check, is_parameter

        for text in texts:
            if parameters and is_parameter(text):
                self.query.append(text)
            else:
                check(text)
                self.expression = text
