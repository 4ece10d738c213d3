"""The way of every write: check the profile, show it instead of sending it, ask, send, say what became of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from roomctl.cli.asking import announce, check_expected, check_profile, confirm
from roomctl.cli.bodies import check_new
from roomctl.cli.session import Answer, Query, Session, Text
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, TRANSCRIPTION_LIST, Operation
from roomctl.errors import NotAllowed, OutcomeUnknown, Partial, RoomctlError
from roomctl.settling import Settled, Write, send, shows, snapshot

JSON = Any
LOOKS = {
    ROOMSET_LIST: "`roomctl roomset tree` shows what stands now",
    TRANSCRIPTION_LIST: "`roomctl transcription list` shows what stands now",
    RULES_GET: "`roomctl rules get SET` shows what stands now",
    None: "the service has no operation that shows it: ask somebody who can see",
}


def write(
    session: Session,
    operation: Operation,
    *,
    path: Mapping[str, str] | None = None,
    query: Query = (),
    body: JSON = None,
    card: Sequence[str] = (),
    word: str | None = None,
    what: str = "",
    stood: Mapping[str, JSON] | None = None,
    ask: bool = True,
) -> Answer:
    """Send one write, or show it where `--dry-run` or `--curl` asks for that.

    `card` is what a person reads before the question (none: nothing is asked); `word` what must be typed; `what` says
    in words what is done, for messages; `stood` what was read before; `ask` is off where the question was asked for
    several writes together. Raises errors.*.
    """
    check_new(operation, body)
    if (shown := instead(session, operation, path=path, query=query, body=body)) is not None:
        return shown
    check_profile(session)
    if ask and (card or session.settings.protected):
        confirm(session, card or (f"about to {what or operation.summary.lower()}",), word=word)
    announce(session)
    stood = before(session, operation) if stood is None else stood
    write_ = Write(operation, path or {}, query, body, what or operation.summary.lower(), stood)
    return Answer(settled(session, write_).value, operation.resource)


def read_back(look: Callable[[], JSON], sent: Mapping[str, JSON], resource: str) -> Answer:
    """Read a record back after a write and answer it. Raises Partial where it cannot be read: the write stands."""
    try:
        record = look()
    except RoomctlError as error:
        why = f"it was sent and answered, and cannot be read back: {error.message}"
        raise Partial(why, hint=error.hint, outcome="applied", http=error.http, request=error.request) from None
    return seen(record, sent, resource)


def seen(record: JSON, sent: Mapping[str, JSON], resource: str) -> Answer:
    """Answer a record that was read back after a write; what became of one that does not show it is unknown."""
    records = record if isinstance(record, list) else [record]
    missing = [name for name, value in sent.items() if not any(shows(each.get(name), value) for each in records)]
    if not missing:
        return Answer(record, resource)
    failure = OutcomeUnknown(
        f"the service said that it is done, and read back it does not show: {', '.join(missing)}",
        hint="read it once more in a while, before anything is sent again",
    )
    return Answer(record, resource, failure)


def before(session: Session, operation: Operation) -> Mapping[str, JSON] | None:
    """Read what stands before a write that could only be told by what is new after it; None where that cannot be."""
    if operation.repeat != "create" or operation.seen_in is None or not operation.seen_in.paged:
        return None
    try:
        return snapshot(session.client, operation)
    except NotAllowed:
        raise
    except RoomctlError as error:
        session.note(f"what stands now could not be read, so a lost answer could not be told apart: {error.message}")
        return None


def settled(session: Session, write_: Write) -> Settled:
    """Send one write, find out what became of it, and say it; the journal hears what reading has shown."""
    try:
        done = send(session.client, write_, again=session.settings.retries != 0)
    except OutcomeUnknown as error:
        look = f"`roomctl journal verify {error.journal}`" if error.journal else "`roomctl journal verify`"
        error.hint = f"{look} reads what can be read back; {LOOKS[write_.operation.seen_in]}"
        raise
    except Partial as error:
        error.hint = LOOKS[write_.operation.seen_in]
        _tell(session, error.journal, "refused", "read back, and not done")
        raise
    session.written = True
    for entry in done.journal:
        _tell(session, entry, "confirmed", done.how)
    if done.how != "reply":
        session.say(f"no answer came that can be believed; {done.how}: {write_.what}")
    return done


def _tell(session: Session, entry: str, outcome: str, how: str) -> None:
    """Tell the journal what reading has shown; it is so, whatever the journal says."""
    if entry:
        try:
            session.journal.resolve(entry, outcome, how)
        except RoomctlError as error:
            session.note(f"the journal could not be told that entry {entry} is {outcome}: {error.message}")


def instead(
    session: Session, operation: Operation, *, path: Mapping[str, str] | None, query: Query, body: JSON
) -> Answer | None:
    """Make what `--dry-run` or `--curl` prints instead of sending; None when neither is given."""
    if not (session.given.dry_run or session.given.curl):
        return None
    check_expected(session)
    from roomctl.service.request import curl, prepare

    prepared = prepare(session.settings.base_url, operation, path=path or {}, query=query, body=body)

    if session.given.curl:
        return Answer(Text(curl(prepared)))
    if session.output_format() == "ids":  # what is not sent makes none
        import json

        return Answer(Text(json.dumps(prepared.shown(), indent=2)))
    return Answer(prepared.shown(), "Request")


def pairs(session: Session) -> list[tuple[str, str]]:
    """The query parameters of `--query key=value`."""
    return [(key, value) for key, _, value in (item.partition("=") for item in session.given.query)]
