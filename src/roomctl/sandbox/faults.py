"""A fault of the sandbox: which requests it meets, and what becomes of their answers. Read from text, YAML or JSON.

As shorthand a fault is its effects and conditions with commas between them, then a colon and the requests that it
meets, then `#` and which one of them: `status=429,retry-after=2:registration.list#3`, `drop-after-commit:social.end#1`.
As a mapping it is `{match: {operation: social.end, nth: 1}, fault: {drop-after-commit: true}}`.
"""

import re
from collections.abc import Collection, Mapping
from fnmatch import fnmatchcase
from functools import cache
from typing import Any, Final, NamedTuple

from roomctl.contract.fields import fields, resources
from roomctl.contract.operations import BY_NAME
from roomctl.contract.paging import ENDS
from roomctl.errors import BadInput, BadValue
from roomctl.text.suggest import did_you_mean

JSON = Any
Value = int | float | str | bool
LASTS: Final = 3600.0
"""Seconds after which a fault ends by itself, unless its `ttl` says otherwise; 0 means that it stays."""


_NO: Final = {"message": "not permitted"}
DENIALS: Final[Mapping[str, JSON]] = {
    "success": {"success": False, **_NO},
    "record": {"success": False, **_NO},
    "code": {"code": 403, **_NO},
    "error": {"error": "not permitted"},
    "errors": {"errors": [_NO]},
    "text": "not permitted",
    "0": 0,
    "false": False,
}
"""What a service says that refuses with status 200; `record` stands beside what was sent."""


TEMPERAMENTS: Final[Mapping[str, tuple[str, ...]]] = {
    "spring": (
        "nulls,unknown-fields,unknown-values=platform+buttonSize+entryFlow,date-offset=+01:00,uppercase-ids",
        "end-of-list=204:read",
        "empty-body:roomset.update",
        "empty-body:rules.save",
    ),
}
"""Faults that hold together for every request, as the services of a framework answer; its name is its word."""


class Word(NamedTuple):
    """A word of the schema: what its value is, and what it does.

    A `flag` has no value, `a|b` is one of these, and a kind in brackets may be left out.
    """

    kind: str
    meaning: str


EFFECTS: Final[Mapping[str, Word]] = {
    "latency": Word("seconds", "the operation is done, then its answer waits"),
    "status": Word("integer", "this status instead; nothing is done, unless `after-commit` stands beside it"),
    "after-commit": Word("flag", "with `status` or `denied`: the operation is done all the same"),
    "retry-after": Word("integer", "with `status`: the header Retry-After, in seconds"),
    "body": Word("text", "this text as the body; with `status`, or in place of the answer"),
    "html": Word("flag", "a page of HTML as the body; the operation is done, unless there is a `status`"),
    "truncated": Word("flag", "the operation is done, half of its answer comes, then the connection ends"),
    "wrong-length": Word("integer", "Content-Length is wrong by so many bytes, more or (negative) fewer"),
    "drop-before-commit": Word("flag", "the connection ends without an answer, nothing was done"),
    "drop-after-commit": Word("flag", "the operation is done, the connection ends without an answer"),
    "reset": Word("flag", "the operation is done, the connection is reset without an answer"),
    "slow-drip": Word("seconds", "the operation is done, its answer comes byte by byte, so long apart"),
    "clamp-size": Word("integer", "pages have at most so many rows, whatever `size` asks for"),
    "ignore-page": Word("flag", "every page is the first one"),
    "repeat-page": Word("flag", "the page before is answered again"),
    "rows-inserted": Word("integer", "from here on so many new rows stand before the list's first"),
    "rows-deleted": Word("integer", "from here on the list's first rows, so many, are gone"),
    "invite-errors": Word("integer", "the first so many records of an invitation get an error and no invitation"),
    "other-id": Word("flag", "the answer carries another id than the one it is about"),
    "empty-page": Word("flag", "the page is empty, whatever stands in it: a hole in the list"),
    "end-of-list": Word("|".join(ENDS), "a page without rows is answered so; `empty`: 200 without a body"),
    "list-field": Word("[name]", "the rows of a list are in a field of an object, `content` or the one named"),
    "denied": Word("|".join(DENIALS), "200, and a body that refuses; nothing is done, unless with `after-commit`"),
    "empty-body": Word("flag", "the operation is done, the answer is 200 without a body"),
    "without": Word("fields", "records lack these fields, at any depth: `isOpen`, `invitedUser+invitedUserId`"),
    "nulls": Word("flag", "records have null in every field that has no value"),
    "uppercase-ids": Word("flag", "ids are in capitals"),
    "date-offset": Word("[offset]", "date-times have milliseconds and this offset, `+00:00` where none is given"),
    "unknown-fields": Word("flag", "every record has a field that the interface does not name"),
    "unknown-values": Word("[fields]", "every enumeration, or each one named, has a value that nobody knows"),
    "like": Word("|".join(TEMPERAMENTS), "as such services answer, beside the first other fault that fits"),
    "key-revoked": Word("integer", "from this page on the key is refused, here and everywhere: 401"),
}
"""What a fault does. Several may stand together where that makes sense: `clamp-size=10,latency=1`."""

