"""Which profile is used: option, environment, config file, in this order; and whose key goes with it.

A key is bound to its address. `ROOMCTL_BASE_URL` and a key in the environment are one profile, named `environment`,
whole or not at all. A profile of the config file brings its own key, and its address never meets another.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, NotAllowed, WrongCall
from roomctl.profiles.environment import Environment
from roomctl.profiles.folders import config_file, standing_on
from roomctl.profiles.keys import Key, checked_key, from_file, key_of
from roomctl.profiles.profile import RESERVED, checked, checked_name, one_key_source, unknown_settings
from roomctl.text.suggest import did_you_mean, nearest

SANDBOX_URL = "http://localhost"
SANDBOX_KEY = "sandbox-in-process-key"
TABLES = ("default_profile", "profiles", "views")
_URL, _KEY, _KEY_FILE = "ROOMCTL_BASE_URL", "ROOMCTL_API_KEY", "ROOMCTL_API_KEY_FILE"


class Choice(NamedTuple):
    """A profile that was chosen: its name, who chose it, where its values stand, the values, its key.

    `folder` is what relative paths in it stand on.
    """

    name: str
    origin: str
    where: str
    values: Mapping[str, Any]
    key: Key
    folder: Path = Path()
    notes: tuple[str, ...] = ()


def choose(environment: Environment, *, profile: str | None, sandbox: bool) -> Choice:
    """Choose the profile. Raises WrongCall, BadConfig, and NotAllowed when there is none to choose."""
    if sandbox and profile not in (None, "sandbox"):
        raise WrongCall(f"`--sandbox` and `--profile {profile}` exclude each other")
    if sandbox or profile == "sandbox":
        return _sandbox("from --sandbox" if sandbox else "from --profile")
    if profile is not None:
        return _named(environment, profile, "from --profile")
    selected = environment.get("ROOMCTL_PROFILE")
    if _is_whole(environment):
        if selected not in (None, "", "environment"):
            raise BadConfig(
                f"ROOMCTL_PROFILE={selected} stands beside {_URL}: which service is meant is not clear",
                hint="unset one of them, or choose with `--profile`",
            )
        return _pair(environment, f"from {_URL}")
    if selected:
        return _named(environment, selected, "from ROOMCTL_PROFILE")
    return _default(environment)


def _sandbox(origin: str) -> Choice:
    return Choice("sandbox", origin, "built-in", {"base_url": SANDBOX_URL}, Key("built-in", lambda _: SANDBOX_KEY))


def _default(environment: Environment) -> Choice:
    from roomctl.profiles.configfile import read

    path = config_file(environment)
    config = read(path)
    name = config.get("default_profile")
    if name is None:
        _refuse_half_a_pair(environment)
        raise NotAllowed("no profile was chosen", hint=_ways_to_choose(config, path))
    if not isinstance(name, str):
        raise BadConfig(f"default_profile in {path} is not a text")
    return _named(environment, name, f"default_profile in {path}")


def _ways_to_choose(config: Mapping[str, Any], path: Path) -> str:
    for name in config:
        if name not in TABLES and (near := nearest(name, TABLES)):
            return f"{path} has `{name}`: did you mean `{near}`?"
    if isinstance(profiles := config.get("profiles"), dict) and profiles:
        return f"`--profile NAME`, or `roomctl profile use NAME`: {', '.join(profiles)}"
    return "`roomctl profile add NAME --base-url URL`, or `--sandbox` for the embedded service"


def _named(environment: Environment, name: str, origin: str) -> Choice:
    """The profile of that name; half a pair in the environment beside it is refused."""
    if name == "environment":
        if not _is_whole(environment):
            _refuse_half_a_pair(environment)
            raise BadConfig(f"profile environment ({origin}) needs {_URL} and {_KEY}")
        return _pair(environment, origin)
    if name == "sandbox":
        _refuse_half_a_pair(environment)
        return _sandbox(origin)
    return _of_config(environment, checked_name(name, f" ({origin})"), origin)


def _of_config(environment: Environment, name: str, origin: str) -> Choice:
    from roomctl.profiles.configfile import profiles_of, read, table

    path = config_file(environment)
    config = read(path)
    profiles = profiles_of(config, path)
    where = f"profile {name} in {path}"
    if name not in profiles:
        raise BadConfig(f"no profile is named {name} ({origin})", hint=_instead_of(name, profiles, path))
    values = table(profiles[name], where, f"a profile is written as `[profiles.{name}]`")
    _refuse_half_a_pair(environment, claimed=values.get("api_key_env"))
    source = one_key_source(values, where)
    secret = checked(source, values[source], f"{source} of {where}") if source else None
    key = key_of(name, source, secret, path, environment)
    notes = [*_unread(config, path), *unknown_settings(values, where)]
    return Choice(name, origin, where, values, key, path.parent, tuple(notes))


def _instead_of(name: str, profiles: Mapping[str, Any], path: Path) -> str:
    if near := nearest(name, profiles):
        return f"did you mean `{near}`?"
    return f"{path} has: {', '.join(profiles)}" if profiles else f"`roomctl profile add {name} --base-url URL`"


def _unread(config: Mapping[str, Any], path: Path) -> list[str]:
    """Name what stands in a config file and is never read; tables of other names are left to others."""
    strange = [
        f"{path}: {name} is not a setting" + did_you_mean(name, TABLES, ": ")
        for name, value in config.items()
        if name not in TABLES and (not isinstance(value, dict) or nearest(name, TABLES))
    ]
    hidden = [name for name in RESERVED if name in config.get("profiles", {})]
    return [*strange, *(f"{path}: profile {name} is never used: the name is roomctl's own" for name in hidden)]


def _is_whole(environment: Environment) -> bool:
    """Whether the environment holds an address and its key."""
    return bool(environment.get(_URL)) and bool(environment.get(_KEY) or environment.get(_KEY_FILE))


def _pair(environment: Environment, origin: str) -> Choice:
    if environment.get(_KEY) and environment.get(_KEY_FILE):
        raise BadConfig(f"{_KEY} and {_KEY_FILE} exclude each other", hint="unset one of them")
    if path := environment.get(_KEY_FILE):
        key = Key(_KEY_FILE, lambda note: from_file(standing_on(Path(), path, environment).absolute(), note))
    else:
        key = Key(_KEY, lambda _: checked_key(environment[_KEY], _KEY))
    return Choice("environment", origin, _URL, {"base_url": environment[_URL]}, key)


def _refuse_half_a_pair(environment: Environment, claimed: Any = None) -> None:
    """Refuse an address without its key, or a key without its address; `claimed` is a variable that a profile names."""
    keys = [name for name in (_KEY, _KEY_FILE) if environment.get(name) and name != claimed]
    if _is_whole(environment) or not (keys or environment.get(_URL)):
        return
    there, missing = (keys[0], _URL) if keys else (_URL, _KEY)
    state = f"while {missing} is empty" if missing in environment else f"without {missing}"
    raise BadConfig(
        f"{there} is set {state}: a key is bound to its address, and neither goes with a profile's",
        hint=f'set both or none; a profile that takes its key from a variable says `api_key_env = "{_KEY}"`',
    )
