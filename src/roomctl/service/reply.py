"""What an answer means: a value, or a failure with its phase (R17).

A body is decoded strictly (R7, R28), and checked: it must be the answer to what was asked (R45, R46).
"""

import re
from collections.abc import Callable
from itertools import chain
from typing import TYPE_CHECKING, Final

from roomctl.contract.evidence import done_anyway, unproven
from roomctl.contract.fields import fields
from roomctl.contract.invitations import done_for_all
from roomctl.contract.operations import Operation
from roomctl.contract.outcome import denial, differing, settings, shown, unlike, unshown
from roomctl.contract.paging import REFUSALS, Decode, Rows, Wrapped, beside, passed_over, wrappers_of
from roomctl.contract.records import UUID, error_name, folded, is_uuid, superseded
from roomctl.contract.rooms import UNENDED, is_open, no_copies
from roomctl.errors import NotAllowed, NotFound, Refused, RoomctlError, Temporary, Unintelligible
from roomctl.service.body import (
    PAGE_LIMIT,
    REPLY_LIMIT,
    Truncated,
    Unreadable,
    beginning,
    collect,
    marks_of,
    parsed,
    text_of,
)
from roomctl.service.policy import Failed, moment, phase_of, retry_after
from roomctl.service.request import Prepared
from roomctl.text import JSON
from roomctl.text.strict_json import NotStrict, parse
from roomctl.text.times import MINUTE, latest

if TYPE_CHECKING:
    from roomctl.service.transport import Answer

_KINDS: Final[dict[int, type[RoomctlError]]] = {401: NotAllowed, 403: NotAllowed, 404: NotFound}
_READ: Final = 64 * 1024  # bytes of an error body that are looked at
_MARGIN: Final = 8 * 1024  # longer than any form of a key: what stands at a cut could be half of one
_TELLING: Final = (
    *("age", "cache", "warning", "error", "dry", "mock", "simul", "varnish", "lag", "fresh", "status"),
    *("async", "prefer", "read-only", "fail", "partial", "degrad", "fallback", "mainten", "exception"),
    *("outcome", "result", "retry-after"),
)
"""Parts of the names of headers by which an answer to a write may say that it proves nothing."""
_CREATED: Final = "(date|time)?_?created(_?(at|on|date|time|datetime))?|creation_?(at|date|time|datetime)"
"""How fields are named that say when a record was created."""
_SHOWN: Final = 2 * 1024  # characters of an error body that are shown


class Unproven(Unreadable):
    """The answer is whole and proves nothing.

    It says `nothing` of what was asked, or only what was so before, is a `denial`, the `record` of a room that is not
    closed, `part` of the record that was asked for, or of something in another room set (`elsewhere`). `made` is the id
    of what it may have made.
    """

    def __init__(self, why: str, answered: str = "nothing", made: str = "") -> None:
        super().__init__(why, answered=answered, **({"made": made} if made else {}))


def received(
    prepared: Prepared,
    answer: "Answer",
    now: float,
    *,
    redact: Callable[[str], str],
    decode: Decode | None = None,
    list_field: str | None = None,
    replays: bool = False,
) -> JSON:
    """Read the value of an answer, without bearer fields; None where none is shown, and none came. Raises Failed.

    `decode` is given the body first; what it leaves is decoded strictly. `list_field` is taken out of an object that
    wraps an array, or a record. `replays`: the same request was sent before, under one idempotency key.
    """
    operation, data = prepared.operation, b""
    if not 200 <= answer.status <= 299:
        data, whole = beginning(answer, REPLY_LIMIT if operation.writes else _READ)
        text = redact(text_of(data[:_READ]))
        text = text if whole and len(data) <= _READ else text[: max(0, len(text) - _MARGIN)]
        failed = _refusal(prepared, answer, now, text[:_SHOWN])
        if not operation.writes or failed.phase == "P2":
            raise failed
        value = _belied(prepared, failed, data)
    try:
        if 200 <= answer.status <= 299:
            data = collect(answer.chunks, answer.headers, PAGE_LIMIT if operation.paged else REPLY_LIMIT)
            value = _value(prepared, answer, data, decode, list_field)
        telling = ("x-", *_TELLING, "location", "replay")
        headers = [pair for pair in answer.headers.multi_items() if any(each in pair[0] for each in telling)]
        headers = [pair for pair in headers if not (replays and "replay" in pair[0])]
        if operation.writes and headers and (why := passed_over(headers, operation)):
            raise Unproven(why, made=folded(shown(value, operation.identity)))
        if operation.many:
            rows = value if isinstance(value, Rows) else Rows(value or ())
            made = moment(answer.headers.get("date", "").encode())
            value = rows.heed_headers(answer.headers.multi_items() if operation.paged else (), made, now)
        return value
    except Truncated as error:
        raise Failed("P2", f"the reply is cut short: {error}", status=answer.status) from None
    except NotStrict as error:
        details = getattr(error, "details", {}) if operation.writes or not isinstance(error, Unproven) else {}
        raise Failed(
            "P2" if operation.writes else "P3",
            f"HTTP {answer.status}, {error}",
            kind=Unintelligible,
            status=answer.status,
            excerpt=redact(text_of(data[:_READ]))[:_SHOWN] if operation.writes else "",
            hint=getattr(error, "hint", ""),
            details={**beside(answer.headers.multi_items(), answer.status), **details} if "end" in details else details,
        ) from None


