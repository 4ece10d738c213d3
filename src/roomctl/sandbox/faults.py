"""Faults of the sandbox: which requests one meets, read from text, YAML or JSON; those that stand, and the log.

As shorthand: effects and conditions, a colon, the requests that it meets, `#` and which one of them:
`status=429,retry-after=2:registration.list#3`. As a mapping: `{match: {operation: social.end, nth: 1}, fault: {…}}`.
"""

import json
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from roomctl.contract.fields import fields, resources
from roomctl.contract.operations import BY_NAME
from roomctl.errors import BadInput, BadValue
from roomctl.sandbox.fault_effects import Word, words_of
from roomctl.sandbox.fault_rewrite import Value
from roomctl.sandbox.request import RawRequest
from roomctl.sandbox.store import Database
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

LASTS: Final = 3600.0
"""Seconds after which a fault ends by itself, unless its `ttl` says otherwise; 0 means that it stays."""
TEMPERAMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "spring": (
        "nulls,unknown-fields,unknown-values=platform+buttonSize+entryFlow,date-offset=+01:00,uppercase-ids",
        "end-of-list=204:read",
        "empty-body:roomset.update",
        "empty-body:rules.save",
    )
}
"""Faults that hold together for every request, as the services of a framework answer; its name is its word."""


@cache
def effects() -> Mapping[str, Word]:
    """Give the words of what a fault does; several may stand together where that makes sense."""
    meaning = "reply as services built with Spring do, in addition to applying the first other fault that matches"
    known = {**words_of("results"), **words_of("replies"), **words_of("delivery")}
    return known | {"like": Word("|".join(TEMPERAMENTS), meaning)}


def tagged(fault: Iterable[str], tag: str) -> list[str]:
    """Give the words of a fault that are marked with a tag."""
    return [name for name in fault if name in effects() and tag in effects()[name].tags]


STICKY: Final = frozenset({"rows-inserted", "rows-deleted", "key-revoked"})
"""Effects that last: a list that has changed stays changed, a key that is revoked stays revoked."""
LEAST: Final = {"nth": 1, "times": 1, "clamp-size": 1, "status": 200, "wrong-length": -(10**6), "seed": 0}


class Fault(NamedTuple):
    match: Mapping[str, Value]
    fault: Mapping[str, Value]

    def matches(self, request: RawRequest) -> bool:
        """Whether a request is one of those that this fault is about; `nth` and chance are not looked at."""
        wanted = str(self.match.get("operation", "*"))
        kinds = {"*", "write" if request.writes else "read", request.name}
        if wanted not in kinds or not fnmatchcase(request.path, str(self.match.get("path", "*"))):
            return False
        page = self.match.get("page")
        return page is None or page == request.page

    @property
    def commits(self) -> bool:
        if self.fault.keys() & {"drop-before-commit", "key-revoked"}:
            return False
        return self.fault.keys().isdisjoint({"status", "denied"}) or bool(self.fault.get("after-commit"))

    def effects(self, request: RawRequest) -> Mapping[str, Value]:
        """Give the effects on a request: its own, over those of the temperament."""
        like = map(parse, TEMPERAMENTS.get(str(self.fault.get("like", "")), ()))
        found = [each.fault for each in like if each.matches(request)]
        return {name: value for effects in (*found, self.fault) for name, value in effects.items()}

    def __str__(self) -> str:
        match = {name: value for name, value in self.match.items() if name not in ("operation", "path", "nth")}
        pairs = [*self.fault.items(), *match.items()]
        texts = ((name, f"{value:g}" if isinstance(value, float) else value) for name, value in pairs)
        parts = (name if text is True else f"{name}={text}" for name, text in texts)
        where = str(self.match.get("path") or self.match.get("operation", "*"))
        return f"{','.join(parts)}:{where}" + (f"#{self.match['nth']}" if "nth" in self.match else "")


class ActiveFault:
    """A fault in use: since when, how many requests it was about (`seen`), and to how many it was applied (`fired`)."""

    def __init__(self, number: int, fault: Fault, added: float, seen: int = 0, fired: int = 0) -> None:
        self.number, self.fault, self.added, self.seen, self.fired = number, fault, added, seen, fired

    def has_ended(self, now: float) -> bool:
        match, sticky = self.fault.match, not STICKY.isdisjoint(self.fault.fault)
        times, ttl = match.get("times", 1 if "nth" in match and not sticky else None), float(match.get("ttl", LASTS))
        return (times is not None and self.fired >= int(times)) or (ttl > 0 and now >= self.added + ttl)

    def meet(self, request: RawRequest, now: float) -> bool:
        """Count a request that it is about, and say whether it is applied to it."""
        match, about, page = self.fault.match, self.fault.matches(request), request.page
        if (revoked := self.fault.fault.get("key-revoked")) is not None:  # it is refused everywhere from its page on
            about = self.fired > 0 or (about and page is not None and page >= float(revoked))
        if self.has_ended(now) or not about:
            return False
        self.seen += 1
        first = int(match.get("nth", int(match.get("after", 0)) + 1))
        share, seed = match.get("probability"), f"{match.get('seed', 1)}/{self.number}/{self.seen}"
        spared = share is not None and Random(seed).random() >= float(share)  # noqa: S311  (the same in each run)
        applied = self.seen >= first and not spared
        self.fired += applied
        return applied


