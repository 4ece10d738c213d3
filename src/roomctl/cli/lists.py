"""Lists: everything by default, proven whole, shown or exported, with what was seen on the way said on stderr."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from roomctl.cli.progress import progress
from roomctl.cli.session import JSON, Answer, Query, Session
from roomctl.contract.evidence import not_valid, read_badly, told_not_valid
from roomctl.contract.operations import Operation
from roomctl.contract.outcome import denial
from roomctl.contract.records import by_id, error_of, find, folded
from roomctl.errors import AGAIN, BadInput, NotFound, Partial, RoomctlError, Temporary, Unintelligible, WrongCall
from roomctl.output.columns import at, resource_of
from roomctl.output.writers import ENDINGS
from roomctl.text.counted import numbered

if TYPE_CHECKING:
    from roomctl.service.paginator import Paginator
    from roomctl.service.proof import Proof

PAGE_SIZE, EXPORT_PAGE_SIZE = 100, 500
CUTS = ("--limit", "--page")


def query_of(session: Session) -> list[tuple[str, str]]:
    given = session.given
    return [(name, value) for name, value in (("text", given.text), ("sort", given.sort)) if value is not None]


def listed(
    session: Session, operation: Operation, *, path: Mapping[str, str] | None = None, query: Query = ()
) -> Answer:
    """List an operation's rows as the list options say; rows stream where the form of output allows it.

    With `--to` and a name that says its form, the list is exported.
    """
    given = session.given
    if (target := export_target(session)) is not None:
        return export(session, operation, path=path, query=[*query, *query_of(session)], to=target)
    if given.page is not None and given.limit is not None:
        raise WrongCall(
            "`--page` and `--limit` cannot be used together", hint="use `--page N --page-size M` for one raw page"
        )
    listing = _paginator(session, operation, path or {}, [*query, *query_of(session)], given.limit, given.page)
    return Answer(_rows(session, listing, operation.resource), operation.resource)


def _rows(session: Session, listing: "Paginator", resource: str) -> Iterator[JSON]:
    """The rows as they come; those of a list that is not proven whole are shown, and leave the session in doubt."""
    from roomctl.service.paginator import not_sorted

    sort = session.given.sort or ""
    name = sort.partition(",")[0]
    texts, marks = list[str](), Counter[str]()
    typed = session.given.typed
    after = "--sort-by" if "--sort-by" in typed else "--query" if session.given.expression else ""
    if after and (cut := next(filter(typed.__contains__, CUTS), "")):
        session.note(f"`{cut}` is applied first: `{after}` works only on the rows that it leaves")
    try:
        for row in listing:
            yield row
            marks.update(not_valid([row], resource) if resource != "RoomSet" else ())  # of which more is told
            texts += [found] if name and isinstance(found := at(row, name), str) else []
    except Partial as doubt:
        session.doubt = session.doubt or doubt
    _note_repeats(session, listing)
    for each in told_not_valid(marks, resource_of(resource).plural):
        session.note(each)
    if not_sorted(texts, sort):
        session.note(f"the service did not sort by {name}; `--sort-by {name}` sorts the result")


def gathered(session: Session, operation: Operation, query: Query = ()) -> tuple[list[JSON], "Proof"]:
    """Read a whole list, whatever the list options say: its records, and what is known of it."""
    listing = _paginator(session, operation, {}, query)
    with progress(session, resume="") as counted:
        counted.update(0, operation.in_words.replace("list", "reading", 1))
        rows = listing.whole()
    _note_repeats(session, listing)
    session.stale = listing.proof.stale
    return rows, listing.proof


def with_id(session: Session, operation: Operation, key: str) -> JSON:
    """The record of an id: one that came is enough, unless rows cannot be read, or contradict; that leaves a doubt.

    Raises NotFound, Partial.
    """
    rows, proof = gathered(session, operation)
    session.doubt = doubt if (doubt := proof.doubt) is not None and "row" in doubt.details else None
    kind = operation.resource.lower()
    if (record := find(rows, operation.identity, key)) is not None:
        session.doubt = session.doubt or unproven(record, kind, key, operation.resource, operation.resource)
        return record
    whose = "your" if operation.path.endswith("/mine") else "the company's"
    why = f"none of {whose} {kind}s has the id {key}"
    raise doubt or NotFound(why, hint=f"`roomctl {kind} list` shows the {kind}s")


def unproven(record: JSON, kind: str, name: str, resource: str, denied: str = "") -> RoomctlError | None:
    """Why a record that came proves nothing, or may be old, as it says itself: it names an error; it says that it
    failed or is gone, as a resource that can be `denied` does; it was read badly.
    """
    why = "has an error" if error_of(record) else "says that it failed or was deleted"
    if why == "has an error" or (denied and denial(record, denied)):
        return Partial(f"{kind} {name} {why}, so it proves nothing", hint="`-o json` shows what it says")
    badly = read_badly(record, resource)
    return Partial(f"{kind} {name} was received, but {badly}", hint=AGAIN) if badly else None


def roomless(recordings: Sequence[JSON]) -> RoomctlError | None:
    """Why it is not certain which of these are of a room: some do not show theirs."""
    if not (number := sum(not folded(each.get("socialId")) for each in recordings)):
        return None
    theirs = "does not show its room" if number == 1 else "do not show their room"
    return Partial(
        f"{numbered(number, 'recordings')} {theirs}", hint="`roomctl recording list -o json` shows every recording"
    )


def first_page(session: Session, operation: Operation) -> list[JSON]:
    """Read the first page of a list of records. Raises what keeps it from showing that the service accepts the key."""
    from roomctl.service.paginator import doubt_of_page

    rows = session.client.page(operation, path={}, query=(), page=0, size=1)
    if why := getattr(rows, "stored", ""):
        hint = "ask whoever runs the cache in between to pass on requests with a key"
        raise Unintelligible(f"the reply does not show whether the key is accepted: {why}", hint=hint)
    if doubt := doubt_of_page(operation, {}, rows):
        raise doubt
    if len(by_id(rows, operation.identity)) < len(rows):
        raise Partial(f"the reply does not show whether the key is accepted: it has rows without {operation.identity}")
    return rows


def _paginator(
    session: Session,
    operation: Operation,
    path: Mapping[str, str],
    query: Query,
    limit: int | None = None,
    page: int | None = None,
) -> "Paginator":
    from roomctl.service.paginator import Paginator

    size = session.settings.page_size or PAGE_SIZE
    return Paginator(session.client, operation, path=path, query=query, size=size, limit=limit, page=page)


def _note_repeats(session: Session, listing: "Paginator") -> None:
    from roomctl.service.paginator import DRIFTED

    if listing.duplicates:
        session.note(f"left out {numbered(listing.duplicates, 'duplicate rows')}")
    if listing.proof.unnamed and not listing.proof.doubt:
        session.note(f"rows without an id: {listing.proof.unnamed:,}")
    if listing.drift and not (listing.proof.doubt or session.doubt):
        session.say(f"warning: the {DRIFTED}")


def export_target(session: Session) -> Path | None:
    """The file of `--to` where it asks for an export: its name says its form, and nothing shapes the result."""
    from roomctl.exports.formats import FORMAT_OF

    given = session.given
    form = None if given.to is None else FORMAT_OF.get(Path(given.to).suffix.lower())
    if given.to is None or form is None:
        return None
    file, cut = Path(given.to), (*CUTS, "--output", "--json")
    cuts = [*(name for name in cut if name in given.typed), *shaping(session)]
    if not cuts:
        return file
    if form.binary or not (given.output or file.suffix.lower() in ENDINGS):
        which = " and ".join(f"`{name}`" for name in cuts)
        text = file.with_suffix(next((end for end, name in ENDINGS.items() if name == given.output), ".csv"))
        why = f"{which} cannot be used with a {file.suffix} file, which always holds the whole list"
        raise WrongCall(why, hint=f"leave out {which}, or write a text file: `--to {quote(str(text))}`")
    return None


def shaping(session: Session) -> list[str]:
    """The options given that shape a result; an export is not a result, its file has columns of its own."""
    names = ("--fields", "--query", "--sort-by", "--no-header")
    parameters = session.given.expression is None  # which `--query` may give, too
    return [name for name in names if name in session.given.typed and not (name == "--query" and parameters)]


def file_of(session: Session, what: str, example: str, hint: str = "") -> Path:
    """The file of `--to` of a command that writes it itself, in a form of its own. Raises WrongCall."""
    if shaped := shaping(session):
        raise WrongCall(f"{what} does not take {' and '.join(f'`{name}`' for name in shaped)}", hint=hint)
    if session.given.to is None:
        raise WrongCall(f"{what} needs a file", hint=f"add `--to {example}`")
    return Path(session.given.to)


def export(
    session: Session,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Query = (),
    to: Path,
    noun: str = "rows",
    **options: Any,
) -> Answer:
    """Export a list, or go on with an export of it; `options` are those of the engine."""
    from roomctl.exports import manifest
    from roomctl.exports.export import export as run
    from roomctl.exports.part import beside
    from roomctl.service.paginator import DRIFTED

    settings, path, expected = session.settings, path or {}, session.given.expect
    with suppress(BadInput):  # an earlier export of the same list says how many rows to expect
        if (path_before := beside(to, manifest.ENDING)).exists():
            earlier = manifest.read(path_before)
            asked = manifest.list_asked(operation.name, [*path.items(), *query])
            if (earlier.asked, earlier.profile_host) == (asked, settings.base_url):
                expected = expected or earlier.received // earlier.passes
    with progress(session, noun, expected, resume="run the same command again to resume") as counted:
        try:
            facts = run(
                session.client,
                operation,
                path=path,
                query=query,
                to=to,
                size=settings.page_size or EXPORT_PAGE_SIZE,
                concurrency=settings.concurrency,
                force=session.given.force,
                profile_host=settings.base_url,
                key=session.client.key,
                note=session.note,
                warn=session.say,
                on_page=counted.update,
                **options,
            )
        except Temporary as error:
            if (part := beside(to, ".part")).exists():
                error.hint = f"run the same command again to resume: the pages read so far are in {part}"
            raise
    doubtful = facts.drift_seen and not options.get("verify")
    why, *more = facts.why.split("; ")
    proven = "" if doubtful else f"; {why}"
    of = f"{facts.rows:,} of " if facts.left_out else ""
    session.note(f"exported {of}{numbered(facts.rows + facts.left_out, noun)} to {to}{proven}")
    if facts.duplicates_dropped:
        more.append(f"left out {numbered(facts.duplicates_dropped, f'duplicate {noun}')}")
    for each in more:
        session.note(each)
    if doubtful:
        session.say(f"warning: the {DRIFTED}")
        session.note("`--verify` reads the list again until a full pass finds nothing new")
    return Answer()
