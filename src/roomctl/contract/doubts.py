"""What a record says against itself in members that the interface does not have: by families of words, not by names.

A name counts where it consists of the words of one family and of words that say nothing (`isFromCache`, `emailSent`),
so that `previewImageUri` or `waitingRoom` are data. What a record is taken for decides which families count: that it
`READ` well, that it shows the `STATE` of something, that a `WRITE` made it.
"""

import re
import time
from collections.abc import Mapping
from functools import cache
from typing import Final

from roomctl.contract.fields import INDEXED
from roomctl.text import JSON
from roomctl.text.times import moment

Scope = int
READ: Final = 1
STATE: Final = 2
WRITE: Final = 3
"""Of each scope, the families of those before it count too."""

_FILLING: Final = """
    is has have had was were been be are the an? by from of on in to for at when currently still already only fully
    data records? results? responses? requests? reply replies content text info items? entity resource objects? message
    code details? reason mode flag service server backend upstream source origin system served returned read
    count total number num state status access permissions? reached dates? time timestamp
    mail email notification invitation invite
"""
"""Words that say nothing by themselves."""
_FILL: Final = f"({'|'.join(_FILLING.split())})"
_AGAINST: Final = {
    READ: """
        err(no|msg|or(s|ed|code|messages?|text)?)? exceptions? fail(ed|ures?|ing)? faults? faulty problems? invalid
        stale cached (from)?cache cachehit outdated obsolete inconsistent partial(ly)? incomplete degrad(ed|ation)
        truncat(ed|ion) cut(off|short)? capped abridged redact(ed|ion)? mask(ed)? omit(ted)? missing withheld
        filtered(out)? unavailable unreachable unloaded unresolved timed?out corrupt(ed)? aborted throttled
        (limit|quota)(exceeded|hit) fallback placeholder mock(ed)? stub(bed)? simulat(ed|ion) dummy fake synthetic
    """,
    STATE: """
        pending queued enqueued defer(red)? processing inprogress copying closing ending terminating creating updating
        saving provisioning deleting syncing initiali[sz]ing retrying waiting rolledback rollback reopen(ed|ing) draft
        denied unauthori[sz]ed forbidden reject(ed|ion) refused
    """,
    WRITE: """
        deleted removed revoked revocation cancell?(ed|ation) expired ignored skipped dropped discarded unprocessed
        preview dryrun (validate|validation|test)(only|mode) noop unchanged nothing\\w* async onhold held
        existing existed existsalready already\\w+ duplicated? suspended quarantined readonly maintenance
        bounced? undeliver(ed|able) unsubscribed optedout optout blocked suppressed
        requires?(approval|confirmation|review|action|verification)
        (approval|confirmation|review|verification)(required|pending)
    """,
}
"""What a record says against itself by such a name if it is true."""
_FOR: Final = {
    READ: "loaded found exists fresh uptodate consistent",
    STATE: "ok success(ful)? succeeded completed? final(i[sz]ed)? ready finished done processed valid available",
    WRITE: """
        saved stored persisted committed applied executed created updated copied ended sent delivered invited allowed
        permitted granted authori[sz]ed provisioned established new changed modified
    """,
}
"""What it says against itself by such a name if it is false."""
_SINCE: Final = f"{_FILL}*(asof|snapshot{_FILL}*|(cached|fetched|retrieved|refreshed){_FILL}*(at|on|time|date){_FILL}*)"
_WORDED: Final = "messages? msgs? notes? notices? warnings? details? reasons? info hints? issues? remarks? alerts?"
_STATED: Final = (
    r"\w*(status|state|phase|stage|outcome|result|condition|severity)(code|text|type)?"
    r"|(result|return|ret|resp|response|http|status|error)code|rc|ret"
)
_LOADED: Final = "load(ed)?|read|show(n)?|found|find|fetch(ed)?|retrieved?|resolved?|available|complete|known"
_TELLING: Final = {
    READ: (
        rf"\b(could not|couldn.t|cannot|can.t|unable to|failed to)( be)? ({_LOADED})\b"
        rf"|\bnot( yet| been| be| fully| all)* ({_LOADED})\b|unavailab|\bincomplete|\bpartial(ly)?\b"
        r"|\b(omitted|missing|redacted|withheld|cached|stale)\b|truncat|out ?dated|out of date|timed? ?out"
        r"|\bonly (the )?first\b|\b(internal|server|upstream|read|load\w*) error"
    ),
    STATE: (
        r"\b(could|can)(n't| ?n’t| ?not)\b|\bunable\b|\bfail|\berror|\bunknown\b|\b(access|permission) denied"
        r"|\bforbidden|\brejected|\brefused"
    ),
    WRITE: (
        r"\b(not|never|nothing)( was| were| has| have| yet| been| be| fully| all)* (processed|final|saved|stored"
        r"|created|updated|applied|sent|ended|done|closed|invited)\b"
    ),
}
"""Words that say it in a text."""
_MEANT_WELL: Final = (
    r"\b(no|0|without( any)?|unknown|unrecogni[sz]ed) (error|fail|fault|problem|warning|field|propert|attribute|key)\w*"
)
_OLD: Final = 60.0  # seconds
_NOTHING: Final = frozenset({"", "0", "0.0", "-1", "false", "no", "none", "null", "-", "n/a", "no error"})
_DENIED: Final = frozenset({"no", "non", "not", "never", "without", "free", "over"})
_NO: Final = frozenset({"0", "false", "no", "n"})
_DEPTH: Final = 3
_LONGEST: Final = 60  # characters of a name that says something


