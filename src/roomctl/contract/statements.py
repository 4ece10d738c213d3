"""What counts as an answer: how members that the interface does not declare are judged, by the one vocabulary.

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

from roomctl.contract.records import error_name, is_uuid
from roomctl.contract.vocabulary import (
    COUNTING,
    DENIAL,
    FALSE,
    HARMLESS,
    IN_TEXTS,
    IN_VALUES,
    PROGRESS,
    READ,
    STATES,
    STEPS,
    TEXTS,
    TRUE,
    USUAL,
    VOCABULARY,
    WRITE,
)
from roomctl.text import JSON
from roomctl.text.times import latest, moment

Families = Sequence[str]
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
_WELL_DONE: Final = frozenset({"ok", "success", "200", "00", "00000"})
_NO: Final = frozenset({"false", "no", "n"})
_OLD: Final = 60.0  # seconds
_BY_OR_WHEN: Final = ("at", "on", "by", "date", "time", "timestamp")
_LONGEST: Final = 60  # characters of a name that says something
DEPTH: Final = 3
_WHY: Final = {
    "failed": "says that it failed",
    "undone": "says that it failed",
    "gone": "says that it is deleted or not valid",
    "partial": "says that it may be wrong",
    **dict.fromkeys(("pending", "taken on"), "says that it is not done yet"),
    "draft": "says that it is a draft",
}


class Statement(NamedTuple):
    """The member that says something, and of which family that is."""

    name: str
    family: str

    @property
    def why(self) -> str:
        return "is false" if self.name == "success" else _WHY[self.family]

    @property
    def of_record(self) -> str:
        return f"a record whose `{self.name}` {self.why}"


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
    return any(_holds(words, each, TRUE, FALSE) for each in families) or not (STATES | TEXTS).isdisjoint(words)


def statement(
    words: tuple[str, ...], value: JSON, families: Families, *, texts: bool = True, depth: int = DEPTH
) -> str:
    """Give the family of which a value says something under a name of these words; empty where it says nothing."""
    words = _judged(words, families)
    state = not {"status", "state", "phase", "stage"}.isdisjoint(words[-1:])
    for family in families if not state else families[:1]:
        if _holds(words, family, TRUE) or ("not" in words and _holds(words, family, FALSE)):
            return family if _is_said(words, family, value) else ""
    for family in families if PROGRESS.isdisjoint(words) else ():
        if _holds(words, family, FALSE):
            zero = str(value).strip() in ("0", "0.0") and family in DENIAL
            no = value is False or zero or str(value).strip().lower() in _NO
            return family if no or (isinstance(value, str) and _state_says(words, value, DENIAL)) else ""
    inner = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    if words and inner:
        returned = "ret" * ("header" in words)  # whose states are those of the request
        named = ({f"{returned}{name}": value for name, value in each.items()} for each in inner if depth)
        found = (says(each, (), families, texts=texts, depth=depth - 1) for each in named)
        return next((each.family for each in found if each), "")
    if not STATES.isdisjoint(words) or ("mode" in words and "undone" in families):
        return _state_says(words, value, families)
    if not TEXTS.isdisjoint(words):
        given = value if isinstance(value, list) else [value]
        told = families if families != READ else ("partial",)  # of a record, what people write is data
        return next(filter(None, (text_says(each, told) for each in given if isinstance(each, str) and texts)), "")
    counted = "pending" in families and not PROGRESS.isdisjoint(words)
    part = re.fullmatch(r"(-?[0-9]{1,2})(\.[0-9]*)? ?%?", str(value).strip()) if counted else None
    return "pending" if part and part[0] not in ("1", "1.0") else ""


def text_says(text: str, families: Families) -> str:
    """Give the family of which a text says something: by a word of it that nothing denies, or a good word denied."""
    text = re.sub(_WELL, "", re.sub("(?<=[a-z])(?=[A-Z][a-z])", " ", text).lower())
    for family in families:
        good, begins = "|".join(FALSE.get(family, ())), "|".join(IN_TEXTS.get(family, ()))
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
    if something(value) and mentions(name):
        return True
    parts = re.findall("[A-Z]?[a-z]+", name)[-1:]
    worded = not TEXTS.isdisjoint(each.lower() for each in parts)
    wordy = isinstance(value, str) and (len(value.split()) > 3 or (worded and value) or text_says(value, WRITE))
    if is_state(name):
        words = re.findall(r"[^\W\d_]+", value.lower()) if isinstance(value, str) else ()
        unusual = not HARMLESS.issuperset(words)
        return unusual and name[0] not in "@_" and words_of(name)[-1] != "code"
    return bool(wordy) and not is_text(name)


def mentions(name: str) -> bool:
    """Whether one of the words of a name is one by which a write says that it failed."""
    parts = (each.lower() for each in re.findall("[A-Z]?[a-z]+", name)) if len(name) <= _LONGEST else ()
    families = (*DENIAL, "pending", "draft")
    return any(_holds({each, each.removesuffix("s")}, family, TRUE) for each in parts for family in families)


def is_told(path: str, value: JSON) -> bool:
    """Whether what a reply to a write says at a path that the interface does not define is told.

    That is all but objects, whose members are told, what says nothing, and what any record may have: ids, links,
    versions, who made it and when. Of what the vocabulary knows, good news is not told, nor what is counted.
    """
    name = path.rpartition(".")[2]
    words = words_of(name)
    if may_say(path, value):
        return True
    objects = isinstance(value, dict) or (isinstance(value, list) and any(isinstance(each, dict) for each in value))
    if objects or path.startswith(("_links", "links.", "@")) or _is_usual(name, value):
        return False
    if is_text(name):  # those of the record itself are told as remarks
        return "." in path and something(value)
    if isinstance(value, bool):
        good = FALSE if value else TRUE
        return not any(_holds(words, family, good) for family in good)
    if is_state(name):  # a code that is no usual one of success; what it says in words is an aside
        return something(value) and str(value).lower() not in (*_WELL_DONE, "201") and words[-1:] == ("code",)
    counted = isinstance(value, int | float) and not (COUNTING | PROGRESS).isdisjoint(words)
    denies = isinstance(value, str) and value.strip().lower() in _NO
    return denies or (something(value) and not counted)


def may_say(path: str, value: JSON) -> bool:
    """Whether what stands at a path may say how a write went: an aside, a job's id, or what is judged elsewhere."""
    name = path.rpartition(".")[2]
    job = re.search("(job|task|operation)_?id$", name.lower()) and something(value)
    job = job or ("." in path and is_text(name) and something(value))
    return is_aside(name, value) or bool(job or ("." in path and statement(words_of(name), value, WRITE, depth=0)))