def _value(prepared: Prepared, answer: "Answer", data: bytes, decode: Decode | None, list_field: str | None) -> JSON:
    """Read the value of a whole body; a record denies nothing, and is the one that was asked for, or new (R45, R46)."""
    operation, marks = prepared.operation, marks_of(data)
    if re.search("problem|error", answer.headers.get("content-type", "").lower()):
        raise Unproven("its Content-Type marks it as an error")
    if not data or data.isspace():
        _check_empty(operation, answer, data)
    value: JSON = decode(data, marks) if decode else None
    if value is None and (operation.reply is not None or data.strip()):
        value = parse(data)
        if operation.many:
            value = _rows(prepared, value, list_field)
        elif type(value) is dict:
            value = _unwrapped(operation, value, list_field) if list_field else value
            _check_record(prepared, answer, value)
        elif operation.reply is not None or not (value is None or value is True):
            raise Unproven("neither an empty reply nor a record" if operation.reply is None else "not an object")
    if answer.status != 200 and not (answer.status == 201 and operation.repeat == "create" and operation.reply):
        raise Unproven("the service documents 200 for success", made=folded(shown(value, operation.identity)))
    return None if operation.reply is None and not isinstance(value, dict) else value


def _unwrapped(operation: Operation, value: dict[str, JSON], wrapper: str) -> dict[str, JSON]:
    """Give the record that an object wraps, with what that says beside it. Raises Unproven."""
    record = value.get(wrapper)
    if type(record) is not dict or operation.identity in value:
        return value
    rest = {name: each for name, each in value.items() if name != wrapper}
    if why := denial(rest):
        raise Unproven(why, "denial")
    if operation.writes and (why := unproven(rest, "")):
        raise Unproven(why, made=folded(record.get(operation.identity)))
    return {**rest, **record}


def _check_record(prepared: Prepared, answer: "Answer", value: dict[str, JSON]) -> None:
    """Check that a record is the one that was asked for, and shows that it was done. Raises Unproven."""
    operation, sent, standing = prepared.operation, prepared.asked, prepared.standing or {}
    key = folded(value.get(operation.identity))
    if why := unlike(operation, value, sent):
        other = folded(value.get("socialRoomSetId")) not in ("", folded(sent.get("socialRoomSetId")))
        raise Unproven(why, "denial" if denial(value) else "elsewhere" if other else "nothing", key)
    if operation.reply is None:
        body = operation.body or ""
        kept = {name: each for name, each in settings(standing.get(key, {}), body).items() if each is not None}
        changed = differing(value, {name: kept[name] for name in kept if name not in sent}, null=True)
        if names := [*(name for name in unshown(value, sent) if name in fields(body)), *changed]:
            raise Unproven(f"a record that does not show {', '.join(names)}", "part", key)
    elif operation.creates or (operation.repeat == "create" and not (operation.saves or sent.get(operation.identity))):
        _check_new(prepared, answer, value)
    elif operation.repeat == "end" and answer.status == 200:
        state, later = is_open(value), "leaveOpenUntil" in dict(prepared.query)
        old = standing and superseded(value, standing)
        if state not in (False, later) or old:
            raise Unproven(f"the reply {UNENDED['old' if old else state]}", "nothing" if old else "record")


def _check_empty(operation: Operation, answer: "Answer", data: bytes) -> None:
    """Say what an empty body is: cut short, where nothing shows its end, or what may be the end of a list.

    Raises Truncated, Unreadable.
    """
    status, headers = answer.status, answer.headers
    if not data and status == 200 and "content-length" not in headers and "transfer-encoding" not in headers:
        raise Truncated("nothing arrived, and no length was given")
    if not operation.paged or status not in (200, 204):
        return
    if not data and ("content-encoding" in headers or "html" in headers.get("content-type", "").lower()):
        raise Unproven("an empty body labelled as HTML, or as encoded")
    raise Unreadable("empty", end="204" if status == 204 else "empty")


