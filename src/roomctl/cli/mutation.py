"""The one way of every write: show it, or check the profile and ask; then send it and say what became of it."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import TYPE_CHECKING

from roomctl.cli import reply_notes
from roomctl.cli.confirm import confirm, write_lines
from roomctl.cli.list_notes import note_spelling
from roomctl.cli.lookup import SET, my_sets
from roomctl.cli.reply_notes import (
    LOOKS,
    look_at,
    note_asides,
    note_changed,
    note_reply,
    otherwise,
    records_of,
    settled_by,
)
from roomctl.cli.request_body import check_new
from roomctl.cli.session import JSON, Answer, Session, Text
from roomctl.contract.evidence import unproven
from roomctl.contract.fields import INDEXED
from roomctl.contract.invitations import invited, person
from roomctl.contract.operations import INVITE_SEND, Operation
from roomctl.contract.outcome import differing, shown, shows
from roomctl.contract.records import find, folded
from roomctl.contract.rooms import closing
from roomctl.errors import (
    ExpectationFailed,
    NotAllowed,
    OutcomeUnknown,
    Partial,
    RoomctlError,
    Stopped,
    Unexpected,
    WrongCall,
)
from roomctl.output.values import titled
from roomctl.reconcile import Write, send, snapshot
from roomctl.text.counted import first, numbered
from roomctl.text.times import told_at

if TYPE_CHECKING:
    from roomctl.journal.book import Entry
    from roomctl.service.request import Prepared

LATER = "read it back later, before you resend it"


def write(session: Session, mutation: Write, card: Sequence[str] = (), word: str = "", *, done: str = "") -> Answer:
    """Send one write, or show it where only that is asked for: `approve`, then `settle`. Raises errors.*.

    `done` is the word before the record's name and id with which a person is told what was done: `created`.
    """
    operation = mutation.operation
    check_new(operation, mutation.body)
    if (instead := approve(session, [mutation], card, word)) is not None:
        return instead
    value = settle(session, mutation)
    failure = _not_invited(session, mutation, value) if operation is INVITE_SEND else None
    if shown(value, "status") == "FAILED" != shown(mutation.body, "status"):
        failure = Partial(f"the service reports FAILED for {titled(value, operation.resource)}", outcome="applied")
    told = f"{done} {titled(value, operation.resource)}" if done and isinstance(value, dict) else ""
    return Answer(value, operation.resource, failure, done=told)


def _not_invited(session: Session, mutation: Write, replies: JSON) -> RoomctlError | None:
    """Say what failed or is not known of invitations that were sent in one request; None where all were made."""
    records = mutation.body if isinstance(mutation.body, list) else [mutation.body]
    people = [person(record) or f"record {line}" for line, record in enumerate(records, 1)]
    found = invited([[who] for who in people], replies, folded(mutation.path["socialId"]), session.doubts)
    faults = [f"{who}: {each.error}" for who, each in zip(people, found, strict=True) if each.status != "ok"]
    if not faults:
        return None
    count = f"of {numbered(len(people), 'invitations')}, {len(faults)} failed or may have failed"
    why = f"{count}: {'; '.join(first(faults))}"
    unknown = any(each.status == "unknown" for each in found)
    return OutcomeUnknown(why) if unknown else Partial(why, outcome="applied")


def approve(
    session: Session,
    writes: Sequence[Write],
    card: Sequence[str] = (),
    word: str = "",
    *,
    many: bool = False,
    again: str = "",
) -> Answer | None:
    """Find out whether writes are to be sent; give what `--dry-run` or `--curl` prints in their place.

    `card` is what a person reads before the question (none: nothing is asked, but on a protected profile, and of what
    may take effect twice); `word` what must be typed; `again` says what of it was sent before, where that is known.
    What sending needs is made before the question: settings, key, journal. Raises errors.*.
    """
    if session.given.dry_run:
        out = session.streams.stdout
        if out is not None and not out.closed and out.isatty():  # where what is printed may be taken for a reply
            people = sum(len(each.body) for each in writes if each.operation.many and isinstance(each.body, list))
            inside = f" with {numbered(people, 'invitations')}" if people else ""
            session.note(f"dry run: {numbered(len(writes), 'requests')}{inside}; nothing was sent")
        if session.output_format() == "ids":
            return Answer(list(dict.fromkeys(key for each in writes for key in each.path.values())))
        previews = [preview(session, each) for each in writes]
        if session.given.curl and previews:
            return Answer(Text("\n".join(each.value for each in previews)))
        single = len(previews) == 1 and not many
        return previews[0] if single else Answer([each.value for each in previews], "Request")
    settings = session.settings
    if settings.read_only:
        raise WrongCall(
            f"profile {settings.profile} is read-only; nothing was sent",
            hint=f"use another profile, or `roomctl profile add {settings.profile} --replace --no-read-only`",
        )
    if session.client.recorder is None:
        raise Unexpected(f"`{session.context.command_path}` does not say that it writes; nothing was sent")
    resends, before = again, ([], []) if again or word == "repeat" else sent_before(session, writes)
    again = again or (told_before(*before) if before[0] else "")
    asks = writes and (card or settings.protected or (again and not session.unattended)) and settings.asks
    if again and word != "repeat":
        session.say(again if asks or resends else _resending(*before))
    if asks:
        final = any(each.operation.repeat in ("create", "end") and not each.operation.saves for each in writes)
        confirm(session, card or write_lines(writes[0]), word=word, final=final)
    if not session.announced:
        session.note(f"profile: {settings.profile} ({settings.profile_origin})")
        session.announced = True
    return None


def sent_before(
    session: Session, writes: Sequence[Write], runs: Container[str] = ()
) -> tuple[Sequence["Entry"], list[Write]]:
    """Find the entries of unknown outcome that sent the same as these writes, and those writes.

    What was sent by one of the `runs` does not count, nor a change of a room set, which is the same the second time.
    """
    if not session.journal.folder.exists():  # nothing was ever sent from here
        return [], []
    asked = [(each, _prepared(session, each)) for each in writes if each.operation.repeat != "patch"]
    found = session.journal.asked_before([each for _, each in asked], session.settings.base_url) if asked else []
    found = [each for each in found if each.run not in runs]
    sent = {(each.path, each.body) for each in found}
    return found, [write for write, each in asked if (each.path, each.digest) in sent]


def _resending(found: Sequence["Entry"], again: Sequence[Write]) -> str:
    """Say that requests are sent again although nobody knows what became of the first."""
    alone, at = len(found) == 1, told_at(found[0].sent)
    told = f"sending it again, although an identical request, sent at {at}, has an unknown outcome"
    told = f"{told} (journal entry {found[0].id})" if alone else "sending again what was sent earlier"
    told += "" if alone else f", although {len(found)} of these requests have unknown outcomes"
    twice = any(each.operation.repeat == "create" for each in again)
    return f"warning: {told}; {'it' if alone else 'they'} may take effect twice" if twice else f"warning: {told}"


def told_before(found: Sequence["Entry"], again: Sequence[Write]) -> str:
    """Say which requests were sent before and have no known outcome, and how to find out about them."""
    look = "" if any(each.operation.seen_in for each in again) else LOOKS[None]
    if len(found) == 1:
        sent_at = f"was already sent at {told_at(found[0].sent)}, and its outcome is unknown"
        verify = f"`roomctl journal verify {found[0].id}"
        ends = again[0].operation.repeat == "end"
        shows = "checks whether it took effect" if ends else "lists what it may have created"
        look = look or f"{verify}` {shows}, and with `--done` or `--not-done` records what you know"
        one = again[0]  # without anything of its own, the request may be that of another room set
        what = one.what if one.body or one.path or one.query else "create a room set"
        return f"an identical request to {what} {sent_at}: journal entry {found[0].id}; {look}"
    known = f"{len(found)} identical requests were sent earlier, and their outcomes are unknown"
    return f"{known}; {look or '`roomctl journal verify` checks whether they took effect'}"


def _prepared(session: Session, write: Write) -> "Prepared":
    from roomctl.service.request import prepare

    return prepare(session.settings.base_url, write.operation, path=write.path, query=write.query, body=write.body)


def preview(session: Session, write: Write) -> Answer:
    from roomctl.service.request import curl

    prepared = _prepared(session, write)
    if session.given.curl:
        return Answer(Text(curl(prepared)))
    return Answer(prepared.shown(), "Request")


def settle(session: Session, write: Write) -> JSON:
    """Send an approved write, find out what became of it, and give its record; the journal hears what was seen."""
    operation = write.operation
    if write.before is None and operation.repeat == "create":
        write = write._replace(before=_before(session, operation))
    try:
        done = send(session.client, write, again=session.settings.retries != 0)
    except (OutcomeUnknown, Partial, ExpectationFailed) as error:
        error.hint = look_at(write)
        if isinstance(error, Partial):
            tell(session, error.journal, "refused", "a read shows that it was not done")
        elif error.outcome == "unknown":
            _keep_what_was_found(session, operation, error)
        raise
    session.written = done.entry or done.journal[-1]
    for entry in done.journal:
        made = folded(shown(done.value, operation.identity)) if operation.creates else ""
        tell(session, entry, "confirmed", done.how, made)
    if done.lost:
        session.say(f"{done.lost}; {done.how}")
    if done.warning:
        session.say(f"the service warns: {done.warning}")
    sent = dict(write.query)
    described = INDEXED.get(operation.resource or operation.body or "", {}).keys()
    ending = operation.repeat == "end"  # of which its own fields show what became of the room
    if not ending or done.value.keys() - described:
        note_asides(session, write, records_of(done.value))
    if not ending:
        note_reply(session, write, done.value)
    elif sent:
        asked = sent | dict.fromkeys(closing(done.value), sent["leaveOpenUntil"])
        if names := differing(done.value, asked, null=True):
            session.doubt = otherwise(write, done.value, asked, names)
    if operation.repeat == "end" and isinstance(done.value.get("isOpen"), str):
        note_spelling(session, [done.value])
    return done.value if operation.reply or done.lost else None  # what the interface does not show is not printed


def hint_of_set(session: Session, key: str) -> str:
    """What to say where an id that is no room's is that of a room set; empty where it is not, or cannot be read."""
    try:
        mine = session.mine or my_sets(session)
    except Stopped:
        raise
    except RoomctlError:
        return ""
    return f"this is the id of a room set; `--room-set {key}` means its open rooms" if find(mine.sets, SET, key) else ""


