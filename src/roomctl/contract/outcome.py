"""What a reply means for a write: done, refused or unknown. A record that says neither proves nothing (R45)."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

from roomctl.contract.doubts import STATE, WRITE, against
from roomctl.contract.fields import INDEXED, fields, skeleton
from roomctl.contract.operations import Operation
from roomctl.contract.records import NO_ERROR, error_of, folded, is_uuid
from roomctl.text import JSON
from roomctl.text.times import instant, moment, on_some_clock

Query = Sequence[tuple[str, str]]
Status = Literal["ok", "failed", "unknown", "skipped"]
_KNOWN_BY: Final = ("name", "socialThemeName", "socialRoomSetId")
"""What tells a new record from others, beside its id: its name, and the room set that it is in."""
_USED: Final = ("themeId", "configurationId", "playlistId", "artifactSetId")


class Outcome(NamedTuple):
    """What became of one of the things that were asked for in a request: `id` is the new one, `reply` its record."""

    status: Status = "ok"
    error: str = ""
    id: str = ""
    reply: JSON = None


# Names and texts without case and `_`, as services write them in a 200 that refuses.
_FAULT = re.compile(
    "error|exception|invalid|denied|denial|reject|refus|problem|violation|forbidden|fail(?!over)|(?<!de)fault"
    "|err(s|no|msg|code|text)?$"
)
_SUCCESS = re.compile("(is|was|has)?(success(ful)?|succeed(ed)?|ok|accepted)")
_DONE = re.compile(
    "(is|was|has|been)*(saved|stored|persisted|committed|applied|executed|created|updated|copied|ended|invited|sent"
    "|done|valid|allowed|permitted|granted|authori[sz]ed|ready|provisioned|available|established)"
)
_UNDONE = re.compile(
    "(is|was|has|been)*(deleted|removed|ignored|simulat(ed|ion)|rolledback|rollback|dryrun|testmode|preview|stale)"
    "(?P<when>(at|on|date|time)+)?"
)
_RETURNED = re.compile("(ret(urn)?|resp|result)code|ret|rc")
_RETURNED_WELL: Final = "0+|2[0-9][0-9]|ok|success|true|"
_LEFT_OUT: Final = (
    "(ignored|dropped|unknown|unsupported|skipped|discarded|stripped|unrecogni[sz]ed|unprocessed)"
    "(fields?|propert(y|ies)|attributes?|param(eter)?s?|keys?|members?|values?)"
)
_STATE = re.compile(r"\w*(status|state|phase|result|outcome)(code|text)?|ack|code|responsecode|" + _RETURNED.pattern)
_HINDERED: Final = (
    r"throttl|too.?many|\brate\b|rate.?(limit|exceed)|limit.?(reached|exceed|hit)|quota|frequency|overload|unavailab|time.?d?.?out"
    r"|unauth|forbidden|denied|credential|api.?key|invalid.?key|upstream|gateway|no.?route|server.?error|result.?window"
    r"|deep.?pag|offset.{0,20}(large|big|deep|exceed|limit|max)|max\w*.{0,12}offset|page.?limit|must.not.exceed"
    r"|(invalid|unknown).\w*event|try.?again|(status|code)\W{1,4}(40[1-35-9]|429|5[0-9]{2})\b"
)
"""What keeps a service from answering, whatever it was asked."""
_REFUSING = re.compile(
    r"(?!no[^a-z])(.*(error|fail|denied|refus|reject|forbidden|invalid|unauthori|unsuccess|abort|declin|delet|skip|ignor|cannot|could.not|unable|time.?out|read.?only)"
    r"|not[^a-z]+(saved|stored|created|updated|done|applied|ok|accept|permit|allow|authori|found|ended|sent|invited|valid)"
    r"|bad.request|(nok|ko|noop)$|-[0-9]|[45][0-9][0-9]\b)"
)
_READ: Final = (
    "errors?|error(messages?|code)|exception|fault|problem|(is|has)(errors?|failed|failure|success(ful)?|succeeded)|failed"
    "|failure|denied|rejected|success(ful)?|succeed(ed)?|ok|accepted|(http)?status(code)?|code|result|outcome|(is)?stale"
)
_ERRORS = ("error", "errors")
_YES, _NO = ("true", "1", "yes"), ("false", "0", "no")
_NOTHING = ("", *_NO, "none", "null")
_REMARK: Final = "(message|msg|warning|detail|reason|notice|info|hint)s?"
_DENYING: Final = r"(.*\b)?(not|nothing|never)[^a-z]+(was[^a-z]+|be[^a-z]+|been[^a-z]+)?(saved|stored|created|updated)"
_CONFIRMING: Final = (
    r"(?<!not )(?<!be )(?<!been )\b(saved|stored|created|updated|success(ful|fully)?)\b"
    r"|\b(no|0|without( any)?) (error|fail)|[{]"
)
_IN_PART: Final = r"\w*(skip|ignor|delet)\w*"
_HARMLESS: Final = frozenset(
    re.findall(
        r"\w+",
        "ok done success successful successfully completed created copied updated saved stored ended closed"
        " the a your room set social theme playlist rules configuration transcription"
        " record is was has been invitation invited sent user person",
    )
)
"""A remark of these words alone says no more than that it was done."""


def denial(record: Mapping[str, JSON], resource: str = "", *, read: bool = False) -> str:
    """Say how a record denies what was asked (R45); empty where it does not.

    What the interface declares for the resource is data, but for what went wrong (`error`, `failureReason`) and for a
    state that fails and is none of its values. Of what is only `read`, a field that the interface may have got since is
    data too: only the plainest words deny there.
    """
    declared = fields(resource) if resource else {}
    for name, value in record.items():
        field = declared.get(name)
        if read and (value is None or not re.fullmatch(_READ, name.lower().replace("_", ""))):
            continue
        if field is None:
            no = denies(name, value)
        elif isinstance(value, dict):  # another resource, that has its own story: only what it declares counts
            told = [each for each in value if each in fields(field.type) or each.lower() in _ERRORS]
            no = any(denies(each, value[each], data=True) for each in told)
        else:
            no = denies(name, value, data=not _STATE.fullmatch(name.lower()) or value in field.values)
        if no:
            return f"a record whose `{name}` says that it failed"
    return ""


def _lacking(record: Mapping[str, JSON], resource: str) -> str:
    """Say that a record holds records of which some are errors, or none; empty where it does not."""
    for name, field in fields(resource).items():
        inner = record.get(name) if field.array and fields(field.type) else None
        if isinstance(inner, list) and not all(isinstance(each, dict) and not error_of(each) for each in inner):
            return f"a record whose `{name}` is incomplete"
    return ""


def denies(field: str, value: JSON, *, data: bool = False) -> bool:
    """Whether a field denies, or one inside it; what is `data` only by what went wrong."""
    name = field.lower().replace("_", "").replace("-", "")
    text = "null" if value is None else str(value).strip().lower()
    if name in _ERRORS or _FAULT.search(name):
        return bool(value) and text not in NO_ERROR and (text not in ("0", "false") or name in _ERRORS)
    if data:
        return False
    if isinstance(value, dict | list):
        inner = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
        pairs = [pair for each in inner for pair in (*each.items(), (str(each.get("type")), each.get("status")))]
        return bool(value and re.fullmatch(_LEFT_OUT, name)) or any(denies(*pair) for pair in pairs)
    if _SUCCESS.fullmatch(name):
        return text in _NOTHING
    if (undone := _UNDONE.fullmatch(name)) or _DONE.fullmatch(name):
        return text not in _NOTHING if undone and undone["when"] else text in (_YES if undone else _NO)
    if _RETURNED.fullmatch(name) and value is not None:
        refuses = not re.fullmatch(_RETURNED_WELL, text)
    else:
        refuses = value is False or _REFUSING.match(text) is not None
    return refuses and isinstance(value, str | int) and _STATE.fullmatch(name) is not None


def hinders(text: str) -> bool:
    """Whether a text names what kept a service from answering; paths in it say nothing."""
    return re.search(_HINDERED, re.sub(r'/[^\s"]*', "", text.lower())) is not None


def remarks(record: Mapping[str, JSON], resource: str) -> str:
    """Give what a record says in words, in members that the interface does not have; empty where it says nothing."""
    others = ((name.lower(), value) for name, value in record.items() if name not in fields(resource))
    given = [value for name, value in others if re.fullmatch(_REMARK, name)]
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in given if each]
    return "; ".join(text for text in texts if not _HARMLESS.issuperset(re.findall(r"\w+", text.lower())))[:200]


def refuses(remark: str) -> bool:
    """Whether words beside a record deny what was asked, and say neither that it was done nor of a part of it."""
    text = remark.lower()
    denied = re.match(_DENYING, text) or _REFUSING.match(re.sub(_IN_PART, "", text))
    return denied is not None and not re.search(_CONFIRMING, text)


def shown(record: JSON, name: str) -> JSON:
    """Give a field of what may be a record; None where it has none. The id of a room's theme may stand in the theme."""
    value = record.get(name) if isinstance(record, dict) else None
    return shown(record.get("theme"), "socialThemeId") if name == "themeId" and record and value is None else value


