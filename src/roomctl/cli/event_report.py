"""The report of an event made and written: what `registration report` does."""

from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO

from roomctl.cli.lists import EXPORT_PAGE_SIZE, gathered, shaping
from roomctl.cli.lookup import room_set_id
from roomctl.cli.progress import progress
from roomctl.cli.session import Answer, Session
from roomctl.cli.time_values import zone_named
from roomctl.contract.operations import RECORDING_LIST, ROOMSET_LIST
from roomctl.errors import NotAllowed, Partial, WrongCall
from roomctl.events.report import DRIFTED, UNDER_WAY, Recorded, Report, Zone, compose
from roomctl.events.report_lists import Kept, Registrations, Served
from roomctl.events.report_page import writer
from roomctl.exports.export import check_target
from roomctl.exports.part import doing, replace
from roomctl.output.values import numbered


def report(
    session: Session, event: str, *, kept: str | None, room_set: str | None, tz: str | None, with_people: bool
) -> Answer:
    """Make the report of an event and write it to the file of `--to`."""
    to = _target(session)
    if kept is not None and room_set is not None:
        raise WrongCall("`--room-set` is for recordings, and a report `--from` an export reads none")
    check_target(to, session.given.force)
    write, zone = writer(to.suffix.lower()), _zone(session, tz)
    with doing("write", Path(gettempdir())), TemporaryFile() if with_people else nullcontext() as people:
        if kept is None:
            made = _of_service(session, event, room_set, zone, people)
        else:
            made = compose(Kept(Path(kept), event), None, zone=zone, people=people)
        check_target(to, session.given.force)
        replace(to, write(made))
    return _told(session, made, to)


def _target(session: Session) -> Path:
    if shaped := shaping(session):
        raise WrongCall(f"a report does not take {' and '.join(f'`{name}`' for name in shaped)}")
    if session.given.to is None:
        raise WrongCall("a report needs a file", hint="add `--to report.html`")
    return Path(session.given.to)


def _zone(session: Session, tz: str | None) -> Zone | None:
    """The zone of `--tz`, else of the profile where there is one; None where neither names one."""
    if named := zone_named(tz):
        return Zone(named, "option")
    with suppress(NotAllowed):
        return Zone(own, "profile") if (own := zone_named(session.settings.time_zone)) else None
    return None


def _of_service(
    session: Session, event: str, room_set: str | None, zone: Zone | None, people: IO[bytes] | None
) -> Report:
    settings = session.settings
    chosen = None if room_set is None else room_set_id(session, room_set)
    # each record counts, also where two are of one id
    lists = [gathered(session, operation._replace(row_id=None)) for operation in (ROOMSET_LIST, RECORDING_LIST)]
    (sets, unproven), (recordings, unread) = lists
    doubts = [f"{what}: {each.message}" for what, each in (("room sets", unproven), ("recordings", unread)) if each]
    with progress(session, "registrations") as counted:
        listed: Registrations = Served(
            session.client,
            event,
            size=settings.page_size or EXPORT_PAGE_SIZE,
            concurrency=settings.concurrency,
            host=settings.base_url,
            note=session.note,
            on_page=lambda _, rows: counted.update(rows),
            clock=session.now,
        )
        recorded = Recorded(sets, recordings, doubts, chosen)
        return compose(listed, recorded, zone=zone, people=people, clock=session.now)


def _told(session: Session, made: Report, to: Path) -> Answer:
    """Say where the report is, and what it lacks."""
    document = made.document
    counts, zone = document["registrations"], document["zone"]
    session.note(f"wrote {to}: {numbered(counts['registrations'], 'registrations')}, times in {zone['name']}")
    if missing := document["withoutRecordings"]:
        session.note(f"attendance is left out: {missing}")
    for each in (DRIFTED, UNDER_WAY):
        if each in document["notes"]:
            session.note(each)
    if made.named:
        session.note("it names people: share it with care")
    if document["complete"]:
        return Answer()
    return Answer(failure=Partial(f"{'; '.join(document['doubts'])}; `{to}` counts what was read, and says so"))
