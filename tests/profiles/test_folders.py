"""Where files belong: named, by the XDG variables, below the home folder; and what happens without one."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from tests.conftest import error_of

linux = pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")


def places(**variables: str) -> list[str]:
    found = Environment(variables)
    return [str(found.config_file), *(str(found.folder(kind)) for kind in ("data", "state", "cache"))]


@linux
def test_they_are_where_platformdirs_would_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.setenv("HOME", "/h")
    expected = [f"{platformdirs.user_config_dir('roomctl')}/config.toml", platformdirs.user_data_dir("roomctl")]
    expected += [platformdirs.user_state_dir("roomctl"), platformdirs.user_cache_dir("roomctl")]
    assert places(HOME="/h") == expected


def test_the_xdg_variables_move_them_and_relative_ones_are_ignored() -> None:
    xdg = {f"XDG_{kind}_HOME": f"/x/{kind.lower()}" for kind in ("CONFIG", "DATA", "STATE", "CACHE")}
    moved = ["/x/config/roomctl/config.toml", "/x/data/roomctl", "/x/state/roomctl", "/x/cache/roomctl"]
    assert places(HOME="/h", **xdg) == moved
    assert places(HOME="/h", XDG_STATE_HOME="here") == places(HOME="/h")


def test_a_variable_of_ours_names_each() -> None:
    ours = {"ROOMCTL_CONFIG": "/a/c.toml", "ROOMCTL_DATA": "/b", "ROOMCTL_STATE": "/c", "ROOMCTL_CACHE": "/d"}
    assert places(HOME="/h", XDG_DATA_HOME="/x", **ours) == ["/a/c.toml", "/b", "/c", "/d"]
    assert places(HOME="/h", ROOMCTL_DATA="~/world")[1] == "/h/world"
    assert places(HOME="/h", ROOMCTL_CONFIG="c.toml")[0] == str(Path.cwd() / "c.toml")


def test_what_a_config_file_names_never_depends_on_the_working_directory() -> None:
    environment = Environment({"HOME": "/h"})
    folder = Path("/etc/roomctl")
    assert environment.resolve("key", folder) == Path("/etc/roomctl/key")
    assert environment.resolve("/run/key", folder) == Path("/run/key")
    assert environment.resolve("~/key", folder) == Path("/h/key")
    assert environment.resolve("~", folder) == Path("/h")
    assert environment.resolve("~other/key", folder) == Path("/etc/roomctl/~other/key")


@linux
@pytest.mark.parametrize("variables", [{}, {"HOME": ""}, {"HOME": "somewhere"}])
def test_home_unset_means_the_home_folder_of_the_account(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    import pwd

    monkeypatch.setattr(pwd, "getpwuid", account("/h"))
    assert places(**variables)[0] == "/h/.config/roomctl/config.toml"
    assert Environment(variables).resolve("~/key", Path("/c")) == Path("/h/key")


@linux
@pytest.mark.parametrize("folder", [None, "", "somewhere"])
def test_an_account_without_a_home_folder_is_told_what_to_set(
    monkeypatch: pytest.MonkeyPatch, folder: str | None
) -> None:
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