def unshown(record: JSON, sent: Mapping[str, JSON], resource: str | None = None) -> dict[str, JSON]:
    """Give the fields (of a resource) that were sent and that a record does not show; what was cleared it may not."""
    told = {name: value for name, value in sent.items() if value is not None and shown(record, name) is None}
    return {name: told[name] for name in told if resource is None or name in fields(resource)}


def drops(warning: str) -> str:
    """Give a warning that says that some of what was sent was not taken in; empty for any other."""
    passed_over = r"(?i)(?!.*\b(no|nothing|never)\b).*\b(drop|ignor|unknown|unrecogni|discard|skip|omit|strip)"
    return warning if re.match(passed_over, warning, re.DOTALL) else ""


def differing(record: Mapping[str, JSON], sent: JSON, *, null: bool = False) -> list[str]:
    """Name the fields that were sent and that a record shows with another value; what was cleared it may not show.

    `null`: a field that is there without a value is another, too: an answer to what was sent says so of itself.
    """
    given = sent if isinstance(sent, dict) else {}
    there = record if null else ()
    told = [name for name, value in given.items() if value is None or name in there or shown(record, name) is not None]
    return [name for name in told if not shows(shown(record, name), given[name])]


def remade(record: Mapping[str, JSON], sent: JSON) -> list[str]:
    """Name the fields that were sent and that a new record has with another value, not only in another form."""
    told = {name: shown(record, name) for name in differing(record, sent, null=True)}
    return [name for name, each in told.items() if each is None or not shows(each, sent[name], restated)]


