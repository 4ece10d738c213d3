"""The options that many commands take, in bundles, each declared once: `Given` holds what they were given as."""

from collections.abc import Callable, Sequence
from typing import Any

import typer
from typer import Option

from roomctl.cli.about import Takes
from roomctl.contract.records import is_uuid
from roomctl.output.writers import FORMATS
from roomctl.text.suggest import did_you_mean

MOMENT = "2026-11-21T18:30:00+01:00"
UNTOLD = "whose meaning is not documented"
ERROR_FORMATS = ("text", "json", "github")


class Names(tuple[str, ...]):
    """Names with commas between them."""

    __slots__ = ()


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


def option(*names: str, last_wins: bool = False, **settings: Any) -> Any:
    """Declare an option of a bundle; with `last_wins`, a later value overrules an earlier one, as for a shell alias."""
    made = Option(None, *names, **settings)
    made.last_wins = last_wins
    return made


def choice(*names: str, values: Sequence[str], text: str, metavar: str = "") -> Any:
    """Make an option that takes one of some values; the help lists them, unless `metavar` stands for them."""
    return Option(*names, **one_of(values, text, metavar))


def one_of(values: Sequence[str], text: str, metavar: str = "") -> dict[str, Any]:
    """Give the settings of an option that takes one of some values."""
    return {"parser": OneOf(values), "metavar": metavar or "|".join(values), "help": text}


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

    def names(text: str) -> Names:
        found = Names(part for part in (piece.strip() for piece in text.split(",")) if part)
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


class OutputOptions:
    """What the result looks like."""

    output: str | None = option("-o", "--output", **one_of(tuple(FORMATS), "form of the result"), last_wins=True)
    json: bool = option("--json", help="the same as -o json", last_wins=True)
    to: str | None = option("--to", metavar="FILE", help="write the result to a new file")
    force: bool = option("--force", help="let --to replace an existing file")
    fields: Names = option(
        "--fields", parser=several("field"), metavar="a,b.c", help="only these fields, in this order", last_wins=True
    )
    expression: str | None = option(
        "--query", metavar="EXPR", help="a JMESPath expression, applied to the whole result", last_wins=True
    )
    sort_by: str | None = option("--sort-by", metavar="FIELD[,desc]", help="sort what arrived", last_wins=True)
    no_header: bool = option("--no-header", help="no heading in table, csv, tsv", last_wins=True)
    error_format: str | None = option("--error-format", **one_of(ERROR_FORMATS, "form of an error"), last_wins=True)
    quiet: bool = option("-q", "--quiet", help="no notes on stderr", last_wins=True)
    verbose: bool = option("-v", "--verbose", help="say what is asked of whom, without secrets", last_wins=True)
    debug: bool = option("--debug", help="write a trace without secrets to a private file")


class ConnectionOptions:
    """Which service is asked, and how."""

    profile: str | None = option("--profile", metavar="NAME", help="the profile to use")
    sandbox: bool = option("--sandbox", help="use the embedded service")
    fault: list[str] = option(
        "--fault", metavar="FAULT", help="let the sandbox fail so, in this run; `sandbox faults add` says how"
    )
    timeout: float | None = option(
        "--timeout", parser=positive, metavar="SECONDS", help="seconds for one attempt", last_wins=True
    )
    retries: int | None = option(
        "--retries", parser=at_least(0), metavar="N", help="repeat a request so often at most", last_wins=True
    )
    rate: float | None = option(
        "--rate", parser=positive, metavar="N", help="so many requests a second at most", last_wins=True
    )
    concurrency: int | None = option(
        "--concurrency",
        parser=at_least(1),
        metavar="N",
        help="so many requests at a time; 1 keeps an export in one process",
        last_wins=True,
    )
    yes: bool = option("-y", "--yes", help="ask nothing")
    no_input: bool = option("--no-input", help="never ask: fail where a question would come")


class WritingOptions:
    """How a write is sent."""

    dry_run: bool = option("-n", "--dry-run", help="print the request, send no write")
    curl: bool = option("--curl", help="print the request as a curl command, send no write")
    expect_profile: str | None = option(
        "--expect-profile", metavar="NAME", help="send nothing unless this profile is active"
    )


SKELETON = option("--skeleton", help="print a body to fill in, send nothing")
ALLOW_UNKNOWN = option("--allow-unknown", help="send fields that the interface does not name")


class BodyOptions:
    """The body, an object."""

    input: str | None = option("--input", metavar="FILE|-", help="the body as JSON or YAML; options override it")
    set_: list[str] = option("--set", parser=pair, metavar="a.b=value", help="set any field; may be repeated")
    skeleton: bool = SKELETON
    allow_unknown: bool = ALLOW_UNKNOWN


class RecordsOptions:
    """The body, an array."""

    input: str | None = option("--input", metavar="FILE|-", help="the records as JSON or YAML, sent as they are")
    skeleton: bool = SKELETON
    allow_unknown: bool = ALLOW_UNKNOWN


class QueryOptions:
    """Query parameters."""

    query: list[str] = option(
        "--query",
        metavar="key=value|EXPR",
        help="key=value: a query parameter, not documented, may be repeated; else a JMESPath expression",
    )


class ListOptions:
    """The list. With `--to` and a name such as FILE.csv it is exported as `registration export` does."""

    limit: int | None = option("--limit", parser=at_least(1), metavar="N", help="items in all")
    page: int | None = option("--page", parser=at_least(0), metavar="N", help="exactly one raw page")
    page_size: int | None = option("--page-size", parser=at_least(1), metavar="N", help="items asked for at a time")
    expect: int | None = option(
        "--expect", parser=at_least(1), metavar="N", help="rows to expect, so that progress shows the time left"
    )
    sort: str | None = option(
        "--sort", metavar="FIELD[,desc]", help="let the service sort; its names are not documented"
    )


class TextOptions:
    """The search."""

    text: str | None = option("--text", help="let the service search; its rule is not documented")


class BulkOptions:
    """How many are done at once."""

    results: str | None = option(
        "--results", metavar="FILE", help="write what became of each row; it is the next input"
    )
    resume: bool = option("--resume", help="go on with a run that was interrupted")
    retry_unknown: bool = option(
        "--retry-unknown", help="send rows again whose outcome is unknown; they may take effect twice"
    )
    skip_bad: bool = option("--skip-bad", help="send the rest when rows of the input are bad")
    keep_going: bool = option("--keep-going", help="do not stop after many failures")


class GuardOptions:
    """What must hold, else exit 8 and nothing is sent."""

    max_present: int | None = option(
        "--max-present", parser=at_least(0), metavar="N", help="no room has more people present"
    )
    only_if_empty: bool = option("--only-if-empty", help="nobody is present in any of the rooms")
    only_past_end: bool = option("--only-past-end", help="each room's planned end is past")
    expect_rooms: int | None = option(
        "--expect-rooms", parser=at_least(0), metavar="N", help="it is about so many rooms"
    )


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
