"""What an answer means: a value, or a failure with its phase (R17)."""

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from roomctl.contract.fields import fields
from roomctl.contract.operations import UUID
from roomctl.contract.outcome import denial, differing
from roomctl.contract.paging import REFUSALS, wrapper_of
from roomctl.contract.records import folded
from roomctl.contract.rooms import is_open
from roomctl.errors import NotAllowed, NotFound, Refused, RoomctlError, Temporary, Unintelligible
from roomctl.service.policy import Failed, Phase, phase_of, retry_after
from roomctl.service.request import Prepared
from roomctl.service.strict import parse
from roomctl.service.wire import (
    PAGE_LIMIT,
    REPLY_LIMIT,
    Truncated,
    Unreadable,
    check_density,
    check_headers,
    collect,
    gzipped,
    marks_of,
)

if TYPE_CHECKING:
    from roomctl.service.transport import Answer

JSON = Any
Decode = Callable[[bytes, bytes], list[Any] | None]
"""Gives the rows of a page, whole and within its bounds; None where the strict decoder is to read it. Is given its
marks (`marks_of`) too."""
_KINDS: Final[dict[int, type[RoomctlError]]] = {401: NotAllowed, 403: NotAllowed, 404: NotFound}
_READ: Final = 64 * 1024  # bytes of an error body that are looked at
_MARGIN: Final = 8 * 1024  # longer than any form of a key: what stands at a cut could be half of one
_SHOWN: Final = 2 * 1024  # characters of an error body that are shown


def received(
    prepared: Prepared,
    answer: "Answer",
    now: float,
    *,
    redact: Callable[[str], str],
    decode: Decode | None = None,
    list_field: str | None = None,
) -> JSON:
    """Read the value of an answer, without bearer fields; None where the interface shows no reply. Raises Failed.

    `decode` is given the body first; what it leaves is decoded strictly. `list_field` is taken out of an object that
    wraps an array.
    """
    if not 200 <= answer.status <= 299:
        raise _refusal(prepared, answer, redact, now)
    operation, data = prepared.operation, b""
    limit = PAGE_LIMIT if operation.paged else REPLY_LIMIT
    try:
        check_headers(answer.headers)
        data = collect(answer.chunks, answer.headers, limit)
        marks = marks_of(data)
        check_density(marks)
        if operation.reply is None:
            _check_undocumented(prepared, answer.status, data)
            return None
        if operation.paged and answer.status in (200, 204) and (not data or data.isspace()):
            raise Unreadable("empty", end="204" if answer.status == 204 else "empty")
        value = decode(data, marks) if decode else None
        if value is None:
            value = parse(data)
            value = _rows(prepared, value, list_field) if operation.many else value
            _check(prepared, value)
    except Truncated as error:
        raise Failed("P2", f"the answer is cut short: {error}", status=answer.status) from None
    except Unreadable as error:
        phase: Phase = "P2" if operation.writes else "P3"
        why, shown = f"HTTP {answer.status}, {error}", redact(_text(data[:_READ]))[:_SHOWN] if operation.writes else ""
        failed = Failed(phase, why, kind=Unintelligible, status=answer.status, excerpt=shown)
        failed.hint = error.hint
        failed.details = error.details if operation.writes or not isinstance(error, Unproven) else {}
        raise failed from None
    return value


def _rows(prepared: Prepared, value: JSON, list_field: str | None) -> JSON:
    """Take the rows out of an object that wraps them. Raises Unreadable, naming what would unwrap it."""
    if type(value) is dict:
        if why := denial(value):
            raise Unproven(why)
        if list_field in value:
            _check_end(prepared, value, list_field or "")
            value = value[list_field]
        elif wrapper := wrapper_of(value):
            hint = f'`list_field = "{wrapper}"` in the profile unwraps it'
            raise Unreadable(f"not an array: its rows stand in `{wrapper}` of an object", hint=hint, wrapper=wrapper)
    if value is None and prepared.operation.paged:
        raise Unreadable("`null` in place of an array", end="null")
    return value


def _check_end(prepared: Prepared, page: dict[str, JSON], list_field: str) -> None:
    """Check that a wrapper without rows does not say that there are more, or hold others. Raises Unreadable."""
    if page[list_field]:
        return
    told = {name.lower().replace("_", ""): value for name, value in page.items()}
    asked = dict(prepared.query)
    before = int(asked.get("page", 0)) * int(asked.get("size", 0))
    totals = [told.get(name) for name in ("totalelements", "totalcount", "totalitems", "total")]
    if told.get("last") is False or told.get("hasnext") is True or told.get("hasmore") is True:
        raise Unreadable(f"`{list_field}` is empty, and the page says that it is not the last")
    if any(type(total) is int and total > before for total in totals):
        raise Unreadable(f"`{list_field}` is empty, and the page says that there are more rows")
    others = [name for name, rows in page.items() if type(rows) is list and any(type(row) is dict for row in rows)]
    if others:
        raise Unreadable(f"`{list_field}` is empty, and `{others[0]}` holds records: which holds the rows?")


class Unproven(Unreadable):
    """The answer is whole and proves nothing: it is another `thing`, or the `record` of a room that is not closed."""

    def __init__(self, why: str, answered: str = "thing") -> None:
        super().__init__(why, answered=answered)


