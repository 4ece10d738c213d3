"""Options that many commands take, in bundles; their values land in `session.given`."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer
from typer import Option

from roomctl.cli.lazy import Takes
from roomctl.contract.operations import UUID
from roomctl.output.writers import FORMATS

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
        from roomctl.cli.meant import nearest

        near = nearest(text, self.choices)
        meant = f"; did you mean `{near}`?" if near else ""
        raise typer.BadParameter(f"{text!r} is not one of {', '.join(self.choices)}{meant}")


def choice(*names: str, values: Sequence[str], text: str, metavar: str = "") -> Any:
    """Make an option that takes one of some values; the help lists them, unless `metavar` stands for them."""
    return Option(*names, parser=OneOf(values), metavar=metavar or "|".join(values), help=text)


def an_id(text: str, where: str = "") -> str:
    """Take a canonical 36-character uuid; it is checked before anything is sent. `where` such ids are, else is said."""
    if not UUID.fullmatch(text):
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


Flag = bool | None


def output_options(
    output: Annotated[str | None, choice("-o", "--output", values=tuple(FORMATS), text="form of the result")] = None,
    json: Annotated[Flag, Option("--json", help="the same as -o json")] = None,
    to: Annotated[str | None, Option("--to", metavar="FILE", help="write the result to a new file")] = None,
    force: Annotated[Flag, Option("--force", help="let --to replace an existing file")] = None,
    fields: Annotated[
        str | None,
        Option("--fields", parser=several("field"), metavar="a,b.c", help="only these fields, in this order"),
    ] = None,
    expression: Annotated[
        str | None, Option("--query", metavar="EXPR", help="a JMESPath expression, applied to the whole result")
    ] = None,
    sort_by: Annotated[str | None, Option("--sort-by", metavar="FIELD[,desc]", help="sort what arrived")] = None,
    no_header: Annotated[Flag, Option("--no-header", help="no heading in table, csv, tsv")] = None,
    error_format: Annotated[str | None, choice("--error-format", values=ERROR_FORMATS, text="form of an error")] = None,
    quiet: Annotated[Flag, Option("-q", "--quiet", help="no notes on stderr")] = None,
    verbose: Annotated[Flag, Option("-v", "--verbose", help="say what is asked of whom, without secrets")] = None,
    debug: Annotated[Flag, Option("--debug", help="write a trace without secrets to a private file")] = None,
) -> None:
    """What the result looks like."""


def connection_options(
    profile: Annotated[str | None, Option("--profile", metavar="NAME", help="the profile to use")] = None,
    sandbox: Annotated[Flag, Option("--sandbox", help="use the embedded service")] = None,
    fault: Annotated[
        list[str] | None,
        Option("--fault", metavar="FAULT", help="let the sandbox fail so, in this run; `sandbox faults add` says how"),
    ] = None,
    timeout: Annotated[
        float | None, Option("--timeout", parser=positive, metavar="SECONDS", help="seconds for one attempt")
    ] = None,
    retries: Annotated[
        int | None, Option("--retries", parser=at_least(0), metavar="N", help="repeat a request so often at most")
    ] = None,
    rate: Annotated[
        float | None, Option("--rate", parser=positive, metavar="N", help="so many requests a second at most")
    ] = None,
    concurrency: Annotated[
        int | None,
        Option(
            "--concurrency",
            parser=at_least(1),
            metavar="N",
            help="so many requests at a time; 1 keeps an export in one process",
        ),
    ] = None,
    yes: Annotated[Flag, Option("-y", "--yes", help="ask nothing")] = None,
    no_input: Annotated[Flag, Option("--no-input", help="never ask: fail where a question would come")] = None,
) -> None:
    """Which service is asked, and how."""


def writing_options(
    dry_run: Annotated[Flag, Option("-n", "--dry-run", help="print the request, send no write")] = None,
    curl: Annotated[Flag, Option("--curl", help="print the request as a curl command, send no write")] = None,
    expect_profile: Annotated[
        str | None, Option("--expect-profile", metavar="NAME", help="send nothing unless this profile is active")
    ] = None,
) -> None:
    """How a write is sent."""


Skeleton = Annotated[Flag, Option("--skeleton", help="print a body to fill in, send nothing")]
AllowUnknown = Annotated[Flag, Option("--allow-unknown", help="send fields that the interface does not name")]


def body_options(
    input: Annotated[  # noqa: A002  (the option's name is --input)
        str | None, Option("--input", metavar="FILE|-", help="the body as JSON or YAML; options override it")
    ] = None,
    set: Annotated[  # noqa: A002  (the option's name is --set)
        list[str] | None, Option("--set", parser=pair, metavar="a.b=value", help="set any field; may be repeated")
    ] = None,
    skeleton: Skeleton = None,
    allow_unknown: AllowUnknown = None,
) -> None:
    """The body, an object."""


def records_options(
    input: Annotated[  # noqa: A002  (the option's name is --input)
        str | None, Option("--input", metavar="FILE|-", help="the records as JSON or YAML, sent as they are")
    ] = None,
    skeleton: Skeleton = None,
    allow_unknown: AllowUnknown = None,
) -> None:
    """The body, an array."""


def query_options(
    query: Annotated[
        list[str] | None,
        Option(
            "--query",
            metavar="key=value|EXPR",
            help="key=value: a query parameter, not documented, may be repeated; else a JMESPath expression",
        ),
    ] = None,
) -> None:
    """Query parameters."""


def list_options(
    limit: Annotated[int | None, Option("--limit", parser=at_least(1), metavar="N", help="items in all")] = None,
    page: Annotated[int | None, Option("--page", parser=at_least(0), metavar="N", help="exactly one raw page")] = None,
    page_size: Annotated[
        int | None, Option("--page-size", parser=at_least(1), metavar="N", help="items asked for at a time")
    ] = None,
    sort: Annotated[
        str | None, Option("--sort", metavar="FIELD[,desc]", help="let the service sort; its names are not documented")
    ] = None,
) -> None:
    """The list. With `--to` and a name such as FILE.csv it is exported as `registration export` does."""


def text_options(
    text: Annotated[str | None, Option("--text", help="let the service search; its rule is not documented")] = None,
) -> None:
    """The search."""


def bulk_options(
    results: Annotated[
        str | None, Option("--results", metavar="FILE", help="write what became of each row; it is the next input")
    ] = None,
    resume: Annotated[bool | None, Option("--resume", help="go on with a run that was interrupted")] = None,
    retry_unknown: Annotated[
        bool | None,
        Option("--retry-unknown", help="send rows again whose outcome is unknown; they may take effect twice"),
    ] = None,
    skip_bad: Annotated[bool | None, Option("--skip-bad", help="send the rest when rows of the input are bad")] = None,
    keep_going: Annotated[bool | None, Option("--keep-going", help="do not stop after many failures")] = None,
) -> None:
    """How many are done at once."""


OUTPUT = Takes("Output options", output_options)
CONNECTION = Takes("Connection options", connection_options)
WRITING = Takes("Write options", writing_options, exits=(8,))
BODY = Takes("Body options", body_options)
RECORDS = Takes("Body options", records_options)
QUERY = Takes("Body options", query_options)
BULK = Takes("Bulk options", bulk_options, exits=(6,))
LISTING = Takes("List options", list_options, exports=True)
TEXT = Takes("List options", text_options)
COMMON = (CONNECTION, OUTPUT)