@cache
def parse(text: str) -> Fault:
    words, *rest = re.split(r":(?!\d)", text, maxsplit=1)  # `+01:00` names no operation
    behind = "".join(rest)
    if "," in behind and not behind.startswith("/"):
        target, _, more = behind.partition(",")
        why = f"the fault {compact(text)}: effects and conditions go before the colon"
        other = f"--fault {text[: -len(more) - 1]} --fault {more}"  # what follows is a fault of its own
        raise BadValue(why, hint=f"write `{other if ':' in more else f'{words},{more}:{target}'}`")
    target, _, nth = behind.partition("#")
    match: dict[str, JSON] = {}
    fault: dict[str, JSON] = {}
    if target:
        match["path" if target.startswith("/") else "operation"] = target
    if nth:
        match["nth"] = nth
    for word in words.split(","):
        name, equals, value = word.strip().partition("=")
        (match if name in words_of("conditions") else fault)[name] = value if equals else True
    return read({"match": match, "fault": fault}, f"the fault {compact(text)}")


def read(document: JSON, where: str = "the fault") -> Fault:
    """Read a mapping of `match` and `fault`, or a shorthand. Raises BadValue."""
    if isinstance(document, str):
        return parse(document)
    match, fault = ((document.get(name) or {}) if isinstance(document, dict) else None for name in ("match", "fault"))
    if not isinstance(match, dict) or not isinstance(fault, dict) or not fault or document.keys() - {"match", "fault"}:
        raise BadValue(f"{where} needs an effect, as in {{match: …, fault: …}}", hint=_HINT)
    match = {name: _value(words_of("conditions"), name, value, where) for name, value in match.items()}
    fault = {name: _value(effects(), name, value, where) for name, value in fault.items() if value is not False}
    target, known = str(match.get("operation", "*")), ["read", "write", *BY_NAME]
    if target not in ("*", *known):
        why = f"{where}: {compact(target)} is not an operation{did_you_mean(target, known)}"
        raise BadValue(why, hint="`roomctl api` lists the operations")
    if target in BY_NAME and not BY_NAME[target].paged and (lists := tagged(fault, "lists")):
        raise BadValue(f"{where}: `{lists[0]}` is for lists, and {target} is none")
    if "like" in fault and len(fault) > 1:
        raise BadValue(f"{where}: `like` cannot be combined with other effects", hint="give them as separate faults")
    alone = fault.keys() & ({"retry-after"} if "denied" in fault else {"after-commit", "retry-after"})
    if alone and "status" not in fault:
        raise BadValue(f"{where}: `{min(alone)}` needs `status`")
    return Fault(match, fault)


_HINT: Final = "`roomctl sandbox faults words` lists the conditions and effects"
_LIMITS: Final = {"integer": 10.0**9, "seconds": 86400.0, "share": 1.0}
_NUMBERS: Final = {"integer": "an integer", "seconds": "a number of seconds", "share": "a number"}
_FORMS: Final = {
    "name": (r"[A-Za-z_]\w*", "a name"),
    "offset": (r"(?a)[+-]\d\d:?\d\d", "an offset such as +01:00"),
    "text": ("(?s).+", "text"),
    "fields": (r"\S+", "fields"),
}


def read_all(document: JSON) -> list[Fault]:
    """Read a list of faults, or a mapping of `seed` and `faults`. Raises BadInput, BadValue."""
    seed = document.get("seed") if isinstance(document, dict) else None
    rows = document.get("faults") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise BadInput("not a list of faults", hint='write a list, such as `["drop-after-commit:social.end#1"]`')
    found = [read(each, f"fault {number}") for number, each in enumerate(rows, 1)]
    if seed is None:
        return found
    number = _value(words_of("conditions"), "seed", seed, "the file")
    return [each._replace(match={"seed": number, **each.match}) for each in found]


