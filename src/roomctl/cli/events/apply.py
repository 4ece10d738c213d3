"""`roomctl roomset apply`: a room set brought to what a file says."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from roomctl.bulk import Mark, Plan, Result, ResultsFile, Row, Status, Table
from roomctl.bulk.table import UNSENT
from roomctl.cli.bulk_run import Run, run
from roomctl.cli.completion_cache import remember
from roomctl.cli.events.event_file import FIND_SET, ZONE, Look, job, look, read_file, require_valid, target, unknown_set
from roomctl.cli.guards import Guards
from roomctl.cli.lookup import ROOM, my_sets
from roomctl.cli.mutation import approve, sent_before, settle, tell, told_before
from roomctl.cli.options import GUARDS, WRITING, Commands, argument, flag, option
from roomctl.cli.request_body import read_text
from roomctl.cli.session import JSON, Answer, Session, same_service
from roomctl.contract.operations import BY_NAME, ROOMSET_LIST, RULES_GET
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, is_open
from roomctl.errors import BadInput, ExpectationFailed, NotAllowed, OutcomeUnknown, Partial, RoomctlError, WrongCall
from roomctl.events.apply import Sender, Service, find_unmet
from roomctl.events.current import Current
from roomctl.events.event_file import EventFile
from roomctl.events.plan import SENT, SYMBOLS, UNNAMED, Choices, Step, invitation_key, seal
from roomctl.events.reasons import UNSEEN
from roomctl.output.plan import changed
from roomctl.reconcile import READING, Write
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact

commands = Commands()
WRITES = "roomset.create roomset.update theme.save social.create rules.save playlist.create invite.send"
AGAIN = "plan again, and review the new plan"


class SavedPlan(NamedTuple):
    """A plan that was saved: of which file, for which service, with which choices, and its steps as they are shown."""

    file: str
    sha256: str
    service: str
    tz: str | None
    choices: Choices
    steps: list[dict[str, JSON]]


@commands.verb(
    "apply",
    shows=["StepResult"],
    calls=[ROOMSET_LIST, RULES_GET, *(BY_NAME[name] for name in WRITES.split())],
    takes=[WRITING, GUARDS],
    exits=[6],
)
def apply(
    session: Session,
    file: str | None = argument("[FILE|-]"),
    plan: str | None = option("--plan", "FILE"),
    tz: str | None = ZONE,
    results: str | None = option("--results", "FILE"),
    send_unseen: bool = flag("--send-unseen"),
    retry_unknown: bool = flag("--retry-unknown"),
    keep_going: bool = flag("--keep-going"),
) -> Answer:
    """Make a room set match a file: do what `roomset plan` shows, after asking for confirmation once."""
    session.given.results, session.given.keep_going = results, keep_going
    if file is not None and plan is not None:
        raise WrongCall("give either FILE or `--plan FILE`, not both")
    saved = _load_plan(session, plan) if plan is not None else None
    if saved is not None and (send_unseen or retry_unknown or tz is not None):
        why = "a saved plan has its own `--send-unseen`, `--retry-unknown` and `--tz`"
        raise WrongCall(why, hint="leave these options out, or use them when you plan again")
    name = file or (saved.file if saved else "")
    if not name:
        raise WrongCall("no event file was given", hint="give FILE, or `--plan FILE`")
    event_file = require_valid(*read_file(session, name, saved.tz if saved else tz))
    choices = saved.choices if saved else Choices(send_unseen, retry_unknown)
    session.given.retry_unknown = choices.retry_unknown
    if session.given.dry_run:
        return _send(session, look(session, event_file, choices, results), saved)
    lock = sha256(f"{session.settings.base_url}\0{event_file.name}".encode()).hexdigest()[:16]
    with session.journal.alone(f"apply-{lock}", f"`roomset apply` of {compact(event_file.name)}"):
        return _send(session, look(session, event_file, choices, results), saved)


def _load_plan(session: Session, name: str) -> SavedPlan:
    text = read_text(session, name)
    try:
        found = json.loads(text)
        known, whole = found["plan"] == 1, found["seal"] == seal(found)["seal"]
        saved = SavedPlan(*(found[name] for name in SavedPlan._fields))._replace(choices=Choices(**found["choices"]))
    except (ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise BadInput(f"{name} is not a plan", hint="`roomctl roomset plan FILE --to plan.json` makes one")
    if not whole:
        raise ExpectationFailed(f"nothing was sent: {name} has been edited since it was saved", hint=AGAIN)
    return saved


def _check_plan(session: Session, seen: Look, saved: SavedPlan) -> None:
    """Refuse to do anything else than what is left of a saved plan. Raises ExpectationFailed."""
    wrong = []
    if (seen.event_file.digest, session.settings.base_url) != (saved.sha256, saved.service):
        changed = "event file has changed since the plan was made, or the plan was made for another service"
        why = f"nothing was sent, because the {changed}"
        raise ExpectationFailed(why, hint=AGAIN)
    planned = {(each["step"], each["name"], each["digest"] or each["action"]) for each in saved.steps}
    same = {(each["step"], each["name"]) for each in saved.steps if each["action"] == "same" and not each["people"]}
    ids: dict[tuple[str, JSON], set[JSON]] = {}  # of rooms that stay, several may have one name
    for each in saved.steps:
        if each["step"] != "invitations":
            ids.setdefault((each["step"], each["name"]), set()).add(each["id"])
    for step in seen.steps:
        name, now = step.name or None, step.as_record()["digest"] or step.action
        other = (step.sends or step.action == "cannot") and (step.kind, name, now) not in planned
        other = other or ((step.kind, name) in same and step.action not in ("same", "stays"))
        if other or not {None, step.id} & ids.get((step.kind, name), {None}):
            wrong.append(step.key)
    left = {step.key for step in seen.steps if step.sends or step.action == "unknown"}
    held = {step.key for step in seen.steps if step.action in ("unseen", "cannot")}
    for each in saved.steps:
        key = f"{each['step']} {each['name'] or ''}".rstrip()
        mark = seen.history.mark("" if each["step"] == "room set" else seen.steps[0].id, key)
        done = key in left or each["step"] == "invitations" or (mark is not None and mark.status == "ok")
        if each["action"] in SENT and not done:
            wrong.append(f"{key} ({'cannot be sent now' if key in held else 'already exists'})")
    if wrong:
        why = f"nothing was sent, because these have changed since the plan was made: {'; '.join(first(wrong))}"
        raise ExpectationFailed(why, hint=AGAIN)


def _send(session: Session, seen: Look, saved: SavedPlan | None) -> Answer:
    given = session.given
    if saved is not None:
        _check_plan(session, seen, saved)
    if seen.doubt is not None:
        raise Partial(f"nothing was sent: {seen.doubt.message}", hint=seen.doubt.hint)
    rooms = by_id((each for each in seen.rooms if is_open(each) is not False), ROOM)
    Guards(session, rooms).check(list(rooms))

    def confirm(entry: str, made: str, proof: str = READING) -> None:
        tell(session, entry, "confirmed", proof, made)

    def stood(number: int) -> None:
        session.journal.rows_settled(session.journal.tie.run, {number: "ok"})

    def sent(write: Write) -> JSON:  # the journal keeps ids only: the names of themes and playlists are in no list
        value = settle(session, write)
        remember(session.environment.folder("cache"), [(write.operation.resource, value)])
        return value

    service = Service(partial(_sets, session), sent, confirm, session.say, stood)
    themes = filter(None, map(Current.theme_id, all_rooms(seen.sets)))
    sender = Sender(seen.steps, service, themes, partial(_asked_before, seen) if given.retry_unknown else None)
    if writes := sender.preview():
        mine = {each.id for each in session.journal.runs(target=target(session))}
        same = sent_before(session, writes, mine)
        if same[0] and not (given.dry_run or given.retry_unknown):
            hint = _retry(saved) if saved else "`--retry-unknown` sends it again"
            because = same_service(told_before(*same), session.argv)
            raise OutcomeUnknown(f"nothing was sent now, because {because}", hint=hint)
        if (preview := approve(session, writes, _card(seen), "apply", many=True)) is not None:
            return preview
    begun = _prepare(session, seen, target(session) if writes else "")
    begun = begun._replace(number=sender.number, unmet=partial(_look_again, session, seen.event_file))
    for entry, made, proof in seen.confirmed():
        confirm(entry, made, proof)
    jobs = sender.jobs({row.key: row for row in begun.table.rows})
    answer = run(session, begun, jobs, "applied", "steps", resource="StepResult")
    if stale := [each.key for each in seen.steps if each.stale]:
        why = f"sent earlier with other content than the file has now: {', '.join(first(stale))}"
        session.doubt = session.doubt or Partial(why, hint="`--send-unseen` sends them as they are now")
    if unsent := [each.key for each in seen.steps if each.why == UNSEEN]:
        session.note(
            f"not sent, as the service does not show them: {', '.join(first(unsent))}; `--send-unseen` sends them"
        )
    left = sum(row["status"] == "skipped" and row["error"].startswith(UNSENT) for row in answer.value)
    if answer.failure is None and left:
        answer = answer._replace(failure=Partial(answer.done, details={"counts": {"failed": left}}))
    if answer.failure is not None:
        return answer._replace(failure=_failure(answer.failure, seen, sender, saved))
    if not writes:
        unseen = any(each.action == "unseen" for each in seen.steps)
        return answer._replace(done=f"{'' if unseen else 'no changes; '}nothing was sent", last="")
    of_set = f"room set {seen.event_file.name} ({sender.ids.get(sender.set_key, '')})"
    now, _, before = answer.done.partition("; ")
    if before:  # else all of them were done now
        earlier = {each.row.key for each in begun.plan.carried}
        of_set += ": " + ", ".join(first([row["input"] for row in answer.value if row["input"] not in earlier], 5))
    return answer._replace(done=f"{now} to {of_set}{before and f'; {before}'}" if now else "")


def _asked_before(seen: Look, step: Step, row: Row) -> bool:
    room = next(each.id for each in seen.steps if each.key == f"room {step.name}")
    mark = seen.history.mark(seen.steps[0].id, invitation_key(step.name, row), room)
    return mark is not None and mark.status == "unknown"


def _card(seen: Look) -> list[str]:
    found = seen.steps[0]
    lines = []
    for each in seen.steps:
        if each.action not in ("same", "stays"):
            some = ", ".join(first([row.key for row in each.people], 5))
            people = f": {numbered(len(each.people), 'people')}: {some}" if each.people else ""
            why = f": {each.why}" if (each.sends or each.action == "cannot") and each.why else ""
            lines.append(f"  {SYMBOLS[each.action]} {each.key}{people}{why}")
            changes = each.as_record()["changes"] if each.action == "change" else ()
            lines += [f"      {changed(change, each.action)}" for change in changes]
    where = f"room set {found.name} ({found.id or 'new'})"
    return [f"about to apply {seen.event_file.path} to {where}:", *first(lines, 50, indent="  ")]


def _prepare(session: Session, seen: Look, what: str) -> Run:
    """Begin the run: its rows, its name in the journal, its result file; those that were killed are given up."""
    event_file, before = seen.event_file, {row.key: row.before for row in seen.earlier}
    rows, carried = [], []
    for line, (key, digest, mark) in enumerate(_rows(seen), 1):
        rows.append(Row(line, {"step": key}, key, (key, digest), before.get(key)))
        if mark is not None:
            carried.append(Result.of(rows[-1], mark))
    table = Table(str(event_file.path), event_file.path, event_file.digest, ("step", "digest"), rows=tuple(rows))
    for each in session.journal.runs(profile=session.settings.profile or "", target=target(session), unfinished=True):
        with suppress(WrongCall):  # another set's, in another process
            session.journal.finish_run(each.id)
    file = None
    if session.given.results:
        path = Path(session.given.results)
        file = ResultsFile(path, table, force=session.given.force or path.exists(), job=job(session, event_file))
        file.discard({"", *(each.id for each in session.journal.runs())})
    return Run(table, Plan((), tuple(carried)), file=file, target=what, in_order=True)


def _rows(seen: Look) -> Iterator[tuple[str, str, Mark | None]]:
    """Give each row's key, the digest of what is or was sent, and what is known where nothing is sent."""
    earlier = {row.key: row for row in seen.earlier}
    for step in seen.steps:
        for key in step.rows:
            old = earlier.pop(key, None)
            digest = old.columns.get("digest", "") if old is not None else ""
            if step.operation and step.action != "unseen":
                digest = "" if step.people else step.digest()
            yield key, digest, None if step.sends else _carried(seen, step, key)
    for key, row in earlier.items():  # what is not in the event file any more
        if (mark := row.before) is not None and (mark.at or mark.id):
            unseen = seen.steps[0].action in ("unknown", "cannot")  # then nothing of the file is looked at
            stands = mark.status == "unknown" or unseen
            gone = mark if stands else mark._replace(status="skipped", error="no longer in the file")
            yield key, row.columns.get("digest", ""), _unsent(mark) or gone