CONDITIONS: Final[Mapping[str, Word]] = {
    "operation": Word("text", "an operation's name, `read`, `write` or `*`; in shorthand behind the colon"),
    "path": Word("text", "a path below /api/v1, `*` for anything; in shorthand behind the colon, begins with `/`"),
    "nth": Word("integer", "only this one of them, counted from 1; in shorthand `#3`"),
    "page": Word("integer", "only requests for this page of a list"),
    "probability": Word("share", "by chance, the same in every run of one seed"),
    "after": Word("integer", "only when so many of them have gone by"),
    "times": Word("integer", "so often, then no more; with `nth` once, else without end"),
    "ttl": Word("seconds", "so long, then no more; 0: until it is cleared. Else an hour"),
    "seed": Word("integer", "another number, other chances"),
}
"""Which requests a fault meets. Of several faults the first one that meets a request is applied."""
CHOICES: Final[Mapping[str, Collection[str]]] = {"end-of-list": ENDS, "denied": DENIALS, "like": TEMPERAMENTS}

STICKY: Final = frozenset({"rows-inserted", "rows-deleted", "key-revoked"})
"""Effects that last: a list that has changed stays changed, a key that is revoked stays revoked."""
LEAST: Final = {"nth": 1, "times": 1, "clamp-size": 1, "status": 200, "wrong-length": -(10**6), "seed": 0}


class Request(NamedTuple):
    """What a fault looks at: the operation's name (empty where there is none), whether it writes, path, page."""

    operation: str
    writes: bool
    path: str
    page: int | None


class Fault(NamedTuple):
    """A fault: its conditions and its effects by their words."""

    match: Mapping[str, Value]
    fault: Mapping[str, Value]

    def meets(self, request: Request) -> bool:
        """Whether a request is one of those that this fault is about; `nth` and chance are not looked at."""
        wanted = str(self.match.get("operation", "*"))
        kinds = {"*", "write" if request.writes else "read", request.operation}
        if wanted not in kinds or not fnmatchcase(request.path, str(self.match.get("path", "*"))):
            return False
        page = self.match.get("page")
        return page is None or page == request.page

    @property
    def times(self) -> int | None:
        """How often it is applied; None without end."""
        if (given := self.match.get("times")) is not None:
            return int(given)
        return 1 if "nth" in self.match and not self.sticky else None

    @property
    def ttl(self) -> float:
        """Seconds after which it ends; 0: never."""
        return float(self.match.get("ttl", LASTS))

    @property
    def sticky(self) -> bool:
        """Whether its effect lasts once it has begun."""
        return not STICKY.isdisjoint(self.fault)

    @property
    def commits(self) -> bool:
        """Whether the operation is done."""
        if self.fault.keys() & {"drop-before-commit", "key-revoked"}:
            return False
        return self.fault.keys().isdisjoint({"status", "denied"}) or bool(self.fault.get("after-commit"))

    def effects(self, request: Request) -> Mapping[str, Value]:
        """Say what becomes of a request: its own effects, over those of the temperament."""
        like = _temperament(str(self.fault.get("like", "")))
        meant = [each.fault for each in like if each.meets(request)]
        return {name: value for effects in (*meant, self.fault) for name, value in effects.items()}

    def beside(self, like: "Fault | None") -> "Fault":
        """Put a temperament under it."""
        return self if like is None else self._replace(fault={**like.fault, **self.fault})

    def document(self) -> dict[str, JSON]:
        """Write it as the mapping that it can be read from."""
        return {"match": dict(self.match), "fault": dict(self.fault)}

    def __str__(self) -> str:
        parts = [name if value is True else f"{name}={_written(value)}" for name, value in self.fault.items()]
        parts += [
            f"{name}={_written(value)}"
            for name, value in self.match.items()
            if name not in ("operation", "path", "nth")
        ]
        where = str(self.match.get("path") or self.match.get("operation", "*"))
        return f"{','.join(parts)}:{where}" + (f"#{self.match['nth']}" if "nth" in self.match else "")


