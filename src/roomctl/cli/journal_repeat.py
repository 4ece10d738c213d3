"""`roomctl journal repeat`: a write is sent again, with the same body to the byte, and what the entry then says."""

import re
from collections.abc import Mapping
from pathlib import Path
from shlex import quote
from typing import Any

from roomctl.cli.completion_cache import names
from roomctl.cli.lookup import SET, record_of
from roomctl.cli.mutation import read_back, tell, write
from roomctl.cli.options import GUARD_OPTIONS, WRITING, Commands, argument, option
from roomctl.cli.request_body import read_input
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import future
from roomctl.contract.invitations import all_stood, invited, person, stood
from roomctl.contract.operations import BY_NAME, INVITE_SEND, OPERATIONS, PREFIX, ROOMSET_UPDATE
from roomctl.contract.records import UUID, folded, is_uuid
from roomctl.errors import BadInput, WrongCall
from roomctl.journal.book import NOT_DONE
from roomctl.reconcile import Write
from roomctl.text.times import told_at

commands = Commands()
_SHAPING = ("--map", "--batch", "--skip-bad")
"""Options of `invite send` that decide which bodies are made of a file."""
_NOT_OF_BODY = (
    r" (--sandbox|--yes|-y|--no-input|--json|--show|--resume|-[qv]|--quiet|--verbose|--debug"
    r"|(--(profile|results|output|fields|query|sort-by|to|fault|expect-profile)|-o) …)(?= |$)"
)
"""Options of a command that its request does not depend on, as `Entry.command` has them."""
ENTRY = argument("ENTRY")


def own_entry(session: Session, text: str) -> Any:
    entry = session.journal.get(text)
    if entry.profile != session.settings.profile:
        raise WrongCall(f"entry {entry.id} belongs to profile {entry.profile}", hint=f"add `--profile {entry.profile}`")
    if entry.origin != (here := session.settings.base_url):
        raise WrongCall(f"nothing was sent: entry {entry.id} is for {entry.origin}, profile {entry.profile} for {here}")
    return entry


def about(entry: Any, named: Mapping[str, str]) -> dict[str, JSON]:
    """What an entry made or was about, or the set or room in its path or query: its id, and its name if it is known."""
    ids = (entry.made, entry.about, entry.path.rpartition("/")[2], *(value for _, value in entry.query))
    known = [folded(each) for each in ids if is_uuid(each)]
    key = next((each for each in known if each in named), known[0] if known else "")
    maybe = named.get(folded(next(iter(UUID.findall(entry.detail)), ""))) if entry.state != "not_done" else None
    return {"name": named.get(key) or (f"possibly {maybe}" if maybe else None), "about": key}


def what_of(session: Session, entry: Any) -> str:
    """Say what an entry asked for, of what, and when."""
    found = about(entry, names(session.environment.folder("cache")))
    name, key = found["name"], found["about"]
    target = ", ".join(filter(None, (name, key)))
    return f"{BY_NAME[entry.operation].in_words}{f' ({target})' if target else ''}, started at {told_at(entry.planned)}"


@commands.verb("repeat", takes=[WRITING], any_of=[each for each in OPERATIONS if each.writes], exits=[6])
def repeat(session: Session, entry: str = ENTRY, source: str | None = option("--input", "FILE|-")) -> Answer:
    """Repeat a write: send the request of ENTRY again, to the same target, after asking for confirmation."""
    from roomctl.service.request import prepare

    found = own_entry(session, entry)
    operation = BY_NAME[found.operation]
    if guards := sorted(GUARD_OPTIONS.intersection(found.command.split())):
        why = f"nothing was sent: entry {found.id} was sent with {', '.join(map('`{}`'.format, guards))}"
        raise WrongCall(why, hint=f"run the original command again; it checks the guard: {_to_fill_in(found.command)}")
    path = operation.match(found.path.removeprefix(PREFIX)) or {}
    given = read_input(session, source) if source is not None else None
    shown = given if isinstance(given, list) else [given]  # it may be what `--dry-run` printed
    for body in (*(each["body"] for each in shown if isinstance(each, dict) and "body" in each), given):
        prepared = prepare(session.settings.base_url, operation, path=path, query=found.query, body=body)
        if prepared.digest == found.body:
            break
    else:  # not the same to the byte
        hint = _with_body(found, session.journal.book().runs.get(found.run))
        none = f"entry {found.id} had a body, and the journal does not keep bodies"
        differs = f"the body differs from that of entry {found.id}"
        raise BadInput(none if found.body and body is None else differs, hint=hint)
    state = "its outcome is unknown" if found.open else f"recorded as {found.state.replace('_', ' ')}"
    twice = "; it may take effect twice" if operation.repeat == "create" and found.state not in NOT_DONE else ""
    card = [f"about to send again: {what_of(session, found)}; {state}{twice}"]
    second = "the set's fields are in a second request, which this does not repeat: `roomctl roomset update` sets them"
    card += [second] * (operation.identity == SET and operation.open_query)
    for each in session.journal.entries(profile=found.profile):
        one, other = ((it.origin, it.operation, it.path, it.query, it.body) for it in (each, found))
        if one == other and each.planned > found.planned:
            was = f"already repeated at {told_at(each.planned)} (entry {each.id}, {each.state})"
            if each.state == "confirmed":
                again = (
                    f"`roomctl journal repeat {each.id}{' --input FILE' * (source is not None)}` repeats it once more"
                )
                raise WrongCall(f"nothing was sent, because this write was {was}", hint=again)
            card.append(was)
    if not session.given.dry_run:
        if until := dict(found.query).get("leaveOpenUntil"):
            future(until, session.now())
        for line in card if session.given.yes else ():
            session.note(line)
    what = f"repeat {found.method} {found.path}"
    rows = session.journal.book().rows.get(found.run, {})
    with session.journal.tied(found.run, found.rows):
        answer = write(session, Write(operation, path, prepared.query, body, what), card, "repeat")
    if session.written and operation.repeat == "patch" and found.about:  # its reply says nothing
        fields = {name: value for name, value in body.items() if name != SET}
        back = read_back(session, lambda: record_of(session, found.about, SET), fields, "RoomSet")
        answer = answer._replace(failure=back.failure)
    _settle_rows(session, found, body, rows, answer)
    return _settle_first(session, found, answer) if session.written and found.open else answer