def _carried(seen: Look, step: Step, key: str) -> Mark:
    """Say what is known of a row for which nothing is sent: what was done once stays proof of that."""
    statuses: dict[str, Status] = {"same": "skipped", "unseen": "skipped", "unknown": "unknown", "cannot": "failed"}
    now = Mark(statuses[step.action], step.why or "matches the file", folded(step.id))
    set_id = "" if step is seen.steps[0] else seen.steps[0].id
    room = next(each.id for each in seen.steps if each.key == f"room {step.name}") if step.people else ""
    mark = seen.history.unsettled(set_id, key, room) if step.action == "unknown" else None
    mark = mark or seen.history.mark(set_id, key, room)
    if mark is None or (step.kind in ("room", "room set") and folded(mark.id) != (step.id or mark.id)):
        return now
    if mark.status == "ok":
        return mark._replace(error="") if step.action == "same" else now._replace(id=mark.id, at=mark.at)
    return mark if mark.status == now.status == "unknown" else _unsent(mark) or now


def _unsent(mark: Mark) -> Mark | None:
    """Carry the proof that an invitation was never sent; None where there is none."""
    return mark._replace(status="skipped") if mark.status == "failed" and mark.error.startswith(UNSENT) else None


def _retry(saved: SavedPlan) -> str:
    return f"`roomctl roomset plan {saved.file} --retry-unknown --to plan.json` makes a plan that sends it again"


