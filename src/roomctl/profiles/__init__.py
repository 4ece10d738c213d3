"""Which service is asked, with which key: the config file, the environment, and where each value came from.

The only reader of `os.environ` and the only place that knows the platform's folders. What changes the config file is in
`profiles.editing`, which commands that only read it do not load.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from roomctl.profiles.environment import Environment

if TYPE_CHECKING:
    from roomctl.profiles.folders import cache_folder, config_file, data_folder, state_folder
    from roomctl.profiles.settings import Settings, resolve

__all__ = ["Environment", "Settings", "cache_folder", "config_file", "data_folder", "resolve", "state_folder"]


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: help needs the environment, and nothing else of this."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = "settings" if name in ("Settings", "resolve") else "folders"
    return getattr(import_module(f"{__name__}.{home}"), name)
