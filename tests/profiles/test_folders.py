"""Where files belong: named, by the XDG variables, below the home folder; and what happens without one."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from roomctl.profiles import Environment, cache_folder, config_file, data_folder, state_folder
from roomctl.profiles.folders import standing_on

linux = pytest.mark.skipif(sys.platform != "linux", reason="folders of Linux")
PLACES = (config_file, data_folder, state_folder, cache_folder)


def places(**variables: str) -> list[str]:
    return [str(place(Environment(variables))) for place in PLACES]


@linux
def test_without_anything_else_they_are_below_the_home_folder() -> None:
    assert places(HOME="/h") == [
        "/h/.config/roomctl/config.toml",
        "/h/.local/share/roomctl",
        "/h/.local/state/roomctl",
        "/h/.cache/roomctl",
    ]


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
    assert standing_on(folder, "key", environment) == Path("/etc/roomctl/key")
    assert standing_on(folder, "/run/key", environment) == Path("/run/key")
    assert standing_on(folder, "~/key", environment) == Path("/h/key")
    assert standing_on(folder, "~", environment) == Path("/h")
    assert standing_on(folder, "~other/key", environment) == Path("/etc/roomctl/~other/key")


def test_a_home_folder_whose_name_is_not_utf8_is_one(tmp_path: Path) -> None:
    home = os.fsdecode(os.fsencode(tmp_path) + b"/h\xff")
    assert config_file(Environment({"HOME": home})) == Path(home, ".config/roomctl/config.toml")


PROGRAM = """
import os, sys
if sys.argv[1] == "nobody":
    import pwd
    def missing(_): raise KeyError("no such user")
    pwd.getpwuid = missing
elif sys.argv[1] == "homeless":
    import pwd
    pwd.getpwuid = lambda _: pwd.struct_passwd(("daemon", "x", 1, 1, "", "", ""))
from roomctl.errors import BadConfig
from roomctl.profiles import Environment, config_file
from roomctl.profiles.folders import standing_on
from pathlib import Path
environment = Environment.of_process()
for find in (config_file, lambda environment: standing_on(Path("/c"), "~/key", environment)):
    try:
        print(find(environment))
    except BadConfig as error:
        print(error.message, "|", error.hint)
"""


def at_home(kind: str, **variables: str) -> list[str]:
    environment = {name: value for name, value in os.environ.items() if name != "HOME"} | variables
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind], env=environment, capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@linux
@pytest.mark.parametrize("variables", [{}, {"HOME": ""}, {"HOME": "somewhere"}])
def test_home_unset_means_the_home_folder_of_the_account(variables: dict[str, str]) -> None:
    import pwd

    home = pwd.getpwuid(os.getuid()).pw_dir
    assert at_home("somebody", **variables) == [f"{home}/.config/roomctl/config.toml", f"{home}/key"]


@linux
@pytest.mark.parametrize("kind", ["nobody", "homeless"])
def test_an_account_without_a_home_folder_is_told_what_to_set(kind: str) -> None:
    hint = "set HOME, or ROOMCTL_CONFIG, ROOMCTL_STATE, ROOMCTL_DATA and ROOMCTL_CACHE"
    assert at_home(kind) == [f"there is no home folder to keep files in | {hint}"] * 2


def test_nothing_is_created(tmp_path: Path) -> None:
    places(HOME=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


@linux
def test_a_plain_run_does_not_load_platformdirs() -> None:
    program = (
        "import sys; from roomctl.profiles import Environment, config_file; config_file(Environment({'HOME': '/h'}));"
        "print('platformdirs' in sys.modules, 'tomllib' in sys.modules, 'tomlkit' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "False False False\n"
