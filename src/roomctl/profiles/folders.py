"""Where files belong on each platform; nothing is created here."""

from pathlib import Path

from roomctl.errors import BadConfig
from roomctl.profiles.environment import Environment

NAME = "roomctl"
XDG = {"config": ("XDG_CONFIG_HOME", ".config"), "data": ("XDG_DATA_HOME", ".local/share")}
XDG |= {"state": ("XDG_STATE_HOME", ".local/state"), "cache": ("XDG_CACHE_HOME", ".cache")}


def config_file(environment: Environment) -> Path:
    """The config file. Raises BadConfig when there is no home folder."""
    named = environment.get("ROOMCTL_CONFIG")
    return Path(named).absolute() if named else _folder(environment, "config") / "config.toml"


def data_folder(environment: Environment) -> Path:
    """The folder of the sandbox. Raises BadConfig when there is no home folder."""
    return _folder(environment, "data")


def state_folder(environment: Environment) -> Path:
    """The folder of the journal. Raises BadConfig when there is no home folder."""
    return _folder(environment, "state")


def cache_folder(environment: Environment) -> Path:
    """The folder of what the shell's completion reads. Raises BadConfig when there is no home folder."""
    return _folder(environment, "cache")


def _folder(environment: Environment, kind: str) -> Path:
    own = environment.get(f"ROOMCTL_{kind.upper()}") if kind != "config" else None
    if own:
        return Path(own).absolute()
    variable, below_home = XDG[kind]
    if (given := environment.get(variable, "")).startswith("/"):
        return Path(given, NAME)
    return _platform(environment, kind, below_home)


def _platform(environment: Environment, kind: str, below_home: str) -> Path:
    """Where the platform keeps such files: on Linux below HOME, elsewhere as platformdirs knows."""
    import sys

    if sys.platform == "linux" and environment.get("HOME", "").startswith("/"):
        return Path(environment["HOME"], below_home, NAME)
    import platformdirs

    try:
        return Path(getattr(platformdirs, f"user_{kind}_dir")(NAME, appauthor=False))
    except (RuntimeError, OSError, KeyError):
        raise BadConfig("there is no home folder", hint="set HOME, or ROOMCTL_CONFIG and ROOMCTL_STATE") from None
