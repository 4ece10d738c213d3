"""The options that many commands take, in bundles, each declared once: `Given` holds what they were given as."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer import Option

from roomctl.cli.about import LAST_WINS, Takes
from roomctl.contract.records import is_uuid
from roomctl.output.writers import FORMATS
from roomctl.text.suggest import did_you_mean

MOMENT = "2026-11-21T18:30:00+01:00"
UNTOLD = "whose meaning is not documented"
ERROR_FORMATS = ("text", "json", "github")


class OneOf:
    """A parser that takes one of some values, in any case, and names the nearest one otherwise."""

    __name__ = "choice"

    def __init__(self, values: Sequence[str]) -> None:
        self.choices = tuple(values)

    def __call__(self, text: str) -> str:
        for value in self.choices:
            if value.casefold() == text.casefold():
                return value
        meant = did_you_mean(text, self.choices)
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(self.choices)}{meant}")


def choice(*names: str, values: Sequence[str], text: str, metavar: str = "") -> Any:
    """Make an option that takes one of some values; the help lists them, unless `metavar` stands for them."""
    return Option(*names, parser=OneOf(values), metavar=metavar or "|".join(values), help=text)


def an_id(text: str, where: str = "") -> str:
    """Take a canonical 36-character uuid; it is checked before anything is sent. `where` such ids are, else is said."""
    if not is_uuid(text):
        form = "36 characters such as 3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
        raise typer.BadParameter(f"{text!r} is not an id: {form}" + (f"; {where}" if where else ""))
    return text.lower()


def id_seen(where: str) -> Callable[[str], str]:
    """Make a parser like `an_id` of a thing that has no other name here, which says where its id is seen."""

    def seen(text: str) -> str:
        return an_id(text, where)

    return seen


def pair(text: str) -> str:
    """Take `key=value`."""
    if "=" not in text.lstrip("="):
        raise typer.BadParameter(f"{text!r} is not of the form key=value")
    return text


def several(what: str) -> Any:
    """Make a parser of names with commas between them, at least one."""

    def names(text: str) -> tuple[str, ...]:
        found = tuple(part for part in (piece.strip() for piece in text.split(",")) if part)
        if not found:
            raise typer.BadParameter(f"{text!r} names no {what}")
        return found

    return names


def at_least(least: int) -> Any:
    """Make a parser of whole numbers that are not below `least`, in ASCII digits."""

    def number(given: str | int) -> int:  # a default comes as a number
        text = str(given)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or int(text) < least:
            raise typer.BadParameter(f"{text!r} is not a whole number from {least} to 999999999")
        return int(text)

    return number


def a_name(text: str) -> str:
    """Take a name that is not empty, as one from a variable that nobody set would be."""
    if not text.strip():
        raise typer.BadParameter("the name is empty")
    return text


def positive(text: str) -> float:
    """Take a number above 0: seconds, or requests a second."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise typer.BadParameter(f"{text!r} is not a number above 0 and below 1,000,000")
    return value


ABSENT: Any = None
"""The default of options whose values `Given` holds in a list or tuple."""


class OutputOptions:
    """What the result looks like."""

    output: Annotated[
        str | None, LAST_WINS, choice("-o", "--output", values=tuple(FORMATS), text="form of the result")
    ] = None
    json: Annotated[bool, LAST_WINS, Option("--json", help="the same as -o json")] = False
    to: Annotated[str | None, Option("--to", metavar="FILE", help="write the result to a new file")] = None
    force: Annotated[bool, Option("--force", help="let --to replace an existing file")] = False
    fields: Annotated[
        Any,
        LAST_WINS,
        Option("--fields", parser=several("field"), metavar="a,b.c", help="only these fields, in this order"),
    ] = None
    expression: Annotated[
        str | None,
        LAST_WINS,
        Option("--query", metavar="EXPR", help="a JMESPath expression, applied to the whole result"),
    ] = None
    sort_by: Annotated[str | None, LAST_WINS, Option("--sort-by", metavar="FIELD[,desc]", help="sort what arrived")] = (
        None
    )
    no_header: Annotated[bool, LAST_WINS, Option("--no-header", help="no heading in table, csv, tsv")] = False
    error_format: Annotated[
        str | None, LAST_WINS, choice("--error-format", values=ERROR_FORMATS, text="form of an error")
    ] = None
    quiet: Annotated[bool, LAST_WINS, Option("-q", "--quiet", help="no notes on stderr")] = False
    verbose: Annotated[
        bool, LAST_WINS, Option("-v", "--verbose", help="say what is asked of whom, without secrets")
    ] = False
    debug: Annotated[bool, Option("--debug", help="write a trace without secrets to a private file")] = False


