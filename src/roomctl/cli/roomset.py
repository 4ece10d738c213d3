"""`roomctl roomset`: room sets (operations 1 to 4)."""

from roomctl.cli.confirm import differences, field_lines
from roomctl.cli.list_notes import name_of
from roomctl.cli.lists import listed
from roomctl.cli.lookup import ROOM, SET, find_one, id_of, known, record_of, rooms_of, rooms_unseen, sets_named
from roomctl.cli.mutation import read_back, settle, write
from roomctl.cli.options import BODY, LISTING, QUERY, WRITING, Commands, Entry, argument, field_options, flag, option
from roomctl.cli.parsers import a_name, id_from
from roomctl.cli.reply_notes import note_changed, warn_of_namesake
from roomctl.cli.request_body import body, check_body, check_new, same_id
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.evidence import unproven
from roomctl.contract.operations import ROOMSET_COPY, ROOMSET_CREATE, ROOMSET_LIST, ROOMSET_UPDATE
from roomctl.contract.records import find, folded, is_uuid
from roomctl.contract.rooms import is_open
from roomctl.contract.rooms import rooms as rooms_in
from roomctl.errors import ExpectationFailed, NotFound, OutcomeUnknown, Partial, RoomctlError, WrongCall
from roomctl.output.values import titled
from roomctl.reconcile import Write
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact

commands = Commands("Room sets: rooms that belong together. You see only the sets of the user who owns the API key.")
SET_NAME = argument("ID|NAME")

START = "startingPointSocialId"
SET_FIELDS = field_options("RoomSet")


def _find_start(session: Session, key: str = "") -> None:
    """Put an id in place of the name of the room in which people start; it must be one of the set, if there is one."""
    given = session.given.body
    if (text := given.get(START)) and not is_uuid(text):
        inside = [each for each in rooms_of(session, [key]) if name_of(each) == text] if key else []
        doubt = session.doubt or (session.mine.doubt if inside else None)
        given[START] = folded(find_one(session, (inside, doubt), text, ROOM)[ROOM]) if inside else id_of(session, text)
        if key and find(rooms_of(session, [key]), ROOM, given[START]) is None:
            why = f"room {known(session, given[START])} is not in room set {known(session, key)}"
            raise WrongCall(why, hint=f"`roomctl social list --room-set {key}` shows its rooms")


@commands.verb("list", shows=["RoomSet"], calls=[ROOMSET_LIST], takes=[*LISTING])
def list_(session: Session) -> Answer:
    """List your room sets."""
    return listed(session, ROOMSET_LIST)


@commands.verb("get", shows=["RoomSet"], calls=[ROOMSET_LIST])
def get(session: Session, which: str = SET_NAME) -> Answer:
    """Show one of your room sets."""
    return Answer(record_of(session, which, SET), "RoomSet")


@commands.verb("tree", shows=["RoomSet"], calls=[ROOMSET_LIST])
def tree(session: Session, which: str | None = argument("ID|NAME", default=None)) -> Answer:
    """Show sets as a tree: their rooms, open or closed, and how many people are present."""
    sets = sets_named(session, [which] if which is not None else [])
    session.doubt = rooms_unseen(sets, session.doubt)
    return Answer(sets, "RoomSet", picture="tree")


@commands.verb(
    "create", shows=["RoomSet"], calls=[ROOMSET_CREATE, ROOMSET_UPDATE], takes=[SET_FIELDS, BODY, QUERY, WRITING]
)
def create(
    session: Session, ids: list[str] | None = argument("[UUID]...", id_from("`--name` names the set"))
) -> Answer:
    """Create a room set."""
    given = session.given
    _find_start(session)
    fields: JSON = body(session, "RoomSet") if given.body or given.input or given.set_ else {}
    check_new(ROOMSET_CREATE, fields)
    card = ["about to create a room set, then set its fields:", *field_lines(fields)]
    try:
        what = f"create room set {compact(fields['name'])}" if fields.get("name") else "create a room set"
        mutation = Write(ROOMSET_CREATE, query=given.parameters, body=list(ids or ()), what=what)
        created = write(session, mutation, card if fields and session.settings.protected else (), done="created")
    except OutcomeUnknown as error:
        if fields:
            error.message += f"; the set's fields were not sent: {', '.join(fields)}"
            then = "once you know which set it is, `roomctl roomset update SET …` sets them"
            error.hint = f"{error.hint}; {then}" if error.hint else then
        raise
    if fields and given.dry_run:
        session.note("a second request would then set these fields of the new set: " + ", ".join(fields))
    elif fields:
        return _apply(session, created.value, fields)
    return created