def asked(
    operation: Operation, path: Mapping[str, str], query: Query, body: JSON, standing: Mapping[str, JSON] = {}
) -> dict[str, JSON]:
    """Give the fields that the record of a reply is asked to have; the body of operation 10 holds its record.

    A copy is to be in the room set of its original. Of query parameters that are not documented those count that name
    the record.
    """
    record = shown(body, "theme") if operation.body == "CustomTheme" else body
    fields = dict(record) if isinstance(record, dict) else {}
    given = {**dict(query), **path}
    if operation.open_query:
        known = {"socialRoomSetId": original(operation, query, standing).get("socialRoomSetId"), **given}
        fields |= {name: known[name] for name in _KNOWN_BY if known.get(name) and name != operation.identity}
    for param in operation.params:
        name = param.name if param.name == operation.identity and not operation.creates else param.field
        if name and param.name in given:
            fields[name] = given[param.name]
    return fields


def original(operation: Operation, query: Query, standing: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Give the record that a request copies, as it stood before; empty where it copies none, or that was not shown."""
    ids = [folded(value) for _, value in query] if operation.creates and operation.body is None else []
    return next((standing[key] for key in ids if key in standing), {})


def settings(record: Mapping[str, JSON], resource: str) -> dict[str, JSON]:
    """Give what people set of a record, without ids, and how many `rooms` it shows: what a copy is to have too."""
    rooms = record.get("socials")
    found = {name: record[name] for name in skeleton(resource) if name in record and not is_uuid(record[name])}
    return found | ({"rooms": len(rooms)} if isinstance(rooms, list) else {})


def used(record: Mapping[str, JSON]) -> dict[str, JSON]:
    """Give the ids of what a room uses, where its record has them: those that a copy is to have too."""
    ids = {name: shown(record, name) for name in _USED}
    return {name: key for name, key in ids.items() if key or name in record}


def missed(
    operation: Operation, record: Mapping[str, JSON], sent: Mapping[str, JSON], standing: Mapping[str, JSON]
) -> list[str]:
    """Name what was sent and a record does not show, and what was not sent and is no more as it stood before."""
    body, before = operation.body or "", standing.get(folded(record.get(operation.identity)), {})
    kept = {name: value for name, value in settings(before, body).items() if value is not None and name not in sent}
    return [*unshown(record, sent, body), *differing(record, kept, null=True)]


def unlike(operation: Operation, record: Mapping[str, JSON], asked: Mapping[str, JSON], *, listed: bool = False) -> str:
    """Say why a record is not the one of which these fields were asked (R45, R46); empty where nothing says so.

    A new record is another where its name or its room set is another; what a service made of the rest is its own, and
    of one that a list shows (`listed`), by the id that was answered, its name and what it says in words too.
    """
    read, resource = not operation.writes, operation.resource or operation.body or ""
    denied = denial(record, read=read) and denial(record, resource, read=read)
    if why := denied or (_lacking(record, resource) if read else ""):
        return why
    key = operation.identity
    wanted, found = "" if operation.creates else folded(asked.get(key)), folded(record.get(key))
    if wanted and found != wanted:
        return f"a different {key} from the one requested"
    if operation.writes and not is_uuid(found):
        return f"a record without its {key}"
    if operation.writes and record.keys() - INDEXED.get(resource, {}).keys():
        name = against(record, resource, WRITE if operation.creates else STATE, words=False)
        said = "" if listed or name else remarks(record, resource)
        said = said if operation.readback or refuses(said) else ""
        if name or said:
            return f"a record whose `{name}` says that it is not done yet" if name else f"the service says: {said}"
    if wanted and operation.reply and not operation.saves:
        return ""
    new = operation.reply and not wanted
    names = differing(flat(operation, record), asked, null=not new)
    if new:
        known_by = _KNOWN_BY[-1:] if listed else _KNOWN_BY
        names = [name for name in names if name in known_by and not respelt(record[name], asked[name])]
    return f"a record with a different {' and '.join(names)} from the one requested" if names else ""


def flat(operation: Operation, record: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Give a record; one of which no form is shown, with what it holds in members of its own."""
    known = fields(operation.body or "") if operation.reply is None else record
    inner = [each for name, each in record.items() if name not in known and isinstance(each, dict)]
    return {name: value for each in (*inner, record) for name, value in each.items()}


def respelt(one: JSON, other: JSON) -> bool:
    """Whether two values are one text but for case, blanks and the form of its characters."""
    return plain(one) == plain(other)


def restated(one: JSON, other: JSON) -> bool:
    """Whether a record may well have a value in another form: as a text, as a moment without its zone, not shown."""
    return one is None or respelt(one, other) or on_some_clock(one, moment(other))


def plain(value: JSON) -> str:
    """Give a text without what a service may change in a name: case, blanks and the form of its characters."""
    return " ".join(normalize("NFKC", str(value)).split()).casefold()


def holds(text: str, words: Sequence[str]) -> bool:
    """Whether a text holds one of these words, written as `plain` does."""
    return any(word in plain(text) for word in words)


def shows(record: JSON, sent: JSON, alike: Callable[[JSON, JSON], bool] = lambda _record, _sent: False) -> bool:
    """Whether a record shows every field that was sent, at any depth; a field that was cleared may be absent or empty.

    Ids may come back in another case (R48), moments in another form; `alike` says what else is the same value.
    """
    if sent is None:
        return record in (None, "", [], {})
    if isinstance(sent, dict):
        return isinstance(record, dict) and all(shows(record.get(name), value, alike) for name, value in sent.items())
    if isinstance(sent, list):
        same = isinstance(record, list) and len(record) == len(sent)
        return same and all(shows(have, want, alike) for have, want in zip(record, sent, strict=True))
    if is_uuid(sent):
        return folded(record) == folded(sent)
    same = record == sent or ((when := moment(sent)) is not None and when == instant(record))
    return bool(same and isinstance(record, bool) is isinstance(sent, bool)) or alike(record, sent)
