"""What counts as an answer: the one vocabulary by which members that the interface does not declare are judged.

The fields that the interface declares are judged fully. `success: false` and a non-empty `error` or `errors` are never
done. Any other member counts where every word of its name is in this vocabulary (`isFromCache`, `emailSent`), or where
it names a status, a code or a message; by its words it says that something failed, is not whole or not current, is not
final, or was not done. All else is data (`previewImageUri`, `waitingRoom`), and is shown as it came.
"""

import re
import time
from collections.abc import Collection, Container, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from roomctl.contract.records import error_name
from roomctl.text import JSON
from roomctl.text.times import latest, moment

Families = Sequence[str]
READ: Final = ("failed", "partial")
"""What counts against a record that was read; a state counts what is not final too, and a write what was not done."""
STATE: Final = (*READ, "pending")
WRITE: Final = (*STATE, "undone")
CHANGE: Final = (*STATE, "taken on")
"""What counts against the reply to a change: of what is only accepted, or scheduled, nothing is seen yet."""
DENIAL: Final = ("failed", "undone")
LIST: Final = ("failed", "more", "left out", "partial", "pending")
"""What counts against a list, in the object around its rows, or in headers."""
GONE: Final = ("gone",)
"""What counts against a record that is there: the service keeps it, and does not count it as one of its own."""


def _lists(lists: Mapping[str, str]) -> Mapping[str, frozenset[str]]:
    return {family: frozenset(words.split()) for family, words in lists.items()}