def _apply(session: Session, created: JSON, fields: JSON) -> Answer:
    """Send the update that follows a creation; whatever becomes of it, the set stands."""
    key = created["socialRoomSetId"]
    session.note(f"setting {', '.join(f'`{each}`' for each in fields)} on the new room set {key}")
    try:
        settle(session, Write(ROOMSET_UPDATE, body={"socialRoomSetId": key, **fields}, what=f"update room set {key}"))
    except RoomctlError as error:
        hint = f"`roomctl roomset get {key}` shows it, `roomctl roomset update {key} …` applies them"
        details = {**error.details, "socialRoomSetId": key}
        if error.outcome != "unknown":
            stands = f"room set {key} was created, but its fields were not applied: {error.message}"
            return Answer(created, "RoomSet", Partial(stands, hint=hint, outcome="applied", details=details))
        error.message = f"room set {key} was created; it is not known whether its fields were applied: {error.message}"
        error.hint, error.details = f"{hint}; {error.hint}", details
        return Answer(created, "RoomSet", error)
    try:
        answer = read_back(session, lambda: record_of(session, key, SET), fields, "RoomSet", created)
        warn_of_namesake(session, answer.value, session.mine.sets, ROOMSET_CREATE)
        return answer._replace(done=f"created {titled(answer.value, 'RoomSet')}")
    except Partial as error:
        error.message = f"room set {key} was created and its fields were sent; {error.message}"
        return Answer(created, "RoomSet", error)


@commands.verb("update", shows=["RoomSet"], calls=[ROOMSET_UPDATE, ROOMSET_LIST], takes=[SET_FIELDS, BODY, WRITING])
def update(session: Session, which: str = SET_NAME, show: bool = flag("--show")) -> Answer:
    """Change fields of a room set; all other fields stay as they are."""
    key = id_of(session, which, SET)
    _find_start(session, key)
    whole = body(session, "RoomSet")
    same_id(session, key, whole.get("socialRoomSetId"))
    fields = {name: value for name, value in whole.items() if name != "socialRoomSetId"}
    if not fields:
        raise WrongCall("no changes were given", hint="give a field option such as `--name`, or `--set` or `--input`")
    present = None
    if not session.given.dry_run:
        try:
            present = record_of(session, key, SET)
        except NotFound:
            session.note(f"room set {key} is not among yours, so its current state cannot be shown")
    return _send_update(session, known(session, key), key, present, fields, show=show)


def _send_update(session: Session, name: str, key: str, present: JSON, fields: JSON, *, show: bool) -> Answer:
    before = present or {}
    changed = {field: each for field, each in fields.items() if field not in before or before[field] != each}
    sure = present and not (session.mine.records_doubt or session.stale or unproven(present, "RoomSet"))
    if sure and not changed:
        session.note("no changes; nothing was sent")
        return Answer(present, "RoomSet") if show else Answer()
    changed = changed or fields
    card = [f"about to update room set {name}:", *differences(before, changed, session.names)]
    sent = check_body(session, "RoomSet", {"socialRoomSetId": key, **fields})
    standing = {key: present} if present is not None else None
    answer = write(session, Write(ROOMSET_UPDATE, {}, (), sent, f"update room set {name}", standing), card)
    if session.given.dry_run:
        return answer
    record = present or {"socialRoomSetId": key}
    done = f"updated {titled(record, 'RoomSet')}: {', '.join(changed)}"
    if show:
        return read_back(session, lambda: record_of(session, key, SET), fields, "RoomSet", present, done=done)
    session.note(done)
    if present and isinstance(answer.value, dict):  # it was read back
        note_changed(session, answer.value, present, fields)
    if present:
        present.update(fields)  # the names that Tab offers come from what was read
    return Answer()


@commands.verb("edit", shows=["RoomSet"], calls=[ROOMSET_LIST, ROOMSET_UPDATE], takes=[WRITING])
def edit(session: Session, which: str = SET_NAME) -> Answer:
    """Edit a room set in your editor ($VISUAL or $EDITOR) and send only the changes, after showing them."""
    from roomctl.cli import editor

    present = record_of(session, which, SET)

    def send(fields: JSON) -> Answer:
        if not fields:
            session.note("no changes; nothing was sent")
            return Answer()
        key = folded(present["socialRoomSetId"])
        now = record_of(session, key, SET)
        names = sorted(present.keys() | now.keys())
        if moved := [name for name in names if name != "socials" and now.get(name) != present.get(name)]:
            why = f"nothing was sent, because the room set changed while it was edited: {', '.join(moved)}"
            raise ExpectationFailed(why, hint="edit it again")
        return _send_update(session, known(session, key), key, now, fields, show=False)

    return editor.edit(session, which, present, send)


@commands.verb("copy", shows=["RoomSet"], calls=[ROOMSET_COPY], takes=[WRITING])
def copy(session: Session, which: str = SET_NAME, name: str = option("--name", "TEXT", a_name, default=...)) -> Answer:
    """Copy a room set with its entry rules and settings."""
    key = id_of(session, which, SET)
    query = [("socialRoomSetId", key), ("roomSetName", name)]
    mutation = Write(ROOMSET_COPY, query=query, what=f"copy room set {known(session, key)}")
    answer = write(session, mutation, done="created a copy:")
    inside = rooms_in(answer.value) if answer.done else ()
    states = {is_open(each) for each in inside}
    state = ", all closed" if states == {False} else ", all open" if states == {True} else ""
    return answer._replace(done=f"{answer.done}, {numbered(len(inside), 'rooms')}{state}" if inside else answer.done)


EVENT_FILES = {"export": "export", "schema": "export", "plan": "event_file", "apply": "apply", "lint": "event_file"}
"""The commands about event files, each with its module."""
commands.members |= {name: Entry(f"roomctl.cli.events.{module}") for name, module in EVENT_FILES.items()}
