"""What the pages of a list may be: rows, what stands in their place, what wraps them, and ends other than `[]`."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any, Final, Self

from roomctl.contract.fields import fields
from roomctl.contract.operations import Operation
from roomctl.contract.outcome import denial, denies, drops, hinders
from roomctl.text import JSON
from roomctl.text.strict_json import NotStrict, parse
from roomctl.text.times import moment

Decode = Callable[[bytes, bytes], list[Any] | None]
"""Makes rows of the bytes of a page, whole and within their bounds, without bearer fields; None leaves an unusual page
to the strict decoder. It is also given the page's marks: its brackets, commas, backslashes, and what is not ASCII or
does not show."""

REFUSALS: Final = ("400", "404")
ENDS: Final = ("204", "empty", "null", *REFUSALS)
"""A page in other words than `[]`: HTTP 204, an empty body, `null`, and refusals of a page behind others."""
WRAPPERS: Final = ("content", "items", "data", "results", "records", "rows", "elements", "values")
"""Names under which services wrap an array in an object, the most common first."""
SAID: Final = {"204": "HTTP 204", "empty": "an empty body", "null": "`null`", "400": "HTTP 400", "404": "HTTP 404"}


class Rows(list[Any]):
    """The rows of a page, and what is said beside them: the list's `total`, and its number of `pages`.

    `more` is why an empty page is no end, `follows` that one is said to follow, `partial` why the rows of any page may
    be old, or not all of it, `warning` what is only said. `state` is what a wrapper says of the answer itself, such as
    its `code`; `failed`: that it is an error; `age`: how long ago it was made, in seconds, by its own clock; `stored`
    why it is no answer to this request; `made`: when it was, by its own clock; `as_of`: of when it shows the state.
    """

    total: int | None = None
    pages = 0
    more = follows = partial = warning = stored = ""
    places: Mapping[str, int] = {}
    state: Mapping[str, str] = {}
    failed = False
    age: float | None = None
    made: float | None = None
    as_of: float | None = None

    def heed(self, said: Iterable[tuple[str, JSON]], called: str = "") -> Self:
        """Take in what is said beside the rows, as names and values, in a wrapper, headers, or a record that has them.

        In the names of that, what the rows are `called` does not count, nor do words that only say where it stands. A
        total that is the number of these rows may be that of the page, and counts for nothing.
        """
        for name, value in said:
            key, source = words_of(name, called), f"`{name}`" if called else f"`{name.title()}` header"
            if not key and isinstance(value, str):
                with suppress(NotStrict):
                    pairs = re.findall(r"(\w+)=(\w+)", value)
                    self.heed(members(parse(value.encode(errors="replace"))) if value[:1] == "{" else pairs, name)
                continue
            if re.fullmatch(f"{_TOTAL}|{_PAGES}|{_PLACE}|{_CAME}", key):
                self._count(source, key, value)
            told = f"{key}: {'no' if isinstance(value, dict | list) and not _says(value) else value}".lower().strip()
            if found := re.fullmatch(_LAST_LINK, told):
                self.pages = max(int(found[1]) + 1, self.pages)
            if found := re.fullmatch(_SELF_LINK, told):
                self.places = {**self.places, source: int(found[1])}
            if re.fullmatch(_AS_OF, key) and (when := moment(value)):
                self.as_of = when.timestamp()
            if re.fullmatch(_STORED, told, re.DOTALL):
                self.stored = f"its {source} says that it was made for an earlier request"
            for marks, words, pattern in _SIGNS:
                if re.fullmatch(pattern, told, re.DOTALL):
                    for mark in marks.split():
                        setattr(self, mark, words.format(source, value))
                    break
        return self

    def _count(self, name: str, key: str, value: JSON) -> None:
        number = _number(value)
        if re.fullmatch(_TOTAL, key):
            if number is not None and number != len(self):
                self.total = max(number, self.total or 0)
            elif number is None and isinstance(value, str | float) and any(map(str.isdigit, _last(value))):
                self.more = self.more or f"its {name} is a number that cannot be read"
        elif number is None:
            return
        elif re.fullmatch(_CAME, key):
            self.partial = self.partial if number == len(self) else f"its {name} is not the number of its rows"
        elif re.fullmatch(_PAGES, key):
            self.pages = max(number, self.pages)
        else:
            self.places = {**self.places, name: number}


class Wrapped(Rows):
    """The rows of a page that came inside an object, and what that says of the list."""

    def __init__(self, rows: list[JSON], name: str, wrapper: Mapping[str, JSON]) -> None:
        super().__init__(rows)
        rest = {key: value for key, value in wrapper.items() if key != name}
        others = [
            key
            for key, value in rest.items()
            if type(value) is list and any(type(each) is dict and not {"rel", "url"} & each.keys() for each in value)
        ]
        if others:
            self.more = f"`{others[0]}` has records as well as `{name}`"
            self.partial = self.more if rows and others[0] in WRAPPERS else ""
        self.heed(members(rest), name)
        short = [(key, value) for key, value in rest.items() if len(key) < 40 and value not in (None, "", [], {})]
        said = {"".join(filter(str.isalpha, key)).lower(): str(value).lower() for key, value in short}
        codes, texts = ({key: said[key] for key in keys if key in said} for keys in (_CODES, _TEXTS))
        told = [(key, value) for key, value in short if denies(key, value) or (type(value) is str and hinders(value))]
        no = {key: str(value).lower() for key, value in told}
        self.state = {**(codes or texts), **no}
        self.failed = bool({*no.values()} - _FINE) or not any(map(_FINE.issuperset, (codes.values(), texts.values())))


_ROWS = (
    "items?|elements?|records?|results?|rows?|hits?|entries|entities|objects?|resources?|documents?|docs?|registrations?"
    "|rooms?|recordings?|transcriptions?|list|data|content"
)
_AROUND = f"{_ROWS}|metadata|meta|pagination|paging|pageable|info|links|response|header|summary|search|properties"
"""Members of such names are looked into: a number elsewhere counts other things."""
_NAMED = "page|cursors?|shards|clusters|total|cache|upstream|backend"
_FILL = "wp|x|odata|o|ms|the|is|are|has|have|was"
_MORE = "next|more|after|cursor|scroll|continuation|continue|skip|evaluated|remaining"
LESS: Final = "partial|incomplete|degraded|stale"
_HIDDEN = "hidden|omitted|skipped|dropped|missing|denied|suppressed|withheld|excluded|unavailable"
_DONE = "last|completed?|done|eof|end|finished|exhausted|final"
_FAILED = "errors?|exceptions?|failed|failures?|faults?"
_COUNT = "nb|total|count|found|num|matched|of"
_OTHER = (
    "truncated|exceeded|reached|timed|out|timeout|cached|available|number|token|pages|code|message|type|exact|limited"
    "|limit|max|off|cut|link|url|uri|href|key|id|status|unreachable|returned|partition|running|preview|exhaustive|unprocessed|filtered|known|leader|stream"
)
_WORD = f"{_AROUND}|{_NAMED}|{_MORE}|{LESS}|{_HIDDEN}|{_DONE}|{_FAILED}|{_COUNT}|{_OTHER}|{_FILL}"
"""Words that names without a sign between them, such as `totalcount`, are made of."""
_TOTAL = rf"(?=.*\b({_COUNT})\b)(({_COUNT}|estimated|number|value|size) ?)+|range|before limit( at least)?"
_CAME = "number (of elements|returned)"
_PAGES = "((nb|total|num|number|of|count) )*pages( (total|count))*|(total )?page count|total page|last page( number)?"
_PLACE = "((current|this) )?page( (number|index|num))?|number|(page )?(offset|start index)"
_SOMETHING = "(?!(0|-1|false|no|none|null|)$).*"
_SIGNS: Final = (
    (
        "more follows",
        "says that it is not the last",
        f"((page|all|of|reached|job|query) )*({_DONE})( page| of| reached| stream)*: (false|no)",
    ),
    (
        "more follows",
        "its {} says that there is more",
        rf"(?=[^:]*\b({_MORE})\b)(({_MORE}|last|available|link|page|token|url|uri|href|key|count|id|marker|offset) ?)+"
        rf": {_SOMETHING}|(.* )?(truncated( at| count)?|exceeded( \w+)* limit): {_SOMETHING}"
        r'|(.* )?relation: gte|link: .*rel="?([^" ]+[ /])*next\b.*'
        rf"|(.* )?next( (page|token|link|url|uri|href|key|cursor|marker|range|partition|row))+: {_SOMETHING}",
    ),
    ("more", "its {} asks to come again later", f"retry after: {_SOMETHING}"),
    (
        "partial",
        "its {} says that it failed",
        rf"(.* )?({_FAILED})( (code|message|type|count|details?|reason|status))?: (?!(0+|200|ok|success)$){_SOMETHING}"
        r"|grpc status: 0*[1-9].*|(.* )?status( code)?: [45][0-9]{2}\b.*|(valid|ready): (false|no)"
        r"|(status )?code: (206|error|failed|failure)\b.*",
    ),
    (
        "partial",
        "its {} says that it is incomplete or out of date",
        rf"(.* )?({LESS}|unreachable)( (mode|count|reason|at|copy|shards))?: {_SOMETHING}"
        rf"|(limited|cut ?off( at)?|terminated early|warnings|warning messages?|unprocessed( \w+)?|running|preview)"
        rf": {_SOMETHING}|(.* )?filtered( by \w+)*: (true|yes)"
        r"|(.* )?(known leader|(num )?found exact|exhaustive( \w+)*): false"
        rf"|(?!.*\b(rate|ratelimit|quota)\b)(.* )?(limit|max|maximum)( \w+)* (reached|exceeded|hit): {_SOMETHING}"
        rf"|((access|permissions?|clusters|number|{_COUNT}) )*({_HIDDEN})( (by|permissions?|{_COUNT}))*: {_SOMETHING}"
        r"|(.* )?(timed ?out|time ?out): (true|yes|1)|((served )?from cache|cached): (true|yes|1)"
        rf"|(.* )?(status|state)( type)?: ({LESS}|truncated|timed? ?out)([^a-z].*)?|warning: (.*, *)?(11[0-3]|199)\b.*"
        rf"|(warnings?|messages?|notices?|notes?): (?!.*\b(no|0|nothing|never) ).*\b({LESS}|truncated|{_HIDDEN}"
        r"|timed out|(?<!rate )limit(ed)?|only (the )?first|unavailable)\b.*"
        r"|(.* )?cache( (status|lookup))?: (?!(?!.*\bhit\b).*fwd=stale).*(stale|updating|_fail_|ttl=-).*"
        r"|age: (.*, *)?([0-9]{3,}|6[1-9]|[7-9][0-9]|[0-9]+[a-z])\b.*",
    ),
    ("warning", "{1}", "warning: 299.*"),
)
"""Signs that a list, or this page of it, is not all: which of a page's marks they set, in which words, by the words of
a name and what stands there. All patterns are compiled when the first page comes, for a write needs none."""
_STORED: Final = (
    r"(replica(tion)? (lag|delay)( \w+)?|age): .*[1-9].*|warning: (.*, *)?11[0-3]\b.*|(.* )?replay(ed)?: (true|yes|1)"
    r"|(.* )?freshness: (?!fresh|live|real|current|0).*"
    r"|varnish: [0-9]+ [0-9]+|(.* )?cached?( (status|lookup|hits?))?: "
    r"(true|yes|[0-9, ]*[1-9][0-9, ]*|.*\b\w*hit\b(?!-for).*|(?!.*fwd=stale).*\b(stale|updating)\b.*)"
)
"""What says that an answer is a copy, or that to an earlier request: of a page that may be, but not of a write."""
_AS_OF: Final = "(as of|snapshot|refreshed|synced|indexed|generated)( time| at| date)?"
_MOCK = "(?i:(x-)?(dry-?run|mock(ed)?|simulat(ed|ion)): (true|yes|1))"
_LAST_LINK = r'(?:last: |link: (?:.*, *)?<)[^<>]*[?&]page=([0-9]{1,7})\b(?:[^<>]*|[^<>]*>[^<>]*\brel="?last\b.*)'
_SELF_LINK = _LAST_LINK.replace("last", "self").replace("self:", "(?:self|location):")
_CODES = ("code", "status", "statuscode", "errcode", "errorcode", "resultcode", "returncode")
_TEXTS = ("message", "msg", "errmsg", "errormessage", "error", "errors")
_FINE = frozenset({"0", "200", "ok", "success", "true", "none"})
_NOTHING = frozenset({"", "0", "-1", "false", "no", "none", "null"})
_GROUPED = "[0-9]{1,3}([,' _\u00a0\u202f][0-9]{3})+"
_INTEGER = r"[0-9]{1,19}(\.0+)?"


@lru_cache(1000)
def words_of(name: str, called: str = "") -> str:
    """Give the words of a name, in lower case and without those of the rows and their surroundings."""
    name = re.sub(r"^@([A-Za-z]+\.)*", "", name)  # an annotation says whose it is
    runs = re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name) if len(name) < 60 else ()
    split = [
        re.findall(f"({_WORD})(?=(?:{_WORD})*$)", run) if re.fullmatch(f"({_WORD})+", run) else [run]
        for run in map(str.lower, runs)
    ]
    if (key := " ".join(chain(*split))) == "number of elements":
        return key
    return " ".join(re.sub(rf"\b({_AROUND}|{_FILL}|{called or 'x'})\b", "", key, flags=re.IGNORECASE).split())


def members(wrapper: Mapping[str, JSON], depth: int = 4, path: str = "") -> Iterator[tuple[str, JSON]]:
    """Give what an object says of a list, with what is said one, two or three levels further down."""
    for name, value in wrapper.items():
        yield path + name, value
        inner, key = value, words_of(name)
        if type(value) is list:
            inner = {str(each["rel"]): each.get("href") for each in value if type(each) is dict and "rel" in each}
        if type(inner) is dict and depth > 1 and re.fullmatch(f"({_NAMED})?", key):
            yield from members(inner, depth - 1, path if re.fullmatch("(page|cursors?)?", key) else f"{path}{name}.")


def _last(value: JSON) -> str:
    """Give what stands behind the `/` of a Content-Range, and any other value whole."""
    return str(value).rpartition("/")[2]


def _number(value: JSON) -> int | None:
    """Read a number of rows, however it is written: `30`, `30.0`, `"3,000"`, `rows 0-19/30`, or twice the same."""
    texts = {each.strip() for each in _last(value).split(", ")}
    text = texts.pop()
    if texts:
        return None
    if re.fullmatch(_GROUPED, text):
        return int("".join(filter(str.isdigit, text)))
    return int(text.partition(".")[0]) if re.fullmatch(_INTEGER, text) else None


def _says(value: JSON) -> bool:
    if isinstance(value, dict | list):
        return any(map(_says, value.values() if isinstance(value, dict) else value))
    return str(value).strip().lower() not in _NOTHING


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
    own = "(?!)" if status < 400 else "error|exception|fault|(?<!cache-)status"
    said = vars(Rows().heed(pair for pair in headers if not re.search(own, pair[0])))
    html = "html" in dict(headers).get("content-type", "").lower() or text.startswith("<")
    aside = ", as a web page" if html else ", for another reason than the end of the list" if hinders(text) else ""
    return {name: each for name, each in (("beside", said), ("aside", aside)) if each}


def passed_over(headers: Sequence[tuple[str, str]], operation: Operation) -> str:
    """Say by its headers why an answer to a write proves nothing of all that was sent; empty where it does."""
    said = Rows().heed(headers)
    failed = Rows().heed(pair for pair in headers if "error" in pair[0]).partial
    mock = [name for name, value in headers if re.fullmatch(_MOCK, f"{name}: {value}")]
    if failed or mock:
        return failed or f"its `{mock[0].title()}` header says that nothing was done"
    dropped = drops("; ".join(value for name, value in headers if name == "warning")) if operation.readback else ""
    return said.stored or (dropped and f"the service warns: {dropped}")


def wrapper_of(value: dict[str, Any]) -> str:
    """Name the member of an object that seems to hold the rows of a list; empty where none does."""
    arrays = [name for name, member in value.items() if type(member) is list]
    known = [name for name in WRAPPERS if name in arrays or (name in value and value[name] is None)]
    plain = [name for name in arrays if name.isascii() and name.isidentifier() and len(name) <= 64]
    return (known or (plain if len(arrays) == 1 else []) or [""])[0]


def is_record(row: JSON, operation: Operation) -> bool:
    """Whether a row of a list is a record: an object with an id, or with a field of its resource and no error."""
    if type(row) is not dict or not operation.resource:
        return type(row) is dict
    shown = not fields(operation.resource).keys().isdisjoint(row)
    return bool(row.get(operation.row_id)) or (shown and not denial(row, operation.resource))
