"""The settings in force: option, environment, profile, built-in, in this order, each with its origin."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from roomctl.errors import BadConfig, Unexpected
from roomctl.profiles.addresses import Proxy, proxy_for
from roomctl.profiles.choosing import SANDBOX_KEY, SANDBOX_URL, Choice, choose
from roomctl.profiles.environment import Environment
from roomctl.profiles.folders import standing_on
from roomctl.profiles.keys import Note
from roomctl.profiles.profile import KEY_SOURCES, SETTINGS, Profile, checked, checked_text, unknown_variables

__all__ = ["SANDBOX_KEY", "SANDBOX_URL", "Settings", "resolve"]


class Settings(Profile):
    """What is in force for one run. The key is read when it is asked for and is never part of a text of this.

    `origins` says for each setting where it came from; `notes` are lines that a person should see once.
    """

    def __init__(self, choice: Choice, values: dict[str, Any], origins: dict[str, str], proxy: Proxy | None) -> None:
        vars(self).update(values)
        self.profile = choice.name
        self.profile_origin = choice.origin
        self.sandbox = choice.name == "sandbox"
        self.proxy = proxy.url if proxy else None
        self.origins = {**origins, "api_key": choice.key.origin, "proxy": proxy.origin if proxy else "built-in"}
        self.notes = list(choice.notes)
        self.key = choice.key

    def __repr__(self) -> str:
        return f"Settings(profile={self.profile!r}, base_url={self.base_url!r})"

    def api_key(self, note: Note | None = None) -> str:
        """Read the key; what a person should know of its file goes to `note`, or to `notes`.

        Raises NotAllowed naming its source, never its value.
        """
        return self.key.value(note or self.notes.append)


def resolve(
    environment: Environment,
    *,
    profile: str | None = None,
    sandbox: bool = False,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """Choose the profile and put the settings together; `overrides` come from the command line, None is left out.

    Raises BadConfig, WrongCall, and NotAllowed when no profile can be found. Reads no key.
    """
    choice = choose(environment, profile=profile, sandbox=sandbox)
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    if strange := [name for name in given if name not in SETTINGS or not SETTINGS[name].variable]:
        raise Unexpected(f"not a setting of the command line: {', '.join(sorted(strange))}")
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for name in SETTINGS:
        if name not in KEY_SOURCES:
            values[name], origins[name] = _in_force(name, environment, choice, given)
    if values["base_url"] is None:
        raise BadConfig(f"{choice.where} has no base_url")
    if values["ca_file"] is not None:
        values["ca_file"] = _certificates(environment, choice, values["ca_file"])
    settings = Settings(choice, values, origins, proxy_for(environment, values["base_url"]))
    settings.notes += unknown_variables(environment)
    return settings


def _in_force(name: str, environment: Environment, choice: Choice, given: Mapping[str, Any]) -> tuple[Any, str]:
    """The value of a setting and where it came from."""
    setting = SETTINGS[name]
    if name in given:
        option = f"--{name.replace('_', '-')}"
        return checked(name, given[name], option), option
    if setting.variable and (text := environment.get(setting.variable)):
        return checked_text(name, text, setting.variable), setting.variable
    if name in choice.values:
        subject = choice.where if choice.name == "environment" else f"{name} of {choice.where}"
        return checked(name, choice.values[name], subject), choice.where
    return setting.default, "built-in"


def _certificates(environment: Environment, choice: Choice, named: str) -> str:
    path = standing_on(choice.folder, named, environment)
    with suppress(OSError):
        if path.is_file():
            return str(path)
    raise BadConfig(f"ca_file of {choice.where} is not a file that can be found: {path}")
