"""What the pages of a list may be: rows, what stands in their place, what wraps them, and ends other than `[]`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, Self

from roomctl.contract.fields import fields
from roomctl.contract.operations import PREFIX, Operation
from roomctl.contract.outcome import denial
from roomctl.contract.records import UUID
from roomctl.contract.statements import hinders, is_aside, is_state, is_text, statement, text_says, words_of
from roomctl.contract.vocabulary import COUNTING, DENIAL, HOLDING, LIST
from roomctl.text import JSON
from roomctl.text.strict_json import NotStrict, parse

Decode = Callable[[bytes, bytes], list[Any] | None]
"""Makes rows of the bytes of a page, whole and within their bounds, without bearer fields; None leaves an unusual page
to the strict decoder. It is also given the page's marks: its brackets, commas, backslashes, and what is not ASCII or
does not show."""

REFUSALS: Final = ("400", "404", "416")
ENDS: Final = ("204", "empty", "null", *REFUSALS)
"""A page in other words than `[]`: HTTP 204, an empty body, `null`, and refusals of a page behind others."""
WRAPPERS: Final[tuple[str, ...]] = ("content", "items", "data", "results", "records", "rows", "elements", "values")
"""Names under which services wrap an array in an object, the most common first."""
SAID: Final = {
    "204": "HTTP 204",
    "empty": "an empty body",
    "null": "`null`",
    **{each: f"HTTP {each}" for each in REFUSALS},
}


class Rows(list[Any]):
    """The rows of a page, and what is said beside them: the list's `total`, and its number of `pages`.

    `more` is why an empty page is no end, `follows` that one is said to follow, `partial` why the rows of any page may
    be old, or not all of it, `warning` what is only said. `codes` are those by which a wrapper says how the request
    went, `failed` that none of them is one of success. `made`: when the reply was, by its own clock, `age`: seconds
    since then by this one; `stored`: why it is a copy, or a reply to another request.
    """

    total: int | None = None
    pages = 0
    more = follows = partial = warning = stored = ""
    codes: Mapping[str, str] = {}
    failed = False
    age: float | None = None
    made: float | None = None

    def heed(self, said: Iterable[tuple[str, JSON]], called: tuple[str, ...] = ()) -> Self:
        """Take in what a wrapper says beside rows, or a record that has them. `called`: what they are, in its names."""
        for name, value in said:
            self._hear(f"`{name}`", words := words_of(name, called), value, called)
            if not words and is_aside(name, value):
                self.warning = self.warning or f"{name}: {str(value).lower() if value in (True, False) else value}"
            if re.fullmatch(_AT_LEAST, f"{name}: {value}"):
                self.more = self.follows = f"its `{name}` {_SAYS['more']}"
            if found := re.fullmatch(_LAST_PAGE, f"{name}: {value}"):
                self.pages = max(int(found[1]) + 1, self.pages)
            if isinstance(value, str) and is_text(name) and (found := re.search(_OF, value)):
                self._count(f"`{name}`", "pages" if found[1] else "total", found[2])
        return self

    def heed_headers(self, headers: Iterable[tuple[str, str]], made: float | None = None, now: float = 0.0) -> Self:
        """Take in what headers say of the rows or the record of a reply that was `made` then, by its own clock."""
        if made is not None:
            self.made, self.age = made, now - made
        for name, value in headers:
            if name not in _ORDINARY:
                self._heed_header(name.lower().removeprefix("x-"), value, f"`{name.title()}` header")
        return self

    def _heed_header(self, name: str, value: str, source: str) -> None:
        told, parts = f"{name}: {value}".lower(), name.split("-")
        if re.fullmatch(_STORED, told):
            self.stored = f"its {source} says that it was made for an earlier request"
        if re.fullmatch(_STALE, told) or (parts[-1] == "warning" and text_says(value, LIST)):
            self.partial = f"its {source} {_SAYS['partial']}"
        elif name == "warning":
            self.warning = value if value.startswith("299") else self.warning
        elif name == "content-range":
            self._count(source, "total", value)
        elif name == "link":
            if re.search(r'(?i)rel="?([^" ]+[ /])*next\b', value):
                self.more = self.follows = f"its {source} {_SAYS['more']}"
            if found := re.fullmatch(_LAST_LINK, value):
                self.pages = max(int(found[1]) + 1, self.pages)
        elif value[:1] == "{":
            with suppress(NotStrict):
                self.heed(members(parse(value.encode(errors="replace"))))
        elif not any(part.startswith(("rate", "quota", "cache")) for part in parts):
            whole, behind_vendor = words_of(name, ("wp",)), words_of("-".join(parts[1:]))
            known = len(whole) >= len(behind_vendor)
            self._hear(source, whole if known else behind_vendor, value, ("wp",) if known else None)

    def _hear(self, source: str, words: tuple[str, ...], value: JSON, called: tuple[str, ...] | None) -> None:
        """Keep what a value says under a name of these words, and, but for a vendor's (`called` None), what it counts.

        A total that is the number of these rows may be that of the page, and counts for nothing.
        """
        families: Sequence[str] = LIST[:1] if words[:1] == ("shard",) else LIST  # one may be passed over
        families = () if "filtered" in words and _number(value) is not None else families  # how many are left
        family = statement(words, value, families, depth=0)
        if family == "more":
            last = value is False or str(value).lower() == "false"
            self.more = self.follows = "says that it is not the last" if last else f"its {source} {_SAYS['more']}"
        elif family:
            self.partial = self.partial or f"its {source} {_SAYS[family]}"
        elif called is not None and (kind := _counts(words, called)):
            self._count(source, kind, value)

    def _count(self, source: str, kind: str, value: JSON) -> None:
        number = _number(value)
        if kind == "pages":
            self.pages = max(number or 0, self.pages)
        elif number is not None and number != len(self):
            self.total = max(number, self.total or 0)
        elif number is None and isinstance(value, str) and any(map(str.isdigit, value.rpartition("/")[2])):
            self.more = self.more or f"its {source} is a number that cannot be read"


class Wrapped(Rows):
    """The rows of a page that came inside an object, and what that says of the list."""

    def __init__(self, rows: list[JSON], name: str, wrapper: Mapping[str, JSON]) -> None:
        super().__init__(rows)
        self.rest = rest = {key: value for key, value in wrapper.items() if key != name}
        others = [
            key
            for key, value in rest.items()
            if type(value) is list and any(type(each) is dict and not {"rel", "url"} & each.keys() for each in value)
        ]
        if others:
            self.more = f"`{others[0]}` has records as well as `{name}`"
            self.partial = self.more if rows and others[0].lower() in WRAPPERS else ""
        self.heed(members(rest), (*ROWS, name.lower()))
        said = {key: str(value).lower() for key, value in rest.items() if value is not None}
        self.codes = {key: said[key] for key in said if is_state(key)}
        texts = {said[key] for key in said if is_text(key)}
        self.failed = not (_FINE.issuperset(self.codes.values()) or _FINE & texts)


ROWS: Final = ("registration", "room", "social", "recording", "transcription")
"""What the rows of lists are called, in names of what is said of them."""
_SAYS: Final = {
    "more": "says that there is more",
    "failed": "says that it failed",
    **dict.fromkeys(("left out", "partial", "pending"), "says that it is incomplete or out of date"),
}
_ORDINARY: Final = frozenset(
    ["date", "server", "connection", "content-type", "content-length", "content-encoding", "transfer-encoding", "vary"]
)
_STALE: Final = (
    r"age: (.*, *)?([0-9]{3,}|6[1-9]|[7-9][0-9])\b.*|warning: (.*, *)?(11[0-3]|199)\b.*"
    r"|(.*-)?cache(-status|-lookup)?: (?!(?!.*\bhit\b).*fwd=stale).*(stale|updating|_fail_|ttl=-).*"
)
_STORED: Final = (
    r"(.*-)?(replica(tion)?-(lag|delay).*|age): .*[1-9].*|warning: (.*, *)?11[0-3]\b.*|(.*-)?replay(ed)?: (true|yes|1)"
    r"|(.*-)?freshness: (?!fresh|live|real|current|0).*|(.*-)?varnish: [0-9]+ [0-9]+"
    r"|(.*-)?cached?(-status|-lookup|-hits?)?: "
    r"(true|yes|[0-9, ]*[1-9][0-9, ]*|.*\b\w*hit\b(?!-for).*|(?!.*fwd=stale).*\b(stale|updating)\b.*)"
)
"""What says that an answer is a copy, or that to an earlier request: of a page that may be, but not of a write."""
_ELSEWHERE: Final = (
    rf"refresh: .*url *=.*|location: (?!.*({PREFIX}/|{UUID.pattern})).*|location: .*/(job|task|operation)s?/.*"
    r"|(operation-location|azure-asyncoperation): .+|preference-applied: .*\brespond-async\b.*"
)
"""What leads away from an answer: to a page for people, not to a record, or to where the request will be answered."""
_AT_LEAST: Final = r"(.*\.)?relation: gte?"
_LAST_PAGE: Final = r"last(?:\.href)?: [^<>]*[?&]page=([0-9]{1,7})\b.*"
_LAST_LINK: Final = r'(?:.*, *)?<[^<>]*[?&]page=([0-9]{1,7})\b[^<>]*>[^<>]*\b(?i:rel)="?(?i:last)\b.*'
_FINE: Final = frozenset({"0", "00", "200", "ok", "success", "true"})
_TOTALS: Final = frozenset({"total", "count", "found", "nb", "matched", "of"})
_OF: Final = r"(?i)\b(pages? )?#?[0-9][0-9,.]*(?: ?(?:-|–|to) ?[0-9][0-9,.]*)? (?:out )?of (?:about )?([0-9][0-9,]*)"
_GROUPED: Final = "[0-9]{1,3}([,' _\u00a0\u202f][0-9]{3})+"
_INTEGER: Final = r"[0-9]{1,19}(\.0+)?"


def _counts(words: tuple[str, ...], called: tuple[str, ...]) -> str:
    """Say whether a number under a name of these words is the `total` of a list, or of its `pages`; else empty."""
    own = {*words} - {*called}
    if {"page", "pages"} & own:
        return "pages" if "pages" in own or own & {"total", "count", "nb", "last"} else ""
    counted = own & _TOTALS or not own or (len(own) < len(words) and words[0] in ("num", "number"))
    return "total" if words and own <= COUNTING and counted else ""


def members(
    wrapper: Mapping[str, JSON], called: tuple[str, ...] = (), depth: int = 4, path: str = ""
) -> Iterator[tuple[str, JSON]]:
    """Give what an object says of a list, with what is said one, two or three levels further down."""
    for name, value in wrapper.items():
        yield path + name, value
        inner, words = value, words_of(name, called)
        if type(value) is list:
            inner = {str(each["rel"]): each.get("href") for each in value if type(each) is dict and "rel" in each}
        if type(inner) is dict and depth > 1 and words and (HOLDING | {*called}).issuperset(words):
            kept = not {"total", "status", "shard", *called}.isdisjoint(words)
            yield from members(inner, called, depth - 1, f"{path}{name}." if kept else path)


def _number(value: JSON) -> int | None:
    """Read a number of rows, however it is written: `30`, `30.0`, `"3,000"`, `rows 0-19/30`, or twice the same."""
    texts = {each.strip() for each in str(value).rpartition("/")[2].split(", ")}
    text = texts.pop()
    if texts:
        return None
    if re.fullmatch(_GROUPED, text):
        return int("".join(filter(str.isdigit, text)))
    return int(text.partition(".")[0]) if re.fullmatch(_INTEGER, text) else None


class Blank(Rows):
    """A page without rows that is no `[]`: `answered` is one of ENDS; `ends`: the profile says that this ends a list.

    `error` is what it means where no page was before it, with what was said beside it in its details;
    `aside`: as what it is the end of no list, such as a web page.
    """

    def __init__(self, answered: str, *, ends: bool, error: Exception) -> None:
        super().__init__()
        self.answered, self.refused = answered, answered in REFUSALS
        self.error = error
        details = getattr(error, "details", {})
        self.aside = details.get("aside", "")
        self.ends = ends and not self.aside
        self.said = f"{SAID[answered]}{self.aside}"
        vars(self).update(details.get("beside", {}))


def beside(headers: Sequence[tuple[str, str]], status: int, text: str = "") -> dict[str, JSON]:
    """Give what is said beside a page that is none: of the list, but not why it was refused, and `aside`."""
    own = "$." if status < 400 else "error|exception|fault|(?<!cache-)status"
    said = vars(Rows().heed_headers(pair for pair in headers if not re.search(own, pair[0])))
    html = "html" in dict(headers).get("content-type", "").lower() or text.startswith("<")
    aside = ", as a web page" if html else ", for another reason than the end of the list" if hinders(text) else ""
    return {name: each for name, each in (("beside", said), ("aside", aside)) if each}


def passed_over(headers: Sequence[tuple[str, str]], operation: Operation) -> str:
    """Say by its headers why an answer to a write proves nothing of all that was sent; empty where it does."""
    for name, value in headers:
        parts = name.lower().removeprefix("x-").split("-")  # the first may be a vendor's
        words = next(filter(None, (words_of("-".join(parts[at:])) for at in range(len(parts)))), ())
        cached = "cache" in name or name == "warning"  # of which more is known below
        lasts = words[-1:] in (("time",), ("date",))
        family = "" if lasts else statement(words, value, DENIAL if cached else (*DENIAL, "pending", "partial"))
        if family := "pending" if name.lower() == "retry-after" else family:
            said = {"failed": "it failed", "undone": "nothing was done", "pending": "it is not done yet"}
            how = f"says that {said.get(family, 'it is incomplete or out of date')}"
            return f"its `{name.title()}` header {how}"
        if re.fullmatch(_ELSEWHERE, f"{name}: {value.partition('?')[0]}".lower()):
            return f"its `{name.title()}` header leads elsewhere"
    warning = "; ".join(value for name, value in headers if name == "warning")
    dropped = operation.readback and text_says(warning, ("passed over",))
    return Rows().heed_headers(headers).stored or (f"the service warns: {warning}" if dropped else "")


def wrappers_of(value: dict[str, Any]) -> list[str]:
    """Name the members of an object that may hold the rows of a list; nothing says which of several does."""
    lists = [name for name, member in value.items() if type(member) is list]
    arrays = [name for name in lists if name not in ("error", "errors") and not is_text(name)]
    known = [name for name in WRAPPERS if name in arrays]
    known = known or [name for name in WRAPPERS if name in value and value[name] is None][:1]
    plain = [name for name in arrays if name.isascii() and name.isidentifier() and len(name) <= 64]
    return known or (plain if len(plain) == len(arrays) else [])


def is_record(row: JSON, operation: Operation) -> bool:
    """Whether a row of a list is a record: an object with an id, or with a field of its resource and no error."""
    if type(row) is not dict or not operation.resource:
        return type(row) is dict
    shown = not fields(operation.resource).keys().isdisjoint(row)
    return bool(row.get(operation.row_id)) or (shown and not denial(row, operation.resource))
