"""The environment of one run, read once: variables, and the folders of the platform. Nothing is created here.

`variables.txt` lists the variables but for those of settings, such as ROOMCTL_TIMEOUT, which are declared with them in
`profile.py`, where ENVIRONMENT lists all.
"""

import os
import sys
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from roomctl.errors import BadConfig

NAME = "roomctl"
FOLDERS = {
    "config": ("", "XDG_CONFIG_HOME", ".config"),
    "data": ("ROOMCTL_DATA", "XDG_DATA_HOME", ".local/share"),
    "state": ("ROOMCTL_STATE", "XDG_STATE_HOME", ".local/state"),
    "cache": ("ROOMCTL_CACHE", "XDG_CACHE_HOME", ".cache"),
}
"""The variable that names a folder, the one that names the folder above it, and where it is below the home folder."""


class Variable(NamedTuple):
    """A variable that roomctl reads: its name, what it is for, what holds without it."""

    name: str
    meaning: str
    default: str = ""


PROCESS: Final = os.environ
"""The process's own: what an `Environment` is made of, in a run."""


class Environment(dict[str, str]):
    """The environment of one run; tests make their own. Its repr shows no value."""

    def flag(self, name: str) -> bool:
        """Whether a variable says yes: it is set, and not to 0, false, no, off or nothing."""
        return self.get(name, "").strip().casefold() not in ("", "0", "false", "no", "off")

    @property
    def config_file(self) -> Path:
        if named := self.get("ROOMCTL_CONFIG"):
            return self.resolve(named).absolute()
        return self.folder("config") / "config.toml"

    def folder(self, kind: str) -> Path:
        """The folder for `data` (the sandbox), `state` (the journal), `cache`, or `config`. Raises BadConfig."""
        variable, xdg, below_home = FOLDERS[kind]
        if named := self.get(variable):
            return self.resolve(named).absolute()
        above = Path(self.get(xdg, ""))
        if above.is_absolute():  # a relative one is to be ignored, says the XDG specification
            return above / NAME
        if sys.platform != "linux":  # pragma: no cover  (another system's)
            import platformdirs

            return _absolute(Path(getattr(platformdirs, f"user_{kind}_dir")(NAME, appauthor=False)))
        return self.home / below_home / NAME  # as platformdirs would say, at a twentieth of a start

    def resolve(self, path: str, folder: Path = Path()) -> Path:
        """Find a file: `~` is the home folder, a relative path stands on `folder`, such as that of the config file."""
        return self.home / path[2:] if path == "~" or path.startswith("~/") else folder / path

    @property
    def home(self) -> Path:
        """The home folder: HOME, or without a whole path there, that of the user's account. Raises BadConfig."""
        home = Path(self.get("HOME", ""))
        if home.is_absolute():
            return home
        if sys.platform == "win32":  # pragma: no cover  (another system's)
            return Path.home()
        import pwd

        try:
            return _absolute(Path(pwd.getpwuid(os.getuid()).pw_dir))
        except KeyError:
            return _absolute(Path())

    def proxy_for(self, url: str) -> tuple[str, str]:
        """Find the proxy for an https address and the variable that names it: empty for what NO_PROXY names."""
        origin = next((name for name in ("HTTPS_PROXY", "https_proxy") if self.get(name)), "")
        if not origin:
            return "", "built-in"
        from urllib.request import proxy_bypass_environment  # type: ignore[attr-defined]  # which typeshed lacks

        spared = {"no": self.get("NO_PROXY") or self.get("no_proxy") or ""}
        return ("", "built-in") if proxy_bypass_environment(urlsplit(url).netloc, spared) else (self[origin], origin)

    def __repr__(self) -> str:
        return f"Environment({len(self)} variables)"


def _absolute(folder: Path) -> Path:
    if not folder.is_absolute():
        hint = "set HOME, or ROOMCTL_CONFIG, ROOMCTL_STATE, ROOMCTL_DATA and ROOMCTL_CACHE"
        raise BadConfig("there is no home folder to keep files in", hint=hint)
    return folder
