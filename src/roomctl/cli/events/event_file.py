"""`roomctl roomset plan` and `lint`: an event file, held against what stands and what earlier runs have done."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

from roomctl.bulk import Mark, Row, Shape, read_input
from roomctl.cli.bulk_run import check_job, note_empty_rows
from roomctl.cli.events.export import configs_of, find_set
from roomctl.cli.list_notes import plainly
from roomctl.cli.lookup import my_sets, rooms_unseen
from roomctl.cli.options import Commands, argument, flag, option
from roomctl.cli.request_body import read_text
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import zone_for, zone_named
from roomctl.contract.operations import BY_NAME, INVITE_SEND, ROOMSET_LIST, RULES_GET
from roomctl.contract.records import folded
from roomctl.contract.rooms import rooms
from roomctl.errors import BadInput, ExpectationFailed, NotAllowed, OutcomeUnknown, Partial, RoomctlError, WrongCall
from roomctl.events.current import current_set
from roomctl.events.event_file import EventFile, Finding, read
from roomctl.events.export import Exported
from roomctl.events.history import Fact, History, as_made, facts_of, number_of, read_mark
from roomctl.events.lint import SEVERITIES, as_record, findings
from roomctl.events.plan import SENT, SYMBOLS, UNNAMED, Choices, Step, seal
from roomctl.events.planner import make_plan
from roomctl.journal.book import NOT_DONE, Book, Entry
from roomctl.reconcile import READING
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact

commands = Commands()
ZONE = option("--tz", "ZONE")
ENDINGS = (".yaml", ".yml", ".json")
FIND_SET = "if the set exists, add its `id` to the file and run the command again"
NAME_SET = "run the command again with `--retry-unknown`, which names the set and goes on with it"
STEP = Shape(("step",), plain=str)  # blanks at the end of a name belong to it


def read_file(session: Session, name: str, tz: str | None) -> tuple[EventFile, list[Finding]]:
    """Read an event file, `-` for stdin, and list what is wrong with it; needs no profile. Raises BadInput.

    Times without a zone are on the clock of `--tz`, else of the file, else of the profile where there is one.
    """
    usual = None
    with suppress(NotAllowed):
        usual = zone_for(session, None)
    path = Path("stdin" if name == "-" else name)
    event_file, problems = read(path, read_text(session, name), zone_named(tz), usual)
    for people in {room.people.name: room.people for room in event_file.rooms if room.people}.values():
        note_empty_rows(session, people)
    return event_file, problems


def require_valid(event_file: EventFile, problems: Sequence[Finding]) -> EventFile:
    """Give an event file that can be used. Raises BadInput, which names every error with its line and column."""
    name = str(event_file.path)
    wrong = [as_record(each, event_file) for each in findings(event_file, problems, None)]
    if wrong:
        lines = [f"line {each['line']}, column {each['column']}: {each['message']}" for each in wrong]
        raise BadInput(
            "\n".join([f"{name} has errors; nothing was sent", *first(lines, 50)]),
            hint=f"`roomctl roomset lint {name if event_file.path.is_file() else 'FILE'}` lists these with codes; "
            "`roomctl help lint CODE` explains one; `roomctl help event-files` shows a whole file",
            details={"problems": wrong},
        )
    return event_file


class Look(NamedTuple):
    """What a plan was made from, and its steps; `doubt` says why what stands is not proven to be all."""

    event_file: EventFile
    sets: Sequence[JSON]
    rooms: Sequence[JSON]
    steps: list[Step]
    history: History
    earlier: Sequence[Row]
    doubt: RoomctlError | None

    def confirmed(self) -> Iterator[tuple[str, str, str]]:
        """The requests of earlier runs whose effect is seen now, with the id, and what says that they were done."""
        for step in self.steps:
            if step.action == "same" and not step.why:
                number = number_of("" if step is self.steps[0] else self.steps[0].id, step.key)
                proof = "taken from `id:` in the file" if step is self.steps[0] and self.event_file.id else READING
                yield from ((entry, step.id, proof) for entry in self.history.open.get(number, ()))


def unknown_set(step: Step, why: str, made: str) -> tuple[str, str]:
    """Say that it is not known whether a set exists or, where the id is known with which it was `made`, has its name.

    Beside that, the next step.
    """
    if made:
        return f"it is not known whether room set {made} has the name {compact(step.name)}: {why}", NAME_SET
    return (
        f"it is not known whether room set {compact(step.name)} exists: {why}",
        f"{FIND_SET}; if it does not, use `--retry-unknown`",
    )


def target(session: Session) -> str:
    """Say in words, for the journal, what a run does and where."""
    return f"roomset.apply at {session.settings.base_url}"


def job(session: Session, event_file: EventFile) -> str:
    """Say in words, for result files, what a run does to which set, and where."""
    return f"roomset.apply of {event_file.name!r} at {session.settings.base_url}"


def look(session: Session, event_file: EventFile, choices: Choices, results: str | None) -> Look:
    """Read what stands and what earlier runs did, and make the steps. Raises errors.*."""
    mine, _, doubt = my_sets(session)
    sets = plainly(session, "RoomSet", mine)
    earlier = _results(session, event_file, results)
    history = _history(session, earlier)
    record, _ = current_set(event_file, sets, history, choices)
    doubt = rooms_unseen([record] if record is not None else [], doubt)
    configs: Mapping[str, JSON] = configs_of(session, record) if record is not None and event_file.rules else {}
    configs = {key: plainly(session, "EntryConfig", each) for key, each in configs.items()}
    steps = make_plan(event_file, sets, configs, history, choices, session.now())
    unproven = [each for each in steps if (each.kind, each.action, each.changes) == ("room", "unseen", ())]
    if unproven and doubt is None:
        doubt = Partial("; ".join(first(f"{each.key}: {each.why}" for each in unproven)))
    mine = rooms(record) if record is not None else []
    return Look(event_file, sets, mine, steps, history, earlier, doubt or session.doubt)


def _results(session: Session, event_file: EventFile, name: str | None) -> Sequence[Row]:
    if name is None or not Path(name).exists():
        return ()
    table = read_input(Path(name), STEP)
    if not any(row.before for row in (*table.rows, *table.bad)):
        raise WrongCall(
            f"{name} has no results of `roomset apply`; nothing was sent", hint="name another file for the results"
        )
    check_job(table, of := job(session, event_file))
    return [row._replace(before=read_mark(row, of)) for row in (*table.rows, *table.bad)]


def _history(session: Session, earlier: Iterable[Row]) -> History:
    """Put together what the journal and a result file know of earlier runs."""
    book, settings = session.journal.book(), session.settings
    runs = [run.id for run in book.runs.values() if (run.profile, run.target) == (settings.profile, target(session))]
    here = (settings.profile, settings.base_url)
    entries = [each for each in book.entries.values() if (each.profile, each.origin) == here]
    results = [*earlier]
    facts, open_entries = defaultdict(list), defaultdict(list)
    for fact in _facts(book, runs):
        facts[fact.number].append(fact)
    for fact in facts_of(results):  # what a person has recorded since as not done is not unknown any more
        said = [each.settled for each in entries if each.state == "not_done" and fact.number in each.rows]
        if fact.mark.status != "unknown" or fact.mark.at > max(said, default=""):
            facts[fact.number].append(fact)
    created = {each.made for each in entries if each.made and each.state == "confirmed"}
    created |= {folded(row.before.id) for row in results if row.before and row.before.at and row.key[:5] == "room "}
    for each in entries:
        for number in each.rows if each.run in runs and each.open and not each.running else ():
            open_entries[number].append(each.id)
    others = [each for each in entries if each.run not in runs and each.state not in NOT_DONE]
    invited = frozenset(room for each in others if (room := _room_of(each)))
    return History(facts, frozenset(created - {""}), invited, open_entries)


def _facts(book: Book, runs: Iterable[str]) -> Iterator[Fact]:
    for number, state in (pair for run in runs for pair in book.rows.get(run, {}).items()):
        entry = book.entries.get(state.entry)
        mark = Mark(state.status, state.detail, entry.made if entry else "", state.at)
        yield Fact(number, as_made(mark), _room_of(entry), entry.body) if entry else Fact(number, mark)


def _room_of(entry: Entry) -> str:
    """Give the room to which a request of the journal has sent invitations; empty for any other request."""
    return folded(entry.path.rpartition("/")[2]) if BY_NAME.get(entry.operation) is INVITE_SEND else ""


@commands.verb("plan", shows=["PlanStep"], calls=[ROOMSET_LIST, RULES_GET], exits=[7, 8])
def plan(
    session: Session,
    file: str = argument("FILE|-"),
    check: bool = flag("--check"),
    tz: str | None = ZONE,
    results: str | None = option("--results", "FILE"),
    send_unseen: bool = flag("--send-unseen"),
    retry_unknown: bool = flag("--retry-unknown"),
) -> Answer:
    """Show what `roomset apply` would do to make a room set match a file. `plan` itself sends no writes."""
    event_file, choices = require_valid(*read_file(session, file, tz)), Choices(send_unseen, retry_unknown)
    seen = look(session, event_file, choices, results)
    session.doubt = session.doubt or seen.doubt
    steps = [{**each.as_record(), "symbol": SYMBOLS[each.action]} for each in seen.steps]
    saved = {
        "plan": 1,
        "file": file,
        "sha256": event_file.digest,
        "service": session.settings.base_url,
        "choices": choices._asdict(),
        "tz": tz,
        "steps": steps,
    }
    of_set, differing = seen.steps[0], [each for each in seen.steps if each.differs]
    failure: RoomctlError | None = None
    if of_set.action == "unknown":
        why, hint = unknown_set(of_set, of_set.why, of_set.id if of_set.why == UNNAMED else "")
        failure = OutcomeUnknown(why, hint=hint)
    elif check and differing and seen.doubt is None:
        from roomctl.output.plan import summary

        actions = {each.action for each in seen.steps}
        by_hand = "change what is marked `!` in the service's own interface, or in the file"
        if "unknown" in actions:
            repeat = f"`roomctl roomset apply {file} --retry-unknown` sends it again"
            by_hand = f"find out whether the unknown step took effect; if it did not, {repeat}"
        elif "cannot" not in actions:
            by_hand = f"`roomctl roomset apply {file} --send-unseen` sends what was sent with other content before"
        made = "the changes that are possible" if actions - {*SENT, "same", "stays"} else "these changes"
        hint = f"`roomctl roomset apply {file}` makes {made}" if actions & {*SENT} else by_hand
        failure = ExpectationFailed(f"the room set does not match the file: {summary(steps)}", hint=hint)
    given, whole = session.given, session.output_format() in ("json", "yaml")
    whole = whole and (given.expression is not None or not (given.fields or given.sort_by))
    return Answer(seal(saved) if whole else steps, "PlanStep", failure, picture="plan", around=saved)


@commands.verb("lint", shows=["Finding"], calls=[ROOMSET_LIST, RULES_GET], exits=[8])
def lint(
    session: Session,
    which: list[str] = argument("FILE|SET..."),
    severity: str = option("--severity", default="error", values=("error", "warning", "note")),
    tz: str | None = ZONE,
) -> Answer:
    """Check an event file, or a room set as it is now, for errors and likely mistakes."""
    rows = [row for name in which for row in _of_one(session, name, tz)]
    bad = [row for row in rows if SEVERITIES.index(row["severity"]) >= SEVERITIES.index(severity)]
    if not bad:
        return Answer(rows, "Finding")
    hint = f"`roomctl help lint CODE` explains a finding, for example `roomctl help lint {bad[0]['code']}`"
    count = numbered(len(bad), "errors" if severity == "error" else "findings")
    names = ", ".join(first("stdin" if each == "-" else each for each in which))
    why = f"{count}{f' of severity {severity} or worse' * (severity != 'error')} in {names}"
    return Answer(rows, "Finding", ExpectationFailed(why, hint=hint, details={"problems": rows}))


def _of_one(session: Session, name: str, tz: str | None) -> list[JSON]:
    if name == "-" or Path(name).suffix.lower() in ENDINGS or Path(name).is_file():
        event_file, problems = read_file(session, name, tz)
        try:
            now = session.now()
        except NotAllowed:  # a file needs no profile
            now = datetime.now(UTC)
        return [as_record(each, event_file) for each in findings(event_file, problems, now)]
    record = find_set(session, name)
    made = Exported(record, configs_of(session, record), zone_for(session, tz) or ZoneInfo("UTC"))
    event_file, problems = read(Path(name), made.yaml())
    problems += [Finding("time", ("rooms",), each) for each in made.unreadable]
    problems += [Finding("duplicate", ("rooms",), f"several rooms are named {compact(each)}") for each in made.twins]
    found = findings(event_file, problems, session.now(), made.images)
    return [as_record(each, event_file, str(record.get("name"))) for each in found]
