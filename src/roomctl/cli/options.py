"""How a command is declared: its options, of which many are in bundles; what it calls; and the values it was given.

An option that would be dropped, because it came twice or is contradicted, is refused (R47).
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from typer import Argument, Option

from roomctl.cli.parsers import FIELD_VALUES, Names, OneOf, at_least, direction, names_of, pair, positive
from roomctl.cli.query import check, is_parameter
from roomctl.contract.fields import fields
from roomctl.contract.operations import Operation
from roomctl.errors import WrongCall
from roomctl.output.writers import FORMATS

JSON = Any
TIME = '"2026-12-01 18:30@Europe/Berlin", 18:30@Europe/Berlin (the next one) or +15m (15 minutes from now)'
SORT_BY = "sort what is shown; -FIELD sorts in descending order; `--sort` asks the service to sort"
SORT = "have the service sort; its field names are not documented"
FORMS = "--output --json --fields --sort-by --query --no-header"
QUERY_HELP = "a JMESPath expression for the whole result; uses the field names that -o json shows"
ERROR_FORMATS = ("text", "json", "github")
ERRORS_AS = (
    "the format of errors; default: json if the output is json or ndjson (on a terminal, the extension of `--to` does "
    "not count), otherwise text"
)
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
    text: str,
    metavar: str | None = None,
    parser: Callable[..., Any] | None = None,
    *,
    default: Any = None,
    values: Sequence[str] = (),
    last_wins: bool = False,
    excludes: str = "",
    needs: str = "",
    **settings: Any,
) -> Any:
    """Declare an option, of a command or of a bundle, with its help; the help lists the `values` that it takes.

    Without a `default` it may be left out; with `...` it must be given. With `last_wins`, a later value overrules an
    earlier one, as for a shell alias. `excludes` are options that give the same in another way, or undo it; of `needs`,
    one at least must be given too.
    """
    if values:
        parser, metavar = OneOf(values), metavar or "|".join(values)
    made = Option(default, *names.split(), parser=parser, metavar=metavar, help=text, **settings)
    made.last_wins, made.excludes, made.needs = last_wins, excludes.split(), needs.split()
    return made


def flag(names: str, text: str, excludes: str = "", needs: str = "") -> Any:
    """Declare an option of a command that is on or off, and off where it is left out."""
    return option(names, text, default=False, excludes=excludes, needs=needs)


def argument(metavar: str, text: str, parser: Callable[..., Any] | None = None, *, default: Any = ...) -> Any:
    """Declare an argument of a command, with its help; without a `default`, or `[…]`, it must be given."""
    return Argument(None if metavar.startswith("[") else default, parser=parser, metavar=metavar, help=text)


def field_options(resource: str) -> Takes:
    """Make the options that fill fields of a resource: `fields.txt` lists the field, the option, its placeholder, what
    its value must be, and its help. `--on/--off` is a boolean; an enumeration takes its values.
    """
    text = Path(__file__).with_name("fields.txt").read_text(encoding="utf-8").replace("{TIME}", TIME)
    made: dict[str, Any] = {}
    for line in text.partition(f"[{resource}]\n")[2].partition("\n\n")[0].splitlines():
        name, names, metavar, value, meaning = map(str.strip, line.split(" | ", 4))
        values = fields(resource)[name].values
        made[name] = option(names, meaning, metavar or None, FIELD_VALUES.get(value), values=values)
    kinds = {name: bool if "/" in each.param_decls[0] else str for name, each in made.items()}
    return Takes("Fields", type(f"{resource}Fields", (), {"__annotations__": kinds, **made}), body=resource)


QUIET = "print no notes on stderr; errors, questions and `SANDBOX` lines stay"


class OutputOptions:
    output: str | None = option("-o --output", "the output format", values=tuple(FORMATS), last_wins=True)
    json: bool = option("--json", "the same as -o json", last_wins=True)
    to: str | None = option("--to", "write the result to a new file", "FILE")
    force: bool = option(
        "--force",
        "let --to replace an existing file; with --results, redo every row, even those already done",
        needs="--to --results --from",
    )
    fields: Names = option("--fields", "only these fields, in this order", "a,b.c", names_of("field"), last_wins=True)
    expression: str | None = option("--query", QUERY_HELP, "EXPR", last_wins=True)
    sort_by: str | None = option("--sort-by", SORT_BY, "FIELD[,desc]", direction, last_wins=True)
    no_header: bool = option("--no-header", "leave out the header in table, csv and tsv", last_wins=True)
    error_format: str | None = option("--error-format", ERRORS_AS, values=ERROR_FORMATS, last_wins=True)
    quiet: bool = option("-q --quiet", QUIET, last_wins=True)
    verbose: bool = option("-v --verbose", "show each request, without secrets", last_wins=True)
    debug: bool = option("--debug", "write a trace without secrets to a private file")


class ConnectionOptions:
    profile: str | None = option("--profile", "the profile to use", "NAME")
    sandbox: bool = option("--sandbox", "use the sandbox instead of a service")
    fault: list[str] = option("--fault", "apply a fault to the sandbox in this run; see `sandbox faults add`", "FAULT")
    timeout: float | None = option("--timeout", "seconds for one attempt", "SECONDS", positive, last_wins=True)
    retries: int | None = option("--retries", "maximum retries per request", "N", at_least(0), last_wins=True)
    rate: float | None = option("--rate", "maximum requests per second", "N", positive, last_wins=True)
    concurrency: int | None = option("--concurrency", "maximum concurrent requests", "N", at_least(1), last_wins=True)
    yes: bool = option("-y --yes", "do not ask for confirmation")
    no_input: bool = option("--no-input", "never ask: fail instead")


class WritingOptions:
    dry_run: bool = option("-n --dry-run", "print the request instead of sending it")
    curl: bool = option("--curl", "print the request as a curl command instead of sending it", excludes=FORMS)
    expect_profile: str | None = option("--expect-profile", "send nothing unless this is the active profile", "NAME")


SKELETON = option("--skeleton", "print a body to fill in; send nothing")
ALLOW_UNKNOWN = option("--allow-unknown", "send fields and values that the API does not define")


class BodyOptions:
    input: str | None = option("--input", "the body as JSON or YAML; options override it", "FILE|-")
    set_: list[str] = option("--set", "set any field; may be repeated", "a.b=value", pair)
    skeleton: bool = SKELETON
    allow_unknown: bool = ALLOW_UNKNOWN


class RecordsOptions:
    input: str | None = option("--input", "the records as JSON or YAML, sent as they are", "FILE|-")
    skeleton: bool = SKELETON
    allow_unknown: bool = ALLOW_UNKNOWN


class QueryOptions:
    query: list[str] = option(
        "--query",
        "with key=value, add an undocumented query parameter (may be repeated); otherwise, a JMESPath expression for "
        "the result",
        "key=value|EXPR",
    )


class PartOptions:
    limit: int | None = option("--limit", "stop after N rows", "N", at_least(1))
    page: int | None = option(
        "--page", "only this page, exactly as the service returns it; the first page is 0", "N", at_least(0)
    )


class WholeOptions:
    page_size: int | None = option("--page-size", "rows per request", "N", at_least(1))
    expect: int | None = option("--expect", "expected number of rows, to estimate the time left", "N", at_least(1))
    sort: str | None = option("--sort", SORT, "FIELD[,desc]", direction)


class TextOptions:
    text: str | None = option("--text", "have the service search; how it matches is not documented")


ROWS = "--from --results"


RETRY_UNKNOWN = "resend writes of unknown outcome, which are otherwise skipped; they may take effect twice"
KEEP_GOING = "keep going after 10 failures in a row, or when a fifth of the rows have failed (counted from 50 rows on)"


class BulkOptions:
    results: str | None = option(
        "--results",
        "write each row's result to FILE; the same command, run again, skips the rows that are done",
        "FILE",
    )
    resume: bool = option(
        "--resume",
        "continue a run that was killed: repeat its command with all of its options, and add this one; for the failed "
        "rows of a run that finished, see `--results`",
        needs=ROWS,
    )
    skip_bad: bool = option("--skip-bad", "skip invalid rows in the input and process the rest", needs="--from")
    keep_going: bool = option("--keep-going", KEEP_GOING)


class ResendOptions:
    retry_unknown: bool = option("--retry-unknown", RETRY_UNKNOWN, needs=ROWS)


class GuardOptions:
    max_present: int | None = option("--max-present", "no room has more than N people present", "N", at_least(0))
    only_if_empty: bool = option(
        "--only-if-empty", "nobody is present in any of the rooms; if one has people in it, nothing is sent"
    )
    only_past_end: bool = option("--only-past-end", "each room's planned end has passed, and the room does not recur")
    expect_rooms: int | None = option("--expect-rooms", "exactly N rooms are meant", "N", at_least(0))


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
    again = "; `roomctl help options` says which options may be repeated" if one.option == other.option else ""
    return WrongCall(f"{one} and {other} cannot be used together", hint=f"use only one of them{again}")


class Given(
    OutputOptions, ConnectionOptions, WritingOptions, BodyOptions, QueryOptions, PartOptions, WholeOptions, TextOptions,
    BulkOptions, ResendOptions, GuardOptions,
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
