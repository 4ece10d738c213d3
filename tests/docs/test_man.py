"""The man pages."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from roomctl.docs import man as pages
from roomctl.docs.tree import Row
from roomctl.errors import RoomctlError


@pytest.fixture(scope="module")
def man(commands: list[Row]) -> dict[str, str]:
    return dict(pages.pages(commands))


@pytest.fixture
def folder(tmp_path: Path, man: dict[str, str]) -> Path:
    for name, text in man.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    return tmp_path


def shown(folder: Path, page: str) -> str:
    """Read a page as a person does, 80 columns wide."""
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    command = ["mandoc", "-T", "ascii", "-O", "width=80", str(folder / page)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return "".join(letter for index, letter in enumerate(done.stdout) if "\b" not in done.stdout[index : index + 2])


LINTERS = {"mandoc": ["-T", "lint"], "groff": ["-man", "-ww", "-Tascii", "-z"]}


@pytest.mark.parametrize("linter", LINTERS)
def test_a_linter_finds_nothing_to_say(linter: str, folder: Path) -> None:
    if shutil.which(linter) is None:
        pytest.skip(f"{linter} is not installed")
    command = [linter, *LINTERS[linter], *map(str, sorted(folder.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_every_option_and_positional_is_on_its_page_and_common_ones_on_7(man: Any, commands: list[Row]) -> None:
    common = {name for option in commands[0].options for name in option.names} - {"--version"}
    for row in commands:
        page = man["-".join(("roomctl", *row.path)) + ".1"].replace("\\-", "-")
        names = {name for option in row.options for name in (*option.names, *option.off)} - common
        assert [name for name in names if f"\\fB{name}\\fR" not in page] == [], row.path
        assert [each for each in row.arguments if each.placeholder not in page] == [], row.path
        assert "fBroomctl help\noptions" in page or "fBroomctl help options" in page, row.path
    page = man["roomctl.7"].replace("\\-", "-")
    assert [name for name in common - {"-h", "--help"} if name not in page] == []


def test_the_topics_hold_every_exit_status_variable_and_setting(folder: Path) -> None:
    from roomctl.profiles.profile import ENVIRONMENT, SETTINGS

    text = shown(folder, "roomctl.7")
    assert [name for name in SETTINGS if f"\n       {name}" not in shown(folder, "roomctl-config.5")] == []
    kinds = [RoomctlError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert [kind.exit for kind in kinds if f"\n       {kind.exit} " not in text] == []
    assert [row.name for row in ENVIRONMENT if f"\n       {row.name}" not in text] == []
    assert "~/.config/roomctl/config.toml" in text


def test_the_example_of_the_config_page_can_be_read(man: dict[str, str]) -> None:
    import tomllib

    from roomctl.profiles.profile import SETTINGS

    example = man["roomctl-config.5"].partition(".EX\n")[2].partition(".EE")[0]
    config = tomllib.loads(example)
    assert config["default_profile"] in config["profiles"]
    assert {name for profile in config["profiles"].values() for name in profile} <= set(SETTINGS)
