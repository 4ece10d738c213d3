"""The bytes of an answer: read raw, bounded whatever the service sends, inflated once, whole or refused (R10, R11)."""

import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from roomctl.service.policy import Failed
from roomctl.text import JSON
from roomctl.text.jsontext import exact
from roomctl.text.strict_json import NotStrict, parse

if TYPE_CHECKING:
    import httpx

    from roomctl.service.transport import Answer

PAGE_LIMIT: Final = 32 * 1024 * 1024  # bytes of a list page, before and after decoding
REPLY_LIMIT: Final = 8 * 1024 * 1024  # bytes of any other reply
HEADER_LIMIT: Final = 100 * 1024
MOST_VALUES: Final = 700_000  # commas of one body; a page of 10,000 registrations has 400,000
MOST_NESTED: Final = 200_000  # objects and arrays of one body; the same page has 100,000
_PLAIN: Final = bytes(byte for byte in range(0x20, 0x7F) if byte not in b"{}[],\\")


class Truncated(Exception):
    """The body ended too early."""


class Unreadable(NotStrict):
    """The body is whole and cannot be understood; the message says why and quotes nothing of it.

    `hint` is the next step where there is a better one than usual, `details` are for the JSON form of the error.
    """

    def __init__(self, why: str, *, hint: str = "", **details: str) -> None:
        super().__init__(why)
        self.hint = hint
        self.details = details


def collect(chunks: Iterable[bytes], headers: "httpx.Headers", limit: int) -> bytes:
    """Read a body and undo its encoding: none, or gzip once. Raises Truncated, Unreadable, and what reading raises.

    Headers beyond 100 KiB (R13) are refused here: httpx passes them when they come in one read.
    """
    if sum(len(name) + len(value) + 4 for name, value in headers.raw) > HEADER_LIMIT:
        raise Unreadable("its headers are larger than 100 KiB")
    inflater = _inflater(headers) if "content-encoding" in headers else None
    lengths = [*filter(None, {*headers.get_list("content-length", split_commas=True)})]
    lengths = [] if headers.get("transfer-encoding") else lengths
    if lengths and (len(lengths) > 1 or not (lengths[0].isascii() and lengths[0].isdigit() and len(lengths[0]) < 20)):
        raise Unreadable("its length is not a number")
    announced = int(lengths[0]) if lengths else 0
    parts, read, left = [], 0, limit
    for chunk in chunks if announced <= limit else ():
        read += len(chunk)
        part = _inflated(inflater, chunk, left) if inflater else chunk
        left -= len(part)
        if left < 0 or read > limit:
            break
        parts.append(part)
    if left < 0 or max(read, announced) > limit:
        raise Unreadable(f"more than {limit // (1024 * 1024)} MiB")
    if lengths and read != announced:
        raise Truncated(f"{read} of {announced} bytes arrived")
    if inflater and read and not inflater.eof:
        raise Truncated("its gzip stream ended too early")
    return b"".join(parts)


def marks_of(data: bytes) -> bytes:
    """Give a body's brackets, commas, backslashes, and what is not ASCII or does not show, in their order.

    To look for any of these in what is left is much cheaper than in the whole of a page. A body that few bytes make
    large is refused: `{},{},…` takes seventy times its size in memory. Raises Unreadable.
    """
    marks = data.translate(None, _PLAIN)
    if marks.count(b"{") + marks.count(b"[") > MOST_NESTED or marks.count(b",") > MOST_VALUES:
        raise Unreadable("it has more values than any page of records")
    return marks


def _inflater(headers: "httpx.Headers") -> Any:
    """Give what undoes one gzip, None where a body has no encoding. Raises Unreadable for any other encoding."""
    encodings = [name.lower() for name in headers.get_list("content-encoding", split_commas=True)]
    match [name for name in encodings if name not in ("", "identity")]:
        case []:
            return None
        case ["gzip" | "x-gzip"]:
            return zlib.decompressobj(wbits=31)
    raise Unreadable("its encoding is not gzip")


def _inflated(inflater: Any, chunk: bytes, left: int) -> bytes:
    """Inflate a chunk: one byte beyond the limit is enough to know, so none, however dense, becomes more than that."""
    if chunk and inflater.eof:
        raise Unreadable("data after the end of its gzip stream")
    try:
        part: bytes = inflater.decompress(chunk, left + 1)
    except zlib.error:
        raise Unreadable("labelled as gzip, but it is not") from None
    if inflater.unused_data:
        raise Unreadable("data after the end of its gzip stream")
    return part


def beginning(answer: "Answer", limit: int) -> tuple[bytes, bool]:
    """Read the beginning of an error body, as much as comes and nothing that fails, and say whether it is the whole."""
    data, whole = b"", False
    with suppress(Failed):
        for chunk in answer.chunks:
            data += chunk
            if len(data) > limit:
                break
        else:
            whole = True
    try:
        if inflater := _inflater(answer.headers):
            data = inflater.decompress(data, limit + 1)
    except (zlib.error, Unreadable):
        return b"", True
    return data, whole


def parsed(data: bytes) -> JSON:
    """Decode a body; as its text where it is no JSON."""
    with suppress(NotStrict):
        return parse(data)
    return data.decode(errors="replace").strip()


def text_of(data: bytes) -> str:
    value = parsed(data)
    return value if isinstance(value, str) else exact(value)
