"""The settings in force: option, environment, profile, built-in, in this order, each with its origin.

A key is bound to its address. `ROOMCTL_BASE_URL` and a key in the environment are one profile, named `environment`,
whole or not at all. A profile of the config file brings its own key, and its address never meets another.
"""

import os
import re
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, NotAllowed, Unexpected, WrongCall
from roomctl.profiles import configfile
from roomctl.profiles.environment import Environment
from roomctl.profiles.keys import Key, check_key, from_command, from_file, from_variable
from roomctl.profiles.profile import (
    ENVIRONMENT,
    KEY_SOURCES,
    RESERVED,
    SETTINGS,
    Profile,
    check,
    check_name,
    key_source,
)
from roomctl.text import Note
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

SANDBOX_URL = "http://localhost"
SANDBOX_KEY = "sandbox-in-process-key"
TABLES = ("default_profile", "profiles", "views")
_URL, _KEY, _KEY_FILE = "ROOMCTL_BASE_URL", "ROOMCTL_API_KEY", "ROOMCTL_API_KEY_FILE"


class Choice(NamedTuple):
    """A profile that was chosen: who chose it, where its values stand, and the folder for relative paths in it."""

    name: str
    origin: str
    where: str
    values: Mapping[str, Any]
    key: Key
    folder: Path = Path()


class Settings(Profile):
    """What is in force for one run. The key is read when it is asked for and is never part of a text of this.

    `origins` says for each setting where it came from; `notes` are lines that a person should see once;
    `asks`: a write is confirmed.
    """

    profile: str
    profile_origin: str
    sandbox: bool
    asks: bool
    proxy: str | None
    origins: dict[str, str]
    notes: list[str]
    key: Key

    def __repr__(self) -> str:
        return f"Settings(profile={self.profile!r}, base_url={self.base_url!r})"


def resolve(
    environment: Environment, *, profile: str | None = None, sandbox: bool = False, overrides: Mapping[str, Any] = {}
) -> Settings:
    """Choose the profile and put the settings together; `overrides` come from the command line, None is left out.

    Raises BadConfig, WrongCall, and NotAllowed when no profile can be found. Reads no key.
    """
    choice = _choose(environment, profile, sandbox)
    if strange := [name for name in overrides if name not in SETTINGS or not SETTINGS[name].variable]:
        raise Unexpected(f"not a setting of the command line: {', '.join(sorted(strange))}")
    values: dict[str, Any] = {}
    origins = {"api_key": choice.key.origin}
    source = choice.where if choice.name in RESERVED else f"profile {choice.name}"
    for name, setting in SETTINGS.items():
        if name in KEY_SOURCES:
            continue
        if (value := overrides.get(name)) is not None:
            origin = subject = f"--{name.replace('_', '-')}"
        elif text := environment.get(setting.variable):
            number = re.fullmatch(r"([0-9]{1,12})(\.[0-9]{1,9})?", text)
            value = text
            if number:
                with suppress(ValueError):  # a text of digits, where the setting is a text
                    value = setting.check(float(text) if number[2] else int(text))
            origin = subject = setting.variable
        else:
            value, origin = choice.values.get(name), source if name in choice.values else "built-in"
            subject = choice.where if choice.name == "environment" else f"{name} of {choice.where}"
        values[name] = setting.default if origin == "built-in" and value is None else check(name, value, subject)
        origins[name] = origin
    if values["base_url"] is None:
        raise BadConfig(f"{choice.where} has no base_url")
    if values["ca_file"] is not None:
        path = environment.resolve(values["ca_file"], choice.folder)
        if not os.path.isfile(path):  # noqa: PTH113  (a path with a null byte is none)
            raise BadConfig(f"ca_file of {choice.where} is not an existing file: {path}")
        values["ca_file"] = str(path)
    is_https = values["base_url"].startswith("https:")
    proxy, origins["proxy"] = environment.proxy_for(values["base_url"]) if is_https else ("", "built-in")
    variables = {variable.name for variable in ENVIRONMENT}
    strange = sorted(name for name in environment if name.startswith("ROOMCTL_") and name not in variables)
    notes = [f"{name} is not read by roomctl" + did_you_mean(name, variables, ": ") for name in strange]
    settings = Settings()
    vars(settings).update(
        values,
        profile=choice.name,
        profile_origin=choice.origin,
        sandbox=choice.name == "sandbox",
        proxy=proxy or None,
        origins=origins,
        notes=notes,
        key=choice.key,
    )
    return settings


def _choose(environment: Environment, profile: str | None, sandbox: bool) -> Choice:
    if sandbox and profile not in (None, "sandbox"):
        raise WrongCall(f"`--sandbox` and `--profile {profile}` cannot be used together", hint="leave one of them out")
    selected, config = environment.get("ROOMCTL_PROFILE"), None
    pair = bool(environment.get(_URL)) and bool(environment.get(_KEY) or environment.get(_KEY_FILE))
    if sandbox or profile is not None:
        name, origin = ("sandbox", "from --sandbox") if sandbox else (profile or "", "from --profile")
    elif pair and selected not in (None, "", "environment"):
        raise BadConfig(
            f"ROOMCTL_PROFILE={selected} is set together with {_URL}, so the service is ambiguous",
            hint="unset one of them, or choose with `--profile`",
        )
    elif pair or selected:
        name, origin = ("environment", f"from {_URL}") if pair else (selected or "", "from ROOMCTL_PROFILE")
    else:
        config = configfile.read(environment.config_file)
        name, origin = _default_profile(environment, config)
    if name == "sandbox":
        if not origin.startswith("from --"):
            _refuse_half_a_pair(environment)
        return Choice(name, origin, "built-in", {"base_url": SANDBOX_URL}, Key("built-in", lambda _: SANDBOX_KEY))
    if name == "environment":
        if not pair:
            _refuse_half_a_pair(environment)
            raise BadConfig(f"profile environment ({origin}) needs {_URL} and {_KEY}")
        key = Key(_KEY, lambda _: check_key(environment[_KEY], _KEY), renewal=f"the key comes from {_KEY}")
        if path := environment.get(_KEY_FILE):
            if environment.get(_KEY):
                raise BadConfig(f"{_KEY} and {_KEY_FILE} cannot be used together", hint="unset one of them")
            file = environment.resolve(path).absolute()
            key = Key(_KEY_FILE, lambda note: from_file(file, note), renewal=f"the key comes from {file} ({_KEY_FILE})")
        return Choice("environment", origin, _URL, {"base_url": environment[_URL]}, key)
    return _choose_from_config(environment, check_name(name, f" ({origin})"), origin, config)


