"""The settings in force: option, environment, profile, built-in, in this order, each with its origin."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from roomctl.errors import BadConfig, Unexpected
from roomctl.profiles.choosing import SANDBOX_KEY, SANDBOX_URL, Choice, choose
from roomctl.profiles.environment import Environment, unknown_names
from roomctl.profiles.fields import KEY_SOURCES, PROFILE_FIELDS, Field, from_text, taken
from roomctl.profiles.folders import standing_on
from roomctl.profiles.keys import Note
from roomctl.profiles.proxies import Proxy, proxy_for

__all__ = ["SANDBOX_KEY", "SANDBOX_URL", "Settings", "resolve"]


class Settings:
    """What is in force for one run. The key is read when it is asked for and is never part of a text of this.

    `origins` says for each setting where it came from; `notes` are lines that a person should see once.
    """

    def __init__(self, choice: Choice, values: dict[str, Any], origins: dict[str, str], proxy: Proxy | None) -> None:
        self.profile = choice.name
        self.profile_origin = choice.origin
        self.sandbox = choice.name == "sandbox"
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
        self.list_field: str | None = values["list_field"]
        self.end_of_list: tuple[str, ...] = values["end_of_list"] or ()
        self.ca_file: str | None = values["ca_file"]
        self.output: str | None = values["output"]
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
    if strange := given.keys() - {field.name for field in PROFILE_FIELDS if field.variable}:
        raise Unexpected(f"not a setting of the command line: {', '.join(sorted(strange))}")
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    for field in PROFILE_FIELDS:
        if field.name not in KEY_SOURCES:
            values[field.name], origins[field.name] = _in_force(field, environment, choice, given)
    if values["base_url"] is None:
        raise BadConfig(f"{choice.where} has no base_url")
    if values["ca_file"] is not None:
        values["ca_file"] = _certificates(environment, choice, values["ca_file"])
    settings = Settings(choice, values, origins, proxy_for(environment, values["base_url"]))
    settings.notes += unknown_names(environment)
    return settings


def _in_force(field: Field, environment: Environment, choice: Choice, given: Mapping[str, Any]) -> tuple[Any, str]:
    """The value of a setting and where it came from."""
    if field.name in given:
        option = f"--{field.name.replace('_', '-')}"
        return taken(field.name, given[field.name], option), option
    if field.variable and (text := environment.get(field.variable)):
        return from_text(field.name, text, field.variable), field.variable
    if field.name in choice.values:
        subject = choice.where if choice.name == "environment" else f"{field.name} of {choice.where}"
        return taken(field.name, choice.values[field.name], subject), choice.where
    return field.default, "built-in"


def _certificates(environment: Environment, choice: Choice, named: str) -> str:
    path = standing_on(choice.folder, named, environment)
    with suppress(OSError):
        if path.is_file():
            return str(path)
    raise BadConfig(f"ca_file of {choice.where} is not a file that can be found: {path}")
