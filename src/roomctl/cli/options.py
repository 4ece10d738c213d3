"""How a command is declared: its group, its options, of which many are in bundles, and what it calls."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from typer import Argument, Option

from roomctl.cli.parsers import FIELD_VALUES, Names, OneOf, at_least, direction, names_of, pair, positive
from roomctl.contract.fields import fields
from roomctl.contract.operations import Operation
from roomctl.output.writers import FORMATS

FORMS = "--output --json --fields --sort-by --query --no-header"
ERROR_FORMATS = ("text", "json", "github")
EVERY_EXIT = (0, 1, 2, 9)  # what every command can end with: each can find a defect, a wrong call, a full disk
CALLING = (3, 4, 5)  # what every command can end with that asks the service: no key, refused, not reached


class Takes(NamedTuple):
    """A bundle of options that many commands take: its heading in the help, and a class whose attributes they are.

    Their values do not reach the command's function; they land in `session.given`, and in `session.given.body` (under
    the attribute's own name, which is the service's field name) when `body` names the resource that they fill. `exits`
    are the exit codes that a command can give because of them; with `exports`, `--to` can export a list.
    """

    title: str
    options: type[Any]
    body: str = ""
    exits: tuple[int, ...] = ()
    exports: bool = False


class About(NamedTuple):
    """What is said of a command where it is registered, and what follows from that.

    `named` are the operations that it calls, but for those in which writes are read back; of `any_of`, its words
    choose one. `shows` names the resources that a row of its answer can be. `also` are exit codes beside those that
    follow from its calls and options, `never` those that follow and cannot come. `exports`: it writes `--to` itself.
    `endings`: those of the only files that it writes. `writes`: it can change something at the service.
    """

    named: tuple[Operation, ...] = ()
    any_of: tuple[Operation, ...] = ()
    shows: tuple[str, ...] = ()
    takes: tuple[Takes, ...] = ()
    also: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    exports: bool = False
    endings: tuple[str, ...] = ()
    writes: bool = False

    @property
    def calls(self) -> tuple[Operation, ...]:
        """The operations it calls: those named, and those in which what they do is read back."""
        readbacks = (call.seen_in for call in self.named)
        return tuple(dict.fromkeys((*self.named, *(call for call in readbacks if call is not None))))

    @property
    def exits(self) -> tuple[int, ...]:
        """The exit codes it can give: those of every command, of its calls and of its options, and `also`."""
        calls = (*self.calls, *self.any_of)
        codes = {*EVERY_EXIT, *self.also, *(code for takes in self.takes for code in takes.exits)}
        codes |= set(CALLING) if calls else set()
        codes |= {6} if any(call.paged or call.repeat == "create" for call in calls) else set()
        codes |= {7} if self.writes else set()
        return tuple(sorted(codes - set(self.never)))


def option(
    names: str,
    metavar: str | None = None,
    parser: Callable[..., Any] | None = None,
    *,
    text: str = "",
    default: Any = None,
    values: Sequence[str] = (),
    last_wins: bool = False,
    excludes: str = "",
    needs: str = "",
    **settings: Any,
) -> Any:
    """Declare an option, of a command or of a bundle. Its help, which lists the `values` that it takes, is in
    `options.txt`, or the `text`.

    Without a `default` it may be left out; with `...` it must be given. With `last_wins`, a later value overrules an
    earlier one, as for a shell alias. `excludes` are options that give the same in another way, or undo it; of `needs`,
    one at least must be given too.
    """
    if values:
        parser, metavar = OneOf(values), metavar or "|".join(values)
    made = Option(default, *names.split(), parser=parser, metavar=metavar, help=text or None, **settings)
    made.last_wins, made.excludes, made.needs = last_wins, excludes.split(), needs.split()
    return made


@cache
def _helps() -> dict[str, dict[str, str]]:
    parts = map(str.splitlines, Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n"))
    return {head.strip("[]"): dict(line.split(": ", 1) for line in lines) for head, *lines in parts}


def meaning_of(param: Any) -> str:
    """Give the help of a parameter of the parser: its own, or that of its command, its group or its bundle."""
    key = param.opts[-1] if param.param_type_name == "option" else param.metavar
    texts = (_helps().get(place, {}).get(key) for place in getattr(param, "described_in", ()))
    return param.help or next(filter(None, texts), "")


def flag(names: str, excludes: str = "", needs: str = "") -> Any:
    """Declare an option of a command that is on or off, and off where it is left out."""
    return option(names, default=False, excludes=excludes, needs=needs)


def argument(
    metavar: str, parser: Callable[..., Any] | None = None, *, text: str | None = None, default: Any = ...
) -> Any:
    """Declare an argument of a command; without a `default`, or `[…]`, it must be given. Its help is as of options."""
    return Argument(None if metavar.startswith("[") else default, parser=parser, metavar=metavar, help=text)


def field_options(resource: str) -> Takes:
    """Make the options that fill fields of a resource: `fields.txt` lists the field, the option, its placeholder, what
    its value must be, and its help. `--on/--off` is a boolean; an enumeration takes its values.
    """
    text = Path(__file__).with_name("fields.txt").read_text(encoding="utf-8")
    made: dict[str, Any] = {}
    for line in text.partition(f"[{resource}]\n")[2].partition("\n\n")[0].splitlines():
        name, names, metavar, value, meaning = map(str.strip, line.split(" | ", 4))
        values = fields(resource)[name].values
        made[name] = option(names, metavar or None, FIELD_VALUES.get(value), text=meaning, values=values)
    kinds = {name: bool if "/" in each.param_decls[0] else str for name, each in made.items()}
    return Takes("Fields", type(f"{resource}Fields", (), {"__annotations__": kinds, **made}), body=resource)


class OutputOptions:
    output: str | None = option("-o --output", values=tuple(FORMATS), last_wins=True)
    json: bool = option("--json", last_wins=True)
    to: str | None = option("--to", "FILE")
    force: bool = option("--force", needs="--to --results --from")
    fields: Names = option("--fields", "a,b.c", names_of("field"), last_wins=True)
    expression: str | None = option("--query", "EXPR", last_wins=True)
    sort_by: str | None = option("--sort-by", "FIELD[,desc]", direction, last_wins=True)
    no_header: bool = option("--no-header", last_wins=True)
    error_format: str | None = option("--error-format", values=ERROR_FORMATS, last_wins=True)
    quiet: bool = option("-q --quiet", last_wins=True)
    verbose: bool = option("-v --verbose", last_wins=True)
    debug: bool = option("--debug")


class ConnectionOptions:
    profile: str | None = option("--profile", "NAME")
    sandbox: bool = option("--sandbox")
    fault: list[str] = option("--fault", "FAULT")
    timeout: float | None = option("--timeout", "SECONDS", positive, last_wins=True)
    retries: int | None = option("--retries", "N", at_least(0), last_wins=True)
    rate: float | None = option("--rate", "N", positive, last_wins=True)
    concurrency: int | None = option("--concurrency", "N", at_least(1), last_wins=True)
    yes: bool = option("-y --yes")
    no_input: bool = option("--no-input")


class WritingOptions:
    dry_run: bool = option("-n --dry-run")
    curl: bool = option("--curl", excludes=FORMS)
    expect_profile: str | None = option("--expect-profile", "NAME")


class BodyOptions:
    input: str | None = option("--input", "FILE|-")
    set_: list[str] = option("--set", "a.b=value", pair)
    skeleton: bool = option("--skeleton")
    allow_unknown: bool = option("--allow-unknown")


class RecordsOptions:
    input: str | None = option("--input", "FILE|-")
    skeleton: bool = option("--skeleton")
    allow_unknown: bool = option("--allow-unknown")


class QueryOptions:
    query: list[str] = option("--query", "key=value|EXPR")


class PartOptions:
    limit: int | None = option("--limit", "N", at_least(1))
    page: int | None = option("--page", "N", at_least(0))


class WholeOptions:
    page_size: int | None = option("--page-size", "N", at_least(1))
    expect: int | None = option("--expect", "N", at_least(1))
    sort: str | None = option("--sort", "FIELD[,desc]", direction)


class TextOptions:
    text: str | None = option("--text")


ROWS = "--from --results"


class BulkOptions:
    results: str | None = option("--results", "FILE")
    resume: bool = option("--resume", needs=ROWS)
    skip_bad: bool = option("--skip-bad", needs="--from")
    keep_going: bool = option("--keep-going")


class ResendOptions:
    retry_unknown: bool = option("--retry-unknown", needs=ROWS)


class GuardOptions:
    max_present: int | None = option("--max-present", "N", at_least(0))
    only_if_empty: bool = option("--only-if-empty")
    only_past_end: bool = option("--only-past-end")
    expect_rooms: int | None = option("--expect-rooms", "N", at_least(0))


OUTPUT = Takes("Output options", OutputOptions)
CONNECTION = Takes("Connection options", ConnectionOptions)
WRITING = Takes("Write options", WritingOptions, exits=(8,))
BODY = Takes("Body options", BodyOptions)
RECORDS = Takes("Body options", RecordsOptions)
QUERY = Takes("Request options", QueryOptions)
BULK = Takes("Bulk options", BulkOptions, exits=(6,))
BULK_WRITE = (BULK, Takes("Bulk options", ResendOptions), WRITING)
WHOLE = Takes("List options", WholeOptions)
LISTING = (Takes("List options", PartOptions, exports=True), WHOLE)
"""A list, or part of it. With `--to` and a name such as FILE.csv it is exported as `registration export` does."""
TEXT = Takes("List options", TextOptions)
LOOKING = frozenset(("--max-present", "--only-if-empty", "--only-past-end"))
"""The guards for which rooms are read."""
GUARD_OPTIONS = LOOKING | {"--expect-rooms"}
GUARDS = Takes("Guards (if one does not hold, nothing is sent, exit 8)", GuardOptions, exits=(8,))
COMMON = (CONNECTION, OUTPUT)


class Entry(NamedTuple):
    """A member that is imported when it is asked for: the module whose `commands` it is; its line in the help of the
    root, and the heading above that.
    """

    module: str
    line: str = ""
    heading: str = "Commands"


class Verb(NamedTuple):
    """A command in the making: its function, what is said about it, the parser's settings beside the usual ones."""

    function: Callable[..., Any]
    about: About
    settings: Mapping[str, Any]


