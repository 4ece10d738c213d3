"""What an answer means: a value, or a failure with its phase (R17)."""

import json
import zlib
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from roomctl.contract.operations import BY_NAME, UUID
from roomctl.errors import NotAllowed, NotFound, Refused, RoomctlError, Temporary, Unintelligible
from roomctl.service.policy import Failed, Phase, phase_of, retry_after
from roomctl.service.prepared import Prepared
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
    prepared: Prepared, answer: "Answer", redact: Callable[[str], str], now: float, decode: Decode | None = None
) -> JSON:
    """Read the value of an answer, without bearer fields; None where the interface shows no reply. Raises Failed.

    `decode` is given the body first; what it leaves is decoded strictly.
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
        value = decode(data, marks) if decode else None
        if value is None:
            value = parse(data)
            _check(prepared, value)
    except Truncated as error:
        raise Failed("P2", f"the answer is cut short: {error}", status=answer.status) from None
    except Unreadable as error:
        phase: Phase = "P2" if operation.writes else "P3"
        why, shown = f"HTTP {answer.status}, {error}", redact(_text(data[:_READ]))[:_SHOWN] if operation.writes else ""
        raise Failed(phase, why, kind=Unintelligible, status=answer.status, excerpt=shown) from None
    return value


def _check_undocumented(prepared: Prepared, status: int, data: bytes) -> None:
    """Check a reply that the interface does not show: 200, and no JSON that denies. Raises Unreadable."""
    if status != 200:  # the only success that is documented, and there is nothing else to believe
        raise Unreadable("the service documents 200 for what is done")
    value = parse(data) if data.strip() else None
    if value is False or value == []:
        raise Unreadable("it denies")
    if type(value) is dict:
        _check_denial(value)
        key = BY_NAME[prepared.operation.readback or ""].row_id or ""
        sent = (json.loads(prepared.body) if prepared.body else {}).get(key) if key in value else None
        if sent is not None and str(value[key]).lower() != str(sent).lower():
            raise Unreadable(f"not the {key} that was sent")


def _check_denial(value: dict[str, JSON]) -> None:
    """Refuse to believe a record that says of itself that it is an error."""
    status = value.get("status")
    if value.get("error") or (type(status) is int and status >= 400):
        raise Unreadable("a record that says that it is an error")


def _check(prepared: Prepared, value: JSON) -> None:
    """Check the top type, the id that was asked for or made, and that no error is said. Raises Unreadable."""
    operation = prepared.operation
    if operation.many:
        if type(value) is not list:
            raise Unreadable("not an array")
        return
    if type(value) is not dict:
        raise Unreadable("not an object")
    if operation.writes:
        _check_denial(value)
    asked = asked_id(prepared)
    if operation.repeat == "create" and not UUID.fullmatch(str(value.get(operation.row_id or ""))):
        raise Unreadable(f"a record without its {operation.row_id}")
    if asked and str(value.get(operation.row_id)).lower() != asked.lower():
        raise Unreadable(f"not the {operation.row_id} that was asked for")


def asked_id(prepared: Prepared) -> str:
    """Give the id of the record that is asked for (operations 7, 15, 17); empty where the reply is a new record."""
    operation = prepared.operation
    names = [param.name for param in operation.params]
    if operation.many or operation.repeat not in ("read", "end") or operation.row_id not in names:
        return ""
    queried = dict(prepared.query).get(operation.row_id)
    return queried or prepared.path.rpartition("/")[2]


def _refusal(prepared: Prepared, answer: "Answer", redact: Callable[[str], str], now: float) -> Failed:
    status = answer.status
    wait = retry_after(answer.headers, now)
    phase = phase_of(status, prepared.operation.repeat, wait)
    why = f"HTTP {status}"
    if 300 <= status <= 399:
        why += ", a redirect, and those are not followed"
    kind = _KINDS.get(status, Refused) if phase == "P3" else Temporary
    return Failed(phase, why, kind=kind, status=status, wait=wait, excerpt=excerpt(answer, redact))


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
