"""What a profile can say: one table that parsing, showing and editing read."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from roomctl.errors import BadConfig

NAME = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)
RESERVED = ("sandbox", "environment")
LOOPBACK = ("localhost", "127.0.0.1", "::1")
SOURCES = ("api_key", "api_key_env", "api_key_file", "api_key_command")


class Field(NamedTuple):
    """A setting: its name, what it means, how a value is taken, its default, and its environment variable."""

    name: str
    meaning: str
    take: Callable[[Any], Any]
    default: Any = None
    variable: str = ""


def text(value: Any) -> str:
    """Take a text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError("a text")
    return value


def flag(value: Any) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def words(value: Any) -> tuple[str, ...]:
    """Take a list of texts: a command and its arguments."""
    if not isinstance(value, list) or not value or not all(isinstance(word, str) for word in value):
        raise ValueError("a list of texts")
    return tuple(value)


def seconds(value: Any) -> float:
    """Take a number above 0."""
    number = _number(value)
    if not 0 < number < 1_000_000:
        raise ValueError("a number above 0 and below 1,000,000")
    return number


def count(value: Any) -> int:
    """Take a whole number from 0."""
    number = _number(value)
    if number != int(number) or not 0 <= number < 1_000_000_000:
        raise ValueError("a whole number from 0")
    return int(number)


def some(value: Any) -> int:
    """Take a whole number from 1."""
    if (number := count(value)) < 1:
        raise ValueError("a whole number from 1")
    return number


def _number(value: Any) -> float:
    if isinstance(value, str) and re.fullmatch(r"\d{1,12}(\.\d{1,9})?", value, re.ASCII):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float) or not -1e12 < value < 1e12:
        raise ValueError("a number")
    return float(value)


def base_url(value: Any) -> str:
    """Take the service's address: https, or http on this machine; without path, user, query. Raises ValueError."""
    address = text(value)
    try:
        parts = urlsplit(address)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        raise ValueError("an address such as https://rooms.example.org") from None
    if parts.scheme not in ("http", "https") or not host or not re.fullmatch(r"[a-z0-9._:-]+", host):
        raise ValueError("an address such as https://rooms.example.org")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("an address without user, password, query and fragment")
    if parts.scheme == "http" and host not in LOOPBACK:
        raise ValueError("an https address; http is for this machine only")
    path = parts.path.rstrip("/").removesuffix("/api/v1")
    shown = f"[{host}]" if ":" in host else host
    default = {"http": 80, "https": 443}[parts.scheme]
    return f"{parts.scheme}://{shown}" + ("" if port in (None, default) else f":{port}") + path


PROFILE_FIELDS = (
    Field("base_url", "the service's address, without /api/v1", base_url),
    Field("api_key", "the key itself", text),
    Field("api_key_env", "an environment variable that holds the key", text),
    Field("api_key_file", "a file that holds the key", text),
    Field("api_key_command", "a command that prints the key, as a list of words; no shell, 10 s", words),
    Field("protected", "writes need --profile on the command line itself, or a typed word", flag, False),
    Field("read_only", "refuses everything that is not a GET", flag, False),
    Field("timeout", "seconds for one attempt", seconds, 30.0, "ROOMCTL_TIMEOUT"),
    Field("retries", "repeats at most, within what the class of an operation allows", count, None, "ROOMCTL_RETRIES"),
    Field("rate", "requests a second at most", seconds, None, "ROOMCTL_RATE"),
    Field("concurrency", "requests at a time", some, 4, "ROOMCTL_CONCURRENCY"),
    Field("page_size", "items asked for at a time", some, None, "ROOMCTL_PAGE_SIZE"),
    Field("copy_parameter", "the query parameter that names the room in `social copy`", text, "socialId"),
    Field("idempotency_header", "a header with a new id on every write, where the service knows one", text),
    Field("ca_file", "certificates to trust in place of the system's", text),
    Field("output", "form of the result", text, None, "ROOMCTL_OUTPUT"),
)
BY_NAME = {field.name: field for field in PROFILE_FIELDS}


def checked_name(name: str) -> str:
    """Take a profile's name. Raises BadConfig."""
    if not NAME.fullmatch(name):
        raise BadConfig(f"not a profile's name: {name!r}", hint="1 to 64 letters, digits, `.`, `_`, `-`")
    if name in RESERVED:
        raise BadConfig(f"the name is taken by roomctl itself: {name}", hint="choose another name")
    return name


def taken(name: str, value: Any, where: str) -> Any:
    """Take the value of a field. Raises BadConfig that names the field and its place, never the value."""
    try:
        return BY_NAME[name].take(value)
    except ValueError as error:
        raise BadConfig(f"{name} in {where} is not {error}") from None
