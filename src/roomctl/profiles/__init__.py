"""Which service is asked, with which key: the config file, the environment, and where each value came from.

The only reader of `os.environ` and the only place that knows the platform's folders. `settings` puts together what is
in force; `editing` changes the config file and is loaded by the commands that do.
"""

from roomctl.profiles.environment import PROCESS, Environment

__all__ = ["PROCESS", "Environment"]