def _value(words: Mapping[str, Word], name: str, value: JSON, where: str) -> Value:
    if name not in words:
        near = did_you_mean(name, [*effects(), *words_of("conditions")])
        raise BadValue(f"{where}: {compact(name)} is not a known effect or condition{near}", hint=_HINT)
    kind = words[name].kind
    if kind == "flag" and value is not True:
        raise BadValue(f"{where}: `{name}` takes no value")
    if kind == "flag" or (value is True and kind.startswith("[")):
        return True
    if kind in _LIMITS:
        return _number(kind, name, value, where)
    kind = kind.strip("[]")
    pattern, what = _FORMS.get(kind, (kind, f"one of {kind.replace('|', ', ')}"))
    text = "" if value is True else str(value)  # without a value, a word is true
    if not re.fullmatch(pattern, text):
        raise BadValue(f"{where}: `{name}` must be {what}{text and f', not {compact(text)}'}", hint=_HINT)
    if kind == "fields":
        known = {each for shape in resources() for field in fields(shape) for each in (field, f"{shape}.{field}")}
        for each in text.split("+"):
            if each not in known:
                raise BadValue(f"{where}: no record has a field {each}{did_you_mean(each, known)}")
    return text


def _number(kind: str, name: str, value: JSON, where: str) -> int | float:
    least, most = LEAST.get(name, 0), 599.0 if name == "status" else _LIMITS[kind]
    with suppress(ValueError):  # as of True, which is what a word without a value is
        number = (int if kind == "integer" else float)(str(value))
        if least <= number <= most:
            return number
    given = "" if value is True else f", not {compact(value)}"
    raise BadValue(f"{where}: `{name}` must be {_NUMBERS[kind]} from {least} to {most:.0f}{given}", hint=_HINT)


LONGEST_LOG: Final = 10_000  # requests that the log keeps; older ones go


class FaultStore(Database):
    """Faults and log in one file, used from several threads and processes. `own` are faults of this process only."""

    what = "the sandbox's log"
    schema = """
        CREATE TABLE IF NOT EXISTS fault (id INTEGER PRIMARY KEY AUTOINCREMENT, fault TEXT NOT NULL,
            added REAL NOT NULL, seen INTEGER NOT NULL DEFAULT 0, fired INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE IF NOT EXISTS request (id INTEGER PRIMARY KEY AUTOINCREMENT, entry TEXT NOT NULL);
    """
    pragmas = "PRAGMA synchronous = OFF;"  # what a rehearsal saw need not survive a loss of power

    def __init__(self, path: Path, own: Sequence[Fault] = (), *, clock: Callable[[], float] = time.time) -> None:
        super().__init__(path)
        self._clock = clock
        self._own = [ActiveFault(-number, fault, clock()) for number, fault in enumerate(own, 1)]

    # Faults

    def add(self, faults: Sequence[Fault]) -> None:
        rows = [(json.dumps(fault._asdict()), self._clock()) for fault in faults]
        with self.writing() as connection:
            connection.executemany("INSERT INTO fault (fault, added) VALUES (?, ?)", rows)

    def clear(self) -> int:
        with self.writing() as connection:
            return connection.execute("DELETE FROM fault").rowcount

    def faults(self) -> list[ActiveFault]:
        with self._lock:
            rows = self._connection.execute("SELECT id, fault, added, seen, fired FROM fault ORDER BY id").fetchall()
        return [*self._own, *(ActiveFault(row[0], read(json.loads(row[1])), *row[2:]) for row in rows)]

    def is_active(self, fault: ActiveFault) -> bool:
        return not fault.has_ended(self._clock())

    def meet(self, request: RawRequest) -> Fault | None:
        """Give the first fault that is applied to a request, beside the first temperament, and count."""
        with self._lock:
            if not self._own and self._connection.execute("SELECT 1 FROM fault LIMIT 1").fetchone() is None:
                return None
        found: dict[bool, Fault] = {}
        with self.writing() as connection:
            for each in self.faults():
                like, before = "like" in each.fault.fault, each.seen
                if like not in found and each.meet(request, self._clock()):
                    found[like] = each.fault
                if each.number > 0 and each.seen != before:
                    counts = (each.seen, each.fired, each.number)
                    connection.execute("UPDATE fault SET seen = ?, fired = ? WHERE id = ?", counts)
        fault, temperament = found.get(False), found.get(True)
        if fault is None or temperament is None:
            return fault or temperament
        return fault._replace(fault={**temperament.fault, **fault.fault})

    # The log

    def note(self, entry: JSON) -> None:
        with self.writing() as connection:
            sql = "INSERT INTO request (entry) VALUES (?)"
            number = connection.execute(sql, (json.dumps(entry, ensure_ascii=True),)).lastrowid or 0
            if number % 100 == 0:
                connection.execute("DELETE FROM request WHERE id <= ?", (number - LONGEST_LOG,))

    def log(self, after: int = 0) -> list[JSON]:
        """Give the requests in the order of their answers, each with its number; `after`: only later ones."""
        with self._lock:
            rows = self._connection.execute("SELECT id, entry FROM request WHERE id > ? ORDER BY id", (after,))
            return [{"number": number, **json.loads(entry)} for number, entry in rows]

    def forget(self) -> int:
        with self.writing() as connection:
            return connection.execute("DELETE FROM request").rowcount