_REFUSED: Final = " denied rejected rejection refused forbidden unauthorized unauthorised unauthenticated "
_DELETED: Final = " deleted removed revoked cancelled canceled expired archived tombstone tombstoned "
_TRUE: Final = _lists(
    {
        "gone": f"{_DELETED} disabled purged trashed",
        "failed": """err error exception fail failed failure failing fault faulty problem invalid unsuccessful aborted
            corrupt corrupted rollback rolledback conflict conflicted violation usererror modelstate""",
        "more": """next more after cursor scroll continuation continue skip evaluated remaining truncated exceeded
            reached resume""",
        "left out": """hidden omitted skipped dropped missing denied suppressed withheld excluded unavailable
            unreachable unprocessed limited cutoff terminatedearly running preview warning""",
        "partial": """stale cached fromcache cachehit outdated obsolete inconsistent partial partially incomplete
            degraded truncated truncation cutoff cutshort redacted redaction masked omitted missing withheld filtered
            unavailable unreachable unloaded unresolved timedout throttled limitexceeded quotaexceeded fallback
            placeholder mock mocked stub dummy synthetic asof snapshot""",
        "pending": _REFUSED
        + """pending queued enqueued deferred processing inprogress copying closing ending terminating creating
            updating saving provisioning deleting syncing initializing initialising retrying waiting awaiting reopened
            draft""",
        "undone": _REFUSED
        + _DELETED
        + """
            ignored skipped dropped discarded stripped unknown unsaved uncommitted unpersisted
            unsupported unrecognized unrecognised unprocessed preview dryrun testmode validateonly noop unchanged
            nothing async onhold already existing preexisting existed duplicate duplicated suspended quarantined
            readonly maintenance bounced undelivered undeliverable unsubscribed optedout suppressed blocked
            simulated mock mocked needsapproval needsconfirmation needsreview requiresapproval requiresconfirmation
            requiresreview requiresaction requiresverification approvalrequired confirmationrequired reviewrequired
            verificationrequired""",
    }
)
"""The words of a name by which a member says it where its value is true, or something."""
_FALSE: Final = _lists(
    {
        "gone": "valid enabled",
        "failed": "ok success successful succeeded succeed",
        "left out": "shown",
        "more": "last complete completed done eof finished exhausted final endofstream",
        "partial": "loaded found exists fresh uptodate consistent",
        "pending": "ready final finalized finalised finished done complete completed processed valid available",
        "undone": """
            saved stored persisted committed applied executed created updated copied ended sent delivered invited
            allowed permitted granted authorized authorised provisioned established new change changed modified affected
            found matched nmodified accepted acknowledged performed written upserted""",
    }
)
"""Those by which it says it where its value is false."""
_OTHERS: Final = _lists(
    {
        "state": "status stat state phase stage outcome result delivery condition severity code ack rc ret",
        "text": "message msg note notice warning detail reason info hint issue remark alert diagnostic",
        "progress": "progress percent percentage pct",
        "place": "page pages offset index current this cursor view",
        "rows": """
            nb total count found num number matched size item element record result row hit entry entity object
            resource document list data content value all of the is in meta metadata pagination paging response
            summary info embedded aggregate connection relationship""",
        "part": "shard",
        "filling": """
            type has have had was were been be are an any by from on to for at as when currently still only fully not
            exact string text request reply field property attribute param parameter key member description mode
            flag service server backend upstream source origin system returned return read http grpc access
            permission date time timestamp mail email notification invitation invite approval confirmation review
            verification validation action pageable header search link url uri href token id marker limit max
            transfer transaction tx job stream partition acl cache lookup operation first empty previous prev sort
            sorted unsorted paged unpaged extension""",
    }
)
"""Words that say it by their values, or nothing."""
_STATES, _TEXTS, _PROGRESS = _OTHERS["state"], _OTHERS["text"], _OTHERS["progress"]
_IN_VALUES: Final = _lists(
    {
        "failed": "fatal critical nok ko bad conflict unable cannot unprocessable unimplemented insufficient exceeded",
        "partial": "timeout",
        "pending": "unknown",
        "taken on": "accepted scheduled 202",
    }
)
COUNTING: Final = _OTHERS["rows"]
"""Words of the names of numbers of rows, and of what holds them."""
HOLDING: Final = COUNTING | _OTHERS["filling"] | _OTHERS["place"] | _OTHERS["part"] | _STATES
"""Words of the names of members that may hold what is said of a list: `pagination`, `_links`, `page`, `status`."""
_SAYS: Final = {
    "gone": "the record is deleted or disabled",
    "failed": "the request failed",
    "more": "the list has more rows",
    "left out": "rows were left out of the list",
    "partial": "the data is incomplete or out of date",
    "pending": "the request is not finished",
    "undone": "the write was not done",
}
WORDS: Final[Mapping[str, frozenset[str]]] = {
    **{f"if true, {_SAYS[family]}": words for family, words in _TRUE.items()},
    **{f"if false, {_SAYS[family]}": words for family, words in _FALSE.items()},
    "a status, judged by its value": _STATES,
    "a message, judged by its words": _TEXTS,
    "progress: below 100, the request is not finished": _PROGRESS,
    "no meaning of its own": _OTHERS["place"] | _OTHERS["rows"] | _OTHERS["part"] | _OTHERS["filling"],
}
"""The whole vocabulary by what a field says whose name has one of the words; `help answers` lists it."""
_VOCABULARY: Final = frozenset[str]().union(*WORDS.values())
_IN_TEXTS: Final = _lists(
    {
        "failed": """fail error exception denied refus reject forbidden invalid unauthori abort throttl
            too.many.requests quota overload bad.request can.?not can.t unable could.?n.t could.not""",
        "partial": """partial incomplete truncat stale cached outdated out.of.date omitted missing redact withheld
            hidden unavailab time[ds]?.?out only.(the.)?(first|most.recent|latest) could.not.be.(loaded|read|shown)""",
        "left out": r"limited.to (first|top).[0-9][0-9,.]*.(of|row|record|result|item|entr|registration)",
        "pending": "pending queued unknown in.progress being.processed",
        "passed over": "drop ignor unknown unrecogni discard skip omit strip",
    }
)
"""How words begin by which a text says it."""
_WELL: Final = (
    r"\b(no|0|without( any)?|unknown|unrecogni[sz]ed|not|never)[ _]"
    r"(error|fail|fault|problem|warning|exception|field|propert|attribute|key)\w*"
)
_HINDRANCE: Final = r"""throttl|too.many|\brate\b|quota|overload|unavailab|time[ds]?.?out|unauth|forbidden|denied
    |credential|api.?key|invalid.key|upstream|gateway|server.error|exceed|deep.pag|\boffset|try.again
    |\b(routes?|methods?|prox(y|ies)|backend|tenants?|hosts?|domain|deployment)\b|\bapi\b(?!")|cannot.get\b
    |404.page.not.found|\bwindow\b|too.large|required|not.present|\bheader|static.resource|event.?not.?found
    |(invalid|unknown|no.such).\w*event|event(\W+[\w-]+)?(\W+(was|is))?\W+(not.found|(does|could).?no?.?t\b)
    |(status|code)\W{1,4}(40[1-35-9]|429|5[0-9]{2})\b"""
