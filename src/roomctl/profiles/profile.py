"""What a profile can say: every setting is declared here, once, with its type, check, default, option and variable.

`Settings` has the same attributes; `profile add` takes them as options; `profile show`, roomctl-config(5),
`help environment` and the completions follow. The whole of a profile is checked by a pydantic model made of this,
for what writes a profile or examines it; other commands check the values that they read, and load no pydantic.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from roomctl.contract.address import address
from roomctl.contract.paging import ENDS
from roomctl.errors import BadConfig
from roomctl.profiles.configfile import unknown
from roomctl.profiles.environment import Variable
from roomctl.text.jsontext import compact

NAME = r"[A-Za-z0-9._-]{1,64}"
RESERVED = ("sandbox", "environment")
_OWN_HEADERS = (
    "accept|accept-encoding|authorization|connection|content-encoding|content-length|content-type"
    "|cookie|host|proxy-authorization|transfer-encoding|user-agent|x-api-key"
)


def _checked(fits: Callable[[Any], bool], what: str) -> Callable[[Any], Any]:
    """Make a check, which raises ValueError that says what the value is not."""

    def check(value: Any) -> Any:
        if not fits(value):
            raise ValueError(what)
        return value

    return check


def _matching(pattern: str, what: str) -> Callable[[Any], Any]:
    return _checked(lambda value: isinstance(value, str) and re.fullmatch(pattern, value) is not None, what)


def _whole(least: int, most: int) -> Callable[[Any], Any]:
    return _checked(
        lambda value: type(value) is int and least <= value <= most, f"a whole number from {least} to {most}"
    )


text = _matching(r"(?s)[^\0\ud800-\udfff]+", "a string")
"""What can be a path, an argument, and UTF-8."""
word = _matching(r"[\x21-\x7e]{1,128}", "a word without spaces")
variable_name = _matching(r"[A-Za-z_][A-Za-z0-9_]{0,127}", "the name of an environment variable")
header = _matching(
    rf"(?ai)(?!({_OWN_HEADERS})\Z)[a-z][a-z0-9-]{{0,63}}", "the name of a header such as Idempotency-Key"
)
"""A header that roomctl does not set itself."""
boolean = _checked(lambda value: isinstance(value, bool), "true or false")


def command(value: Any) -> tuple[str, ...]:
    try:
        program, *arguments = value if isinstance(value, list | tuple) else ()
        return (text(program), *(text(each) if each != "" else "" for each in arguments))
    except ValueError:
        raise ValueError('a list of strings such as ["pass", "show", "rooms"]') from None


def list_ends(value: Any) -> tuple[str, ...]:
    """Check a list of what a list may end on; a variable holds them with commas between."""
    parts = value if isinstance(value, list | tuple) else str(value).split(",")
    ends = tuple(str(each).strip() for each in parts)
    if not set(ends) <= set(ENDS):
        raise ValueError(f"a list of {', '.join(ENDS)}")
    return ends


def positive(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1_000_000:
        raise ValueError("a number above 0 and below 1,000,000")
    return float(value)


def zone(value: Any) -> str:
    from zoneinfo import ZoneInfo

    try:
        ZoneInfo(text(value))
    except (OSError, ValueError, KeyError):
        raise ValueError("a time zone such as Europe/Berlin") from None
    return str(value)


class Setting(NamedTuple):
    """What is declared of a setting beside its name and type.

    `metavar` is that of its option in `profile add`, empty for a flag; None: it is an option of every command, or none.
    `unset` says what holds without its variable, where the default does not.
    """

    meaning: str
    check: Callable[[Any], Any]
    default: Any = None
    metavar: str | None = None
    variable: str = ""
    unset: str = ""


_setting: Any = Setting
"""Declares a setting, as a value of any type: that of its attribute."""


class Profile:
    """The settings of a profile, in the order in which they are shown."""

    # fmt: off
    base_url: str = _setting("the service's address, without /api/v1: https, or http on this machine",
                             lambda value: address(value).base, metavar="URL")
    api_key: Any = _setting("the key itself", text)
    api_key_env: str = _setting("an environment variable that holds the key", variable_name, metavar="NAME")
    api_key_file: str = _setting("a file that holds the key", text, metavar="FILE")
    api_key_command: tuple[str, ...] = _setting("a command that prints the key; it runs in the config file's "
                                                "folder, without a shell, for at most 10 seconds", command,
                                                metavar="COMMAND")
    protected: bool = _setting("ask for a typed confirmation before each write; `--yes` skips it only "
                               "together with `--profile NAME`",
                               boolean, False, metavar="")
    read_only: bool = _setting("refuse everything that is not a GET", boolean, False, metavar="")
    timeout: float = _setting("time limit for one attempt, in seconds", positive, 30.0, variable="ROOMCTL_TIMEOUT")
    retries: int | None = _setting("maximum retries per request", _whole(0, 1000), variable="ROOMCTL_RETRIES",
                                   unset="depends on the operation")
    rate: float | None = _setting("maximum requests per second", positive, variable="ROOMCTL_RATE", unset="no limit")
    concurrency: int = _setting("maximum concurrent requests", _whole(1, 256), 4, variable="ROOMCTL_CONCURRENCY")
    page_size: int | None = _setting("items per page", _whole(1, 999_999_999), variable="ROOMCTL_PAGE_SIZE",
                                     unset="100; 500 for exports")
    copy_parameter: str = _setting("the query parameter that identifies the room in `social copy`", word, "socialId",
                                   metavar="NAME")
    idempotency_header: str | None = _setting("the service's idempotency header, if it has one: every write gets a "
                                              "new id in it", header, metavar="NAME")
    list_field: str | None = _setting("the field that holds the rows or the record, where the service wraps "
                                      "them in an object", word, metavar="NAME", variable="ROOMCTL_LIST_FIELD")
    end_of_list: tuple[str, ...] = _setting(
        f"what the service returns past the last page of a list, if not `[]`: {','.join(ENDS)}", list_ends, (),
        metavar="WORDS", variable="ROOMCTL_END_OF_LIST", unset="`[]`, or an empty reply after a page that has rows")
    ca_file: str | None = _setting("certificates to trust instead of the system's", text, metavar="FILE")
    output: str | None = _setting("output format, as in `--output`", word, variable="ROOMCTL_OUTPUT", unset="table")
    time_zone: str | None = _setting("the time zone, such as Europe/Berlin, for times given without one; "
                                     "tables use the zone in TZ, or this machine's", zone,
                                     metavar="ZONE", unset="none: name one with each time")
    # fmt: on


SETTINGS: Mapping[str, Setting] = {name: each for name, each in vars(Profile).items() if isinstance(each, Setting)}
KEY_SOURCES = tuple(name for name in SETTINGS if name.startswith("api_key"))
_CHOICES, _OTHERS = Path(__file__).with_name("variables.txt").read_text(encoding="utf-8").split("\n\n")
ENVIRONMENT = (
    *(Variable(*map(str.strip, line.split(" | "))) for line in _CHOICES.splitlines()),
    *(
        Variable(each.variable, each.meaning, each.unset or (f"{each.default:g}" if each.default else ""))
        for each in SETTINGS.values()
        if each.variable
    ),
    *(Variable(*map(str.strip, line.split(" | "))) for line in _OTHERS.splitlines()),
)


def check_name(name: str, origin: str = "") -> str:
    if not re.fullmatch(NAME, name):
        raise BadConfig(
            f"{compact(name)} is not a valid profile name{origin}", hint="use 1 to 64 letters, digits, `.`, `_`, `-`"
        )
    return name


def check(name: str, value: Any, subject: str) -> Any:
    """Check the value of a setting. Raises BadConfig that names the subject, never the value."""
    try:
        return SETTINGS[name].check(value)
    except ValueError as error:
        raise BadConfig(f"{subject} is not {error}") from None


def key_source(values: Mapping[str, Any], where: str) -> str | None:
    """Name the source of a profile's key, of which there is one at most. Raises BadConfig."""
    sources = [source for source in KEY_SOURCES if source in values]
    if len(sources) > 1:
        raise BadConfig(f"{where} has more than one key: {', '.join(sources)}", hint="keep only one of them")
    return sources[0] if sources else None


def validate(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check the whole of a profile with pydantic. Raises BadConfig of all that is wrong, no value repeated (R8)."""
    from pydantic import ConfigDict, PlainValidator, ValidationError, create_model

    key_source(values, where)
    fields: Any = {name: (Annotated[Any, PlainValidator(each.check)], None) for name, each in SETTINGS.items()}
    fields["base_url"] = (fields["base_url"][0], ...)
    model = create_model("Profile", __config__=ConfigDict(extra="forbid"), **fields)
    try:
        found: dict[str, Any] = model.model_validate(dict(values)).model_dump(exclude_unset=True)
        return found
    except ValidationError as invalid:
        messages = []
        for error in invalid.errors(include_input=False, include_url=False):
            name = str(error["loc"][0])
            match error["type"]:
                case "missing":
                    messages.append(f"{where} has no {name}")
                case "extra_forbidden":
                    messages += unknown([name], SETTINGS, where)
                case _:
                    messages.append(f"{name} of {where} is not {error['ctx']['error']}")
        raise BadConfig("; ".join(messages)) from None