def _rows(prepared: Prepared, value: JSON, list_field: str | None) -> JSON:
    """Give the rows of a list, or of an object that wraps them. Raises Unreadable, naming what would unwrap it."""
    if type(value) is dict:
        wrappers = wrappers_of(value)
        rest = {name: member for name, member in value.items() if name not in (list_field, *wrappers)}
        if (prepared.operation.writes or error_name(rest)) and (why := denial(rest)):
            raise Unproven(why, "denial")
        if prepared.operation.writes and (why := unproven(rest, "")):
            raise Unproven(why)
        if value.get(prepared.operation.row_id):  # its own arrays hold no rows
            raise Unproven("a single record, not an array")
        if list_field is not None and list_field in value:
            page = value[list_field]
            wrapped = Wrapped(page if type(page) is list else [], list_field, value)
            says_more = page is None and (wrapped.more or wrapped.partial or wrapped.total or wrapped.codes)
            value = wrapped if says_more or type(page) is list else page
        elif len(wrappers) == 1:
            [wrapper] = wrappers
            hint = f'`list_field = "{wrapper}"` in the profile unwraps it'
            raise Unreadable(f"an object, not an array: its `{wrapper}` field has the rows", hint=hint, wrapper=wrapper)
        elif wrappers:
            why = (
                f"an object, not an array: the rows may be in its field {' or '.join(map('`{}`'.format, wrappers[:5]))}"
            )
            raise Unreadable(why, hint="name the right one in the profile's `list_field`")
    if value is None and prepared.operation.paged:
        raise Unreadable("`null` instead of an array", end="null")
    if not isinstance(value, list):
        raise Unproven("not an array")
    return value if isinstance(value, Rows) else Rows(value)


def _check_new(prepared: Prepared, answer: "Answer", value: dict[str, JSON]) -> None:
    """Check that a record was not there before, and of a copy none of its rooms (R45)."""
    operation, standing = prepared.operation, prepared.standing
    key = folded(value[operation.identity])
    if standing is None:
        raise Unproven(f"{operation.identity} {key}, which is not shown to be new")
    if key in standing:
        raise Unproven(f"a {operation.identity} that existed before, so not a new record")
    if key in (prepared.url + (prepared.body or b"").decode()).lower():
        raise Unproven(f"the {operation.identity} that was sent, so not a new record")
    if operation.body and (since := _dated(answer, value)):  # a copy may have the date of its original
        raise Unproven(f"a record that was created at {since}, so it may not be a new one")
    if operation.body is None and (why := no_copies(value, standing.values())):
        raise Unproven(why)


def _dated(answer: "Answer", value: dict[str, JSON]) -> str:
    """Give when a record was created, by any of the names of that, where it was before its answer; else empty."""
    answered = moment(answer.headers.get("date", "").encode()) or 0
    texts = (each for name, each in value.items() if re.fullmatch(_CREATED, name, re.IGNORECASE))
    older = (each for each in texts if (when := latest(each)) is not None and when < answered - MINUTE)
    return str(next(older, ""))


def _refusal(prepared: Prepared, answer: "Answer", now: float, excerpt: str) -> Failed:
    status, wait = answer.status, retry_after(answer.headers.raw, now)
    phase = phase_of(status, prepared.operation.repeat, wait)
    ends = prepared.operation.paged and str(status) in REFUSALS
    return Failed(
        phase,
        f"HTTP {status}" + (", a redirect, which roomctl does not follow" if 300 <= status <= 399 else ""),
        kind=_KINDS.get(status, Refused) if phase == "P3" else Temporary,
        status=status,
        wait=wait,
        excerpt=excerpt,
        details={"end": str(status), **beside(answer.headers.multi_items(), status, excerpt)} if ends else {},
    )


def _belied(prepared: Prepared, failed: Failed, data: bytes) -> JSON:
    """Give the records of a refusal that shows some of many as made; it is unknown where else it says that it was done.

    Raises Failed. Of one that shows all as made nobody knows what it means.
    """
    body, operation = parsed(data), prepared.operation
    sent = UUID.findall((prepared.url + (prepared.body or b"").decode()).lower())
    how = done_anyway(body, operation.identity, {*sent, *(prepared.standing or {})})
    records, room = _records(body) if operation.many else [body], prepared.asked.get("socialId")
    for record in records:
        whole = type(record) is dict and is_uuid(folded(record.get(operation.identity))) and not denial(record)
        if whole and how and operation.many and not done_for_all(prepared.body, room, records):
            return Rows(records)
        if whole and not operation.creates and (operation.repeat == "create" or is_open(record) is False):
            how = "with a record that shows it as done"
    if not how:
        raise failed
    why, details = f"{failed.why}, {how}", {"answered": "denial"}
    raise Failed("P2", why, kind=Unintelligible, status=failed.status, excerpt=failed.excerpt, details=details)


def _records(body: JSON) -> list[JSON]:
    """Give what arrays of a refusal hold; an empty record is put to several arrays: no place there is a person's."""
    arrays = [body] if type(body) is list else []
    if type(body) is dict:
        arrays = [each for each in body.values() if type(each) is list]
    return [*chain(*arrays), *([{}] if len(arrays) > 1 else [])]
