"""Which service is asked, with which key: the config file, the environment, and where each value came from.

The only reader of `os.environ` and the only place that knows the platform's folders. What changes the config file is in
`profiles.editing`, which commands that only read it do not load.
"""

from roomctl.profiles.environment import ENVIRONMENT, Environment, Variable, unknown_names
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
