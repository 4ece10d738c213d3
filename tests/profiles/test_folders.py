"""Where files belong: named, by the XDG variables, below the home folder; and what happens without one."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from tests.conftest import Cases, Env, Patch, error_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")


def places(**variables: str) -> list[str]:
    found = Environment(variables)
    return [str(found.config_file), *(str(found.folder(kind)) for kind in ("data", "state", "cache"))]


@linux
def test_they_are_where_platformdirs_would_have_them(monkeypatch: Patch) -> None:
    import platformdirs

    monkeypatch.setenv("HOME", "/h")
    expected = [f"{platformdirs.user_config_dir('roomctl')}/config.toml", platformdirs.user_data_dir("roomctl")]
    expected += [platformdirs.user_state_dir("roomctl"), platformdirs.user_cache_dir("roomctl")]
    assert places(HOME="/h") == expected


@linux
def test_each_folder_is_where_a_variable_says(cases: Cases) -> None:
    def says(variables: Env, path: str = "", folder: str = "") -> str:
        if path:
            return str(Environment(variables).resolve(path, Path(folder)))
        return " ".join(places(**variables)).replace(str(Path.cwd()), "HERE")

    cases("folders.txt", says)


@linux
@pytest.mark.parametrize("variables", [{}, {"HOME": ""}, {"HOME": "somewhere"}])
def test_home_unset_means_the_home_folder_of_the_account(monkeypatch: Patch, variables: Env) -> None:
    import pwd

    monkeypatch.setattr(pwd, "getpwuid", account("/h"))
    assert places(**variables)[0] == "/h/.config/roomctl/config.toml"
    assert Environment(variables).resolve("~/key", Path("/c")) == Path("/h/key")


@linux
@pytest.mark.parametrize("folder", [None, "", "somewhere"])
def test_an_account_without_a_home_folder_is_told_what_to_set(monkeypatch: Patch, folder: str | None) -> None:
    import pwd

    monkeypatch.setattr(pwd, "getpwuid", account(folder))
    environment = Environment()
    for place in ("config_file", "home"):
        raised = error_of(BadConfig, getattr, environment, place)
        assert raised.message == "there is no home folder to keep files in"
        assert raised.hint == "set HOME, or ROOMCTL_CONFIG, ROOMCTL_STATE, ROOMCTL_DATA and ROOMCTL_CACHE"


def account(folder: str | None) -> Callable[[int], Any]:
    """What the system's table of users says of the home folder; None for a user that it does not know."""
    import pwd

    def entry(uid: int) -> pwd.struct_passwd:
        if folder is None:
            raise KeyError(uid)
        return pwd.struct_passwd(("somebody", "x", uid, uid, "", folder, "/bin/sh"))

    return entry
