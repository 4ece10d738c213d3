"""Which service is asked, with which key: the config file, the environment, and where each value came from.

The only reader of `os.environ` and the only place that knows the platform's folders.
"""

from roomctl.profiles.environment import ENVIRONMENT, Environment, Variable, unknown_names
from roomctl.profiles.folders import cache_folder, config_file, data_folder, state_folder
from roomctl.profiles.keys import checked_key
from roomctl.profiles.settings import PROFILE_FIELDS, SANDBOX_KEY, SANDBOX_URL, Settings, resolve

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
