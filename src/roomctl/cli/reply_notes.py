"""What is said beside the outcome of a write: what the service says, and how its record differs from what was sent."""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from shlex import quote

from roomctl.cli.confirm import differences, field_lines
from roomctl.cli.session import JSON, Session
from roomctl.contract import operations as ops
from roomctl.contract import outcome as replies
from roomctl.contract.evidence import invalid
from roomctl.contract.fields import fields
from roomctl.contract.outcome import differing, plain, settings, shown
from roomctl.contract.paging import Wrapped
from roomctl.contract.records import by_id, find, folded, is_uuid
from roomctl.contract.rooms import all_rooms, rooms
from roomctl.contract.statements import is_aside
from roomctl.errors import Partial, RoomctlError
from roomctl.output.columns import at, has, resource_of, shortened
from roomctl.reconcile import Write
from roomctl.text.counted import first, numbered
from roomctl.text.jsontext import compact

LOOKS = {
    ops.ROOMSET_LIST: "`roomctl roomset tree` shows your room sets as they are now",
    ops.TRANSCRIPTION_LIST: "`roomctl transcription list` shows the transcriptions as they are now",
    ops.RULES_GET: "`roomctl rules get SET` shows the rules as they are now",
    None: "ask someone who can check whether the write took effect",
}

ECHOING = ("name", "title", "label", "subject", "description", "mail", "email", "address", "type", "kind", "option")
"""How names end under which a record may repeat what was sent under another."""
_OF_ITS_OWN = r"[0-9T]*[0-9]{2}[:-][0-9]{2}[0-9:.TZ+-]*|[0-9a-f]{4,}(-[0-9a-f]+)*"
"""What differs in values that are alike: a time, an id, a long number."""
_TELLING, _SUSPECT = 3, 20  # values of one field that the API does not define, and of one that may say what went wrong
UPLOADING = (
    "the upload of the theme's images is not finished, progress: {progress}; once a room has the theme, "
    "`roomctl social get ROOM --fields theme.uploadStatus` shows how far it is"
)


def look_at(write: Write) -> str:
    """Name the command that shows what a write has changed."""
    return LOOKS[write.operation.seen_in].replace(" SET`", f" {dict(write.query).get('socialRoomSetId', 'SET')}`")


def settled_by(operation: ops.Operation, entry: str, look: str = "") -> str:
    """Name the commands that find out (by a `look`), and record, what became of a write of unknown outcome."""
    look, verify = look or LOOKS[operation.seen_in], f"`roomctl journal verify {entry}"
    if operation.repeat == "end":
        return f"{verify}` checks again whether the write took effect; {look}"
    return f"{look}; record what you find with {verify} --done` or {verify} --not-done`"


def records_of(reply: JSON) -> list[Mapping[str, JSON]]:
    """The records of a reply, and the object around them."""
    around = [reply.rest] if isinstance(reply, Wrapped) else []
    records = [*reply, *around] if isinstance(reply, list) else [reply]
    return [each for each in records if isinstance(each, dict)]


