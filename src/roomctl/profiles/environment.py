"""The environment of one run, read once, and the variables in it that are not settings of a profile."""

import os
from typing import NamedTuple


class Variable(NamedTuple):
    """A variable that roomctl reads: its name, what it is for, what holds without it."""

    name: str
    meaning: str
    default: str = ""


CHOICE_VARIABLES = (
    Variable("ROOMCTL_PROFILE", "the profile to use", "default_profile of the config file"),
    Variable("ROOMCTL_BASE_URL", "with ROOMCTL_API_KEY a complete profile, named `environment`"),
    Variable("ROOMCTL_API_KEY", "the key that belongs to ROOMCTL_BASE_URL"),
    Variable("ROOMCTL_API_KEY_FILE", "a file that holds that key, in place of ROOMCTL_API_KEY"),
    Variable("ROOMCTL_CONFIG", "the config file", "config.toml in the platform's config folder"),
)
OTHER_VARIABLES = (
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


class Environment(dict[str, str]):
    """The environment of one run; tests make their own. Its repr shows no value."""

    @classmethod
    def of_process(cls) -> "Environment":
        """Read the process's environment."""
        return cls(os.environ)

    def flag(self, name: str) -> bool:
        """Whether a variable says yes: it is set, and not to 0, false, no, off or nothing."""
        return self.get(name, "").strip().casefold() not in ("", "0", "false", "no", "off")

    def __repr__(self) -> str:
        return f"Environment({len(self)} variables)"