_NOTHING: Final = frozenset({"", "0", "0.0", "-1", "false", "no", "none", "null", "-", "n/a", "no error"})
_WELL_DONE: Final = frozenset({"ok", "success", "200", "00"})
_NO: Final = frozenset({"false", "no", "n"})
_OLD: Final = 60.0  # seconds
_LONGEST: Final = 60  # characters of a name that says something
DEPTH: Final = 3
_WHY: Final = {
    "failed": "says that it failed",
    "undone": "says that it failed",
    "gone": "says that it is deleted or not valid",
    "partial": "says that it may be wrong",
    **dict.fromkeys(("pending", "taken on"), "says that it is not done yet"),
}


class Statement(NamedTuple):
    """The member that says something, and of which family that is."""

    name: str
    family: str

    @property
    def of_record(self) -> str:
        return f"a record whose `{self.name}` {_WHY[self.family]}"


def says(
    members: Mapping[str, JSON], declared: Container[str], families: Families, *, texts: bool = True, depth: int = DEPTH
) -> Statement | None:
    """Find the first member that is not declared and says something of these families. `texts`: messages count too."""
    if name := error_name(members):
        return Statement(name, "failed")
    for name, value in members.items():
        told = value != 0 if type(value) is int and value.bit_length() > 64 else value  # whose text may be too long
        judged = name not in declared and value is not None
        if judged and (family := statement(words_of(name), told, families, texts=texts, depth=depth)):
            return Statement(name, family)
    return None


def can_say(name: str, families: Families) -> bool:
    """Whether something that stands under this name may say something of these families."""
    words = _judged(words_of(name), families)
    return any(_holds(words, each, _TRUE, _FALSE) for each in families) or not (_STATES | _TEXTS).isdisjoint(words)


def statement(
    words: tuple[str, ...], value: JSON, families: Families, *, texts: bool = True, depth: int = DEPTH
) -> str:
    """Give the family of which a value says something under a name of these words; empty where it says nothing."""
    words = _judged(words, families)
    state = not {"status", "state", "phase", "stage"}.isdisjoint(words[-1:])
    for family in families if not state else families[:1]:
        if _holds(words, family, _TRUE) or ("not" in words and _holds(words, family, _FALSE)):
            return family if _is_said(family, value) else ""
    for family in families if _PROGRESS.isdisjoint(words) else ():
        if _holds(words, family, _FALSE):
            zero = str(value).strip() in ("0", "0.0") and family in DENIAL
            return family if value is False or zero or str(value).strip().lower() in _NO else ""
    inner = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    if words and inner:
        returned = "ret" * ("header" in words)  # whose states are those of the request
        named = ({f"{returned}{name}": value for name, value in each.items()} for each in inner if depth)
        found = (says(each, (), families, texts=texts, depth=depth - 1) for each in named)
        return next((each.family for each in found if each), "")
    if not _STATES.isdisjoint(words) or ("mode" in words and "undone" in families):
        return _state_says(words, value, families)
    if not _TEXTS.isdisjoint(words):
        given = value if isinstance(value, list) else [value]
        told = families if families != READ else ("partial",)  # of a record, what people write is data
        return next(filter(None, (text_says(each, told) for each in given if isinstance(each, str) and texts)), "")
    counted = "pending" in families and not _PROGRESS.isdisjoint(words)
    part = re.fullmatch(r"(-?[0-9]{1,2})(\.[0-9]*)? ?%?", str(value).strip()) if counted else None
    return "pending" if part and part[0] not in ("1", "1.0") else ""


def text_says(text: str, families: Families) -> str:
    """Give the family of which a text says something: by a word of it that nothing denies, or a good word denied."""
    text = re.sub(_WELL, "", text.lower())
    for family in families:
        good, begins = "|".join(_FALSE.get(family, ())), "|".join(_IN_TEXTS.get(family, ()))
        denied = rf"\b(not|never|nothing)\b(\W+\w+){{0,2}}?\W+({good})\b" if good else "$."
        begun = rf"\b({begins})" if begins else "$."
        if re.search(f"{denied}|{begun}", text):
            return family
    return ""


def is_aside(name: str, value: JSON) -> bool:
    """Whether a member may say something that the vocabulary does not know: a flag, a sentence, a word of failure.

    It decides nothing, and is told.
    """
    if isinstance(value, bool):
        return not words_of(name)
    wordy = isinstance(value, str) and (len(value.split()) > 3 or text_says(value, WRITE))
    return bool(wordy) and not is_text(name) and not is_state(name)