def note_reply(session: Session, write: Write, value: JSON) -> None:
    """Say what the service says beside what it did, and how a new record differs from what was asked for."""
    if write.operation.readback is None:  # elsewhere it was read back
        records = records_of(value)
        for remark in dict.fromkeys(
            filter(None, (replies.remarks(each, write.operation.resource) for each in records))
        ):
            session.say(f"the service says: {session.client.redact(remark)}")
    if write.operation.repeat != "create" or not isinstance(value, dict):
        return
    if write.operation is ops.RULES_SAVE:  # of which a record shows what was sent, or proves nothing
        session.doubt = session.doubt or _rules_elsewhere(session, write, value)
        return
    before = write.before or {}
    asked_for = replies.asked(*write[:4], before)
    if write.operation is ops.THEME_SAVE:
        asked_for |= replies.images(value, write.body)
    others = replies.remade(value, asked_for)
    if others:
        session.doubt = otherwise(write, value, asked_for, others)
    not_valid = (invalid(value, write.operation.resource), *(invalid(room) for room in rooms(value)))
    if field := next(filter(None, not_valid), ""):
        why = f"done, but the `{field}` of the service's record says that it is deleted or not valid"
        session.doubt = Partial(f"{write.what}: {why}", outcome="applied")
    if upload := replies.uploading(value):
        session.say(UPLOADING.format(progress="not shown" if (told := upload.get("progress")) is None else told))
    rest = {name: each for name, each in asked_for.items() if name not in others}
    note_differing(session, "the service's record differs from what was sent", value, rest)
    key = folded(shown(value, write.operation.identity))
    known = write.operation.saves and write.before is not None and key not in str(write.body).lower()
    if known and times_made(session, key) > 1:  # this time it is one of them
        session.say(f"{write.operation.identity} {key} was saved before, so it was changed and nothing new was created")
    _note_lost_ids(session, write, value)
    if write.operation is not ops.ROOMSET_CREATE:  # which gives a name that nobody chose
        warn_of_namesake(session, value, before.values(), write.operation)
    if copied := replies.original(write.operation, write.query, before):
        _note_copy(session, write, value, copied, asked_for)


def _note_lost_ids(session: Session, write: Write, value: Mapping[str, JSON]) -> None:
    """Name the ids that were sent for a new set, and that its rooms do not show."""
    if write.operation is ops.ROOMSET_CREATE and "socials" in value:
        said = compact(value).lower()
        if lost := ", ".join(first(key for key in write.body if key not in said)):
            session.say(f"the new set's record does not show these ids that were sent: {lost}")


def is_echo(path: str, value: JSON, asked: str, sent: JSON) -> bool:
    """Whether a text is one that was sent, under a name that ends as its own does, or that names something."""
    if not isinstance(value, str) or not replies.shows(value, sent):  # what is true or 1 is much else too
        return False
    last, other = (re.findall("[A-Z]?[a-z]+", each.rpartition(".")[2])[-1:] for each in (path, asked))
    words = [each.lower() for each in (*last, *other)]
    return len(words) == 2 and (words[0] == words[1] or words[0] in ECHOING)


def note_asides(session: Session, write: Write, records: Sequence[JSON]) -> None:
    """Tell what replies to writes say in fields that the API does not define, unless it was so before, or was sent.

    Of a field at most a few values are told, and more, and first, of what may say what went wrong. What a list shows of
    the record itself counts, or else of all.
    """
    resource, identity = write.operation.resource or write.operation.body or "", write.operation.identity
    told_of = [(record, resource, identity, "") for record in records]
    told_of += [(room, "Social", "socialId", "socials.") for record in records for room in rooms(record)]
    found = [(*each, asides) for each in told_of if (asides := replies.asides(each[0], each[1], each[3]))]
    if not found:
        return
    sent = [*write.query, *replies.leaves(write.body if isinstance(write.body, dict) else {"": write.body})]
    before = write.before.values() if isinstance(write.before, dict) else ()
    lists = [*before, *((*session.mine.sets, *session.mine.rooms) if session.mine else ())]
    said, most = dict[str, str](), dict[str, int]()
    for record, _, key_field, path, asides in found:
        key = folded(record.get(key_field))
        known = [each for each in lists if key and folded(each.get(key_field)) == key] or lists
        for name, value in asides:
            own = name.removeprefix(path)
            was_so = any(has(each, own) and at(each, own) == value for each in known)
            if not (was_so or any(is_echo(own, value, *each) for each in sent)):
                told = f"{name}: {shortened(compact(value))}"
                said[told], most[told] = name, _SUSPECT if is_aside(name.rpartition(".")[2], value) else _TELLING
    new = list[str]()
    for each in sorted(said, key=lambda each: -most[each]):  # the worst first
        alike, shape = f"{said[each]} {most[each]}", re.sub(_OF_ITS_OWN, "0", each)
        if shape not in session.noted and session.told[alike] < most[each]:
            session.told[alike] += 1
            new.append(each + " (further values will not be shown)" * (session.told[alike] == most[each]))
        session.noted.add(shape)
    if new:
        fields_told = session.client.redact(", ".join(first(new)))
        session.say(f"the reply also has fields that the API does not define: {fields_told}")


