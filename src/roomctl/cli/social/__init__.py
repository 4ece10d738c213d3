"""`roomctl social`: rooms (operations 5, 6, 7 and 9; reading through operation 3)."""

from datetime import datetime

from roomctl.cli.lists import listed
from roomctl.cli.lookup import id_of, known, record_of, rooms_of, set_field, theme_id
from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, FORMS, LISTING, QUERY, WRITING, Commands, argument, field_options, flag, option
from roomctl.cli.request_body import required_body
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.social import end, watch
from roomctl.cli.social.end import ZONE
from roomctl.cli.time_values import future, wire, zone_for
from roomctl.contract.operations import ROOMSET_LIST, SOCIAL_COPY, SOCIAL_CREATE, SOCIAL_CTA
from roomctl.contract.records import folded
from roomctl.contract.rooms import is_open, present_in
from roomctl.errors import BadValue, Partial, WrongCall
from roomctl.reconcile import Write
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.times import moment, spoken

commands = Commands(
    "Rooms, called `social` by the service. The service cannot return a single room, so roomctl looks rooms up in your "
    "room sets."
)
ROOM = argument("ID|NAME")


WHEN = ("startDateTime", "endDateTime")


@commands.verb("list", shows=["Social"], calls=[ROOMSET_LIST])
def list_(
    session: Session,
    sets: list[str] | None = option("--room-set", "ID|NAME"),
    state: bool | None = option("--open/--closed"),
    empty: bool = flag("--empty"),
) -> Answer:
    """List the rooms in your room sets; rooms outside them are not visible."""
    found = rooms_of(session, sets or ())
    fits = [_fits(each, state, empty=empty) for each in found]
    kept = [each for each, fit in zip(found, fits, strict=True) if fit]
    if None not in fits or session.doubt is not None:
        return Answer(kept, "Social")
    what = " and ".join(["whether they are open"] * (state is not None) + ["who is present"] * empty)
    why = f"{numbered(fits.count(None), 'rooms')} may be missing: the service does not show {what}"
    return Answer(kept, "Social", Partial(why, hint="leave out `--open`, `--closed` and `--empty` to see every room"))


def _fits(room: JSON, state: bool | None, *, empty: bool) -> bool | None:
    """Whether a room is in the state that is asked for, and empty where that is; None where it does not show that."""
    shown, present = is_open(room), present_in(room)
    found = [None if shown is None else shown is state] * (state is not None)
    found += [None if present is None else present == 0] * empty
    return False if False in found else None if None in found else True


@commands.verb("get", shows=["Social"], calls=[ROOMSET_LIST])
def get(session: Session, which: str = ROOM) -> Answer:
    """Show a room in your room sets; rooms outside them are not visible."""
    return Answer(record_of(session, which), "Social")


@commands.verb("create", shows=["Social"], calls=[SOCIAL_CREATE], takes=[field_options("Social"), BODY, QUERY, WRITING])
def create(
    session: Session, socialRoomSetId: str | None = option("--room-set", "ID|NAME"), tz: str | None = ZONE
) -> Answer:
    """Create a room. Where it goes without --room-set is not documented: see room-without-set in `roomctl
    help gaps`.
    """
    given = {name: text for name in WHEN if (text := session.given.body.get(name)) is not None}
    times = {name: future(text, session.now(), zone_for(session, tz)) for name, text in given.items()}
    session.given.body |= {name: wire(when) for name, when in times.items()}
    if theme := session.given.body.get("themeId"):
        session.given.body["themeId"] = theme_id(session, theme)
    sent = required_body(session, "Social", set_field(session, socialRoomSetId))
    starts, ends = (sent.get(name) for name in WHEN)
    if starts and ends and datetime.fromisoformat(ends) <= datetime.fromisoformat(starts):
        told = (spoken(times[name]) if name in times else sent[name] for name in WHEN)
        hint = (
            "correct one of the two times; a time without a date means its next occurrence, and `+2h` counts from now"
        )
        raise BadValue(f"the room would end before it starts: {' to '.join(told)}", hint=hint)
    what = f"create room {compact(sent['name'])}" if sent.get("name") else "create a room"
    mutation = Write(SOCIAL_CREATE, query=session.given.parameters, body=sent, what=what)
    answer = write(session, mutation, done="created")
    if answer.done and not sent.get("socialRoomSetId"):
        key = answer.value.get("socialRoomSetId")
        answer = answer._replace(
            done=f"{answer.done} in {f'room set {known(session, key)}' if key else 'a room set that is not shown'}"
        )
    if answer.done and times and (begins := moment(answer.value.get("startDateTime"))):
        zone = times["startDateTime"].tzinfo if "startDateTime" in times else None  # that of the person's own time
        answer = answer._replace(done=f"{answer.done}; it starts {spoken(begins.astimezone(zone), session.now())}")
    return answer


@commands.verb("copy", shows=["Social"], calls=[SOCIAL_COPY], takes=[QUERY, WRITING])
def copy(session: Session, which: str = ROOM) -> Answer:
    """Copy a room with its settings."""
    key, name = id_of(session, which), session.settings.copy_parameter
    query = {name: key, **dict(session.given.parameters)}
    if folded(query[name]) != folded(key):
        raise WrongCall(f"`--query {name}={query[name]}` contradicts room {known(session, key)}", hint="name it once")
    mutation = Write(SOCIAL_COPY, query=list(query.items()), what=f"copy room {known(session, key)}")
    return write(session, mutation, done="created a copy:")


commands.members |= end.commands.members


@commands.verb("cta", shows=["CTAItem"], calls=[SOCIAL_CTA, ROOMSET_LIST], takes=[*LISTING])
def cta(session: Session, which: str = ROOM, as_map: bool = flag("--map", excludes=FORMS)) -> Answer:
    """List the call-to-action items of a room."""
    answer = listed(session, SOCIAL_CTA, path={"socialId": id_of(session, which)})
    return answer._replace(picture="map") if as_map else answer


commands.members |= watch.commands.members
