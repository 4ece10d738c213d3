"""Registrations in brief: decoded no further than they are counted."""

from collections.abc import Sequence
from functools import cache
from typing import Any, TypedDict

from roomctl.exports.jsonrows import decode

JSON = Any


class _User(TypedDict, total=False):
    userId: Any
    name: Any
    firstName: Any
    middleName: Any
    lastName: Any
    emailAddress: Any
    mobilePhone: Any


class _Event(TypedDict, total=False):
    startDateTime: Any


class _Registration(TypedDict, total=False):
    registeredDateTime: Any
    confirmed: Any
    source: Any
    user: _User | None
    event: _Event | None
    values: Any


def brief(lines: Sequence[bytes]) -> list[JSON]:
    """Decode the lines of registrations; where one is unusual, all of them in full. Raises ValueError."""
    from msgspec import MsgspecError

    try:
        return _decoder().decode(b"[" + b",".join(lines) + b"]")  # type: ignore[no-any-return]
    except (MsgspecError, RecursionError):
        return [*map(decode, lines)]


@cache
def _decoder() -> Any:
    import msgspec

    return msgspec.json.Decoder(list[_Registration])
