"""`roomctl roomset export` and `schema`: a room set as a file, and what such a file may hold."""

import re
from collections.abc import Mapping
from datetime import date
from zoneinfo import ZoneInfo

from typer import BadParameter

from roomctl.cli.lists import shaping
from roomctl.cli.lookup import SET, entry_rules, record_of, rooms_unseen
from roomctl.cli.options import Commands, argument, flag, option
from roomctl.cli.session import JSON, Answer, Session, Text
from roomctl.cli.time_values import zone_for
from roomctl.contract.event_file import schema as schema_of_files
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import rooms
from roomctl.errors import BadValue, NotAllowed, Partial, RoomctlError, WrongCall
from roomctl.events.export import Exported, days_to
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact

commands = Commands()


def as_days(text: str) -> int:
    """Read `52w` or `364d`, with a minus sign for earlier."""
    if not (match := re.fullmatch(r"([-+]?[0-9]{1,5})([wd])", text)):
        raise BadParameter(f"{compact(text)} is not a time span such as 52w or 364d")
    return int(match[1]) * (7 if match[2] == "w" else 1)


def a_day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadParameter(f"{compact(text)} is not a day such as 2027-10-01") from None


@commands.verb("export", calls=[ROOMSET_LIST, RULES_GET])
def export(
    session: Session,
    which: str = argument("SET"),
    tz: str | None = option("--tz", "ZONE"),
    shift: int | None = option("--shift", "SPAN", as_days, excludes="--first-day"),
    first_day: date | None = option("--first-day", "DATE", a_day),
    closed: bool = flag("--closed"),
    ids: bool = flag("--ids"),
) -> Answer:
    """Write a room set to a file: its settings, entry rules, themes and rooms, as YAML or JSON."""
    _check_form(session)
    zone = zone_for(session, tz) or ZoneInfo("UTC")
    record = find_set(session, which)
    days = shift or 0
    if first_day is not None:
        days = days_to(record, first_day, zone)
    twice = sum(each.get("name") == record.get("name") for each in session.mine.sets) > 1
    try:
        made = Exported(record, configs_of(session, record), zone, days=days, ids=ids, closed=closed, named_twice=twice)
    except OverflowError:
        raise BadValue("the rooms cannot be moved that far: a year has four digits") from None
    if made.closed:
        how = "left out" if session.output_format() == "json" else "written as comments"
        session.note(f"{numbered(len(made.closed), 'closed rooms')} {how}; `--closed` includes them as rooms")
    if made.missing:
        why = f"the file lacks rooms that have no name: {', '.join(first(made.missing))}"
        session.doubt = session.doubt or Partial(why, hint="name them in the service, then export again")
    if session.output_format() != "json":
        return Answer(Text(made.yaml()))
    for each in made.notes:  # JSON has no comments
        session.note(each)
    return Answer(Text(made.json()))


def find_set(session: Session, which: str) -> JSON:
    """Find a set that is read; rooms that it does not show leave a doubt. Raises as `record_of` does."""
    record = record_of(session, which, SET)
    session.doubt = session.doubt or rooms_unseen([record], session.mine.doubt)
    return record


def _check_form(session: Session) -> None:
    if session.output_format() not in ("table", "yaml", "json"):
        raise WrongCall("an event file is YAML or JSON", hint="add `-o yaml` or `-o json`")
    if options := shaping(session):
        raise WrongCall(f"an event file is always whole: {', '.join(options)} cannot be used")


def configs_of(session: Session, record: JSON) -> Mapping[str, JSON]:
    """Read the entry rules that the rooms of a set name, by id; None, and a doubt, for those that cannot be read."""
    key, found = folded(record.get(SET)), dict[str, JSON]()
    for config in by_id(rooms(record), "configurationId"):
        try:
            found[config] = shown = entry_rules(session, key, config)
            if type(shown.get("rules")) is not list and shown.get("entryOption") in (None, "CUSTOM_RULES"):
                raise Partial("its rules are not shown")
        except NotAllowed:
            raise
        except RoomctlError as error:
            why = f"entry rules {config}, which rooms use, could not be read: {error.message}"
            session.doubt, found[config] = session.doubt or Partial(why, hint="run the command again"), None
    return found


@commands.verb("schema")
def schema(session: Session) -> Answer:
    """Print the JSON Schema of event files, for editors that offer completion and validation."""
    _check_form(session)
    return Answer(schema_of_files(), "Body")
