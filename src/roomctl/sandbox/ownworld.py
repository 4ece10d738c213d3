"""One's own world for the sandbox, from a document: checked first, all of it, then put into the store.

A record is written as the interface shows it. What belongs to another stands inside it: rooms in a set, call-to-action
items and recordings in a room, entry rules and transcriptions in a set, registrations in an event. What has no id gets
one that follows from its place and its name.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from roomctl.contract.validation import Problem, check
from roomctl.sandbox.records import ME
from roomctl.sandbox.rooms import DEFAULTS as ROOM_DEFAULTS
from roomctl.sandbox.roomsets import DEFAULTS as SET_DEFAULTS
from roomctl.sandbox.seed import Event, Summary
from roomctl.sandbox.store import Document, Store, derived_id, moment, searchable
from roomctl.text.suggest import did_you_mean

JSON = Any


class Kind(NamedTuple):
    """A kind of record: its resource, its id's field, its name's field, and what may stand inside it."""

    resource: str
    id: str
    name: str = "name"
    inside: tuple[str, ...] = ()


KINDS: Final = {
    "users": Kind("User", "userId"),
    "themes": Kind("Theme", "socialThemeId", "socialThemeName"),
    "playlists": Kind("Playlist", "playlistId"),
    "roomSets": Kind("RoomSet", "socialRoomSetId", inside=("socials", "entryConfigs", "transcriptions")),
    "socials": Kind("Social", "socialId", inside=("ctaItems", "recordings")),
    "ctaItems": Kind("CTAItem", "CTAItemId"),
    "recordings": Kind("Recording", "socialRecordingId"),
    "entryConfigs": Kind("EntryConfig", "configurationId"),
    "transcriptions": Kind("Transcription", "socialTranscriptionId"),
    "events": Kind("Event", "socialEventId", inside=("registrations",)),
    "registrations": Kind("Registration", "registrationId"),
}
"""What a document holds, by the name of its list."""
TOP: Final = ("users", "themes", "playlists", "roomSets", "events", "recordings", "transcriptions")
_PEOPLE: Final = ("user", "hostUser", "updatedByUser")
_UNIQUE: Final = frozenset(KINDS) - {"ctaItems"}


def problems(document: JSON) -> list[Problem]:
    """List all that keeps a document from being a world, each with its path."""
    if not isinstance(document, dict):
        return [Problem("", f"must be an object with lists such as {', '.join(TOP)}")]
    found = [Problem(str(name), _unknown(str(name))) for name in document if name not in TOP]
    found += [each for name in TOP if name in document for each in _list(name, document[name], name)]
    return found or list(_twice(document))


def _unknown(name: str) -> str:
    return f"a world has no such list{did_you_mean(name, TOP) or '; it has ' + ', '.join(TOP)}"


def _list(name: str, rows: JSON, path: str) -> Iterator[Problem]:
    if not isinstance(rows, list):
        yield Problem(path, "must be an array")
        return
    for place, row in enumerate(rows):
        at, kind = f"{path}[{place}]", KINDS[name]
        inner = [each for each in kind.inside if isinstance(row, dict) and each in row]
        own = {key: row[key] for key in row if key not in inner} if inner else row
        for problem in check(kind.resource, own):
            yield Problem(f"{at}.{problem.path}" if problem.path else at, problem.message)
        for each in inner:
            yield from _list(each, row[each], f"{at}.{each}")


def _twice(document: JSON) -> Iterator[Problem]:
    """Find ids that come twice."""
    seen: dict[tuple[str, str], str] = {}
    for name, row, path in _walk(document, TOP, ""):
        key = row.get(KINDS[name].id)
        if name not in _UNIQUE or key is None:
            continue
        before = seen.setdefault((name, str(key).lower()), path)
        if before != path:
            yield Problem(f"{path}.{KINDS[name].id}", f"is the id of {before} too")


def _walk(row: JSON, names: tuple[str, ...], path: str) -> Iterator[tuple[str, JSON, str]]:
    for name in names:
        for place, each in enumerate(row.get(name) or ()):
            at = f"{path}.{name}[{place}]" if path else f"{name}[{place}]"
            yield name, each, at
            yield from _walk(each, KINDS[name].inside, at)


def fill(store: Store, document: JSON, *, seed: int = 1, now: datetime | None = None) -> Summary:
    """Put a world that has no problems in place of the one in the store, all or nothing; `now` stops its clock."""
    with store.writing():
        store.reset()
        summary = _Filling(store, document, seed, now).make()
        store.untouched()
    return summary


class _Filling:
    def __init__(self, store: Store, document: JSON, number: int, now: datetime | None) -> None:
        self.store, self.number, self.frozen = store, number, now is not None
        self.now = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
        self.document = {
            name: [self._named(name, row, f"{name}[{place}]") for place, row in enumerate(document.get(name) or ())]
            for name in TOP
        }
        self.users: dict[str, JSON] = {}
        self.by_address: dict[str, JSON] = {}

    def _named(self, name: str, row: JSON, path: str) -> JSON:
        """Give a record its id, and those inside it theirs; leave out what is null."""
        kind = KINDS[name]
        made = {key: value for key, value in row.items() if value is not None}
        given = made.get(kind.id)
        made[kind.id] = given.lower() if isinstance(given, str) else given
        if given is None:
            made[kind.id] = derived_id(self.number, path, made.get(kind.name, ""))
        for inner in kind.inside:
            rows = made.get(inner) or []
            made[inner] = [self._named(inner, each, f"{path}.{inner}[{place}]") for place, each in enumerate(rows)]
        return made

    def make(self) -> Summary:
        self.store.set_meta("seed", str(self.number))
        if self.frozen:
            self.store.freeze(self.now)
        for each in self.document["users"]:
            self.known(each)
        self.me = next(iter(self.users.values()), None) or self.known({"name": "Me"})
        self.store.set_meta(ME, self.me["userId"])
        for kind, name in (("theme", "themes"), ("playlist", "playlists")):
            self.store.put_all(Document(kind, each[KINDS[name].id], ME, each) for each in self.document[name])
        rooms = sum(self._set(each) for each in self.document["roomSets"])
        self._media("recording", self.document["recordings"], {})
        self._media("transcription", self.document["transcriptions"], {})
        events = tuple(self._event(each) for each in self.document["events"])
        self.store.put_all(Document("user", key, "", each) for key, each in self.users.items())
        return Summary(events, rooms, len(self.users))

    def known(self, user: JSON) -> JSON:
        """Give the person that a record names by id or address, as the list of users has them; else a new one."""
        address = str(user.get("emailAddress") or "").casefold()
        key = str(user.get("userId") or "").lower()
        found = self.users.get(key) or self.by_address.get(address)
        if found is None:
            words = (address, user.get("name", "")) if address else ("", user.get("name", ""), len(self.users))
            found = {"active": True, **user, "userId": key or derived_id(self.number, "user", *words)}
            self.users[found["userId"]] = found
            if address:
                self.by_address[address] = found
        return found

    def whole(self, row: JSON) -> JSON:
        """Fill in the people that a record names."""
        made = dict(row)
        for name in _PEOPLE:
            if isinstance(made.get(name), dict):
                made[name] = self.known(made[name])
        if isinstance(made.get("alternateHosts"), list):
            made["alternateHosts"] = [self.known(each) for each in made["alternateHosts"]]
        return made

    def _set(self, row: JSON) -> int:
        key = row["socialRoomSetId"]
        rooms, configs = row.pop("socials"), row.pop("entryConfigs")
        self._media("transcription", row.pop("transcriptions"), {"socialRoomSetId": key})
        default = configs[0]["configurationId"] if configs else None
        made = [self._room(each, key, default) for each in rooms]
        self.store.put_all(Document("social", each["socialId"], key, each) for each in made)
        for config in configs:
            named = [each["socialId"] for each in made if each.get("configurationId") == config["configurationId"]]
            doc = {"entryOption": "DEFAULT", "rules": [], "associatedSocialIds": named, **config}
            self.store.put(Document("config", config["configurationId"], key, doc))
        doc = {"name": "Room set", "entryOption": "CUSTOM_RULES" if configs else "DEFAULT", **SET_DEFAULTS}
        self.store.put(Document("roomset", key, ME, {**doc, "hostUser": self.me, **self.whole(row)}))
        return len(made)

    def _room(self, row: JSON, parent: str, config: str | None) -> JSON:
        key, made = row["socialId"], self.whole(row)
        for place, item in enumerate(made.pop("ctaItems"), 1):
            number = item["CTAItemId"] if isinstance(item["CTAItemId"], int) else place
            self.store.put(Document("cta", f"{key}/{number}", key, {**item, "CTAItemId": number}))
        self._media("recording", made.pop("recordings"), {"socialId": key})
        if theme := self._theme(made.pop("theme", None)):
            made.setdefault("themeId", theme)
        host = made.get("user") or self.me
        meta = {"socialMetaId": derived_id(self.number, "meta", key), "numberOfInvites": 0, "numberOfAttendees": 0}
        given = {name: value for name, value in made.pop("socialMeta", {}).items() if value is not None}
        meta |= {"numberCurrentlyPresent": 0, **given}
        doc = {**ROOM_DEFAULTS, "name": "Room", "isOpen": True, "dateCreated": moment(self.now)}
        doc |= {"user": host, "userId": host["userId"], "socialURI": f"https://rooms.example.org/s/{key[:8]}"}
        doc |= {"configurationId": config} if config else {}
        return {**doc, **made, "socialRoomSetId": parent, "socialMeta": meta}

    def _theme(self, theme: JSON) -> str | None:
        """Give the id of the theme that a room names by its id or name; one that is not listed is a new one."""
        if not theme:
            return None
        fields = ("socialThemeId", "socialThemeName")
        for each in self.document["themes"]:
            if any(theme.get(name) and theme[name] == each.get(name) for name in fields):
                return str(each["socialThemeId"])
        key = theme.get("socialThemeId") or derived_id(self.number, "theme", theme.get("socialThemeName", ""))
        self.store.put(Document("theme", key, ME, {**theme, "socialThemeId": key}))
        return str(key)

    def _media(self, kind: str, rows: list[JSON], also: JSON) -> None:
        times = {"startDateTime": moment(self.now), "processingStartDateTime": moment(self.now)}
        for row in rows:
            made = {"status": "COMPLETE", **times, "user": self.me, **also, **self.whole(row)}
            if kind == "recording":
                made.setdefault("userId", made["user"]["userId"])
                made["participants"] = [self._visit(each) for each in made.get("participants", ())]
            made["processingStartDateTime"] = made["processingStartDateTime"].upper()
            key = made[KINDS[f"{kind}s"].id]
            self.store.put(Document(kind, key, ME, made))

    def _visit(self, visit: JSON) -> JSON:
        named = visit.get("user") or ({"userId": visit["userId"]} if visit.get("userId") else None)
        user = self.known(named) if named else None
        return {**visit, "userId": user["userId"], "user": user} if user else visit

    def _event(self, row: JSON) -> Event:
        rows, event = row.pop("registrations"), self.whole(row)
        key = event["socialEventId"]
        self.store.put(Document("event", key, ME, event))
        made = (self._registration(each, event) for each in rows)
        self.store.add_all("registration", key, ((each["registrationId"], each, searchable(each)) for each in made))
        return Event(key, event.get("name", ""), len(rows))

    def _registration(self, row: JSON, event: JSON) -> JSON:
        own = {"registeredDateTime": moment(self.now), "confirmed": False, **self.whole(row)}
        return {**own, "event": event}
