"""Which service is asked, with which key: the config file, the environment, and where each value came from.

The only reader of `os.environ` and the only place that knows the platform's folders. What changes the config file is in
`profiles.editing`, which commands that only read it do not load.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from roomctl.profiles.environment import ENVIRONMENT, Environment, Variable, unknown_names

if TYPE_CHECKING:
    from roomctl.profiles.fields import PROFILE_FIELDS
    from roomctl.profiles.folders import cache_folder, config_file, data_folder, state_folder
    from roomctl.profiles.keys import checked_key
    from roomctl.profiles.settings import SANDBOX_KEY, SANDBOX_URL, Settings, resolve

__all__ = [
    "ENVIRONMENT",
    "PROFILE_FIELDS",
    "SANDBOX_KEY",
    "SANDBOX_URL",
    "Environment",
    "Settings",
    "Variable",
    "cache_folder",
    "checked_key",
    "config_file",
    "data_folder",
    "resolve",
    "state_folder",
    "unknown_names",
]

_HOMES = {
    "fields": ("PROFILE_FIELDS",),
    "folders": ("cache_folder", "config_file", "data_folder", "state_folder"),
    "keys": ("checked_key",),
    "settings": ("SANDBOX_KEY", "SANDBOX_URL", "Settings", "resolve"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: help needs the environment, and nothing else of this."""
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
