"""The topics of `roomctl help` → roomctl(7), and the profile's fields → roomctl-config(5)."""

import re
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

from roomctl import __version__
from roomctl.manual import roff

EDITION = "2026-01-01"
"""The date in the pages' footer. The format demands one; it is fixed, so that the same tree makes the same bytes."""

CONFIG_EXAMPLE = """\
default_profile = "staging"

[profiles.staging]
base_url = "https://staging.rooms.example.org"
api_key_command = ["pass", "show", "rooms/staging"]

[profiles.prod]
base_url = "https://rooms.example.org"
api_key_env = "PROD_ROOMS_KEY"
protected = true

[views.badges]
columns = ["user.name", "user.emailAddress", "Company"]
rename = { "user.name" = "Name" }
tz = "Europe/Berlin"
"""
CONFIG = (
    "One TOML file holds the profiles: which service is asked, with which key. `roomctl profile add` writes it and"
    " keeps your comments. Only you may be able to read it: a file that others can read or write is refused.",
    "`default_profile` names the profile in force where neither --profile nor ROOMCTL_PROFILE names one. Each table"
    " `[profiles.NAME]` is a profile; a name has 1 to 64 letters, digits, dots, underscores and hyphens.",
    "An option beats the environment, the environment beats the profile, the profile beats what is built in."
    " `roomctl profile show` prints every setting in force and where it comes from.",
)
VIEWS = (
    "A table `[views.NAME]` is a set of columns for `registration export --view NAME`. `columns` lists them in their"
    " order, `rename` gives headings to some, `tz` puts times on the clock of a zone. Each may be left out;"
    " --columns and --tz stand in place of what the view says, --rename adds to it and wins.",
)
KEYS = (
    "A profile has one source of its key: `api_key`, `api_key_env`, `api_key_file` or `api_key_command`."
    " No option takes a key: what stands on a command line can be read by others."
)
PLACES = (
    "These are the places on Linux; XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME and XDG_CACHE_HOME move them. macOS"
    " has them in ~/Library, Windows in %LOCALAPPDATA%. ROOMCTL_CONFIG, ROOMCTL_DATA, ROOMCTL_STATE and ROOMCTL_CACHE"
    " name each of them outright."
)


def header(name: str, section: int) -> list[str]:
    """Begin a page."""
    return [
        '.\\" Made from the command tree: python -m roomctl.manual write',
        f'.TH {roff.literal(name.upper())} {section} {EDITION} "roomctl {__version__}" "roomctl manual"',
        ".nh",
        ".ad l",
    ]


def topics_page() -> str:
    """Make roomctl(7)."""
    from roomctl.cli.topics import TOPICS

    lines = [*header("roomctl", 7), *roff.section("NAME", ["roomctl \\- what holds for every command of roomctl"])]
    about = f"What `roomctl help` explains: {', '.join(TOPICS)}."
    lines += roff.section("DESCRIPTION", roff.prose(about))
    for name, make in TOPICS.items():
        lines += roff.section(name.replace("-", " ").upper(), _topic(name, make))
    return (
        "\n".join([*lines, *roff.section("SEE ALSO", roff.references([("roomctl", 1), ("roomctl-config", 5)]))]) + "\n"
    )


def config_page() -> str:
    """Make roomctl-config(5)."""
    from roomctl.profiles import PROFILE_FIELDS

    lines = [*header("roomctl-config", 5)]
    lines += roff.section("NAME", ["roomctl\\-config \\- the profiles of roomctl: config.toml"])
    lines += roff.section("SYNOPSIS", [roff.italic(_files()[0]["path"])])
    lines += roff.section("DESCRIPTION", roff.paragraphs(CONFIG))
    lines += roff.section(
        "FIELDS OF A PROFILE", [*roff.prose(KEYS), *(line for each in PROFILE_FIELDS for line in _field(each))]
    )
    lines += roff.section("VIEWS", roff.paragraphs(VIEWS))
    lines += roff.section("EXAMPLE", roff.verbatim(map(roff.literal, CONFIG_EXAMPLE.splitlines())))
    lines += roff.section("SEE ALSO", roff.references([("roomctl", 1), ("roomctl-profile", 1), ("roomctl", 7)]))
    return "\n".join(lines) + "\n"


def _field(field: Any) -> list[str]:
    text = f"{field.meaning[:1].upper()}{field.meaning[1:]}."
    if (kind := re.match(r"Take ((?:an? |true )[^.:;]*)", field.take.__doc__ or "")) is not None:
        text += f" {kind[1][:1].upper()}{kind[1][1:]}."
    if field.default not in (None, False):
        text += f" Default: {field.default:g}." if isinstance(field.default, float) else f" Default: {field.default}."
    if field.variable:
        text += f" Environment: {field.variable}."
    return roff.item(roff.bold(field.name), roff.prose(text))


def _session() -> Any:
    """Stand in for the session of a run whose folders are the same on every machine."""
    from roomctl.profiles import Environment

    places = {"CONFIG": ".config", "DATA": ".local/share", "STATE": ".local/state", "CACHE": ".cache"}
    return SimpleNamespace(environment=Environment({f"XDG_{name}_HOME": f"/~/{path}" for name, path in places.items()}))


def _files() -> list[dict[str, str]]:
    from roomctl.cli.topics import files

    return [{**row, "path": row["path"].replace("\\", "/").removeprefix("/")} for row in files(_session()).value]


def _topic(name: str, make: Callable[[Any], Any]) -> list[str]:
    value = _files() if name == "files" else make(_session()).value
    lines = roff.prose((make.__doc__ or "").strip().splitlines()[0])
    if isinstance(value, str):
        return [line for index, part in enumerate(value.split("\n\n")) for line in _text(part, first=index == 0)]
    for row in value:
        lines += _row(name, row)
    return [*lines, *([".PP", *roff.prose(PLACES)] if name == "files" else [])]


def _text(part: str, *, first: bool) -> list[str]:
    """Set a paragraph of a text; lines of two columns become a list, with what is indented below them."""
    columns = [re.match(r"(\S.*?) {2,}(\S.*)", line) for line in re.sub(r"\n +", " ", part).splitlines()]
    if all(columns):
        return [
            line
            for each in columns
            if each
            for line in roff.item(roff.bold(each[1]), roff.prose(f"{_capital(each[2]).rstrip('.')}."))
        ]
    return [*([] if first else [".PP"]), *roff.prose(" ".join(part.split()))]


def _row(name: str, row: Mapping[str, Any]) -> list[str]:
    if name == "errors":
        again = " Safe to run again." if row["retryable"] else ""
        return roff.item(roff.bold(row["code"]), roff.prose(f"{row['meaning']}. Exit {row['exit']}.{again}"))
    if name == "files":
        return roff.item(roff.italic(row["path"]), roff.prose(f"{row['what']}: {row['holds']}."))
    if name == "environment":
        default = f" Default: {row['default']}." if row["default"] else ""
        return roff.item(roff.bold(row["name"]), roff.prose(f"{_capital(row['meaning'])}.{default}"))
    if name == "gaps":
        others = "".join(f" With --{mode}: {row[mode]}." for mode in ("strict", "hostile") if row[mode] != "the same")
        said = (
            f"{row['quote'] or 'The interface is silent.'} In the sandbox: {row['lenient']}. Why: {row['why']}.{others}"
        )
        return roff.item(roff.bold(row["id"]), roff.prose(said))
    tag, *rest = (str(value) for value in row.values())
    return roff.item(roff.bold(tag), roff.prose(" ".join(f"{_capital(part.rstrip('.'))}." for part in rest if part)))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
