"""`roomctl journal`: what was sent, and what became of it."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

from roomctl.cli import journal_repeat
from roomctl.cli.completion_cache import names
from roomctl.cli.confirm import ask
from roomctl.cli.journal_repeat import about, own_entry, what_of
from roomctl.cli.lists import gathered
from roomctl.cli.lookup import SET, rooms_of
from roomctl.cli.options import Commands, argument, flag, option
from roomctl.cli.session import JSON, Answer, Session, same_service
from roomctl.cli.terminal import viewers_zone
from roomctl.cli.time_values import since
from roomctl.contract.evidence import unproven
from roomctl.contract.operations import BY_NAME, ROOMSET_LIST, TRANSCRIPTION_LIST, Operation
from roomctl.contract.records import UUID, error_of, find, folded
from roomctl.contract.rooms import is_open
from roomctl.errors import NotAllowed, OutcomeUnknown, Partial, RoomctlError, WrongCall
from roomctl.journal.book import BY_HAND, MARKED
from roomctl.output.columns import resource_of
from roomctl.output.values import titled
from roomctl.profiles.editing import list_profiles
from roomctl.text.counted import first, numbered
from roomctl.text.times import moment, spoken, stamp, told_at

Look = Callable[[Operation], list[JSON]]
SKEW = timedelta(hours=1)  # how far the service's clock may be behind this one
commands = Commands("The journal: every write, recorded before and after sending, without request bodies or secrets.")


@commands.verb("list", exits=[6])
def list_(
    session: Session,
    only_open: bool = flag("--open"),
    runs: bool = flag("--runs"),
    begin: str | None = option("--since", "WHEN"),
) -> Answer:
    """List writes, newest first; with --runs, list bulk runs and count their results."""
    given = session.given.profile or "sandbox" * session.given.sandbox
    named, now = names(session.environment.folder("cache")), datetime.now(UTC)
    start = stamp(since(begin, now, viewers_zone(session.environment)).timestamp()) if begin is not None else ""
    if runs:
        rows, of_runs = [], dict[str, dict[str, None]]()
        for each in session.journal.entries(profile=given):
            of_runs.setdefault(each.run, {})[about(each, named)["name"] or ""] = None
        for run in session.journal.runs(profile=given, unfinished=only_open):
            if run.begun < start:
                continue
            states = [each.status for each in session.journal.book().rows.get(run.id, {}).values() if each.entry]
            counts = {status: states.count(status) for status in ("ok", "failed", "unknown")}
            known = [named[word] for word in run.target.split() if word in named] or of_runs.get(run.id, {})
            name = ", ".join(first(sorted(filter(None, known)), 3)) or None
            rows.append({**run._asdict(), **counts, "never_sent": run.rows - len(states), "name": name})
        return Answer(rows, "JournalRun", done="no unfinished runs" if only_open and not rows else "")
    failure, entries = _damage(session), session.journal.entries(profile=given)
    wanted = (each for each in entries if each.planned >= start and (each.open or not only_open))
    shown = [{**each.shown(), **about(each, named)} for each in wanted]
    if len(profiles := {each["profile"]: "" for each in shown}) > 1:
        several = ", ".join(profiles)
        session.note(f"these writes were made with several profiles: {several}; `--profile NAME` shows those of one")
    none = "no writes of unknown outcome" if only_open and not shown else ""
    return Answer(shown, "JournalEntry", failure if only_open else None, done=none)


def _damage(session: Session) -> Partial | None:
    """Say which lines cannot be used; one that is not just half-written may hide a write of unknown outcome."""
    damage = session.journal.book().damage
    for each in damage:
        session.note(f"the journal has a line that cannot be used: {each}")
    lost = [each for each in damage if not each.torn]
    if not lost:
        return None
    return Partial(
        f"{numbered(len(lost), 'lines')} of the journal cannot be used and may hide writes of unknown outcome",
        hint="check the rooms themselves; `roomctl help files` names the journal's folder",
        outcome="unknown",
    )


@commands.verb("show")
def show(session: Session, entry: str = argument("ENTRY|RUN")) -> Answer:
    """Show all details of an entry, with the name of its target if known; for a bulk run, show all its entries."""
    named, one = names(session.environment.folder("cache")), session.journal.find(entry)
    run = session.journal.book().runs.get(one.id)
    found = [each for each in session.journal.entries() if one.id in (each.id, each.run)]
    shown = [{**each.shown(), **about(each, named)} for each in found]
    if run is None:
        return Answer(shown[0], "JournalEntry")
    end = f"finished at {told_at(run.finished)}" if run.finished else "not finished"
    session.note(
        f"bulk run {run.id}: {numbered(run.rows, 'rows')} of {run.input}, started at {told_at(run.begun)}, {end}"
    )
    return Answer(shown, "JournalEntry")


@commands.verb("verify", calls=[ROOMSET_LIST, TRANSCRIPTION_LIST], exits=[7])
def verify(
    session: Session,
    entry: str | None = argument("[ENTRY]"),
    done: bool = flag("--done", excludes="--not-done"),
    not_done: bool = flag("--not-done"),
) -> Answer:
    """Check writes of unknown outcome with read requests only, and record what they show."""
    if done or not_done:
        _settle(session, entry, "done" if done else "not done")
    entries, failure = ([own_entry(session, entry)], None) if entry else _open_here(session)

    @cache  # once for all entries, when the first asks for it
    def look(operation: Operation) -> list[JSON]:
        if operation is not TRANSCRIPTION_LIST:
            return rooms_of(session)
        rows, proof = gathered(session, operation)
        session.doubt = session.doubt or proof.doubt
        return rows

    results = []
    for each in entries:
        status, what = _look(session, each, look)
        if each.open and status != "unknown":
            session.journal.resolve(each.id, status, what)
        row = {"entry": each.id, "operation": each.operation, "path": each.path, "status": status}
        row["sent"] = each.sent or None
        results.append({**row, "seen": same_service(what, session.argv)})
    left = sum(result["status"] == "unknown" for result in results)
    failure = (None if entry else _damage(session)) or failure
    if left:
        said = "then record that with `roomctl journal verify ENTRY --done` or `--not-done`"
        again = "to send one again, run `roomctl journal repeat ENTRY [--input FILE]`, which asks first"
        again = f"{again}; FILE holds the request body"
        some = f"{left} of " if left < len(results) else ""
        why = f"the outcome of {some}{numbered(len(results), 'writes')} is still unknown"
        failure = OutcomeUnknown(why, hint=f"find out whether each write took effect, {said}; {again}")
    return Answer(results, "Verified", failure)


def _settle(session: Session, text: str | None, word: str) -> None:
    if text is None:
        raise WrongCall("`--done` and `--not-done` need an ENTRY", hint="`roomctl journal list --open` shows their ids")
    entry = own_entry(session, text)
    if entry.running or not entry.open:
        why = f"the outcome of entry {entry.id} is already known: {entry.state.replace('_', ' ')}"
        raise WrongCall(f"entry {entry.id} is still being sent" if entry.running else why)
    effect = "took effect" if word == "done" else "had no effect"
    card = [f"about to record, on your word, that this write {effect}: {what_of(session, entry)}"]
    ask(session, card, "" if session.given.yes else word, done="recorded")
    before = f"; until then unknown: {entry.detail}" if entry.detail else ""
    detail = f"{MARKED}{word} by hand{before}"
    session.journal.resolve(entry.id, "confirmed" if word == "done" else "not_done", detail)


def _open_here(session: Session) -> tuple[list[Any], RoomctlError | None]:
    """List what is open of this profile here, and say where else something is; of this profile, that is a failure."""
    pending = session.journal.open_entries()
    try:
        mine, here = session.settings.profile, session.settings.base_url
    except NotAllowed as error:
        if names_of := [f"`--profile {each}`" for each in dict.fromkeys(each.profile for each in pending)]:
            error.hint = f"to check writes of unknown outcome, add {' or '.join(names_of)}"
        raise
    elsewhere = Counter((each.profile, each.origin if each.profile == mine else "") for each in pending)
    del elsewhere[mine, here]
    missed = list[str]()
    for (profile, origin), number in sorted(elsewhere.items()):
        told = f"{numbered(number, 'writes')} of unknown outcome with profile {profile}"
        if origin:
            missed.append(f"{told}: for {origin}, not checked at {here}")
        else:
            needs = " with ROOMCTL_BASE_URL and ROOMCTL_API_KEY set" if profile == "environment" else ""
            known = {"environment", *(row["name"] for row in list_profiles(session.environment))}
            needs = needs if profile in known else f", after `roomctl profile add {profile}`"
            session.say(f"{told}; to check: `roomctl journal verify --profile {profile}`{needs}")
    hint = "run the command again once the profile has that address (`base_url`, or ROOMCTL_BASE_URL)"
    failure = OutcomeUnknown("; ".join(missed), hint=hint) if missed else None
    return [each for each in pending if (each.profile, each.origin) == (mine, here)], failure


def _look(session: Session, entry: Any, look: Look) -> tuple[str, str]:
    operation = BY_NAME[entry.operation]
    if not entry.open:
        at = told_at(entry.settled)
        by_hand = entry.detail.replace(" by hand", f" by hand at {at}", 1)
        marked = entry.detail.startswith(BY_HAND)
        return entry.state, by_hand if marked else f"{entry.detail}; outcome recorded at {at}"
    if entry.state == "planned" and not entry.running:
        return "not_sent", "planned, but the process ended before it was sent"
    if entry.running or operation.seen_in is None:
        shown = "the process that sends it is still running"
        return "unknown", shown if entry.running else "the service has no operation that shows the result"
    rows = look(operation.seen_in)
    if operation.repeat != "end":
        rows = session.mine.sets if operation.identity == SET else rows
        command = "roomset tree" if operation.seen_in is ROOMSET_LIST else operation.seen_in.name.replace(".", " ")
        found = _candidates(session, entry, operation, rows)
        return "unknown", f"{found}; see `roomctl {command}{' SET' * operation.saves}`"
    room = find(rows, "socialId", entry.path.rpartition("/")[2])
    mine = session.mine
    doubt = mine.records_doubt or session.stale
    failed = any(error_of(each) and room in (each.get("socials") or ()) for each in mine.sets)
    if room is not None and is_open(room) is False and not (doubt or failed or unproven(room, "Social")):
        until = moment(dict(entry.query).get("leaveOpenUntil"))
        told = f" now, not left open until {spoken(until)}" if until else ", by this request or a later one"
        return "confirmed", f"a later read shows the room closed{told}"
    state = "the room is open" if room and is_open(room) else "the service does not say whether the room is open"
    state = "the room is not in your room sets, so it is not visible" if room is None else state
    return "unknown", doubt.message if doubt else state


def _candidates(session: Session, entry: Any, operation: Operation, rows: list[JSON]) -> str:
    """Say what may have come of a write: candidates, which prove nothing, without those that other entries made."""
    if operation.repeat == "patch":
        record = find(rows, SET, entry.about)
        return f"{titled(record, 'RoomSet')} may show it" if record else "the room set is not among yours"
    if operation.saves:
        room_set = folded(dict(entry.query).get(SET))
        used = {str(room.get("configurationId") or "") for room in rows if folded(room.get(SET)) == room_set} - {""}
        return f"the rules that the set's rooms use: {', '.join(first(sorted(used))) or 'not shown'}"
    start = moment(entry.planned)
    if start is not None:  # by the service's clock, which is known of the sandbox, in whole seconds
        start += session.now() - datetime.now(UTC) - (timedelta(seconds=1) if session.settings.sandbox else SKEW)
    others = {each.made for each in session.journal.entries() if each.state == "confirmed" and each.made}
    found = {*map(folded, UUID.findall(entry.detail))}
    known: dict[bool, list[str]] = {True: [], False: []}
    for each in rows:
        key, created = folded(each.get(operation.identity)), moment(each.get("dateCreated"))
        is_new = bool(created and start and created >= start)
        if key not in others and (is_new or key in found):
            known[is_new].append(titled(each, operation.resource))
    what = resource_of(operation.resource).plural
    parts = [entry.detail] if entry.detail and not found else []
    for is_new, which in ((True, "created since then"), (False, "that appeared or changed since then")):
        if known[is_new]:
            parts.append(f"{what} {which}, by anyone: {', '.join(first(known[is_new], 10))}")
    if not any(known.values()):
        parts.append(f"no {what.removesuffix('s')} shows a creation date later than the request")
    return "; ".join(parts)


commands.members |= journal_repeat.commands.members
