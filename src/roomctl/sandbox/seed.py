"""A small world for the sandbox: people, room sets, rooms, events, recordings. The same numbers make the same world."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, NamedTuple

from roomctl.sandbox.people import person
from roomctl.sandbox.records import ME
from roomctl.sandbox.rooms import DEFAULTS as ROOM_DEFAULTS
from roomctl.sandbox.roomsets import DEFAULTS as SET_DEFAULTS
from roomctl.sandbox.store import Document, Store, derived_id, moment, searchable

JSON = Any
PEOPLE = 60
SETS = {
    "Autumn Summit": ("Main Stage", "Networking Lounge", "Green Room", "Help Desk"),
    "Team Socials": ("Coffee Corner", "Board Games", "Quiet Library"),
    "Onboarding": ("Welcome Hall", "Q&A"),
    "Archive 2025": ("Main Stage 2025", "Lounge 2025"),
}
QUESTIONS = {
    "Dietary needs": ("none", "vegetarian", "vegan", "halal", "gluten-free"),
    "T-shirt size": ("S", "M", "L", "XL"),
    "How did you hear of us?": ("a colleague", "newsletter", "search, and then a friend", "“word of mouth”"),
    "Customer number": ("007", "0042", "12345678901234567890", "-1"),
}
SOURCES = ("WEB", "INVITE", "IMPORT", "PARTNER")


class Event(NamedTuple):
    """A seeded event: the service has no operation that lists events, so its id is told when it is made."""

    id: str
    name: str
    registrations: int


class Summary(NamedTuple):
    """What was made."""

    events: tuple[Event, ...]
    rooms: int
    people: int


def seed(
    store: Store, *, registrations: int = 250, seed: int = 1, now: datetime | None = None, replace: bool = False
) -> Summary:
    """Fill an empty store, all or nothing; `now` stops its clock. `registrations` are those of the first event.

    A store with a world in it keeps that world (another process was first), or with `replace` loses it.
    """
    with store.writing():
        if replace:
            store.reset()
        if not store.empty:
            return _found(store)
        summary = _World(store, registrations, seed, now).make()
        store.untouched()
        return summary


def _found(store: Store) -> Summary:
    events = store.all("event", ME)
    told = (
        Event(each["socialEventId"], each["name"], store.count("registration", each["socialEventId"]))
        for each in events
    )
    return Summary(tuple(told), store.total("social"), store.total("user"))


class _World:
    def __init__(self, store: Store, registrations: int, number: int, now: datetime | None) -> None:
        self.store, self.registrations, self.number = store, registrations, number
        self.now = (now or datetime.now(UTC)).astimezone(UTC).replace(microsecond=0)
        self.frozen = now is not None
        self.random = Random(number)  # noqa: S311  (a world, not a secret)
        self.people = [person(self.random, each, number) for each in range(PEOPLE)]

    def make(self) -> Summary:
        self.store.set_meta("seed", str(self.number))
        self.store.set_meta(ME, self.people[0]["userId"])
        if self.frozen:
            self.store.freeze(self.now)
        self.store.put_all(Document("user", each["userId"], "", each) for each in self.people)
        rooms = [room for name, names in SETS.items() for room in self._set(name, names)]
        self._media(rooms)
        events = (
            self._event("Autumn Summit 2026", self.registrations, 0),
            self._event("New Year Mixer", min(self.registrations, 12), 45),
        )
        return Summary(events, len(rooms), PEOPLE)

    def id(self, *parts: object) -> str:
        return derived_id(self.number, *parts)

    def at(self, **ago: float) -> str:
        return moment(self.now + timedelta(**ago))

    def _set(self, name: str, names: tuple[str, ...]) -> list[JSON]:
        key, host = self.id("set", name), self.people[0]
        archive = name.startswith("Archive")
        theme = self._theme(name)
        config = self.id("config", name)
        rooms = [self._room(name, key, each, place, archive) for place, each in enumerate(names)]
        for room in rooms:
            room |= {"themeId": theme, "configurationId": config}
            self.store.put(Document("social", room["socialId"], key, room))
        doc = {**SET_DEFAULTS, "socialRoomSetId": key, "name": name, "description": f"{name}: {len(names)} rooms"}
        doc |= {"entryOption": "CUSTOM_RULES", "hostUser": host, "alternateHosts": [self.people[1]]}
        doc["startingPointSocialId"] = rooms[0]["socialId"]
        self.store.put(Document("roomset", key, ME, doc))
        self.store.put(Document("config", config, key, self._config(config, name, rooms)))
        return rooms

    def _config(self, key: str, name: str, rooms: list[JSON]) -> JSON:
        return {
            "configurationId": key,
            "name": f"Doors of {name}",
            "entryOption": "CUSTOM_RULES",
            "groupSpawnSize": 4,
            "groupFormerCount": 2,
            "startingPointX": 120,
            "startingPointY": 80,
            "entryFlow": "SPIRAL",
            "rules": [{"property": "emailAddress", "operator": "ENDS_WITH", "value": "@example.org"}],
            "associatedSocialIds": [room["socialId"] for room in rooms],
        }

    def _room(self, set_name: str, parent: str, name: str, place: int, archive: bool) -> JSON:
        key = self.id("room", set_name, name)
        present = 0 if archive or place == 2 else self.random.randrange(3, 40)
        begins = -400 * 24 if archive else -2 + place
        room = {
            **ROOM_DEFAULTS,
            "socialId": key,
            "socialRoomSetId": parent,
            "userId": self.people[place]["userId"],
            "user": self.people[place],
            "name": name,
            "description": f"{name} of {set_name}",
            "socialURI": f"https://rooms.example.org/s/{key[:8]}",
            "isOpen": not archive,
            "recurring": set_name == "Team Socials",
            "allowGuestUsers": place % 2 == 0,
            "maxParticipants": 50 + 50 * place,
            "startDateTime": self.at(hours=begins),
            "endDateTime": self.at(hours=begins + 4),
            "dateCreated": self.at(days=-30 if not archive else -420),
            "companyName": "Example GmbH",
            "socialMeta": {
                "socialMetaId": self.id("meta", key),
                "numberOfInvites": 40,
                "numberOfAttendees": present + 5,
                "numberCurrentlyPresent": present,
            },
        }
        self._cta(key, place)
        return room

    def _cta(self, room: str, place: int) -> None:
        for number in range(1, 4):
            url = number % 2 == 1
            item = {
                "CTAItemId": place * 10 + number,
                "type": "URL" if url else "DOWNLOAD",
                "name": ("Agenda", "Slides", "Feedback")[number - 1],
                "text": ("See the agenda", "Get the slides", "Tell us how it was")[number - 1],
                "url": f"https://example.org/{('agenda', 'slides.pdf', 'feedback')[number - 1]}",
                "x": 100 * number,
                "y": 60 + 40 * place,
                "imageWidth": 64,
                "imageHeight": 64,
                "buttonColor": "#2255aa",
                "buttonTextColor": "#ffffff",
                "buttonSize": ("SMALL", "MEDIUM", "LARGE")[number - 1],
                "buttonVisible": True,
                "traversable": not url,
            }
            self.store.put(Document("cta", f"{room}/{item['CTAItemId']}", room, item))

    def _theme(self, name: str) -> str:
        key = self.id("theme", name)
        doc = {
            "socialThemeId": key,
            "type": "SINGLE_COLOR",
            "socialThemeName": f"{name} theme",
            "colorPrimary": "#2255aa",
            "colorSecondary": "#ffcc00",
            "colorBackground": "#102030",
            "colorButtonText": "#ffffff",
            "colorButtonBG": "#2255aa",
            "dateCreated": self.at(days=-60),
            "multiSize": False,
            "addToMiniMap": True,
        }
        self.store.put(Document("theme", key, ME, doc))
        return key

    def _media(self, rooms: list[JSON]) -> None:
        key = self.id("playlist")
        playlist = {"playlistId": key, "name": "Arrivals", "type": "FREE_PLAYLIST", "qty": 12}
        self.store.put(Document("playlist", key, ME, {**playlist, "available": True}))
        for number, room in enumerate(rooms[:6]):
            self._recording(number, room)
        for number, name in enumerate(("Keynote", "Panel", "Closing", "Broken microphone")):
            key = self.id("transcription", number)
            status = ("COMPLETE", "COMPLETE", "PROCESSING", "FAILED")[number]
            doc: JSON = {
                "socialTranscriptionId": key,
                "socialRoomSetId": rooms[0]["socialRoomSetId"],
                "status": status,
                "name": name,
                "storageBucket": "transcriptions",
                "startDateTime": self.at(hours=-3 + number),
                "processingStartDateTime": self.at(minutes=0 if status == "PROCESSING" else -30),
                "user": self.people[0],
            }
            if status != "PROCESSING":
                doc["processingEndDateTime"] = self.at(minutes=-20)
            self.store.put(Document("transcription", key, ME, doc))

    def _recording(self, number: int, room: JSON) -> None:
        key, begins = self.id("recording", number), -120 + 10 * number
        status = ("COMPLETE", "COMPLETE", "PROCESSING", "FAILED", "COMPLETE", "COMPLETE")[number]
        doc = {
            "socialRecordingId": key,
            "socialId": room["socialId"],
            "userId": self.people[0]["userId"],
            "recordingId": f"rec-{number + 1:03}",
            "status": status,
            "name": f"{room['name']} recording",
            "storageBucket": "recordings",
            "recordingSize": 1_000_000 + 123_456 * number,
            "startDateTime": self.at(minutes=begins),
            "endDateTime": self.at(minutes=begins + 90),
            "processingStartDateTime": self.at(minutes=0 if status == "PROCESSING" else begins + 90),
            "participants": list(self._visits(begins)),
            "user": self.people[0],
        }
        self.store.put(Document("recording", key, ME, doc))

    def _visits(self, begins: int) -> Iterator[JSON]:
        """Who was there when: some twice, some through two doors at once."""
        for user in self.people[: self.random.randrange(12, 30)]:
            start = begins + self.random.randrange(0, 50)
            for visit in range(self.random.choice((1, 1, 1, 2))):
                came = start + 30 * visit
                left = came + self.random.randrange(5, 45)
                times = {"startDateTime": self.at(minutes=came), "endDateTime": self.at(minutes=left)}
                yield {"userId": user["userId"], **times, "user": user}

    def _event(self, name: str, registrations: int, days: int) -> Event:
        key = self.id("event", name)
        event = {
            "socialEventId": key,
            "name": name,
            "description": f"{name}, with everyone",
            "eventLink": f"https://rooms.example.org/e/{key[:8]}",
            "eventColor": "#2255aa",
            "validateParticipants": True,
            "startDateTime": self.at(days=days, hours=-2),
            "endDateTime": self.at(days=days, hours=6),
            "socialRoomSetId": self.id("set", "Autumn Summit"),
        }
        self.store.put(Document("event", key, ME, event))
        words = searchable(event)
        rows = (self._registration(key, event, number) for number in range(registrations))
        self.store.add_all("registration", key, ((row["registrationId"], row, _words(row, words)) for row in rows))
        return Event(key, name, registrations)

    def _registration(self, key: str, event: JSON, number: int) -> JSON:
        random = self.random
        user = self.people[number] if number < PEOPLE else person(random, number, self.number)
        registration = derived_id(self.number, "registration", key, number)
        return {
            "registrationId": registration,
            "source": random.choice(SOURCES),
            "registeredDateTime": self.at(days=-20 * random.random() ** 2),
            "confirmed": random.random() < 0.8,
            "user": user,
            "event": event,
            "values": [
                {"name": name, "value": random.choice(answers)}
                for name, answers in QUESTIONS.items()
                if random.random() < 0.8
            ],
            "guestBearer": f"sandbox-not-a-credential-{registration[:8]}",
            "refreshBearer": f"sandbox-not-a-credential-{registration[-8:]}",
        }


def _words(row: JSON, event: str) -> str:
    """What `searchable` gives of a registration, quicker: its event is the same in each of them."""
    own = [row["registrationId"], row["source"], row["registeredDateTime"]]
    own += [value for value in row["user"].values() if value.__class__ is str]
    own += [text for pair in row["values"] for text in pair.values()]
    return "\n".join([*own, event]).casefold()