def _keep_what_was_found(session: Session, operation: Operation, error: RoomctlError) -> None:
    """Record what a look at a write of unknown outcome has shown, ids only, and name the commands that go on."""
    if operation.seen_in is None:
        again = f"`roomctl journal repeat {error.journal} --input FILE`"
        body = "where FILE is the output of the original command with `--dry-run -o json` added"
        error.hint = f"{error.hint}; if it did not, send it again with {again}, {body}"
        return
    error.hint = settled_by(operation, error.journal, error.hint)
    if checked := error.details.get("checked"):
        from roomctl.cli.completion_cache import remember

        found = error.details.get("candidates", [])
        remember(session.environment.folder("cache"), [(operation.resource or "", found)])
        ids = ", ".join(str(each.get(operation.identity)) for each in found)
        tell(session, error.journal, "unknown", f"{checked}: {ids}" if ids else checked)


def _before(session: Session, operation: Operation) -> Mapping[str, JSON] | None:
    """Read what stands before a write that could only be told by what is new after it; None where that cannot be."""
    if operation.seen_in is None:  # known are those made from here; a sandbox that is seeded anew repeats its ids
        return None if session.settings.sandbox else _Made(session)
    if not operation.seen_in.paged:
        return None
    try:
        return snapshot(session.client, operation)
    except NotAllowed:
        raise
    except RoomctlError as error:
        session.note(f"warning: {error.message}; if the reply is lost, the new record cannot be told from others")
        return None


