"""The environment variables that roomctl reads, and their values, read once."""

import os
from typing import NamedTuple

from roomctl.text.suggest import did_you_mean


class Variable(NamedTuple):
    """A variable that roomctl reads: its name, what it is for, what holds without it."""

    name: str
    meaning: str
    default: str = ""


ENVIRONMENT = (
    Variable("ROOMCTL_PROFILE", "the profile to use", "default_profile of the config file"),
    Variable("ROOMCTL_BASE_URL", "with ROOMCTL_API_KEY a complete profile, named `environment`"),
    Variable("ROOMCTL_API_KEY", "the key that belongs to ROOMCTL_BASE_URL"),
    Variable("ROOMCTL_API_KEY_FILE", "a file that holds that key, in place of ROOMCTL_API_KEY"),
    Variable("ROOMCTL_CONFIG", "the config file", "config.toml in the platform's config folder"),
    Variable("ROOMCTL_OUTPUT", "form of the result, as of `--output`", "table"),
    Variable("ROOMCTL_TIMEOUT", "seconds for one attempt", "30"),
    Variable("ROOMCTL_RETRIES", "repeats of a request at most", "as the operation allows"),
    Variable("ROOMCTL_RATE", "requests a second at most", "no limit"),
    Variable("ROOMCTL_CONCURRENCY", "requests at a time", "4"),
    Variable("ROOMCTL_PAGE_SIZE", "items asked for at a time", "100, for exports 500"),
    Variable("ROOMCTL_LIST_FIELD", "the field that holds the rows of a list, as `list_field` of a profile"),
    Variable("ROOMCTL_END_OF_LIST", "as `end_of_list` of a profile, with commas: `204,404`", "a list ends on `[]`"),
    Variable("ROOMCTL_NO_INPUT", "when set, never ask: fail where a question would come"),
    Variable("ROOMCTL_ACCESSIBLE", "when set, static lines and words instead of glyphs"),
    Variable("ROOMCTL_DATA", "the folder of the sandbox", "the platform's data folder"),
    Variable("ROOMCTL_STATE", "the folder of the journal", "the platform's state folder"),
    Variable("ROOMCTL_CACHE", "the folder of names and ids for the shell's completion", "the platform's cache folder"),
    Variable("NO_COLOR", "when set, no colours"),
    Variable("TERM", "`dumb`: no colours, nothing redrawn"),
    Variable("COLORTERM", "`truecolor` or `24bit`: colours of a theme as they are, not the nearest of 256"),
    Variable("COLUMNS", "the width of tables on a terminal", "the terminal's own"),
    Variable("TZ", "the zone of times in tables", "the system's"),
    Variable("VISUAL", "the editor of `roomset edit`", "EDITOR, then vi"),
    Variable("EDITOR", "the editor of `roomset edit` without VISUAL", "vi"),
    Variable("HTTPS_PROXY", "a proxy for https, never used for this machine", "https_proxy"),
    Variable("NO_PROXY", "hosts, domains and networks that are asked without the proxy", "no_proxy"),
    Variable("HOME", "where the folders are that nothing else names", "the home folder of the user's account"),
    Variable("XDG_CONFIG_HOME", "the folder that holds roomctl's config folder", "~/.config"),
    Variable("XDG_DATA_HOME", "the folder that holds roomctl's data folder", "~/.local/share"),
    Variable("XDG_STATE_HOME", "the folder that holds roomctl's state folder", "~/.local/state"),
    Variable("XDG_CACHE_HOME", "the folder that holds roomctl's cache folder", "~/.cache"),
)
_NO = ("", "0", "false", "no", "off")


class Environment(dict[str, str]):
    """The environment of one run; tests make their own. Its repr shows no value."""

    @classmethod
    def of_process(cls) -> "Environment":
        """Read the process's environment."""
        return cls(os.environ)

    def flag(self, name: str) -> bool:
        """Whether a variable says yes: it is set, and not to 0, false, no, off or nothing."""
        return self.get(name, "").strip().casefold() not in _NO

    def __repr__(self) -> str:
        return f"Environment({len(self)} variables)"


def unknown_names(environment: Environment) -> list[str]:
    """Name the ROOMCTL_ variables that roomctl does not read, each with the nearest that it does."""
    known = {variable.name for variable in ENVIRONMENT}
    strange = sorted(name for name in environment if name.startswith("ROOMCTL_") and name not in known)
    return [f"{name} is not read by roomctl{did_you_mean(name, known)}" for name in strange]