def _check_undocumented(prepared: Prepared, status: int, data: bytes) -> None:
    """Check a reply that the interface does not show: nothing, `true`, or the record. Raises Unproven."""
    if status != 200:  # the only success that is documented, and there is nothing else to believe
        raise Unproven("the service documents 200 for what is done")
    value = parse(data) if data.strip() else None
    if value is None or value is True:
        return
    if type(value) is not dict:
        raise Unproven("neither an empty answer nor a record")
    _check_record(prepared, value)


def _check(prepared: Prepared, value: JSON) -> None:
    """Check the top type and, of a single record, what it says. Raises Unproven."""
    if prepared.operation.many:
        if type(value) is not list:
            raise Unproven("not an array")
        return
    if type(value) is not dict:
        raise Unproven("not an object")
    _check_record(prepared, value)


def _check_record(prepared: Prepared, value: dict[str, JSON]) -> None:
    """Check that a record denies nothing, and that it is the one that was asked for, or a new one (R45)."""
    operation = prepared.operation
    if denial(value) and (why := denial(value, fields(operation.resource or operation.body or ""))):
        raise Unproven(why)
    asked, found = asked_id(prepared), folded(value.get(operation.identity))
    if asked and found != asked:
        raise Unproven(f"not the {operation.identity} that was asked for")
    if operation.writes and not UUID.fullmatch(found):
        raise Unproven(f"a record without its {operation.identity}")
    if operation.creates and found in (prepared.url + (prepared.body or b"").decode()).lower():
        raise Unproven(f"the {operation.identity} that was sent, so no new record")
    if operation.creates and found in prepared.standing:
        raise Unproven(f"a {operation.identity} that was there before, so no new record")
    if operation.reply is None and (names := differing(value, json.loads(prepared.body or b"null"))):
        raise Unproven(f"a record that shows another {', '.join(names)} than was sent")
    if operation.repeat == "end":
        _check_ended(prepared, value)


def _check_ended(prepared: Prepared, room: dict[str, JSON]) -> None:
    """Check that an ended room is shown closed, or open where it may be left open (R46). Raises Unproven."""
    state, later = is_open(room), "leaveOpenUntil" in dict(prepared.query)
    if state is None or (state and not later):
        raise Unproven("it does not show the room closed" if state is None else "it shows the room open", "record")


def done_for_all(prepared: Prepared, value: JSON) -> bool:
    """Whether a reply has a record for each that was sent, and none that denies or lacks its id (operation 8)."""
    operation = prepared.operation
    if not (operation.many and operation.writes):
        return True
    done = [each for each in value if type(each) is dict and folded(each.get(operation.identity)) and not denial(each)]
    return len(done) == len(value) == len(json.loads(prepared.body or b"[]"))


def asked_id(prepared: Prepared) -> str:
    """Give the folded id of the record that is asked for: in path, query or body; empty where none is."""
    operation = prepared.operation
    name = operation.identity
    if operation.many or operation.creates:
        return ""
    if any(param.name == name for param in operation.path_params):
        return folded(prepared.path.rpartition("/")[2])
    if name in dict(prepared.query):
        return folded(dict(prepared.query)[name])
    body = json.loads(prepared.body or b"{}")
    record = body if type(body) is dict else {}
    inner = record.get("theme")  # the body of operation 10 holds its record
    return folded(record.get(name)) or (folded(inner.get(name)) if type(inner) is dict else "")


def _refusal(prepared: Prepared, answer: "Answer", redact: Callable[[str], str], now: float) -> Failed:
    status = answer.status
    wait = retry_after(answer.headers, now)
    phase = phase_of(status, prepared.operation.repeat, wait)
    why = f"HTTP {status}"
    if 300 <= status <= 399:
        why += ", a redirect, and those are not followed"
    kind = _KINDS.get(status, Refused) if phase == "P3" else Temporary
    failed = Failed(phase, why, kind=kind, status=status, wait=wait, excerpt=excerpt(answer, redact))
    if prepared.operation.paged and str(status) in REFUSALS:
        failed.details = {"end": str(status)}
    return failed


def excerpt(answer: "Answer", redact: Callable[[str], str]) -> str:
    """Read the beginning of an error body as text without secrets; as much as comes, and nothing that fails."""
    data, whole = _beginning(answer)
    text = redact(_text(data))
    return text[:_SHOWN] if whole else text[: max(0, len(text) - _MARGIN)][:_SHOWN]


def _beginning(answer: "Answer") -> tuple[bytes, bool]:
    """Give the beginning of a body, and whether that is all of it."""
    data, whole = b"", False
    with suppress(Failed):
        for chunk in answer.chunks:
            data += chunk
            if len(data) > _READ:
                break
        else:
            whole = True
    try:
        if gzipped(answer.headers):
            data = zlib.decompressobj(wbits=31).decompress(data, _READ + 1)
    except (zlib.error, Unreadable):
        return b"", True
    return data[:_READ], whole and len(data) <= _READ


def _text(data: bytes) -> str:
    """Write JSON without blanks and bearer fields, anything else as it is."""
    try:
        return json.dumps(parse(data), ensure_ascii=False, separators=(",", ":"), default=str)
    except (Unreadable, ValueError):
        return data.decode(errors="replace").strip()
