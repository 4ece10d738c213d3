"""Where files belong on each platform; nothing is created here."""

import os
import sys
from pathlib import Path

from roomctl.errors import BadConfig
from roomctl.profiles.environment import Environment

NAME = "roomctl"
XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "state": ("XDG_STATE_HOME", ".local/state"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}


def config_file(environment: Environment) -> Path:
    """The config file. Raises BadConfig when there is no home folder."""
    return _given(environment, "ROOMCTL_CONFIG") or _folder(environment, "config") / "config.toml"


def data_folder(environment: Environment) -> Path:
    """The folder of the sandbox. Raises BadConfig when there is no home folder."""
    return _given(environment, "ROOMCTL_DATA") or _folder(environment, "data")


def state_folder(environment: Environment) -> Path:
    """The folder of the journal. Raises BadConfig when there is no home folder."""
    return _given(environment, "ROOMCTL_STATE") or _folder(environment, "state")


def cache_folder(environment: Environment) -> Path:
    """The folder of what the shell's completion reads. Raises BadConfig when there is no home folder."""
    return _given(environment, "ROOMCTL_CACHE") or _folder(environment, "cache")


def standing_on(folder: Path, text: str, environment: Environment) -> Path:
    """Where a file is that a config file names: `~` is the home folder, a relative path stands on the config's folder.

    So what a config file names never depends on the working directory.
    """
    return _home(environment) / text[2:] if text == "~" or text.startswith("~/") else folder / text


def _given(environment: Environment, variable: str) -> Path | None:
    named = environment.get(variable)
    return standing_on(Path(), named, environment).absolute() if named else None


def _folder(environment: Environment, kind: str) -> Path:
    variable, below_home = XDG[kind]
    named = Path(environment.get(variable, ""))
    if named.is_absolute():  # a relative one is to be ignored, says the XDG specification
        return named / NAME
    if sys.platform != "linux":  # pragma: no cover  (another system's)
        return _by_platformdirs(kind)
    return (
        _home(environment) / below_home / NAME
    )  # as platformdirs would say, whose import costs a twentieth of a start


def _by_platformdirs(kind: str) -> Path:  # pragma: no cover  (another system's)
    import platformdirs

    found = Path(getattr(platformdirs, f"user_{kind}_dir")(NAME, appauthor=False))
    if not found.is_absolute():
        raise _homeless()
    return found


def _home(environment: Environment) -> Path:
    """The home folder: HOME, or without a whole path there, that of the user's account. Raises BadConfig."""
    home = Path(environment.get("HOME", ""))
    if sys.platform == "win32":  # pragma: no cover  (another system's)
        return home if home.is_absolute() else Path.home()
    if not home.is_absolute():
        import pwd

        try:
            home = Path(pwd.getpwuid(os.getuid()).pw_dir)
        except KeyError:
            raise _homeless() from None
    if not home.is_absolute():
        raise _homeless()
    return home


def _homeless() -> BadConfig:
    return BadConfig(
        "there is no home folder to keep files in",
        hint="set HOME, or ROOMCTL_CONFIG, ROOMCTL_STATE, ROOMCTL_DATA and ROOMCTL_CACHE",
    )
