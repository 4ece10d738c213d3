"""Bodies as bytes: bounded whatever the service sends, decoded once, whole or refused (R10, R11)."""

import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

PAGE_LIMIT: Final = 32 * 1024 * 1024  # bytes of a list page, before and after decoding
REPLY_LIMIT: Final = 8 * 1024 * 1024  # bytes of any other reply
HEADER_LIMIT: Final = 100 * 1024
MOST_VALUES: Final = 700_000  # commas of one body; a page of 10,000 registrations has 400,000
MOST_NESTED: Final = 200_000  # objects and arrays of one body; the same page has 100,000
_PLAIN: Final = bytes(byte for byte in range(0x20, 0x7F) if byte not in b"{}[],\\")

Headers = Sequence[tuple[bytes, bytes]]


class Truncated(Exception):
    """The body ended too early."""


class Unreadable(Exception):
    """The body is whole and cannot be understood; the message says why and quotes nothing of it.

    `hint` is the next step where there is a better one than usual, `details` are for the JSON form of the error.
    """

    def __init__(self, why: str, *, hint: str = "", **details: str) -> None:
        super().__init__(why)
        self.hint = hint
        self.details = details


def collect(chunks: Iterable[bytes], headers: Headers, limit: int) -> bytes:
    """Read a body and undo its encoding: none, or gzip once. Raises Truncated, Unreadable, and what reading raises."""
    raw = _whole(chunks, _length(headers), limit)
    return b"".join(_inflated(raw, limit) if gzipped(headers) else raw)


def gzipped(headers: Headers) -> bool:
    """Whether a body is encoded, once, with gzip. Raises Unreadable for any other encoding."""
    match [name for name in _values(headers, b"content-encoding") if name != "identity"]:
        case []:
            return False
        case ["gzip" | "x-gzip"]:
            return True
    raise Unreadable("its encoding is not gzip")


def check_headers(headers: Headers) -> None:
    """Refuse headers beyond 100 KiB (R13), which httpx passes when they come in one read. Raises Unreadable."""
    if sum(len(name) + len(value) + 4 for name, value in headers) > HEADER_LIMIT:
        raise Unreadable("its headers have more than 100 KiB")


def marks_of(data: bytes) -> bytes:
    """Give a body's brackets, commas, backslashes, and what is not ASCII or does not show, in their order.

    To look for any of these in what is left is much cheaper than in the whole of a page.
    """
    return data.translate(None, _PLAIN)


def check_density(marks: bytes) -> None:
    """Refuse a body that few bytes make large: `{},{},…` takes seventy times its size in memory. Raises Unreadable."""
    if marks.count(b"{") + marks.count(b"[") > MOST_NESTED or marks.count(b",") > MOST_VALUES:
        raise Unreadable("it holds more values than any page of records does")


def _values(headers: Headers, wanted: bytes) -> list[str]:
    """Give the values of a header, which may be a list and may stand more than once, in lower case."""
    lines = [value.decode("latin-1").lower() for name, value in headers if name.lower() == wanted]
    return [word for line in lines for part in line.split(",") if (word := part.strip())]


def _length(headers: Headers) -> int | None:
    """Give the announced number of bytes, where one is announced. Raises Unreadable."""
    lengths = set(_values(headers, b"content-length"))
    if not lengths or _values(headers, b"transfer-encoding"):
        return None
    text = lengths.pop()
    if lengths or not (text.isascii() and text.isdigit() and len(text) < 20):
        raise Unreadable("its length is not a number")
    return int(text)


def _whole(chunks: Iterable[bytes], length: int | None, limit: int) -> Iterator[bytes]:
    if length is not None and length > limit:
        raise Unreadable(_too_long(limit))
    read = 0
    for chunk in chunks:
        read += len(chunk)
        if read > limit:
            raise Unreadable(_too_long(limit))
        yield chunk
    if length is not None and read != length:
        raise Truncated(f"{read} of {length} bytes came")


def _inflated(raw: Iterable[bytes], limit: int) -> Iterator[bytes]:
    inflater = zlib.decompressobj(wbits=31)
    left = limit
    empty = True
    try:
        for chunk in raw:
            empty = empty and not chunk
            if inflater.eof and chunk:
                raise Unreadable("data after the end of its gzip stream")
            # one byte beyond the limit is enough to know, so no chunk, however dense, becomes more than that
            part = inflater.decompress(chunk, left + 1)
            left -= len(part)
            if left < 0:
                raise Unreadable(_too_long(limit))
            yield part
        if inflater.unused_data:
            raise Unreadable("data after the end of its gzip stream")
    except zlib.error:
        raise Unreadable("not gzip, though it says so") from None
    if not (empty or inflater.eof):
        raise Truncated("its gzip stream ended too early")


def _too_long(limit: int) -> str:
    return f"more than {limit // (1024 * 1024)} MiB"