def against(record: Mapping[str, JSON], resource: str, scope: Scope, *, words: bool = True, depth: int = _DEPTH) -> str:
    """Name the member by which a record says that it is no proof; empty where none does. `words`: texts count too."""
    if not (others := record.keys() - INDEXED.get(resource, {}).keys()):
        return ""
    for name in filter(others.__contains__, record):
        kind, value = _kind(name, scope), record[name]
        if kind and value is not None and (words or kind != "words") and _tells(kind, value, scope, depth):
            return name
    return ""


def makes_doubt(name: str) -> bool:
    """Whether something said under a name may count against a record that is only read."""
    return _kind(name, READ) != ""


@cache
def _kind(name: str, scope: Scope) -> str:
    """What kind of statement a name makes in a scope: `against`, `for`, `words`, `state`, …; empty for data."""
    word = "".join(filter(str.isalpha, name.lower()))
    no, yes, never = _scoped(_AGAINST, scope), _scoped(_FOR, scope), "(?!)"
    kinds = {
        "words": f"{_FILL}*({_WORDED.replace(' ', '|')})",
        "since": _SINCE if scope > READ else never,
        "progress": f"{_FILL}*(progress|percent(age)?|pct)(completed?|done)?" if scope > READ else never,
        "against": f"{_FILL}*({no})({_FILL}|{no})*",
        "for": f"(?!.*(already|not)){_FILL}*({yes}){_FILL}*",
        "code": "code",
        "state": _STATED,
        "type": "type|typename|class|kind" if name.startswith(("@", "_")) else never,
        "inside": "data|meta|metadata|operation|_?links|diagnostics|conditions",
    }
    told = (kind for kind, pattern in kinds.items() if re.fullmatch(pattern, word))
    return next(told, "") if 0 < len(name) <= _LONGEST and (scope > READ or "reason" not in word) else ""


def _scoped(words: Mapping[Scope, str], scope: Scope) -> str:
    """Make one pattern of the words that count in a scope."""
    return "|".join(" ".join(words[own] for own in words if own <= scope).split())


def _tells(kind: str, value: JSON, scope: Scope, depth: int) -> bool:
    """Whether what stands under a name of this kind is said against the record."""
    if isinstance(value, dict | list):
        parts = value if isinstance(value, list) else [value]
        texts = kind == "words" and any(_tells(kind, each, scope, 0) for each in parts if isinstance(each, str))
        inner = [each for each in parts if isinstance(each, dict)] if depth else []
        told = any(against(each, "", scope, depth=depth - 1) or _holds_not(each, scope) for each in inner)
        return bool(value) if kind == "against" else texts or told
    text = str(value).strip().lower()
    when = moment(value)
    age = time.time() - when.timestamp() if when else None
    said = {
        "against": text not in _NOTHING and (age is None or age > 0),
        "for": text in _NO,
        "since": value is True or (age is not None and age > _OLD),
        "progress": type(value) in (int, float) and value < 100 and value != 1,
        "type": re.search("error|exception|fault|problem", text) is not None,
    }
    if kind == "words":
        telling = "|".join(_TELLING[own] for own in _TELLING if own <= scope)
        return re.search(telling, re.sub(_MEANT_WELL, "", text)) is not None
    if kind in ("state", "code"):
        return _fails(value, text, scope if kind == "state" else READ)
    return said.get(kind, False)


def _holds_not(record: Mapping[str, JSON], scope: Scope) -> bool:
    """Whether what names a condition by its `type` says that it does not hold, or by its severity that it is grave."""
    name = str(record.get("type") or record.get("code") or "")
    severe = str(record.get("severity") or record.get("level") or "").lower() in ("error", "fatal", "critical")
    return severe or bool(name and (kind := _kind(name, scope)) and _tells(kind, record.get("status"), scope, 0))


def _fails(value: JSON, text: str, scope: Scope) -> bool:
    if isinstance(value, bool):
        return value is False
    if isinstance(value, int) or text.isdigit():
        return scope > READ and not (text == "0" or re.fullmatch("2[0-9]{2}", text))
    no, words = _scoped(_AGAINST, scope) + "|unknown" * (scope > READ), re.findall("[a-z]+", text)
    said = f"{_FILL}*({no})({_FILL}|{no})*|(unsuccess|unable|cannot|(could)?not)\\w+"
    return bool(words) and (
        re.fullmatch(said, "".join(words)) is not None
        or (_DENIED.isdisjoint(words) and any(re.fullmatch(no, word) for word in words))
    )
