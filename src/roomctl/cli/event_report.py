"""`roomctl registration report`: how an event went, on one page."""

from contextlib import nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import IO

from roomctl.cli.command_tree import Commands
from roomctl.cli.lists import EXPORT_PAGE_SIZE, PAGE_SIZE, file_of
from roomctl.cli.lookup import SET, id_of
from roomctl.cli.options import flag, option
from roomctl.cli.progress import progress
from roomctl.cli.registration import EVENT
from roomctl.cli.session import Answer, Session
from roomctl.cli.time_values import zone_named
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST
from roomctl.contract.records import SPELLED
from roomctl.errors import NotAllowed, Partial, WrongCall
from roomctl.events.report import DRIFTED, UNDER_WAY, Recorded, Report, Zone, compose
from roomctl.events.report_lists import Kept, Listing, Served
from roomctl.events.report_page import writer
from roomctl.exports.enrichment import sets_and_recordings
from roomctl.exports.export import check_target
from roomctl.exports.part import doing, replace
from roomctl.exports.stats import UNREAD
from roomctl.text.counted import numbered

commands = Commands()


@commands.verb("report", calls=[REGISTRATION_LIST, ROOMSET_LIST, RECORDING_LIST], endings=[".html", ".md", ".json"])
def report(
    session: Session,
    event: str = EVENT,
    kept: str | None = option("--from", "use an existing export instead of the service", "EXPORT"),
    room_set: str | None = option("--room-set", "the event's room set, if its registrations do not name it", "ID|NAME"),
    tz: str | None = option(
        "--tz", "the time zone used in the report; default: the profile's, the event owner's, or UTC", "ZONE"
    ),
    with_people: bool = flag("--with-people", "name people: at the end, add tables of everyone who registered"),
) -> Answer:
    """Report how an event went: one page of numbers and charts, for its organisers.

    `--to report.html` is a self-contained page, for a browser, a phone or paper; report.md is for pasting into a chat,
    report.json for a machine. Registrations are counted as in `registration stats`, and attendance as in `registration
    export --attendance`, from recordings: rooms that were not recorded are not covered. The report names nobody unless
    --with-people is given, and says what data it is based on and whether that is complete.
    """
    to = file_of(session, "a report", "report.html")
    if kept is not None and room_set is not None:
        raise WrongCall("`--room-set` finds recordings, and a report made with `--from` reads none")
    check_target(to, session.given.force)
    write, zone = writer(to.suffix.lower()), Zone(named, "option") if (named := zone_named(tz)) else None
    with suppress(NotAllowed):
        own = zone_named(session.settings.time_zone) if zone is None else None
        zone = Zone(own, "profile") if own else zone
    with doing("write", Path(gettempdir())), TemporaryFile() if with_people else nullcontext() as people:
        if kept is None:
            made = _of_service(session, event, room_set, zone, people)
        else:
            made = compose(Kept(Path(kept), event), None, zone=zone, people=people)
        check_target(to, session.given.force)
        replace(to, write(made))
    document = made.document
    counts, named = document["registrations"], document["zone"]["name"]
    session.note(f"wrote {to}: {numbered(counts['registrations'], 'registrations')}, times in {named}")
    if missing := document["withoutRecordings"]:
        session.note(f"attendance is left out: {missing}")
    for each in document["notes"]:
        if each in (DRIFTED, SPELLED.format("confirmed"), UNDER_WAY) or each.startswith(UNREAD):
            session.say(each, note=each != DRIFTED)
    if made.named:
        session.note("the report names people: share it with care")
    if document["complete"]:
        return Answer()
    return Answer(failure=Partial(f"{'; '.join(document['doubts'])}; `{to}` counts what was read, and says so"))


def _of_service(
    session: Session, event: str, room_set: str | None, zone: Zone | None, people: IO[bytes] | None
) -> Report:
    settings = session.settings
    chosen = None if room_set is None else id_of(session, room_set, SET)
    size = settings.page_size or PAGE_SIZE
    with progress(session, resume="") as counted:
        counted.update(0, "reading room sets and recordings")
        (sets, unproven), (recordings, unread) = sets_and_recordings(session.client, size, session.note)
    doubts = [f"{what}: {each.message}" for what, each in (("room sets", unproven), ("recordings", unread)) if each]
    with progress(session, "registrations") as counted:
        listed: Listing = Served(
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
