"""What a hostile service answers: the bytes, under the name of the trick; used against the whole tool."""

import gzip
import json
import struct
import zlib
from collections.abc import Iterator

from tests.servers import A

OK = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
CLOSE = b"Connection: close\r\n"


def whole(body: bytes, head: bytes = OK, length: int | None = None) -> bytes:
    """Give a reply with a body and its length, or another one."""
    return head + CLOSE + b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body


def bombs() -> Iterator[bytes]:
    """Give 200 MiB of blanks in gzip, and that in gzip again: 495 bytes or so."""
    blanks, maker, check = b" " * 1024 * 1024, zlib.compressobj(9, wbits=-15), 0
    part = maker.compress(blanks) + maker.flush(zlib.Z_FULL_FLUSH)  # knows nothing of what stands before it
    for _ in range(200):
        check = zlib.crc32(blanks, check)
    head, tail = bytes.fromhex("1f8b08000000000000ff"), struct.pack("<2L", check, 200 * len(blanks))
    yield (once := head + part * 200 + maker.flush() + tail)
    yield gzip.compress(once, 9)


def replies(key: str) -> dict[str, bytes]:
    """Give whole replies, none of which says what was asked for; `key` is echoed where an answer can echo."""
    echoed = json.dumps({"message": f"no {key}", "X-API-Key": key, "seen": {"authorization": key}}).encode()
    once, twice = bombs()
    gzipped, refused = b"Content-Encoding: gzip\r\n", b"HTTP/1.1 400 " + key.encode() + b"\r\n"
    return {
        "bomb": whole(once, OK + gzipped),
        "bomb in a bomb": whole(twice, OK + b"Content-Encoding: gzip, gzip\r\n"),
        "not gzip": whole(b"plain", OK + gzipped),
        "html": whole(b"<html><title>sign in</title></html>", b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"),
        "too long a length": whole(b"{}", length=999),
        "too short a length": whole(b'{"userId": 1}', length=4),
        "no length": whole(b"{}", OK + b"X-Content-Length: 2\r\n", length=-1),
        "headers": whole(b"{}", OK + b"".join(b"X-%d: %s\r\n" % (n, b"x" * 1_000) for n in range(120))),
        "key in an error": whole(echoed, refused),
        "key in headers": whole(
            b"no", refused + b"X-Echo: " + key.encode() + b"\r\nX-API-Key: " + key.encode() + b"\r\n"
        ),
        "key in a server's error": whole(echoed, b"HTTP/1.1 500 X\r\n"),
        "key in no http": key.encode() + b"\r\n\r\n",
        "a number": whole(b"7"),
        "null": whole(b"null"),
        "text": whole(b'"x"'),
        "nothing": whole(b""),
        "204": b"HTTP/1.1 204 X\r\n" + CLOSE + b"\r\n",
        "depth 100,000": whole(b"[" * 100_000 + b"]" * 100_000),
        "objects to depth 100,000": whole(b'{"a":' * 100_000 + b"1" + b"}" * 100_000),
        "NaN": whole(b'[NaN, {"userId": Infinity}]'),
        "5,000 digits": whole(b"9" * 5_000),
        "100,000 digits": whole(b"[" + b"9" * 100_000 + b"]"),
        "1e999": whole(b"1e999"),
        "utf-16": whole(json.dumps({"userId": A}).encode("utf-16")),
        "not utf-8": whole(b'{"userId": "\xff\xfe"}'),
        "a key twice": whole(b'{"userId": "%s", "userId": "%s"}' % (A.encode(), A.encode())),
        "an array in an object": whole(b'{"content": [], "page": 0}'),
        "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n",
        "silence": b"",
    }
