"""The `profile` commands as functions: they change the config file or say what stands in it, and print nothing."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig, NotAllowed
from roomctl.profiles import configfile as file
from roomctl.profiles.environment import Environment
from roomctl.profiles.fields import PROFILE_FIELDS, SOURCES, checked_name, taken
from roomctl.profiles.folders import config_file
from roomctl.profiles.keys import masked
from roomctl.profiles.settings import Settings

JSON = Any


def add(path: Path, name: str, fields: Mapping[str, Any], *, make_default: bool = False, replace: bool = False) -> None:
    """Add a profile; the first one becomes the default. Raises BadConfig, LocalFailure."""
    checked_name(name)
    clean = {field: taken(field, value, f"profile {name}") for field, value in fields.items()}

    def change(document: Any) -> None:
        import tomlkit

        profiles = document.setdefault("profiles", tomlkit.table(is_super_table=True))
        if name in profiles and not replace:
            raise BadConfig(f"a profile named {name} exists already", hint="`--replace` replaces it")
        table = tomlkit.table()
        for field, value in clean.items():
            table[field] = list(value) if isinstance(value, tuple) else value
        profiles[name] = table
        if make_default or "default_profile" not in document:
            document["default_profile"] = name

    file.edit(path, change)


def use(path: Path, name: str) -> None:
    """Make a profile the default one. Raises BadConfig, LocalFailure."""

    def change(document: Any) -> None:
        _must_be(document, name)
        document["default_profile"] = name

    file.edit(path, change)


def remove(path: Path, name: str) -> None:
    """Remove a profile; a default that named it is removed too. Raises BadConfig, LocalFailure."""

    def change(document: Any) -> None:
        _must_be(document, name)
        del document["profiles"][name]
        if document.get("default_profile") == name:
            del document["default_profile"]

    file.edit(path, change)


def _must_be(document: Any, name: str) -> None:
    if name not in document.get("profiles", {}):
        raise BadConfig(f"no profile is named {name}", hint="`roomctl profile list` shows them")


def list_profiles(environment: Environment) -> list[JSON]:
    """List the profiles of the config file, and the sandbox; of a key only where it comes from."""
    config = file.read(config_file(environment))
    default = environment.get("ROOMCTL_PROFILE") or config.get("default_profile")
    profiles = config.get("profiles", {})
    rows = [_row(name, values, default) for name, values in profiles.items() if isinstance(values, dict)]
    return [*rows, _row("sandbox", {"base_url": "in process", "api_key": ""}, default)]


def _row(name: str, values: Mapping[str, Any], default: JSON) -> JSON:
    source = next((each for each in SOURCES if each in values), None)
    return {
        "name": name,
        "default": name == default,
        "base_url": values.get("base_url"),
        "key": "built-in" if name == "sandbox" else source,
        "protected": bool(values.get("protected")),
        "read_only": bool(values.get("read_only")),
    }


def show(settings: Settings) -> list[JSON]:
    """List every setting in force with its origin; the key is masked, and one that cannot be had says why."""
    try:
        key = masked(settings.api_key())
    except NotAllowed as error:
        key = f"not usable: {error.message}"
    rows = [_setting("profile", settings.profile, settings.profile_origin)]
    rows.append(_setting("base_url", settings.base_url, settings.origins["base_url"]))
    rows.append(_setting("api_key", key, settings.origins["api_key"]))
    names = [field.name for field in PROFILE_FIELDS if field.name not in (*SOURCES, "base_url")]
    return rows + [_setting(name, getattr(settings, name), settings.origins[name]) for name in names]


def _setting(name: str, value: JSON, origin: str) -> JSON:
    return {"setting": name, "value": value, "origin": origin}
