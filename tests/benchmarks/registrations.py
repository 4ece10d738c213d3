"""A long list of registrations on loopback: `python -m tests.benchmarks.registrations ROWS [AWAY]`, prints its port.

Each page is made once, when it is asked for, by putting numbers into a template, so that serving it costs next to
nothing. Each registration is about 1.2 KB of JSON, bearer fields included.
"""

import json
import re
import sys
import time
from functools import cache, lru_cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

EVENT = "00000000-0000-4000-8000-000000999999"
ROOM_SET = "20000000-0000-4000-8000-000000000001"
_NUMBER = "%(n)012d"


@lru_cache(maxsize=1)
def template() -> str:
    user: Any = {"userId": f"10000000-0000-4000-8000-{_NUMBER}", "name": f"Jürgen Müller {_NUMBER}"}
    user |= {"emailAddress": f"j{_NUMBER}@example.org", "mobilePhone": "+49 30 1234567", "timeZone": "Europe/Berlin"}
    user = {**user, "firstName": "Jürgen", "middleName": None, "lastName": "Müller", "emailVerified": True}
    times = {"startDateTime": "2026-12-01T12:00:00Z", "endDateTime": "2026-12-01T18:00:00Z"}
    text = "A day of talks, demonstrations and meetings, with an evening in the rooms. " * 2
    event = {"socialEventId": EVENT, "name": "Autumn fair of rooms and people", **times}
    event |= {"socialRoomSetId": ROOM_SET, "description": text}
    answers = ("Company", "Job title", "Country", "Dietary needs", "How did you hear about us?")
    row: Any = {"registrationId": f"00000000-0000-4000-8000-{_NUMBER}", "registeredDateTime": "2026-10-01T12:00:00Z"}
    values = [{"name": name, "value": f"{name}, answer {_NUMBER}"} for name in answers]
    row |= {"confirmed": True, "source": "web", "user": user, "event": event, "values": values}
    row |= {"guestBearer": "b" * 160, "refreshBearer": "r" * 40}
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


@cache
def page(first: int, last: int) -> bytes:
    """Give the rows from `first` up to `last` as an array."""
    return ("[" + ",".join([template() % {"n": number} for number in range(first, last)]) + "]").encode()


def room_sets() -> list[Any]:
    rooms = [{"socialId": f"30000000-0000-4000-8000-{number:012}", "name": f"Room {number}"} for number in range(4)]
    return [{"socialRoomSetId": ROOM_SET, "name": "Autumn fair", "socials": rooms}]


def recordings() -> list[Any]:
    """Give a recording of each room, with a thousand visits."""
    times = {"startDateTime": "2026-12-01T12:00:00Z", "endDateTime": "2026-12-01T18:00:00Z"}
    made = []
    for place, room in enumerate(room_sets()[0]["socials"]):
        ids = [f"10000000-0000-4000-8000-{number:012}" for number in range(place * 500, place * 500 + 1_000)]
        recording = {"socialRecordingId": f"40000000-0000-4000-8000-{place:012}", "socialId": room["socialId"]}
        people = [{"userId": key, **times} for key in ids]
        made.append({**recording, "status": "COMPLETE", **times, "participants": people})
    return made


OTHERS = {"/room/set/": room_sets, "/recording/": recordings}


class Handler(BaseHTTPRequestHandler):
    """Answers each request with the page that it names, `away` seconds later than it could."""

    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 20
    rows, away = 0, 0.0

    def do_GET(self) -> None:
        time.sleep(self.away)
        asked = dict(re.findall(r"[?&](page|size)=(\d+)", self.path))
        size = int(asked.get("size", 20))
        first = int(asked.get("page", 0)) * size
        other = next((make for name, make in OTHERS.items() if name in self.path), None)
        body = page(min(self.rows, first), min(self.rows, first + size))
        if other:
            body = json.dumps([] if first else other()).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002  the name is the base class's
        """Say nothing."""


if __name__ == "__main__":
    Handler.rows, Handler.away = int(sys.argv[1]), float(next(iter(sys.argv[2:]), 0))
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        sys.stdout.write(f"{running.server_address[1]}\n")
        sys.stdout.flush()
        running.serve_forever()
