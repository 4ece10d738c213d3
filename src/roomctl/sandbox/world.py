"""A world, from a document: generated, or a person's own. It is checked, then put into the store.

A record is written as the interface shows it, with what belongs to it inside. What has no id gets one that follows from
its place and its name; what a record must have gets a default.
"""

from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from roomctl.sandbox.handlers.records import ME, without_nulls
from roomctl.sandbox.handlers.rooms import DEFAULTS as ROOM_DEFAULTS
from roomctl.sandbox.handlers.roomsets import DEFAULTS as SET_DEFAULTS
from roomctl.sandbox.store import Document, Store, derived_id, moment
from roomctl.text import JSON
from roomctl.text.suggest import did_you_mean

_PEOPLE: Final = ("user", "hostUser", "updatedByUser")


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


class Event(NamedTuple):
    """A seeded event: the service has no operation that lists events, so its id is told when it is made."""

    id: str
    name: str
    registrations: int


def example() -> str:
    return Path(__file__).with_name("example.yaml").read_text(encoding="utf-8")


def problems(document: JSON) -> list[tuple[str, str]]:
    if not isinstance(document, dict):
        return [("", f"must be an object with lists such as {', '.join(TOP)}")]
    found = []
    for name in (str(name) for name in document if name not in TOP):
        known = did_you_mean(name, TOP, "") or f"it has {', '.join(TOP)}"
        found.append((name, f"a world has no such list; {known}"))
    ids: dict[tuple[str, str], str] = {}
    return found + [each for name in TOP if name in document for each in _check_list(name, document[name], name, ids)]


