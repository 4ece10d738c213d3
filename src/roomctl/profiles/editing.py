"""The profiles of the config file: added, chosen, removed, listed, and shown with all settings in force."""

import os
import re
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

from roomctl.contract.address import address
from roomctl.errors import BadConfig, NotAllowed
from roomctl.profiles.configfile import edit, profiles_of, read
from roomctl.profiles.environment import Environment
from roomctl.profiles.keys import check_key, mask
from roomctl.profiles.profile import KEY_SOURCES, RESERVED, SETTINGS, check_name, validate
from roomctl.profiles.settings import Settings, no_profile
from roomctl.text import JSON
from roomctl.text.jsontext import compact

IS_SANDBOX = "the sandbox is a profile already: `roomctl profile use sandbox` makes it the default"


def add(
    config_path: Path, name: str, values: Mapping[str, Any], *, make_default: bool = False, replace: bool = False
) -> bool:
    """Add or replace a profile, and say whether it is the default now. Raises BadConfig, NotAllowed, LocalFailure."""
    stored = validate(values, f"profile {name}")
    for field, value in stored.items():  # relative paths become absolute, for there is no working directory later
        if field == "api_key":
            stored[field] = check_key(value, "the command")
        elif field in ("api_key_file", "ca_file"):
            stored[field] = _absolute(value)
        elif field == "api_key_command":
            program, *arguments = value
            stored[field] = [_absolute(program) if os.sep in program else program, *arguments]
        elif isinstance(value, tuple):
            stored[field] = list(value)

    def change(config: MutableMapping[str, Any]) -> None:
        check_new(config_path, name, config, replace=replace)
        becomes_default = make_default or not profiles_of(config, config_path)
        profiles = config.setdefault("profiles", {})
        if not isinstance(profiles.get(name), MutableMapping):
            profiles[name] = dict(stored)
        for field in [field for field in profiles[name] if field not in stored]:
            del profiles[name][field]
        for field, value in stored.items():  # comments between values that stay are kept
            if profiles[name].get(field) != value:
                profiles[name][field] = value
        if becomes_default:
            config["default_profile"] = name

    before = edit(config_path, change)
    return make_default or not before.get("profiles") or before.get("default_profile") == name


def _absolute(path: str) -> str:
    return path if path.startswith("~") else str(Path(path).absolute())


def use(config_path: Path, name: str) -> None:
    def change(config: MutableMapping[str, Any]) -> None:
        if name != "sandbox":
            check_exists(config_path, name, config, removes=False)
        config["default_profile"] = name

    edit(config_path, change)


def remove(config_path: Path, name: str) -> bool:
    """Remove a profile and its key, and say whether it was the default one. Raises BadConfig, LocalFailure."""

    def change(config: MutableMapping[str, Any]) -> None:
        check_exists(config_path, name, config)
        del config["profiles"][name]
        if config.get("default_profile") == name:
            del config["default_profile"]

    return edit(config_path, change).get("default_profile") == name


def check_exists(path: Path, name: str, config: Mapping[str, Any] | None = None, *, removes: bool = True) -> None:
    if name not in (known := profiles_of(read(path) if config is None else config, path)):
        raise no_profile(name, known, removes=removes)


def check_new(
    path: Path, name: str, config: Mapping[str, Any] | None = None, *, replace: bool = False
) -> dict[str, Any] | None:
    """Give the profile to `replace`, if any. Raises BadConfig for a name that cannot be used, or that is taken."""
    if check_name(name) in RESERVED:
        hint = IS_SANDBOX if name == "sandbox" else "choose another name"
        raise BadConfig(f"the name is reserved: {name}", hint=hint)
    profiles = profiles_of(read(path) if config is None else config, path)
    if name in profiles and not replace:
        hint = "`--replace` changes it; settings that are not given stay as they are"
        raise BadConfig(f"a profile named {compact(name)} already exists", hint=hint)
    old = profiles.get(name)
    return dict(old) if isinstance(old, Mapping) else None if old is None else {}


def merged(name: str, old: Mapping[str, Any], values: Mapping[str, Any], *, new_key: bool) -> dict[str, Any]:
    """Fill in what is not given from the profile replaced, a key for the same base URL only (R3). Raises BadConfig."""
    kept = {each: value for each, value in old.items() if each in SETTINGS and each not in KEY_SOURCES}
    stored = validate({**kept, **values}, f"profile {name}")
    if not new_key and stored["base_url"] == _base_url(old):
        stored |= {each: old[each] for each in KEY_SOURCES if each in old}
    return stored


def list_profiles(environment: Environment) -> list[JSON]:
    """List the profiles of the config file, the environment's, and the sandbox; of a key only where it comes from."""
    path = environment.config_file
    config = read(path)
    pair = environment.get("ROOMCTL_BASE_URL")
    default = "environment" if pair else environment.get("ROOMCTL_PROFILE") or config.get("default_profile")
    rows = [
        _row(name, values, next((source for source in KEY_SOURCES if source in values), None), default)
        for name, values in profiles_of(config, path).items()
        if isinstance(values, dict) and name not in RESERVED
    ]
    if pair:
        key = next((each for each in ("ROOMCTL_API_KEY", "ROOMCTL_API_KEY_FILE") if environment.get(each)), None)
        rows.append(_row("environment", {"base_url": pair}, key, default))
    return [*rows, {**_row("sandbox", {}, "built-in", default), "base_url": "in this process"}]


def _row(name: str, values: Mapping[str, Any], key: str | None, default: JSON) -> dict[str, JSON]:
    flags = {flag: values.get(flag) is True for flag in ("protected", "read_only")}
    return {"name": name, "default": name == default, "base_url": _base_url(values), "key": key, **flags}


def _base_url(values: Mapping[str, Any]) -> str | None:
    """The address of a profile; one that cannot be used is not shown, for it may hold a password."""
    try:
        return address(values.get("base_url")).base
    except ValueError:
        return None


def show(settings: Settings) -> list[JSON]:
    """List every setting in force with its origin; the key is masked, and one that cannot be had says why.

    A command that prints the key is not run: it may ask for a passphrase.
    """
    origins = {**settings.origins, "profile": settings.profile_origin}
    values: dict[str, JSON] = {"profile": settings.profile}
    for name in SETTINGS:
        if name == "api_key" or name not in KEY_SOURCES:
            values[name] = getattr(settings, name, None)
    if settings.key.runs:
        values["api_key"] = f"printed by {settings.key.runs}, which was not run: `roomctl profile check` runs it"
    else:
        try:
            values["api_key"] = mask(settings.key.read(settings.notes.append))
        except NotAllowed as error:
            values["api_key"] = f"not usable: {error.message}"
    values["proxy"] = settings.proxy and re.sub("//.*@", "//***@", settings.proxy)
    return [
        {"setting": name, "value": list(value) if isinstance(value, tuple) else value, "origin": origins[name]}
        for name, value in values.items()
    ]