class _Made(dict[str, JSON]):
    """What was made from here before, by id: the journal is only searched for the id that is asked for."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session

    def __contains__(self, key: object) -> bool:
        return bool(reply_notes.times_made(self.session, str(key)))


def tell(session: Session, entry: str, outcome: str, how: str, made: str = "") -> None:
    """Tell the journal what reading has shown; it is so, whatever the journal says."""
    if entry:
        try:
            session.journal.resolve(entry, outcome, how, made)
        except RoomctlError as error:
            session.note(f"could not record in the journal that entry {entry} is {outcome}: {error.message}")


def read_back(
    session: Session, look: Callable[[], JSON], sent: Mapping[str, JSON], kind: str, before: JSON = None, done: str = ""
) -> Answer:
    """Read a record back after a write; what became of a write that it does not show is unknown, in the journal too.

    Fields that are not as `before` are named; `done` is said if it shows all. Raises Partial if it cannot be read.
    """
    try:
        record = look()
    except RoomctlError as error:
        why = f"the service accepted the write, but the result could not be read back: {error.message}"
        raise Partial(why, hint=error.hint, outcome="applied", http=error.http, request=error.request) from error
    records = record if isinstance(record, list) else [record]
    missing = [name for name, value in sent.items() if not any(shows(each.get(name), value) for each in records)]
    if before:
        note_changed(session, record, before, sent)
    if missing:
        why = f"the service reported success, but reading back does not show: {', '.join(missing)}"
        tell(session, session.written, "unknown", why)
        return Answer(record, kind, OutcomeUnknown(why, hint=LATER, journal=session.written))
    doubt = session.mine.records_doubt if session.mine else None
    if said := doubt.message if doubt else next(filter(None, (unproven(each, kind) for each in records)), ""):
        why = f"the service replied, but what was read back proves nothing: {said}"
        return Answer(record, kind, Partial(why, hint=doubt.hint if doubt else LATER, outcome="applied"))
    if done:
        session.note(done)
    return Answer(record, kind)