def _check_list(name: str, rows: JSON, path: str, ids: dict[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    """Check the rows of a list, and what stands inside them; `ids` are those of rows before, and where they stand."""
    from roomctl.contract.validation import check

    if not isinstance(rows, list):
        yield path, "must be an array"
        return
    kind = KINDS[name]
    for place, row in enumerate(rows):
        at = f"{path}[{place}]"
        inner = [each for each in kind.inside if isinstance(row, dict) and each in row]
        own = {key: row[key] for key in row if key not in inner} if inner else row
        for problem in check(kind.resource, own):
            yield f"{at}.{problem.path}" if problem.path else at, problem.message
        key = row.get(kind.id) if isinstance(row, dict) and name != "ctaItems" else None
        if key is not None and (before := ids.setdefault((name, str(key).lower()), at)) != at:
            yield f"{at}.{kind.id}", f"is also the id of {before}"
        for each in inner:
            yield from _check_list(each, row[each], f"{at}.{each}", ids)


def seeded_events(store: Store) -> list[Event]:
    return [
        Event(each["socialEventId"], each.get("name", ""), store.count("registration", each["socialEventId"]))
        for each in store.all("event", ME)
    ]


def fill(
    store: Store, document: JSON, *, seed: int = 1, now: datetime | None = None,
    registrations: Callable[[JSON], Iterable[JSON]] | None = None,
) -> list[Event]:  # fmt: skip
    """Put a world that has no problems in place of the one in the store, all or nothing; `now` stops its clock.

    `registrations` gives those of an event.
    """
    with store.writing():
        if not store.empty:  # an empty one may hold how its gaps are read
            store.reset()
        store.set_meta("seed", str(seed))
        if now is not None:
            store.freeze(now)
        _World(store, document, seed, now or datetime.now(UTC)).put(registrations)
        return seeded_events(store)


def _complete(row: JSON, **defaults: JSON) -> JSON:
    return {**row, **{name: value for name, value in defaults.items() if name not in row}}


class _World:
    def __init__(self, store: Store, document: JSON, seed: int, now: datetime) -> None:
        self.store, self.seed, self.now = store, seed, moment(now)
        self.document = {
            name: [self._identify(name, row, f"{name}[{place}]") for place, row in enumerate(document.get(name) or ())]
            for name in TOP
        }
        self.users: dict[str, JSON] = {}
        self.by_address: dict[str, JSON] = {}

    def _identify(self, name: str, row: JSON, path: str) -> JSON:
        kind = KINDS[name]
        made = {key: value for key, value in row.items() if value is not None}
        given = made.get(kind.id)
        made[kind.id] = given.lower() if isinstance(given, str) else given
        if given is None:
            made[kind.id] = derived_id(self.seed, path, made.get(kind.name, ""))
        for inner in kind.inside:
            rows = made.get(inner) or []
            made[inner] = [self._identify(inner, each, f"{path}.{inner}[{place}]") for place, each in enumerate(rows)]
        return made

    def put(self, registrations: Callable[[JSON], Iterable[JSON]] | None) -> None:
        for each in self.document["users"]:
            self._person(each)
        self.me = next(iter(self.users.values()), None) or self._person({"name": "Me"})
        self.store.set_meta(ME, self.me["userId"])
        for kind, name in (("theme", "themes"), ("playlist", "playlists")):
            self.store.put(*(Document(kind, each[KINDS[name].id], ME, each) for each in self.document[name]))
        for each in self.document["roomSets"]:
            self._room_set(each)
        self._media("recording", self.document["recordings"])
        self._media("transcription", self.document["transcriptions"])
        for each in self.document["events"]:
            self._event(each, registrations)
        self.store.put(*(Document("user", key, "", each) for key, each in self.users.items()))

    def _person(self, user: JSON) -> JSON:
        """Give the person that a record names by id or address, as the list of users has them; else a new one."""
        address = str(user.get("emailAddress") or "").casefold()
        key = str(user.get("userId") or "").lower()
        found = self.users.get(key) or self.by_address.get(address)
        if found is None:
            words = (address, user.get("name", "")) if address else ("", user.get("name", ""), len(self.users))
            found = _complete({**user, "userId": key or derived_id(self.seed, "user", *words)}, active=True)
            self.users[found["userId"]] = found
            if address:
                self.by_address[address] = found
        return found

    def _with_people(self, row: JSON) -> JSON:
        made = {name: self._person(row[name]) for name in _PEOPLE if isinstance(row.get(name), dict)}
        if isinstance(row.get("alternateHosts"), list):
            made["alternateHosts"] = [self._person(each) for each in row["alternateHosts"]]
        return {**row, **made}

    def _room_set(self, row: JSON) -> None:
        key, rooms, configs = row["socialRoomSetId"], row.pop("socials"), row.pop("entryConfigs")
        self._media("transcription", row.pop("transcriptions"), socialRoomSetId=key)
        given = {"configurationId": configs[0]["configurationId"]} if configs else {}
        made = [self._room(_complete(each, socialRoomSetId=key, **given), key) for each in rooms]
        self.store.put(*(Document("social", each["socialId"], key, each) for each in made))
        for config in configs:
            named = [each["socialId"] for each in made if each.get("configurationId") == config["configurationId"]]
            doc = _complete(config, entryOption="DEFAULT", rules=[], associatedSocialIds=named)
            self.store.put(Document("config", config["configurationId"], key, doc))
        entry = "CUSTOM_RULES" if configs else "DEFAULT"
        doc = _complete(self._with_people(row), name="Room set", entryOption=entry, **SET_DEFAULTS, hostUser=self.me)
        self.store.put(Document("roomset", key, ME, doc))

    def _room(self, row: JSON, parent: str) -> JSON:
        key, made = row["socialId"], self._with_people(row)
        for place, item in enumerate(made.pop("ctaItems"), 1):
            number = item["CTAItemId"] if isinstance(item["CTAItemId"], int) else place
            self.store.put(Document("cta", f"{key}/{number}", key, {**item, "CTAItemId": number}))
        self._media("recording", made.pop("recordings"), socialId=key)
        host = made.get("user") or self.me
        meta = without_nulls(made.get("socialMeta", {}))
        numbers = dict.fromkeys(("numberOfInvites", "numberOfAttendees", "numberCurrentlyPresent"), 0)
        made["socialMeta"] = _complete(meta, socialMetaId=derived_id(self.seed, "meta", key), **numbers)
        made = _complete(made, name="Room", isOpen=True, dateCreated=self.now, user=host, userId=host["userId"])
        uri = f"https://rooms.example.org/s/{key[:8]}"
        return _complete({**made, "socialRoomSetId": parent}, socialURI=uri, **ROOM_DEFAULTS)

    def _media(self, kind: str, rows: list[JSON], **also: str) -> None:
        """Put recordings or transcriptions, made now by me where they do not say otherwise."""
        times = {"startDateTime": self.now, "processingStartDateTime": self.now}
        for row in rows:
            made = _complete(self._with_people(row), status="COMPLETE", **times, user=self.me, **also)
            if kind == "recording":
                made.setdefault("userId", made["user"]["userId"])
                visits = made["participants"] = list(made.get("participants", ()))
                for place, visit in enumerate(visits):
                    if named := visit.get("user") or (visit.get("userId") and {"userId": visit["userId"]}):
                        user = self._person(named)
                        visits[place] = {**visit, "userId": user["userId"], "user": user}
            made["processingStartDateTime"] = made["processingStartDateTime"].upper()
            self.store.put(Document(kind, made[KINDS[f"{kind}s"].id], ME, made))

    def _event(self, row: JSON, registrations: Callable[[JSON], Iterable[JSON]] | None) -> None:
        rows, event = row.pop("registrations"), self._with_people(row)
        key = event["socialEventId"]
        self.store.put(Document("event", key, ME, event))
        also = {"registeredDateTime": self.now, "confirmed": False}
        own = ({**_complete(self._with_people(each), **also), "event": event} for each in rows)
        found = registrations(event) if registrations else own
        self.store.add_all(Document("registration", each["registrationId"], key, each) for each in found)