def _failure(failure: RoomctlError, seen: Look, sender: Sender, saved: SavedPlan | None) -> RoomctlError:
    """Say what comes next; after a set of which nobody knows whether it exists, which sets it may be."""
    unsettled = sender.unsettled
    first, cannot = seen.steps[0], sum(each.action == "cannot" for each in seen.steps)
    counts = failure.details.get("counts", {})
    if unsettled is not None or first.action == "unknown":
        known = sender.ids.get(sender.set_key, "") if unsettled or first.why == UNNAMED else ""
        failure.message, failure.hint = unknown_set(first, unsettled.message if unsettled else first.why, known)
        if unsettled and not known:
            failure.message = unsettled.message  # which names the set
        if saved and not known:
            failure.hint = f"{FIND_SET}; if it does not, {_retry(saved)}"
        failure.details = {**failure.details, **(unsettled.details if unsettled else {})}
    elif cannot and counts.get("failed") == cannot:
        shows = f"`roomctl roomset plan {seen.event_file.path}` shows what to change"
        failure.hint = f"{shows} in the service's own interface, or in the file"
    elif not isinstance(failure, NotAllowed):
        unknown, fix = counts.get("unknown", 0), "fix the failed steps, then " * bool(counts.get("failed"))
        failure.hint = f"{fix}run the command again; steps already applied are not repeated"
        if unknown and not fix:
            which, it = ("step", "it") if unknown == 1 else ("steps", "they")
            retry = _retry(saved) if saved else "run the command again with `--retry-unknown`"
            record = f"record that with `roomctl journal verify {failure.journal or 'ENTRY'} --done`"
            failure.hint = f"find out whether the unknown {which} took effect; if {it} did, {record}; if not, {retry}"
    return failure


def _look_again(session: Session, event_file: EventFile, rows: Sequence[Row]) -> Mapping[str, str]:
    """Plan once more at the end, as `roomset plan` would: what it would still do is not known to be done."""
    try:
        now = look(session, event_file, Choices(), None)
    except RoomctlError as error:
        session.doubt = session.doubt or Partial(f"what was sent could not be read back: {error.message}")
        return {}
    session.doubt = now.doubt
    left, done = find_unmet(now.steps), {row.key for row in rows}
    for step in now.steps if done.isdisjoint(left) else ():
        if step.key in done and step.action == "unseen":
            session.note(f"{step.key}: {step.why}")
    return {key: left[key] for key in done & left.keys()}


def _sets(session: Session) -> list[JSON]:
    """Look at all sets. Raises Partial where they are not proven to be all: nothing is made then."""
    mine = my_sets(session)
    if (doubt := mine.doubt) is not None:
        raise Partial(f"it is not known whether one with this name exists: {doubt.message}", hint=doubt.hint)
    return mine.sets