def _default_profile(environment: Environment, config: Mapping[str, Any]) -> tuple[str, str]:
    """The name of the default profile, and who says so. Raises BadConfig, and NotAllowed with the ways to choose."""
    path, name = environment.config_file, config.get("default_profile")
    if isinstance(name, str):
        return name, "the default"
    if name is not None:
        raise BadConfig(f"default_profile in {path} is not a string")
    _refuse_half_a_pair(environment)
    hint = "add one with `roomctl profile add NAME --base-url URL`, or use `--sandbox` to practise"
    if isinstance(profiles := config.get("profiles"), dict) and profiles:
        hint = f"choose one with `--profile NAME`, or `roomctl profile use NAME`: {', '.join(profiles)}"
    raise NotAllowed("there is no active profile", hint=hint)


def no_profile(name: str, known: Collection[str], origin: str = "", *, removes: bool = False) -> BadConfig:
    if name in RESERVED:
        hint = "this profile is built in; `roomctl sandbox reset` empties what it shows"
        hint = hint if name == "sandbox" else "this profile is there while ROOMCTL_BASE_URL and ROOMCTL_API_KEY are set"
        return BadConfig(f"the profile {name} is not in the config file{origin}", hint=hint)
    shown = "`roomctl profile list` shows the names"
    shown = f"the profiles are {', '.join(known)}" if 0 < len(known) < 6 else shown
    way = shown if known or removes else f"`roomctl profile add {name} --base-url URL` adds it"
    return BadConfig(f"there is no profile named {compact(name)}{origin}", hint=did_you_mean(name, known, "") or way)


def _choose_from_config(environment: Environment, name: str, origin: str, config: Mapping[str, Any] | None) -> Choice:
    path = environment.config_file
    config = configfile.read(path) if config is None else config
    profiles, where = configfile.profiles_of(config, path), f"profile {name} in {path}"
    if name not in profiles:
        raise no_profile(name, profiles, f" ({origin})")
    values = configfile.table(profiles[name], where, f"a profile is written as `[profiles.{name}]`")
    _refuse_half_a_pair(environment, claimed=values.get("api_key_env"))
    own = [each for each, value in config.items() if not isinstance(value, dict)]  # other tables are left to others
    if strange := configfile.unknown(own, TABLES, str(path)) + configfile.unknown(values, SETTINGS, where):
        raise BadConfig(
            "; ".join(strange),
            hint="`man 5 roomctl-config` lists the settings; a profile's settings go in its own table",
        )
    key = _key_of(environment, name, values, where, path.parent)
    return Choice(name, origin, where, values, key, path.parent)


def _key_of(environment: Environment, name: str, values: Mapping[str, Any], where: str, folder: Path) -> Key:
    source = key_source(values, where)
    secret: Any = check(source, values[source], f"{source} of {where}") if source else None
    key = ""
    readers: Mapping[str, Callable[[Note], str]] = {
        "api_key": lambda _: check_key(secret, where),
        "api_key_env": lambda _: from_variable(environment, secret, name),
        "api_key_file": lambda note: from_file(environment.resolve(secret, folder), note),
        "api_key_command": lambda _: from_command(secret, f"the key command of profile {name}", environment, folder),
    }

    def read(note: Note) -> str:
        nonlocal key
        if source is None:
            raise NotAllowed(f"profile {name} has no key", hint=f"`roomctl profile add {name} --replace` asks for it")
        key = key or readers[source](note)
        return key

    runs = secret[0] if source == "api_key_command" else ""
    renewal = f"`roomctl profile add {name} --replace` stores a new key"
    if source != "api_key":
        renewal = f"the key comes from {runs or secret} ({source} of profile {name})"
    return Key(f"{source} of profile {name}" if source else "nowhere", read, runs, renewal)


def _refuse_half_a_pair(environment: Environment, claimed: Any = None) -> None:
    """Refuse an address without its key, or a key without its address; `claimed` is a variable that a profile names."""
    keys = [name for name in (_KEY, _KEY_FILE) if environment.get(name)]
    if bool(keys) is bool(environment.get(_URL)) or keys == [claimed]:
        return
    there, missing = (next(name for name in keys if name != claimed), _URL) if keys else (_URL, _KEY)
    state = f"while {missing} is empty" if missing in environment else f"without {missing}"
    raise BadConfig(
        f"{there} is set {state}: the two must be set together, and neither can be mixed with values from a profile",
        hint=f'set both or neither; a profile with `api_key_env = "{_KEY}"` takes its key from there',
    )
