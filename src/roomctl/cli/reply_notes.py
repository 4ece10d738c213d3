"""What is said beside the outcome of a write: what the service says, and how its record differs from what was sent."""

from collections.abc import Mapping, Sequence

from roomctl.cli.confirm import differences, field_lines
from roomctl.cli.session import JSON, Session
from roomctl.contract import outcome
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, TRANSCRIPTION_LIST
from roomctl.contract.outcome import asked, differing, original, plain, remade, remarks, settings, shown, unshown
from roomctl.contract.records import folded
from roomctl.contract.rooms import is_invalid, is_open, rooms, twins
from roomctl.errors import Partial, RoomctlError
from roomctl.output.values import titled
from roomctl.reconcile import Write
from roomctl.text.counted import numbered

LOOKS = {
    ROOMSET_LIST: "`roomctl roomset tree` shows the rooms as they are now",
    TRANSCRIPTION_LIST: "`roomctl transcription list` shows the transcriptions as they are now",
    RULES_GET: "`roomctl rules get SET` shows the rules as they are now",
    None: "ask someone who can check whether the write took effect",
}


def note_reply(session: Session, write: Write, value: JSON) -> None:
    """Say what the service says beside what it did, and how that differs from what was sent."""
    if write.operation.readback is None:  # elsewhere it was read back
        records = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
        for remark in dict.fromkeys(filter(None, (remarks(each, write.operation.resource) for each in records))):
            session.say(f"the service says: {session.client.redact(remark)}")
        for progress in [shown(each.get("uploadStatus"), "progress") for each in records]:
            if write.operation.resource == "Theme" and type(progress) is int and progress < 100:
                session.say(f"the upload of its images is not finished: {progress} %")
    if write.operation.repeat == "create" and isinstance(value, dict):
        _note_changes(session, write, value)
        key = folded(shown(value, write.operation.identity))
        known = write.operation.saves and write.before is not None and key not in str(write.body).lower()
        if known and times_made(session, key) > 1:  # this time it is one of them
            session.say(f"{write.operation.identity} {key} was saved before: it was changed, and nothing new was made")
        if write.operation.resource == "Social" and is_open(value) is False:
            session.note("the new room is closed")
        elif closed := [is_open(each) for each in rooms(value)].count(False):
            session.note(f"closed in the new room set: {closed} of {numbered(len(rooms(value)), 'rooms')}")


def _note_changes(session: Session, write: Write, record: Mapping[str, JSON]) -> None:
    """Say what a service made of what it was asked for, how a copy differs, and that a room lacks its set's rules.

    A room that is created in a run may be followed by its entry rules.
    """
    operation, before = write.operation, write.before or {}
    asked_for = asked(*write[:4], before)
    others = remade(record, asked_for)
    if others:
        session.doubt = otherwise(write, record, asked_for, others)
    if is_invalid(record):
        session.doubt = Partial(f"{write.what}: the service's record says that it is not valid", outcome="applied")
    rest = {name: value for name, value in asked_for.items() if name not in others}
    note_differing(session, "the service's record differs from what was sent", record, rest)
    if copied := original(operation, write.query, before):
        rest = {name: value for name, value in copied.items() if name not in asked_for}
        others = _note_copied(session, "the copy", record, rest, operation.resource)
        for twin, room in twins(record, copied):  # rooms of a copied set have entry rules of their own
            kept = {**room, "configurationId": twin.get("configurationId") or room.get("configurationId")}
            _note_copied(session, f"the copy of {titled(room, 'Social')}", twin, kept, "Social")
        name, own = (plain(each.get("name") or "") for each in (record, copied))
        stood = name in {plain(each.get("name") or "") for each in before.values()}
        if name and own not in name and "name" not in asked_for and (stood or len(others) > 1):
            why = f"{write.what}: done, but it may be a copy of another: it is named {record['name']!r}"
            session.doubt = Partial(why, hint=LOOKS[operation.seen_in], outcome="applied")
    same_name = [each for each in before.values() if each.get("name") and each.get("name") == record.get("name")]
    if same_name and not session.in_bulk and operation.resource in ("Social", "RoomSet"):
        kind = "rooms" if operation.resource == "Social" else "room sets"
        session.note(f"{len(same_name) + 1} {kind} are now named {record['name']!r}: use their ids in commands")
    if not session.in_bulk and operation.resource == "Social" and not record.get("configurationId"):
        key = folded(shown({**asked_for, **record}, "socialRoomSetId"))
        ruled = {folded(each.get("socialRoomSetId")) for each in before.values() if each.get("configurationId")}
        why = "the service shows no entry rules for the new room, but shows some for other rooms in its set"
        if key in ruled:
            session.note(f"{why}: `roomctl rules get {key}` shows theirs")


def _note_copied(session: Session, what: str, copy: JSON, original: Mapping[str, JSON], resource: str) -> list[str]:
    """Name the fields in which a copy differs from its original; of those that it does not have nothing is said."""
    kept, found = ({**settings(each, resource), **outcome.used(each)} for each in (original, copy))
    same = {name: value for name, value in kept.items() if name in (*found, "rooms")}
    note_differing(session, f"{what} differs from its original", found, same)
    return differing(found, same)


def otherwise(write: Write, record: Mapping[str, JSON], sent: Mapping[str, JSON], names: Sequence[str]) -> Partial:
    lines = differences(sent, {name: record.get(name) for name in names})
    why = f"{write.what}: done, but with other values than were sent: {'; '.join(map(str.strip, lines))}"
    return Partial(why, hint="change what is wrong; do not resend it", outcome="applied")


def note_differing(session: Session, what: str, record: Mapping[str, JSON], expected: Mapping[str, JSON]) -> None:
    """Name each field that a record shows with another value than is expected, or does not show; `-q` hides none."""
    names = differing(record, expected)
    lines = [line.strip() for line in differences(expected, {name: record.get(name) for name in names})]
    lines += [f"{line.strip()} → not shown" for line in field_lines(unshown(record, expected))]
    if lines:
        session.say(f"{what}: {'; '.join(lines)}")


def note_changed(session: Session, record: JSON, before: Mapping[str, JSON], sent: Mapping[str, JSON]) -> None:
    """Name the fields of a room set that are not as they were before an update, though they were not sent."""
    others = {name: value for name, value in settings(before, "RoomSet").items() if name not in sent}
    found = {**record, **settings(record, "RoomSet")}
    note_differing(session, "fields that were not sent have changed too", found, others)


def times_made(session: Session, key: str) -> int:
    """How many requests from here made a record of this id; what is done stays so where no journal can be read."""
    try:
        return session.journal.times_made(key, session.settings.base_url)
    except RoomctlError as error:
        session.note(f"could not look in the journal whether {key} is new: {error.message}")
        return 0