def _written(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


@cache
def _temperament(name: str) -> tuple[Fault, ...]:
    return tuple(map(parsed, TEMPERAMENTS.get(name, ())))


def parsed(text: str) -> Fault:
    """Read a shorthand. Raises BadValue."""
    words, *rest = re.split(r":(?!\d)", text, maxsplit=1)  # `+01:00` names no operation
    target, _, nth = "".join(rest).partition("#")
    match: dict[str, JSON] = {}
    fault: dict[str, JSON] = {}
    if target:
        match["path" if target.startswith("/") else "operation"] = target
    if nth:
        match["nth"] = nth
    for word in words.split(","):
        name, equals, value = word.strip().partition("=")
        (match if name in CONDITIONS else fault)[name] = value if equals else True
    return read({"match": match, "fault": fault}, f"the fault {text!r}")


def read(document: JSON, where: str = "the fault") -> Fault:
    """Read a mapping of `match` and `fault`, or a shorthand. Raises BadValue."""
    if isinstance(document, str):
        return parsed(document)
    if not isinstance(document, dict) or document.keys() - {"match", "fault"} or not document.get("fault"):
        raise BadValue(f"{where} is not of the form {{match: …, fault: …}}", hint=_HINT)
    match, fault = document.get("match") or {}, document["fault"]
    if not isinstance(match, dict) or not isinstance(fault, dict):
        raise BadValue(f"{where} is not of the form {{match: …, fault: …}}", hint=_HINT)
    made = Fault(
        {name: _value(CONDITIONS, name, value, where) for name, value in match.items()},
        {name: _value(EFFECTS, name, value, where) for name, value in fault.items() if value is not False},
    )
    _sensible(made, where)
    return made


_HINT: Final = "`roomctl sandbox faults words` lists the words"


def read_all(document: JSON) -> list[Fault]:
    """Read a list of faults, or a mapping of `seed` and `faults`. Raises BadInput, BadValue."""
    seed = document.get("seed") if isinstance(document, dict) else None
    rows = document.get("faults") if isinstance(document, dict) else document
    if not isinstance(rows, list):
        raise BadInput("not a list of faults", hint='a file holds a list: `["drop-after-commit:social.end#1"]`')
    found = [read(each, f"fault {number}") for number, each in enumerate(rows, 1)]
    if seed is None:
        return found
    number = _value(CONDITIONS, "seed", seed, "the file")
    return [each._replace(match={"seed": number, **each.match}) for each in found]


def _value(words: Mapping[str, Word], name: str, value: JSON, where: str) -> Value:
    if name not in words:
        meant = did_you_mean(name, [*EFFECTS, *CONDITIONS])
        raise BadValue(f"{where} has an unknown word: {name}{meant}", hint=_HINT)
    kind = words[name].kind
    if kind == "flag":
        if value is not True:
            raise BadValue(f"{where}: `{name}` takes no value")
        return True
    if value is True and kind.startswith("["):
        return True
    if kind in ("integer", "seconds", "share"):
        return _number(kind, name, value, where)
    return _text(kind.strip("[]"), name, value, where)


def _text(kind: str, name: str, value: JSON, where: str) -> str:
    text = value if isinstance(value, str) else "" if isinstance(value, bool) else str(value)
    if name in CHOICES:
        if text not in CHOICES[name]:
            raise BadValue(f"{where}: `{name}` is one of {kind.replace('|', ', ')}, not {value!r}")
    elif not isinstance(value, str) or not _FORMS.get(kind, _ANY).fullmatch(value):
        raise BadValue(f"{where}: `{name}` needs {'a text' if kind == 'text' else kind}")
    elif kind == "fields":
        known = {each for shape in resources() for field in fields(shape) for each in (field, f"{shape}.{field}")}
        for each in value.split("+"):
            if each not in known:
                raise BadValue(f"{where}: no record has a field {each}{did_you_mean(each, known)}")
    return text


_ANY: Final = re.compile(r"(?s).*")
_FORMS: Final = {"name": re.compile(r"[A-Za-z_]\w*"), "offset": re.compile(r"[+-]\d\d:?\d\d", re.ASCII)}


def _number(kind: str, name: str, value: JSON, where: str) -> int | float:
    least = LEAST.get(name, 0)
    most = {"share": 1.0, "seconds": 86400.0}.get(kind, 599.0 if name == "status" else 10.0**9)
    try:
        number = (int if kind == "integer" else float)(value if isinstance(value, str) else repr(value))
    except ValueError:
        number = None
    if number is None or isinstance(value, bool) or not least <= number <= most:
        raise BadValue(f"{where}: `{name}` needs {kind} from {least} to {most:g}, not {value!r}")
    return number


def _sensible(fault: Fault, where: str) -> None:
    """Refuse what could never happen. Raises BadValue."""
    wanted = str(fault.match.get("operation", "*"))
    if wanted not in ("*", "read", "write", *BY_NAME):
        meant = did_you_mean(wanted, [*BY_NAME, "read", "write"])
        raise BadValue(f"{where}: no operation {wanted}{meant}", hint="`roomctl api` lists them")
    if "like" in fault.fault and len(fault.fault) > 1:
        raise BadValue(f"{where}: `like` has no other effect beside it", hint="give them as faults of their own")
    alone = fault.fault.keys() & {"after-commit", "retry-after"}
    if "denied" in fault.fault:
        alone -= {"after-commit"}
    if alone and "status" not in fault.fault:
        raise BadValue(f"{where}: `{min(alone)}` stands beside `status`")