def _rules_elsewhere(session: Session, write: Write, record: JSON) -> RoomctlError | None:
    """Why new rules of a room set may not apply in it: their record names not all of its rooms, or one of another."""
    named, sent = record.get("associatedSocialIds"), write.body if isinstance(write.body, dict) else {}
    mine = find(session.mine.sets, "socialRoomSetId", dict(write.query)["socialRoomSetId"]) if session.mine else None
    own = {folded(each.get("socialId")) for each in rooms(mine or {})}
    if not (own and isinstance(named, list)) or sent.get("configurationId") or "associatedSocialIds" in sent:
        return None
    others = ", ".join(first(str(each) for each in named if folded(each) not in own))
    there = len(own & {*map(folded, named)})
    if there == len(own) and not others:
        return None
    some = f"only {there} of the {numbered(len(own), 'rooms')} of the set" if there else "no room"
    why = f"the service's record names {f'rooms that are not in the set: {others}' if others else some}"
    return Partial(f"{write.what}: done, but {why}", hint=look_at(write), outcome="applied")


def _note_copy(
    session: Session, write: Write, copy: JSON, copied: Mapping[str, JSON], asked_for: Mapping[str, JSON]
) -> None:
    """Name the fields in which a copy differs from its original; a name of its own may say that it is of another."""
    found, same = _copied(copied, copy, write.operation.resource or "", asked_for)
    note_differing(session, "the copy differs from its original", found, same)
    start = folded(copy.get("startingPointSocialId"))
    if folded(copied.get("startingPointSocialId")) and not start:
        session.say("the copy does not show what its original has: startingPointSocialId")
    rules: tuple[str, ...] = ("configurationId",)  # which are those of a set
    of_all = {name for each in rooms(copy) for name in settings(each, "Social")}
    pairs = (
        (one, _copied(one, other, "Social", rules if shown(other, rules[0]) else (), of_all))
        for one, other in _paired(rooms(copied), rooms(copy))
    )
    unlike = (f"{one.get('name') or ''}: {'; '.join(lines)}" for one, two in pairs if (lines := _differing_lines(*two)))
    if told := ", ".join(first(unlike)):
        session.say(f"rooms of the copy differ from those of the original: {told}")
    called, twice = ({plain(each.get("name") or "") for each in rooms(one)} - {""} for one in (copied, copy))
    if called & twice:
        own, alone = shown(copy, write.operation.identity), copy.get("name")
        if alone and all(alone != each.get("name") for each in (write.before or {}).values()):
            own = quote(str(alone))
        listed = f"`roomctl social list --room-set {own} --fields name,id`"
        session.later.append(f"the copy's rooms have the same names as the original's; {listed} shows their ids")
    if start and start in by_id(all_rooms((write.before or {}).values()), "socialId"):
        why = f"{write.what}: done, but the starting point of the copy is a room that existed before"
        way = "`roomctl roomset update SET --starting-point ROOM` sets it"
        session.doubt = Partial(why, hint=way, outcome="applied")
    undeclared = {name: folded(each) for name, each in copy.items() if name not in fields(write.operation.resource)}
    named = {
        key for name, key in undeclared.items() if is_uuid(key) and re.search("source|origin|copied|from", name.lower())
    }
    if named and named.isdisjoint(folded(each) for _, each in write.query):
        why = f"{write.what}: done, but the record says that it is a copy of {', '.join(first(sorted(named)))}"
        session.doubt = Partial(why, hint=look_at(write), outcome="applied")
    name, own = (plain(each.get("name") or "") for each in (copy, copied))
    others = {plain(each.get("name") or "") for each in (write.before or {}).values()} - {"", own}
    stood = any(each in name for each in others)
    if name and own not in name and "name" not in asked_for and (stood or len(differing(found, same)) > 1):
        why = f"{write.what}: done, but it may be a copy of something else: it is named {compact(copy['name'])}"
        session.doubt = Partial(why, hint=look_at(write), outcome="applied")


