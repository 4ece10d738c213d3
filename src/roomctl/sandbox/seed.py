"""The world that the sandbox begins with: the same number makes the same one."""

import tomllib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path
from random import Random

from roomctl.sandbox.handlers.rooms import DEFAULTS as ROOM_DEFAULTS
from roomctl.sandbox.handlers.roomsets import DEFAULTS as SET_DEFAULTS
from roomctl.sandbox.store import Store, derived_id, moment
from roomctl.sandbox.world import Event, fill, seeded_events
from roomctl.text import JSON

PEOPLE = 60


def seed(
    store: Store,
    *,
    registrations: int = 250,
    seed: int = 1,
    now: datetime | None = None,
    tell: Callable[[int], None] = lambda _: None,
) -> list[Event]:
    """Fill an empty store, all or nothing; one that has a world keeps it.

    `now` stops its clock. `registrations` are those of the first event; `tell` hears how many were made.
    """
    with store.writing():
        if not store.empty:
            return seeded_events(store)
        made = _Generator(registrations, seed, now or datetime.now(UTC), tell)
        return fill(store, made.document(), seed=seed, now=now, registrations=made.registrations)


class _Generator:
    def __init__(self, registrations: int, number: int, now: datetime, tell: Callable[[int], None]) -> None:
        self.number, self.now, self.tell = number, now.astimezone(UTC).replace(microsecond=0), tell
        self.main, self.made = registrations, 0
        self.events = {"Autumn Summit 2026": (registrations, 0), "New Year Mixer": (min(registrations, 12), 45)}
        self.random = Random(number)  # noqa: S311  (a world, not a secret)
        self.data = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
        self.people = [self._person(each) for each in range(PEOPLE)]

    def id(self, *parts: object) -> str:
        return derived_id(self.number, *parts)

    def at(self, **ago: float) -> str:
        return moment(self.now + timedelta(**ago))

    def document(self) -> JSON:
        sets = [self._set(name, names) for name, names in self.data["room_sets"].items()]
        playlist = {"playlistId": self.id("playlist"), "name": "Arrivals", "type": "FREE_PLAYLIST", "qty": 12}
        rooms = [room for each in sets for room in each["socials"]]
        return {
            "users": self.people,
            "themes": [{
                "socialThemeId": self.id("theme", name), "type": "SINGLE_COLOR", "socialThemeName": f"{name} theme",
                "colorPrimary": "#2255aa", "colorSecondary": "#ffcc00", "colorBackground": "#102030",
                "colorButtonText": "#ffffff", "colorButtonBG": "#2255aa", "dateCreated": self.at(days=-60),
                "multiSize": False, "addToMiniMap": True,
            } for name in self.data["room_sets"]],
            "playlists": [{**playlist, "available": True}],
            "roomSets": sets,
            "recordings": list(map(self._recording, count(), self.data["recordings"], rooms)),
            "transcriptions": [self._transcription(*each) for each in enumerate(self.data["transcriptions"].items())],
            "events": [self._event(name, days) for name, (_, days) in self.events.items()],
        }  # fmt: skip

    def _person(self, number: int) -> JSON:
        random, data = self.random, self.data
        firsts, lasts = data["first_names"], data["last_names"]
        if number < len(firsts):
            first, last = firsts[number], lasts[number]
        elif random.random() < 0.02:
            first, last = data["special_names"][number % len(data["special_names"])]
        else:
            first, last = random.choice(firsts), random.choice(lasts)
        suffix = "" if number < len(firsts) else str(number)
        phone = random.choice(data["phones"])
        return {
            "userId": self.id("user", number), "name": f"{first} {last}", "firstName": first, "lastName": last,
            "emailAddress": f"{_ascii(first)}.{_ascii(last)}{suffix}@example.org",
            "emailVerified": random.random() < 0.9,
            "mobilePhone": phone.format(random.randrange(10 ** int(phone[-2]))),
            "mobilePhoneVerified": random.random() < 0.5, "timeZone": random.choice(data["zones"]), "active": True,
        }  # fmt: skip

    # fmt: off
    def _set(self, name: str, names: tuple[str, ...]) -> JSON:
        rooms = [self._room(name, each, place) for place, each in enumerate(names)]
        return {
            **SET_DEFAULTS, "socialRoomSetId": self.id("set", name), "name": name,
            "description": f"{name}: {len(names)} rooms", "entryOption": "CUSTOM_RULES", "hostUser": self.people[0],
            "alternateHosts": [self.people[1]], "startingPointSocialId": rooms[0]["socialId"],
            "socials": rooms,
            "entryConfigs": [{
                "configurationId": self.id("config", name), "name": f"Doors of {name}", "entryOption": "CUSTOM_RULES",
                "groupSpawnSize": 4, "groupFormerCount": 2, "startingPointX": 120, "startingPointY": 80,
                "entryFlow": "SPIRAL",
                "rules": [{"property": "emailAddress", "operator": "ENDS_WITH", "value": "@example.org"}],
                "associatedSocialIds": [room["socialId"] for room in rooms],
            }],
        }

    def _room(self, set_name: str, name: str, place: int) -> JSON:
        key, archive = self.id("room", set_name, name), set_name.startswith("Archive")
        present = 0 if archive or place == 2 else self.random.randrange(3, 40)
        begins = -400 * 24 if archive else -2 + place
        return {
            **ROOM_DEFAULTS, "socialId": key, "socialRoomSetId": self.id("set", set_name),
            "userId": self.people[place]["userId"], "user": self.people[place], "name": name,
            "description": f"{name} of {set_name}", "socialURI": f"https://rooms.example.org/s/{key[:8]}",
            "isOpen": not archive, "recurring": set_name == "Team Socials", "allowGuestUsers": place % 2 == 0,
            "maxParticipants": 50 + 50 * place,
            "startDateTime": self.at(hours=begins), "endDateTime": self.at(hours=begins + 4),
            "dateCreated": self.at(days=-30 if not archive else -420), "companyName": "Example GmbH",
            "socialMeta": {
                "socialMetaId": self.id("meta", key), "numberOfInvites": 40, "numberOfAttendees": present + 5,
                "numberCurrentlyPresent": present,
            },
            "themeId": self.id("theme", set_name), "configurationId": self.id("config", set_name),
            "ctaItems": [{
                "CTAItemId": place * 10 + number, **{name: item[name] for name in ("type", "name", "text", "url")},
                "x": 100 * number, "y": 60 + 40 * place, "imageWidth": 64, "imageHeight": 64,
                "buttonColor": "#2255aa", "buttonTextColor": "#ffffff", "buttonSize": item["buttonSize"],
                "buttonVisible": True, "traversable": item["type"] != "URL",
            } for number, item in enumerate(self.data["cta_items"], 1)],
        }

    def _transcription(self, number: int, named: tuple[str, str]) -> JSON:
        name, status = named
        ended = {} if status == "PROCESSING" else {"processingEndDateTime": self.at(minutes=-20)}
        return {
            "socialTranscriptionId": self.id("transcription", number),
            "socialRoomSetId": self.id("set", "Autumn Summit"), "status": status, "name": name,
            "storageBucket": "transcriptions", "startDateTime": self.at(hours=-3 + number),
            "processingStartDateTime": self.at(minutes=0 if status == "PROCESSING" else -30),
            "user": self.people[0], **ended,
        }

    def _recording(self, number: int, status: str, room: JSON) -> JSON:
        begins, ends = -120 + number, -number
        return {
            "socialRecordingId": self.id("recording", number), "socialId": room["socialId"],
            "userId": self.people[0]["userId"], "recordingId": f"rec-{number + 1:03}", "status": status,
            "name": f"{room['name']} recording", "storageBucket": "recordings",
            "recordingSize": 1_000_000 + 123_456 * number,
            "startDateTime": self.at(minutes=begins), "endDateTime": self.at(minutes=ends),
            "processingStartDateTime": self.at(minutes=0 if status == "PROCESSING" else ends),
            "participants": list(self._visits(begins)), "user": self.people[0],
        }

    def _event(self, name: str, days: int) -> JSON:
        key = self.id("event", name)
        return {
            "socialEventId": key, "name": name, "description": f"{name}, with everyone",
            "eventLink": f"https://rooms.example.org/e/{key[:8]}", "eventColor": "#2255aa",
            "validateParticipants": True,
            "startDateTime": self.at(days=days, hours=-2), "endDateTime": self.at(days=days),
            "socialRoomSetId": self.id("set", "Autumn Summit"),
        }
    # fmt: on

    def _visits(self, begins: int) -> Iterator[JSON]:
        for user in self.people[: self.random.randrange(12, 30)]:
            start = begins + self.random.randrange(0, 50) * 4 // 5
            for visit in range(self.random.choice((1, 1, 1, 2))):
                came = start + 30 * visit
                left = came + self.random.randrange(5, 45)
                times = {"startDateTime": self.at(minutes=came), "endDateTime": self.at(minutes=left)}
                yield {"userId": user["userId"], **times, "user": user}

    def registrations(self, event: JSON) -> Iterator[JSON]:
        random, questions = self.random, self.data["questions"].items()
        for number in range(self.events[event["name"]][0]):
            self.made += 1
            self.tell(min(self.made, self.main))
            user = self.people[number] if number < PEOPLE else self._person(number)
            key = self.id("registration", event["socialEventId"], number)
            yield {
                "registrationId": key, "source": random.choice(self.data["sources"]),
                "registeredDateTime": self.at(days=-20 * random.random() ** 2), "confirmed": random.random() < 0.8,
                "user": user, "event": event,
                "values": [
                    {"name": name, "value": random.choice(each)} for name, each in questions if random.random() < 0.8
                ],
                "guestBearer": f"sandbox-not-a-credential-{key[:8]}",
                "refreshBearer": f"sandbox-not-a-credential-{key[-8:]}",
            }  # fmt: skip


@cache  # a large world has few names
def _ascii(text: str) -> str:
    import unicodedata

    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower()
    return "".join(character for character in plain if character.isalnum()) or f"u{len(text)}"