def hinders(text: str) -> bool:
    """Whether a text names what kept a service from answering; paths in it say nothing."""
    return re.search(_HINDRANCE, re.sub(r'/[^\s"]*', "", text.lower()), re.VERBOSE) is not None


def something(value: JSON) -> bool:
    """Whether a value is more than one of the ways to write nothing, at any depth."""
    if isinstance(value, dict | list):
        return any(map(something, value.values() if isinstance(value, dict) else value))
    return str(value).strip().lower() not in _NOTHING


@lru_cache(4096)
def words_of(name: str, called: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Give the words of a name; none where one is not in the vocabulary, nor what the rows of a list are `called`.

    The last word of such a name counts where it is a state: `provisioningState`.
    """
    own = re.sub(r"^(\w*[@$]([A-Za-z]+\.)*|\w+:)", "", name)  # an annotation says whose it is
    parts = re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", own)
    if len(name) > _LONGEST or not parts:
        return ()
    if name[0] in "@_" and own.strip("_").lower() in ("type", "typename", "class", "kind"):
        return ("state",)
    words = _split("".join(parts).lower(), called)
    return words or ((last,) if (last := parts[-1].lower()) in _STATES else ())


def _split(run: str, called: tuple[str, ...]) -> tuple[str, ...]:
    """Split letters into words of the vocabulary, the longest first, each without the end of a plural."""
    for end in range(len(run), 1, -1):
        for word in (run[:end], run[:end].removesuffix("s"), re.sub("ies$", "y", run[:end])):
            if word in _VOCABULARY or word in called:
                if end == len(run):
                    return (word,)
                if rest := _split(run[end:], called):
                    return (word, *rest)
                break
    return ()


def is_state(name: str) -> bool:
    """Whether what stands under this name is a status, or a code."""
    return not _STATES.isdisjoint(words_of(name)[-1:])


def is_text(name: str) -> bool:
    """Whether what stands under this name is said in words: a message, a warning."""
    words = words_of(name)
    return not _TEXTS.isdisjoint(words) and not any(_holds(words, each, _TRUE) for each in WRITE)


def _judged(words: tuple[str, ...], families: Families) -> tuple[str, ...]:
    """Leave out the words of a name that gives a reason: on its own that counts only against a write."""
    return () if "reason" in words and len(words) > 1 and "undone" not in families else words


def _holds(words: Collection[str], family: str, *lists: Mapping[str, frozenset[str]]) -> bool:
    return any(not each.get(family, frozenset()).isdisjoint(words) for each in lists)


def _is_said(family: str, value: JSON) -> bool:
    """Whether a value is true, or something, in the sense of a family."""
    text = str(value).strip().lower()
    if family == "gone" and isinstance(value, str) and latest(value) is not None:
        return True
    if (when := moment(value)) is not None:
        return time.time() - when.timestamp() > (_OLD if family == "partial" else 0)
    if family in ("pending", "undone", "gone") and isinstance(value, str):
        return text in ("true", "yes") or (text.isdigit() and int(text) > 0)
    return something(value) and not (family == "failed" and text in _WELL_DONE)


def _state_says(words: Collection[str], value: JSON, families: Families) -> str:
    """Give the family of a state: by its words, or by its number, that of a failure, or no success that returned."""
    text = str(value).strip().lower()
    bad = value is False or text == "false" or re.match(r"([45][0-9]{2}|-[0-9]+)\b", text) is not None
    returned = not {"return", "ret", "result", "rc", "response", "grpc"}.isdisjoint(words)
    returned = returned and not {"code", "rc", "ret", "status"}.isdisjoint(words)
    if bad or (returned and not re.fullmatch("0+|2[0-9]{2}|[a-z ]*", text)):
        return "failed" if "failed" in families else ""
    if re.match(r"20[67]\b", text):  # a part of what was asked for, or a status for each part
        return "partial" if "partial" in families else ""
    parts = re.findall("[a-z]+", text)
    said = {text, *parts, *(part.removesuffix("s") for part in parts), *words_of(text)}
    under_way = {"running", "submitted", "started"} & said and {"operation", "job", "request", "transaction"} & {*words}
    said |= {"pending"} if under_way else set()
    no = not {"no", "not", "never", "non", "without", "nothing"}.isdisjoint(parts)
    told = (each for each in families if (_holds(said, each, _FALSE) if no else _holds(said, each, _TRUE, _IN_VALUES)))
    return next(told, "")