class ConnectionOptions:
    """Which service is asked, and how."""

    profile: Annotated[str | None, Option("--profile", metavar="NAME", help="the profile to use")] = None
    sandbox: Annotated[bool, Option("--sandbox", help="use the embedded service")] = False
    fault: Annotated[
        list[str],
        Option("--fault", metavar="FAULT", help="let the sandbox fail so, in this run; `sandbox faults add` says how"),
    ] = ABSENT
    timeout: Annotated[
        float | None,
        LAST_WINS,
        Option("--timeout", parser=positive, metavar="SECONDS", help="seconds for one attempt"),
    ] = None
    retries: Annotated[
        int | None,
        LAST_WINS,
        Option("--retries", parser=at_least(0), metavar="N", help="repeat a request so often at most"),
    ] = None
    rate: Annotated[
        float | None,
        LAST_WINS,
        Option("--rate", parser=positive, metavar="N", help="so many requests a second at most"),
    ] = None
    concurrency: Annotated[
        int | None,
        LAST_WINS,
        Option(
            "--concurrency",
            parser=at_least(1),
            metavar="N",
            help="so many requests at a time; 1 keeps an export in one process",
        ),
    ] = None
    yes: Annotated[bool, Option("-y", "--yes", help="ask nothing")] = False
    no_input: Annotated[bool, Option("--no-input", help="never ask: fail where a question would come")] = False


class WritingOptions:
    """How a write is sent."""

    dry_run: Annotated[bool, Option("-n", "--dry-run", help="print the request, send no write")] = False
    curl: Annotated[bool, Option("--curl", help="print the request as a curl command, send no write")] = False
    expect_profile: Annotated[
        str | None, Option("--expect-profile", metavar="NAME", help="send nothing unless this profile is active")
    ] = None


Skeleton = Annotated[bool, Option("--skeleton", help="print a body to fill in, send nothing")]
AllowUnknown = Annotated[bool, Option("--allow-unknown", help="send fields that the interface does not name")]


class BodyOptions:
    """The body, an object."""

    input: Annotated[
        str | None, Option("--input", metavar="FILE|-", help="the body as JSON or YAML; options override it")
    ] = None
    set_: Annotated[
        list[str], Option("--set", parser=pair, metavar="a.b=value", help="set any field; may be repeated")
    ] = ABSENT
    skeleton: Skeleton = False
    allow_unknown: AllowUnknown = False


class RecordsOptions:
    """The body, an array."""

    input: Annotated[
        str | None, Option("--input", metavar="FILE|-", help="the records as JSON or YAML, sent as they are")
    ] = None
    skeleton: Skeleton = False
    allow_unknown: AllowUnknown = False


class QueryOptions:
    """Query parameters."""

    query: Annotated[
        list[str],
        Option(
            "--query",
            metavar="key=value|EXPR",
            help="key=value: a query parameter, not documented, may be repeated; else a JMESPath expression",
        ),
    ] = ABSENT


class ListOptions:
    """The list. With `--to` and a name such as FILE.csv it is exported as `registration export` does."""

    limit: Annotated[int | None, Option("--limit", parser=at_least(1), metavar="N", help="items in all")] = None
    page: Annotated[int | None, Option("--page", parser=at_least(0), metavar="N", help="exactly one raw page")] = None
    page_size: Annotated[
        int | None, Option("--page-size", parser=at_least(1), metavar="N", help="items asked for at a time")
    ] = None
    sort: Annotated[
        str | None, Option("--sort", metavar="FIELD[,desc]", help="let the service sort; its names are not documented")
    ] = None


class TextOptions:
    """The search."""

    text: Annotated[str | None, Option("--text", help="let the service search; its rule is not documented")] = None


class BulkOptions:
    """How many are done at once."""

    results: Annotated[
        str | None, Option("--results", metavar="FILE", help="write what became of each row; it is the next input")
    ] = None
    resume: Annotated[bool, Option("--resume", help="go on with a run that was interrupted")] = False
    retry_unknown: Annotated[
        bool, Option("--retry-unknown", help="send rows again whose outcome is unknown; they may take effect twice")
    ] = False
    skip_bad: Annotated[bool, Option("--skip-bad", help="send the rest when rows of the input are bad")] = False
    keep_going: Annotated[bool, Option("--keep-going", help="do not stop after many failures")] = False


class GuardOptions:
    """What must hold, else exit 8 and nothing is sent."""

    max_present: Annotated[
        int | None, Option("--max-present", parser=at_least(0), metavar="N", help="no room has more people present")
    ] = None
    only_if_empty: Annotated[bool, Option("--only-if-empty", help="nobody is present in any of the rooms")] = False
    only_past_end: Annotated[bool, Option("--only-past-end", help="each room's planned end is past")] = False
    expect_rooms: Annotated[
        int | None, Option("--expect-rooms", parser=at_least(0), metavar="N", help="it is about so many rooms")
    ] = None


OUTPUT = Takes("Output options", OutputOptions)
CONNECTION = Takes("Connection options", ConnectionOptions)
WRITING = Takes("Write options", WritingOptions, exits=(8,))
BODY = Takes("Body options", BodyOptions)
RECORDS = Takes("Body options", RecordsOptions)
QUERY = Takes("Body options", QueryOptions)
BULK = Takes("Bulk options", BulkOptions, exits=(6,))
LISTING = Takes("List options", ListOptions, exports=True)
TEXT = Takes("List options", TextOptions)
GUARDS = Takes("Guards: exit 8 and nothing sent unless they hold", GuardOptions, exits=(8,))
COMMON = (CONNECTION, OUTPUT)
