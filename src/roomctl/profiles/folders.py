"""Where files belong on each platform; nothing is created here."""

import os
import sys
from pathlib import Path

from roomctl.errors import BadConfig
from roomctl.profiles.environment import Environment

NAME = "roomctl"


def config_file(environment: Environment) -> Path:
    """The config file. Raises BadConfig when there is no home folder."""
    return _named(environment, "ROOMCTL_CONFIG") or _folder(environment, "XDG_CONFIG_HOME", ".config") / "config.toml"


def data_folder(environment: Environment) -> Path:
    """The folder of the sandbox. Raises BadConfig when there is no home folder."""
    return _named(environment, "ROOMCTL_DATA") or _folder(environment, "XDG_DATA_HOME", ".local/share")


def state_folder(environment: Environment) -> Path:
    """The folder of the journal. Raises BadConfig when there is no home folder."""
    return _named(environment, "ROOMCTL_STATE") or _folder(environment, "XDG_STATE_HOME", ".local/state")


def cache_folder(environment: Environment) -> Path:
    """The folder of what the shell's completion reads. Raises BadConfig when there is no home folder."""
    return _named(environment, "ROOMCTL_CACHE") or _folder(environment, "XDG_CACHE_HOME", ".cache")


def standing_on(folder: Path, text: str, environment: Environment) -> Path:
    """Where a file is that a config file names: `~` is the home folder, a relative path stands on the config's folder.

    So what a config file names never depends on the working directory.
    """
    return _home(environment) / text[2:] if text == "~" or text.startswith("~/") else folder / text


def _named(environment: Environment, variable: str) -> Path | None:
    named = environment.get(variable)
    return standing_on(Path(), named, environment).absolute() if named else None


def _folder(environment: Environment, variable: str, below_home: str) -> Path:
    named = Path(environment.get(variable, ""))
    if named.is_absolute():  # a relative one is to be ignored, says the XDG specification
        return named / NAME
    if sys.platform != "linux":  # pragma: no cover  (another system's)
        import platformdirs

        kind = variable.split("_")[1].lower()
        return _absolute(Path(getattr(platformdirs, f"user_{kind}_dir")(NAME, appauthor=False)))
    return _home(environment) / below_home / NAME  # as platformdirs would say, at a twentieth of a start


def _home(environment: Environment) -> Path:
    """The home folder: HOME, or without a whole path there, that of the user's account. Raises BadConfig."""
    home = Path(environment.get("HOME", ""))
    if home.is_absolute():
        return home
    if sys.platform == "win32":  # pragma: no cover  (another system's)
        return Path.home()
    import pwd

    try:
        return _absolute(Path(pwd.getpwuid(os.getuid()).pw_dir))
    except KeyError:
        return _absolute(Path())


def _absolute(folder: Path) -> Path:
    if not folder.is_absolute():
        hint = "set HOME, or ROOMCTL_CONFIG, ROOMCTL_STATE, ROOMCTL_DATA and ROOMCTL_CACHE"
        raise BadConfig("there is no home folder to keep files in", hint=hint)
    return folder