def _copied(
    original: Mapping[str, JSON], copy: JSON, resource: str, other: Container[str], also: Iterable[str] = ()
) -> tuple[dict[str, JSON], dict[str, JSON]]:
    """Give what a copy shows, and what it should show: settings as far as it shows any, and ids of what is used.

    What is to be `other` in the copy is left out; `also` are the settings that others like it show.
    """
    of = ("themeId", "configurationId", "playlistId", "artifactSetId")
    ids = {name: shown(original, name) for name in of if name in original or shown(original, name)}
    found = settings(copy, resource) | {name: shown(copy, name) for name in ids}
    same = {name: each for name, each in settings(original, resource).items() if name in (*found, *also, "rooms")} | ids
    return found, {name: each for name, each in same.items() if name not in other}


def _paired(ours: Sequence[JSON], theirs: Sequence[JSON]) -> Iterator[tuple[JSON, JSON]]:
    """Give each room with its copy: the one that alone has its name, or else its place where there are as many."""
    names = Counter(plain(each.get("name") or "") for each in theirs)
    for index, each in enumerate(ours):
        name = plain(each.get("name") or "")
        if names[name] == 1:
            yield each, next(other for other in theirs if plain(other.get("name") or "") == name)
        elif len(ours) == len(theirs):
            yield each, theirs[index]


def warn_of_namesake(session: Session, record: JSON, others: Iterable[JSON], operation: ops.Operation) -> None:
    """Say that a new record has the name of one of the others, so that commands will need its id."""
    name, own = plain(record.get("name") or ""), shown(record, operation.identity)
    named = (each for each in others if plain(each.get("name") or "") == name)
    other = next((each for each in named if folded(each.get(operation.identity)) not in ("", folded(own))), None)
    if name and other is not None:
        of_set = session.names.get(folded(other.get("socialRoomSetId"))) if operation.resource == "Social" else None
        kind, name = resource_of(operation.resource).plural.removesuffix("s"), compact(record["name"])
        same = (
            f"room set {compact(of_set)} already has a {kind} named {name}"
            if of_set
            else f"another {kind} is named {name}"
        )
        same = f"warning: {same}"
        session.say(f"{same}; refer to the new one by its id, {own}")


def otherwise(write: Write, record: Mapping[str, JSON], sent: Mapping[str, JSON], names: Sequence[str]) -> Partial:
    lines = differences(sent, {name: shown(record, name) for name in names})
    why = f"{write.what}: done, but with other values than were sent: {'; '.join(map(str.strip, lines))}"
    return Partial(why, hint="change what is wrong; do not resend it", outcome="applied")


def note_differing(session: Session, what: str, record: Mapping[str, JSON], expected: Mapping[str, JSON]) -> None:
    """Name each field that a record shows with another value than is expected, or does not show; `-q` hides none."""
    if lines := _differing_lines(record, expected):
        session.say(f"{what}: {'; '.join(lines)}")


def _differing_lines(record: Mapping[str, JSON], expected: Mapping[str, JSON]) -> list[str]:
    names = differing(record, expected)
    lines = [line.strip() for line in differences(expected, {name: shown(record, name) for name in names})]
    return [*lines, *(f"{line.strip()} → not shown" for line in field_lines(replies.unshown(record, expected)))]


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
        session.note(f"could not check in the journal whether {key} is new: {error.message}")
        return 0