RAW = {"ignore_unknown_options": True, "allow_interspersed_args": False}
"""The parser's settings of a command that reads the words after its first one itself."""


class Commands:
    """A group in the making, or without a summary a single command: functions, and what they call, take and exit with.

    `params` are options of its own.

    Nothing of Typer is made before `build`, and of a group's commands only the one that is asked for.
    """

    def __init__(self, summary: str = "", params: Sequence[Any] = ()) -> None:
        self.summary, self.params = summary, params
        self.members: dict[str, Any] = {}

    def verb(
        self,
        name: str,
        *,
        calls: Sequence[Operation] = (),
        exits: Sequence[int] = (),
        raw: bool = False,
        exports: bool = False,
        **about: Sequence[Any],
    ) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
        """Register a command, with what `About` says of it: `calls` are its `named`, `exits` its `also`.

        With `raw`, all that follows its first word reaches it as it is, options too.
        """
        more: Any = {key: tuple(each) for key, each in about.items()}
        writes = any(call.writes for call in (*calls, *about.get("any_of", ())))
        said = About(tuple(calls), also=tuple(exits), exports=exports, writes=writes, **more)

        def register(function: Callable[..., Any]) -> Callable[..., Any]:
            self.members[name] = Verb(function, said, RAW if raw else {})
            return function

        return register


def first_sentence(text: str) -> str:
    """Take the first sentence of a docstring, as a line of a list: lower case, no full stop."""
    line = " ".join(text.strip().split("\n\n")[0].split())
    first = line.split(". ")[0].removesuffix(".")
    return first if first[1:2].isupper() else first[:1].lower() + first[1:]