def _is_usual(name: str, value: JSON) -> bool:
    """Whether a member is an id, a link or a version, or says by whom or when a usual step was done: `hostedBy`."""
    text = "" if value is None else str(value)
    *_, step, last = ["", "", *(each.lower() for each in re.findall("[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name))]
    if len(text.split()) > 3 or text_says(text, WRITE):
        return False
    when = moment(value)
    if last in ("type", "kind", "class", "typename") and _state_says((), value, WRITE):
        return False
    made = (step in STEPS and last in _BY_OR_WHEN) or (when is not None and last in STEPS)
    done = when is None or (
        when.year > 1970 and when.timestamp() <= time.time() + _OLD
    )  # before that it stands for none
    return last in USUAL or (made and done)


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
    return words or ((last,) if (last := parts[-1].lower()) in STATES else ())


def _split(run: str, called: tuple[str, ...]) -> tuple[str, ...]:
    """Split letters into words of the vocabulary, the longest first, each without the end of a plural."""
    for end in range(len(run), 1, -1):
        for word in (run[:end], run[:end].removesuffix("s"), re.sub("ies$", "y", run[:end])):
            if word in VOCABULARY or word in called:
                if end == len(run):
                    return (word,)
                if rest := _split(run[end:], called):
                    return (word, *rest)
                break
    return ()


def is_state(name: str) -> bool:
    """Whether what stands under this name is a status, or a code."""
    return not STATES.isdisjoint(words_of(name)[-1:])


def is_text(name: str) -> bool:
    """Whether what stands under this name is said in words: a message, a warning."""
    words = words_of(name)
    return not TEXTS.isdisjoint(words) and not any(_holds(words, each, TRUE) for each in WRITE)


def _judged(words: tuple[str, ...], families: Families) -> tuple[str, ...]:
    """Leave out the words of a name that gives a reason: on its own that counts only against a write."""
    return () if "reason" in words and len(words) > 1 and "undone" not in families else words


def _holds(words: Collection[str], family: str, *lists: Mapping[str, frozenset[str]]) -> bool:
    return any(not each.get(family, frozenset()).isdisjoint(words) for each in lists)


def _is_said(words: Collection[str], family: str, value: JSON) -> bool:
    """Whether a value is true, or something, in the sense of a family; `deniedBy` anything is."""
    text = str(value).strip().lower()
    if family == "gone" and isinstance(value, str) and latest(value) is not None:
        return True
    if (when := moment(value)) is not None:
        return time.time() - when.timestamp() > (_OLD if family == "partial" else 0)
    if family in ("pending", "undone", "gone") and isinstance(value, str) and ("by" not in words or family == "gone"):
        return text in ("true", "yes") or is_uuid(text) or (text.isdigit() and int(text) > 0)
    return something(value) and not (family == "failed" and text in _WELL_DONE)


def _state_says(words: Collection[str], value: JSON, families: Families) -> str:
    """Give the family of a state: by its words, or by its number, that of a failure, or no success that returned."""
    written = str(value).strip()
    text = written.lower()
    bad = value is False or text == "false" or re.match(r"([45][0-9]{2}|-[0-9]+)\b", text) is not None
    returned = not {"return", "ret", "result", "rc", "response", "grpc"}.isdisjoint(words)
    returned = returned and not {"code", "rc", "ret", "status"}.isdisjoint(words)
    if bad or (returned and not re.fullmatch("0+|2[0-9]{2}|[a-z ]*", text)):
        return "failed" if "failed" in families else ""
    if re.match(r"20[67]\b", text):  # a part of what was asked for, or a status for each part
        return "partial" if "partial" in families else ""
    parts = re.findall("[a-z]+", re.sub("(?<=[a-z])(Not)(?=[A-Z])", r" \1 ", written).lower())  # RoomNotCreated
    said = {text, *parts, *(part.removesuffix("s") for part in parts), *words_of(text)}
    camel = {part.lower() for part in re.findall("[A-Z][a-z]+", written)}
    said |= camel & TRUE["failed"]  # PlaylistError
    under_way = {"running", "submitted", "started"} & said and {"operation", "job", "request", "transaction"} & {*words}
    said |= {"pending"} if under_way else set()
    no = not {"no", "not", "never", "non", "without", "nothing"}.isdisjoint(parts)
    told = (each for each in families if (_holds(said, each, FALSE) if no else _holds(said, each, TRUE, IN_VALUES)))
    return next(told, "")
