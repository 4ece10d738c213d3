"""What a profile can say: one table that parsing, showing and editing read."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from roomctl.contract.paging import ENDS
from roomctl.errors import BadConfig
from roomctl.profiles.addresses import base_url
from roomctl.text.suggest import did_you_mean

NAME = r"[A-Za-z0-9._-]{1,64}"
RESERVED = ("sandbox", "environment")
_NUMBER = r"([0-9]{1,12})(\.[0-9]{1,9})?"
_VARIABLE = r"[A-Za-z_][A-Za-z0-9_]{0,127}"
_HEADER = r"[A-Za-z][A-Za-z0-9-]{0,63}"
_WORD = r"[\x21-\x7e]{1,128}"
_LIST_FIELD = "the field that holds the rows, where the service wraps its lists in an object"
_END_OF_LIST = "what the service answers behind the last page of a list, where that is not `[]`"
_OWN_HEADERS = (
    *("accept", "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type"),
    *("cookie", "host", "proxy-authorization", "transfer-encoding", "user-agent", "x-api-key"),
)


class Field(NamedTuple):
    """A setting: its name, what it means, how a value is taken, its default, and its environment variable.

    What has a variable has an option too, unless it is a habit of the service; the rest stands in the profile only.
    """

    name: str
    meaning: str
    take: Callable[[Any], Any]
    default: Any = None
    variable: str = ""


def text(value: Any) -> str:
    """Take a text that is not empty and can be a path, an argument and UTF-8: no NUL, no lone surrogate."""
    if not isinstance(value, str) or not value or not _writable(value):
        raise ValueError("a text")
    return value


def word(value: Any) -> str:
    """Take a word of visible ASCII characters."""
    if not isinstance(value, str) or not re.fullmatch(_WORD, value):
        raise ValueError("a word without blanks")
    return value


def variable(value: Any) -> str:
    """Take the name of an environment variable."""
    if not isinstance(value, str) or not re.fullmatch(_VARIABLE, value):
        raise ValueError("the name of an environment variable")
    return value


def header(value: Any) -> str:
    """Take the name of a header that roomctl does not set itself."""
    if not isinstance(value, str) or not re.fullmatch(_HEADER, value) or value.lower() in _OWN_HEADERS:
        raise ValueError("the name of a header such as Idempotency-Key")
    return value


def flag(value: Any) -> bool:
    """Take true or false."""
    if not isinstance(value, bool):
        raise ValueError("true or false")
    return value


def words(value: Any) -> tuple[str, ...]:
    """Take a list of texts: a command and its arguments."""
    arguments = isinstance(value, list | tuple) and all(isinstance(each, str) and _writable(each) for each in value)
    if not arguments or not value or not value[0]:
        raise ValueError('a list of texts such as ["pass", "show", "rooms"]')
    return tuple(value)


def _writable(value: str) -> bool:
    return "\0" not in value and not any("\ud800" <= character <= "\udfff" for character in value)


def ends(value: Any) -> tuple[str, ...]:
    """Take a list of 204, empty, null, 400, 404; a variable holds them with commas between."""
    several = value if isinstance(value, list | tuple) else str(value).split(",")
    found = tuple(str(each).strip() for each in several)
    if not set(found) <= set(ENDS):
        raise ValueError(f"a list of {', '.join(ENDS)}")
    return found


def above_zero(value: Any) -> float:
    """Take a number above 0 and below a million."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1_000_000:
        raise ValueError("a number above 0 and below 1,000,000")
    return float(value)


def whole(least: int, most: int) -> Callable[[Any], int]:
    """Take a whole number within bounds."""

    def take(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"a whole number from {least} to {most}")
        return value

    return take


PROFILE_FIELDS = (
    Field("base_url", "the service's address, without /api/v1", base_url),
    Field("api_key", "the key itself", text),
    Field("api_key_env", "an environment variable that holds the key", variable),
    Field("api_key_file", "a file that holds the key", text),
    Field("api_key_command", "a command that prints the key, as a list of words; no shell, 10 s", words),
    Field("protected", "writes need --profile on the command line itself, or a typed word", flag, False),
    Field("read_only", "refuses everything that is not a GET", flag, False),
    Field("timeout", "seconds for one attempt", above_zero, 30.0, "ROOMCTL_TIMEOUT"),
    Field("retries", "repeats at most, within what the operation allows", whole(0, 1000), None, "ROOMCTL_RETRIES"),
    Field("rate", "requests a second at most", above_zero, None, "ROOMCTL_RATE"),
    Field("concurrency", "requests at a time", whole(1, 256), 4, "ROOMCTL_CONCURRENCY"),
    Field("page_size", "items asked for at a time", whole(1, 999_999_999), None, "ROOMCTL_PAGE_SIZE"),
    Field("copy_parameter", "the query parameter that names the room in `social copy`", word, "socialId"),
    Field("idempotency_header", "a header with a new id on every write, where the service knows one", header),
    Field("list_field", _LIST_FIELD, word, None, "ROOMCTL_LIST_FIELD"),
    Field("end_of_list", _END_OF_LIST, ends, None, "ROOMCTL_END_OF_LIST"),
    Field("ca_file", "certificates to trust in place of the system's", text),
    Field("output", "form of the result", word, None, "ROOMCTL_OUTPUT"),
)
BY_NAME = {field.name: field for field in PROFILE_FIELDS}
KEY_SOURCES = tuple(name for name in BY_NAME if name.startswith("api_key"))


def checked_name(name: str) -> str:
    """Take the name of a profile that the config file may hold (R52). Raises BadConfig."""
    if not re.fullmatch(NAME, name):
        raise BadConfig(f"not a profile's name: {name!r}", hint="1 to 64 letters, digits, `.`, `_`, `-`")
    if name in RESERVED:
        raise BadConfig(f"the name is roomctl's own: {name}", hint="choose another name")
    return name


def taken(name: str, value: Any, subject: str) -> Any:
    """Take the value of a field. Raises BadConfig that names the subject, never the value."""
    try:
        return BY_NAME[name].take(value)
    except ValueError as error:
        raise BadConfig(f"{subject} is not {error}") from None


def from_text(name: str, value: str, subject: str) -> Any:
    """Take the value of a field from the text of an environment variable. Raises BadConfig as `taken` does."""
    match = re.fullmatch(_NUMBER, value)
    number = float(value) if match and match[2] else int(value) if match else value
    return taken(name, number, subject)


def unknown_fields(values: Mapping[str, Any], where: str) -> list[str]:
    """Name what stands in a profile and is not a setting, each with the nearest one that is."""
    return [f"{where}: {name} is not a setting{did_you_mean(name, BY_NAME)}" for name in values if name not in BY_NAME]
