"""The `profile` commands as functions: they change the config file or say what stands in it, and print nothing."""

import os
from collections.abc import Mapping, MutableMapping
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig, NotAllowed
from roomctl.profiles import addresses, configfile, fields, proxies
from roomctl.profiles.environment import Environment
from roomctl.profiles.folders import config_file
from roomctl.profiles.keys import checked_key, masked
from roomctl.profiles.rewriting import edit
from roomctl.profiles.settings import Settings
from roomctl.text.suggest import nearest

JSON = Any


def add(
    config_path: Path, name: str, values: Mapping[str, Any], *, make_default: bool = False, replace: bool = False
) -> bool:
    """Add a profile, or replace all that it says; the first one becomes the default. Say whether it is the default now.

    Raises BadConfig, NotAllowed (an `api_key` that cannot be one), LocalFailure.
    """
    fields.checked_name(name)
    clean = _clean(values, f"profile {name}")
    default = False

    def change(config: MutableMapping[str, Any]) -> str | None:
        nonlocal default
        profiles = configfile.profiles_of(config, config_path)
        if name in profiles and not replace:
            raise BadConfig(f"a profile named {name} exists already", hint="`--replace` replaces it")
        becomes, known = make_default or not profiles, name in profiles
        _put(config.setdefault("profiles", {}), name, clean)
        if becomes:
            config["default_profile"] = name
        default = config.get("default_profile") == name
        return None if becomes or known else _written(name, clean)

    edit(config_path, change)
    return default


def _written(name: str, clean: Mapping[str, Any]) -> str:
    import tomlkit

    document = tomlkit.document()
    document.setdefault("profiles", {})[name] = dict(clean)
    return tomlkit.dumps(document)


def _put(profiles: MutableMapping[str, Any], name: str, clean: Mapping[str, Any]) -> None:
    """Put a profile's values in place, so that comments between those that stay are kept."""
    if not isinstance(profiles.get(name), MutableMapping):
        profiles[name] = dict(clean)
        return
    table = profiles[name]
    for field in [field for field in table if field not in clean]:
        del table[field]
    for field, value in clean.items():
        if table.get(field) != value:
            table[field] = value


def _clean(values: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check a new profile: known fields, an address, at most one key; relative paths become absolute ones."""
    for line in fields.unknown_fields(values, where):
        raise BadConfig(line)
    if "base_url" not in values:
        raise BadConfig(f"{where} has no base_url")
    if len(sources := [name for name in fields.KEY_SOURCES if name in values]) > 1:
        raise BadConfig(f"{where} has more than one key: {', '.join(sources)}", hint="keep one of them")
    return {name: _stored(name, fields.taken(name, value, f"{name} of {where}")) for name, value in values.items()}


def _stored(name: str, value: Any) -> Any:
    if name == "api_key":
        return checked_key(value, "the command")
    if name in ("api_key_file", "ca_file"):
        return _absolute(value)
    if name == "api_key_command":
        program, *arguments = value
        return [_absolute(program) if os.sep in program else program, *arguments]
    return list(value) if isinstance(value, tuple) else value


def _absolute(path: str) -> str:
    return path if path.startswith("~") else str(Path(path).absolute())


def use(config_path: Path, name: str) -> None:
    """Make a profile, or the sandbox, the default one. Raises BadConfig, LocalFailure."""

    def change(config: MutableMapping[str, Any]) -> str | None:
        if name != "sandbox":
            _must_be(config, name, config_path)
        config["default_profile"] = name
        return None

    edit(config_path, change)


def remove(config_path: Path, name: str) -> bool:
    """Remove a profile, and its key with it. Say whether it was the default one, which there is none of then.

    Raises BadConfig, LocalFailure.
    """
    default = False

    def change(config: MutableMapping[str, Any]) -> str | None:
        nonlocal default
        _must_be(config, name, config_path)
        del config["profiles"][name]
        if default := config.get("default_profile") == name:
            del config["default_profile"]
        return None

    edit(config_path, change)
    return default


def _must_be(config: MutableMapping[str, Any], name: str, path: Path) -> None:
    if name not in (known := configfile.profiles_of(config, path)):
        near = nearest(name, known)
        hint = f"did you mean `{near}`?" if near else "`roomctl profile list` shows them"
        raise BadConfig(f"no profile is named {name}", hint=hint)


def list_profiles(environment: Environment) -> list[JSON]:
    """List the profiles of the config file, the environment's, and the sandbox; of a key only where it comes from."""
    path = config_file(environment)
    config = configfile.read(path)
    profiles = {
        name: values for name, values in configfile.profiles_of(config, path).items() if isinstance(values, dict)
    }
    rows = [(name, values, _source(values)) for name, values in profiles.items() if name not in fields.RESERVED]
    if url := environment.get("ROOMCTL_BASE_URL"):
        keys = [name for name in ("ROOMCTL_API_KEY", "ROOMCTL_API_KEY_FILE") if environment.get(name)]
        rows.append(("environment", {"base_url": url}, keys[0] if keys else None))
    rows.append(("sandbox", {}, "built-in"))
    default = _default(environment, config)
    return [_row(name, values, key, default) for name, values, key in rows]


def _source(values: Mapping[str, Any]) -> str | None:
    return next((name for name in fields.KEY_SOURCES if name in values), None)


def _default(environment: Environment, config: Mapping[str, Any]) -> JSON:
    if environment.get("ROOMCTL_BASE_URL"):
        return "environment"
    return environment.get("ROOMCTL_PROFILE") or config.get("default_profile")


def _row(name: str, values: Mapping[str, Any], key: str | None, default: JSON) -> JSON:
    return {
        "name": name,
        "default": name == default,
        "base_url": "in this process" if name == "sandbox" else _address(values.get("base_url")),
        "key": key,
        "protected": values.get("protected") is True,
        "read_only": values.get("read_only") is True,
    }


def _address(value: Any) -> str | None:
    """An address fit to be shown; one that cannot be used is not, for it may hold a password."""
    try:
        return addresses.base_url(value)
    except ValueError:
        return None


def show(settings: Settings) -> list[JSON]:
    """List every setting in force with its origin; the key is masked, and one that cannot be had says why.

    A command that prints the key is not run: it may ask for a passphrase.
    """
    rows = [_setting("profile", settings.profile, settings.profile_origin)]
    for name in fields.BY_NAME:
        if name not in fields.KEY_SOURCES:
            value = getattr(settings, name)
            rows.append(_setting(name, list(value) if isinstance(value, tuple) else value, settings.origins[name]))
        elif name == "api_key":
            rows.append(_setting("api_key", _shown_key(settings), settings.origins["api_key"]))
    proxy = proxies.shown(settings.proxy) if settings.proxy else None
    return [*rows, _setting("proxy", proxy, settings.origins["proxy"])]


def _shown_key(settings: Settings) -> str:
    if settings.key.runs:
        return f"printed by {settings.key.runs}, which is not run here: `roomctl profile check` runs it"
    try:
        return masked(settings.api_key())
    except NotAllowed as error:
        return f"not usable: {error.message}"


def _setting(name: str, value: JSON, origin: str) -> JSON:
    return {"setting": name, "value": value, "origin": origin}