def _with_body(found: Any, run: Any) -> str:
    """Say what to run to repeat an entry with its body: exactly, if that came from a file; else `…` is to be filled in.

    An event file is applied again, which looks before each step.
    """
    file = quote(run.input) if run and Path(run.input).is_absolute() else ""
    command = re.sub(_NOT_OF_BODY, "", found.command)
    if found.operation == ROOMSET_UPDATE.name:  # the second request of a command whose dry run prints the first
        command = re.sub(r"roomset create( …)*", f"roomset update {found.about}", command)
    if file and found.operation == INVITE_SEND.name:
        sets = UUID.findall(run.target.partition(" at ")[0]) if " rooms of " in run.target else []
        rooms = [f"--room-set {each}" for each in sets] or [found.path.rpartition("/")[2]]
        more = [f"{name}{' …' * (name != '--skip-bad')}" for name in _SHAPING if name in found.command.split()]
        command = " ".join(["roomctl invite send", *rooms, "--from", file, *more, "--retry-unknown"])
    elif file:
        return f"`roomctl roomset apply {file} --retry-unknown` applies the steps that are not done, and those unknown"
    line = f"{command} --dry-run -o json | roomctl journal repeat {found.id} --input - --yes"
    return f"run {_to_fill_in(line)}"


def _to_fill_in(line: str) -> str:
    """Show a command line of the journal, which keeps no values."""
    return f"`{line}`{', with the original values in place of each `…`' * ('…' in line)}"


def _settle_rows(session: Session, found: Any, body: JSON, before: Mapping[int, Any], answer: Answer) -> None:
    """Record what became of the rows of a bulk run whose request was repeated: its result file hears it next time.

    What the row may be since `before` it may still be: a refusal does not undo an invitation.
    """
    if not (found.run and session.written):
        return
    known = dict.fromkeys(found.rows, "ok" if answer.failure is None else "unknown")
    if found.operation == INVITE_SEND.name:
        results = invited([[person(each)] for each in body], answer.value, folded(found.path.rpartition("/")[2]))
        for row, each in zip(found.rows, results, strict=True):
            lost = each.status == "failed" and row in before and before[row].status == "unknown"
            known[row] = "ok" if stood(each) else "unknown" if lost else each.status
    session.journal.rows_settled(found.run, known)


def _settle_first(session: Session, found: Any, answer: Answer) -> Answer:
    """Record that an entry of unknown outcome is done, if the state that it asked for is reached, whoever made it."""
    operation, stood = BY_NAME[found.operation], all_stood(answer.value)
    reached = operation.repeat in ("end", "patch") and not found.query and answer.failure is None
    if not reached and not stood:
        settles = f"settle it with `roomctl journal verify {found.id} --done` or `--not-done`"
        session.note(f"entry {found.id} is still unknown; {settles}")
        return answer
    told = "a later read shows the effect" if operation.reply is None else "the reply shows the effect"
    tell(session, found.id, "confirmed", f"{told}, of this request or of a later one")
    session.note(f"entry {found.id} is confirmed: {told}")
    return answer._replace(failure=None) if stood else answer  # the failure says the same
