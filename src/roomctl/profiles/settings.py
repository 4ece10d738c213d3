"""The settings in force: option, environment, profile, built-in, in this order, each with its origin."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from roomctl.errors import BadConfig, NotAllowed, WrongCall
from roomctl.profiles import configfile as file
from roomctl.profiles.environment import Environment, unknown_names
from roomctl.profiles.fields import BY_NAME, LOOPBACK, PROFILE_FIELDS, SOURCES, taken
from roomctl.profiles.folders import config_file
from roomctl.profiles.keys import checked_key, from_command, from_file

SANDBOX_URL = "http://localhost"
SANDBOX_KEY = "sandbox-in-process-key"
__all__ = ["PROFILE_FIELDS", "SANDBOX_KEY", "SANDBOX_URL", "Settings", "resolve"]


class Choice(NamedTuple):
    """A profile that was chosen: its name, where the choice came from, where its values stand, its values, its key."""

    name: str
    origin: str
    where: str
    values: Mapping[str, Any]
    key: Callable[[list[str]], str]
    key_origin: str


class Settings:
    """What is in force for one run. The key is resolved when it is asked for and never part of a text of this."""

    def __init__(self, choice: Choice, values: dict[str, Any], origins: dict[str, str], proxy: str | None) -> None:
        self.profile = choice.name
        self.profile_origin = choice.origin
        self.sandbox = choice.name == "sandbox"
        self.origins = {**origins, "api_key": choice.key_origin}
        self.base_url: str = values["base_url"]
        self.protected: bool = values["protected"]
        self.read_only: bool = values["read_only"]
        self.timeout: float = values["timeout"]
        self.retries: int | None = values["retries"]
        self.rate: float | None = values["rate"]
        self.concurrency: int = values["concurrency"]
        self.page_size: int | None = values["page_size"]
        self.copy_parameter: str = values["copy_parameter"]
        self.idempotency_header: str | None = values["idempotency_header"]
        self.ca_file: str | None = values["ca_file"]
        self.output: str | None = values["output"]
        self.proxy = proxy
        self.notes: list[str] = []
        self._key = choice.key

    def __repr__(self) -> str:
        return f"Settings(profile={self.profile!r}, base_url={self.base_url!r})"

    def api_key(self) -> str:
        """Resolve the key. Raises NotAllowed naming its source, never its value."""
        return self._key(self.notes)


def resolve(
    environment: Environment, *, profile: str | None = None, sandbox: bool = False, overrides: Mapping[str, Any]
) -> Settings:
    """Choose the profile and put the settings together; `overrides` come from the command line.

    Raises BadConfig, WrongCall, and NotAllowed when no profile can be found.
    """
    if sandbox and profile not in (None, "sandbox"):
        raise WrongCall(f"`--sandbox` and `--profile {profile}` exclude each other")
    choice = _choose(environment, "sandbox" if sandbox else profile, "--sandbox" if sandbox else "--profile")
    values, origins = _values(environment, choice, overrides)
    settings = Settings(choice, values, origins, _proxy(environment, values["base_url"]))
    settings.notes += unknown_names(environment) + _unknown_fields(choice)
    return settings


def _choose(environment: Environment, named: str | None, origin: str) -> Choice:
    if named is not None:
        return _named(environment, named, f"from {origin}")
    if (pair := _pair(environment)) is not None:
        return pair
    if name := environment.get("ROOMCTL_PROFILE"):
        return _named(environment, name, "from ROOMCTL_PROFILE")
    path = config_file(environment)
    config = file.read(path)
    if "default_profile" in config:
        return _named(environment, str(config["default_profile"]), f"default_profile in {path}")
    raise NotAllowed(
        "no profile was chosen",
        hint="`roomctl profile add NAME --base-url URL`, or `--sandbox` for the embedded service",
    )


def _pair(environment: Environment) -> Choice | None:
    """The profile `environment`: a base URL and its key from the environment, which go together or not at all."""
    url = environment.get("ROOMCTL_BASE_URL")
    sources = [name for name in ("ROOMCTL_API_KEY", "ROOMCTL_API_KEY_FILE") if environment.get(name)]
    if not url and not sources:
        return None
    if len(sources) > 1:
        raise BadConfig("ROOMCTL_API_KEY and ROOMCTL_API_KEY_FILE exclude each other", hint="unset one of them")
    if not url or not sources:
        there, missing = ("ROOMCTL_BASE_URL", "ROOMCTL_API_KEY") if url else (sources[0], "ROOMCTL_BASE_URL")
        raise BadConfig(
            f"{there} is set without {missing}: a key is bound to its address",
            hint='set both, or let a profile name the variable: `api_key_env = "NAME"`',
        )
    if name := environment.get("ROOMCTL_PROFILE"):
        raise BadConfig(
            f"ROOMCTL_PROFILE={name} stands beside ROOMCTL_BASE_URL: which service is meant is not clear",
            hint="unset one of them, or choose with `--profile`",
        )
    return Choice("environment", "from ROOMCTL_BASE_URL", "the environment", {"base_url": url}, *_pair_key(environment))


def _pair_key(environment: Environment) -> tuple[Callable[[list[str]], str], str]:
    if path := environment.get("ROOMCTL_API_KEY_FILE"):
        return lambda notes: from_file(Path(path), notes), "ROOMCTL_API_KEY_FILE"
    return lambda _: checked_key(environment["ROOMCTL_API_KEY"], "ROOMCTL_API_KEY"), "ROOMCTL_API_KEY"


def _named(environment: Environment, name: str, origin: str) -> Choice:
    if name == "sandbox":
        return Choice(name, origin, "built-in", {"base_url": SANDBOX_URL}, lambda _: SANDBOX_KEY, "built-in")
    if name == "environment":
        if (pair := _pair(Environment({**environment, "ROOMCTL_PROFILE": ""}))) is None:
            raise BadConfig("profile environment needs ROOMCTL_BASE_URL and ROOMCTL_API_KEY")
        return pair
    _pair_is_whole(environment, origin)
    path = config_file(environment)
    profiles = file.read(path).get("profiles", {})
    values = profiles.get(name) if isinstance(profiles, dict) else None
    if not isinstance(values, dict):
        raise BadConfig(f"no profile is named {name} ({origin})", hint=_near(name, profiles, path))
    return Choice(name, origin, f"profile {name} in {path}", values, *_key(environment, name, values, path))


def _pair_is_whole(environment: Environment, origin: str) -> None:
    """Half a pair in the environment beside a selected profile is refused; `--profile` beats a whole one."""
    halves = (
        bool(environment.get("ROOMCTL_BASE_URL")),
        bool(environment.get("ROOMCTL_API_KEY") or environment.get("ROOMCTL_API_KEY_FILE")),
    )
    if halves[0] != halves[1] or (all(halves) and origin != "from --profile"):
        _pair(environment)


def _near(name: str, profiles: Any, path: Path) -> str:
    from difflib import get_close_matches

    known = list(profiles) if isinstance(profiles, dict) else []
    if near := get_close_matches(name, known, 1):
        return f"did you mean `{near[0]}`?"
    return f"{path} has: {', '.join(known)}" if known else f"`roomctl profile add {name} --base-url URL`"


def _key(
    environment: Environment, name: str, values: Mapping[str, Any], path: Path
) -> tuple[Callable[[list[str]], str], str]:
    sources = [source for source in SOURCES if source in values]
    where = f"profile {name} in {path}"
    if len(sources) > 1:
        raise BadConfig(f"{where} has more than one key: {', '.join(sources)}", hint="keep one of them")
    if not sources:
        return lambda _: _no_key(name), "nowhere"
    value = taken(sources[0], values[sources[0]], where)
    readers: dict[str, Callable[[list[str]], str]] = {
        "api_key": lambda _: checked_key(value, where),
        "api_key_env": lambda _: _from_variable(environment, value, name),
        "api_key_file": lambda notes: from_file(Path(value).expanduser(), notes),
        "api_key_command": lambda _: from_command(value, name),
    }
    return readers[sources[0]], f"{sources[0]} of {where}"


def _from_variable(environment: Environment, variable: str, name: str) -> str:
    if variable not in environment:
        raise NotAllowed(f"profile {name} takes its key from {variable}, which is not set", hint=f"set {variable}")
    return checked_key(environment[variable], variable)


def _no_key(name: str) -> str:
    raise NotAllowed(f"profile {name} has no key", hint=f"`roomctl profile add {name} --replace` asks for it")


def _values(
    environment: Environment, choice: Choice, overrides: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in PROFILE_FIELDS:
        if field.name in SOURCES:
            continue
        given, origin = _given(environment, choice, overrides, field.name)
        values[field.name] = field.default if given is None else taken(field.name, given, origin)
        origins[field.name] = "built-in" if given is None else origin
    if values["base_url"] is None:
        raise BadConfig(f"{choice.where} has no base_url")
    return values, origins


def _given(environment: Environment, choice: Choice, overrides: Mapping[str, Any], name: str) -> tuple[Any, str]:
    if overrides.get(name) is not None:
        return overrides[name], f"--{name.replace('_', '-')}"
    variable = BY_NAME[name].variable
    if variable and environment.get(variable):
        return environment[variable], variable
    return choice.values.get(name), choice.where


def _unknown_fields(choice: Choice) -> list[str]:
    from difflib import get_close_matches

    notes = []
    for name in choice.values:
        if name not in BY_NAME:
            near = get_close_matches(name, BY_NAME, 1)
            notes.append(f"{choice.where}: {name} is not a setting" + (f"; did you mean {near[0]}?" if near else ""))
    return notes


def _proxy(environment: Environment, url: str) -> str | None:
    """The proxy of an https address: never for this machine, nor for what NO_PROXY names."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "https" or host in LOOPBACK:
        return None
    excluded = (environment.get("NO_PROXY") or environment.get("no_proxy") or "").lower()
    for each in (part.strip().lstrip(".") for part in excluded.split(",")):
        if each == "*" or (each and (host == each or host.endswith("." + each))):
            return None
    return environment.get("HTTPS_PROXY") or environment.get("https_proxy") or None
