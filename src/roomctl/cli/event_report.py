"""`roomctl registration report`: how an event went, on one page."""

from contextlib import suppress
from pathlib import Path

from roomctl.cli.lists import EXPORT_PAGE_SIZE, PAGE_SIZE, file_of
from roomctl.cli.lookup import SET, id_of
from roomctl.cli.options import Commands, flag, option
from roomctl.cli.progress import progress
from roomctl.cli.registration import EVENT
from roomctl.cli.session import Answer, Session
from roomctl.cli.time_values import zone_named
from roomctl.contract.evidence import MARKED
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.contract.records import SPELLED
from roomctl.errors import NotAllowed, Partial, WrongCall
from roomctl.events.report import UNDER_WAY, Recorded, Zone, compose
from roomctl.events.report_lists import Kept, Listing, Served
from roomctl.events.report_page import writer
from roomctl.exports.attendance import sets_and_recordings
from roomctl.exports.cells import now
from roomctl.exports.export import check_target
from roomctl.exports.part import replace
from roomctl.exports.stats import UNREAD
from roomctl.output.progress import Progress
from roomctl.text.counted import numbered

commands = Commands()


@commands.verb("report", calls=[REGISTRATION_LIST, ROOMSET_LIST, RECORDING_LIST], endings=[".html", ".md", ".json"])
def report(
    session: Session,
    event: str = EVENT,
    source: str | None = option("--from", "EXPORT"),
    room_set: str | None = option("--room-set", "ID|NAME"),
    tz: str | None = option("--tz", "ZONE"),
    with_people: bool = flag("--with-people"),
) -> Answer:
    """Report on how an event went: one page of numbers and charts, for its organisers."""
    to = file_of(session, "a report", "report.html")
    if source is not None and room_set is not None:
        raise WrongCall("`--room-set` finds recordings, and a report made with `--from` reads none")
    check_target(to, session.given.force)
    write, zone = writer(to.suffix.lower()), _zone(session, tz)
    with progress(session, "registrations", resume="") as counted:
        if source is None:
            at, recorded = session.now(), _recorded(session, room_set, counted)
            listed: Listing = Served(
                session.client,
                event,
                host=session.settings.base_url,
                at=at,
                size=session.settings.page_size or EXPORT_PAGE_SIZE,
                concurrency=session.settings.concurrency,
                note=session.note,
                on_page=counted.update,
            )
        else:
            at, recorded, listed = now(), None, Kept(Path(source), event)
        report = compose(listed, recorded, at=at, zone=zone, with_people=with_people)
    check_target(to, session.given.force)
    replace(to, [write(report)])
    counts, named = report["registrations"], report["zone"]["name"]
    session.note(f"wrote {to}: {numbered(counts['registrations'], 'registrations')}, times in {named}")
    if missing := report["withoutRecordings"]:
        session.note(f"attendance is left out: {missing}")
    for each in report["notes"]:
        if each in (SPELLED.format("confirmed"), UNDER_WAY) or each.startswith((UNREAD, MARKED)):
            session.note(each)
    if with_people:
        session.note("the report names people: share it with care")
    if report["complete"]:
        return Answer()
    return Answer(failure=Partial(f"{'; '.join(report['doubts'])}; `{to}` covers only what was read, and says so"))


def _zone(session: Session, tz: str | None) -> Zone | None:
    if named := zone_named(tz):
        return Zone(named, "option")
    with suppress(NotAllowed):  # with `--from` no profile is needed
        if named := zone_named(session.settings.time_zone):
            return Zone(named, "profile")
    return None


def _recorded(session: Session, room_set: str | None, counted: Progress) -> Recorded:
    chosen = None if room_set is None else id_of(session, room_set, SET)
    counted.update(0, "reading room sets and recordings")
    size = session.settings.page_size or PAGE_SIZE
    (sets, unproven), (recordings, unread) = sets_and_recordings(session.client, size, session.note)
    doubts = [f"{what}: {each.message}" for what, each in (("room sets", unproven), ("recordings", unread)) if each]
    return Recorded(sets, recordings, doubts, chosen)
