"""The man pages."""

import shutil
import subprocess
from pathlib import Path

import pytest

from roomctl.errors import RoomctlError
from roomctl.manual.files import generated
from roomctl.manual.pages import _sentence
from roomctl.manual.tree import Node


@pytest.fixture(scope="module")
def man() -> dict[str, str]:
    return {name.removeprefix("man/"): text for name, text in generated().items() if name.startswith("man/")}


@pytest.fixture
def folder(tmp_path: Path, man: dict[str, str]) -> Path:
    for name, text in man.items():
        (tmp_path / name).write_text(text, encoding="ascii")
    return tmp_path


def shown(folder: Path, page: str) -> str:
    """Read a page as a person does, 80 columns wide."""
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-T", "ascii", "-O", "width=80", folder / page], capture_output=True, text=True, check=True
    )
    return "".join(letter for index, letter in enumerate(done.stdout) if "\b" not in done.stdout[index : index + 2])


def test_there_is_a_page_for_each_command_each_group_and_the_topics(man: dict[str, str], commands: Node) -> None:
    expected = {"-".join(("roomctl", *node.path)) + ".1" for node in commands.walk()}
    assert set(man) == expected | {"roomctl.7", "roomctl-config.5"}


def test_mandoc_finds_nothing_to_say(folder: Path) -> None:
    if shutil.which("mandoc") is None:
        pytest.skip("mandoc is not installed")
    done = subprocess.run(
        ["mandoc", "-T", "lint", *sorted(folder.iterdir())], capture_output=True, text=True, check=False
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_groff_finds_nothing_to_say(folder: Path) -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not installed")
    done = subprocess.run(
        ["groff", "-man", "-ww", "-Tascii", "-z", *sorted(folder.iterdir())],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


def test_every_option_and_positional_stands_on_its_page(man: dict[str, str], commands: Node) -> None:
    for node in commands.walk():
        page = man["-".join(("roomctl", *node.path)) + ".1"].replace("\\-", "-").replace("\\:", "")
        for option in node.options:
            for name in (*option.names, *option.off):
                assert f"\\fB{name}\\fR" in page, (node.path, name)
        for argument in node.arguments:
            assert f"\\fI{argument.placeholder}\\fR" in page, (node.path, argument)


def test_a_page_reads_from_top_to_bottom(folder: Path) -> None:
    text = shown(folder, "roomctl-social-end.1")
    titles = [line for line in text.splitlines()[1:-1] if line and not line.startswith(" ")]
    assert titles == [
        "NAME",
        "SYNOPSIS",
        "DESCRIPTION",
        "ARGUMENTS",
        "OPTIONS",
        "CALLS",
        "NOT DOCUMENTED BY THE SERVICE",
        "EXIT STATUS",
        "EXAMPLES",
        "SEE ALSO",
    ]
    assert "       Effect of leaveOpenUntil on the timing of closing: not shown.\n" in text
    assert "       POST /api/v1/social/end/{socialId}\n" in text
    assert '       roomctl social end "Main Stage" --yes\n' in text


def test_the_topics_hold_every_exit_status_and_every_variable(folder: Path) -> None:
    from roomctl.profiles import ENVIRONMENT

    text = shown(folder, "roomctl.7")
    kinds = [RoomctlError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    assert [kind.exit for kind in kinds if f"\n       {kind.exit} " not in text] == []
    assert [row.name for row in ENVIRONMENT if f"\n       {row.name}" not in text] == []
    assert "~/.config/roomctl/config.toml" in text


def test_every_form_and_option_of_output_is_an_item_of_a_list(man: dict[str, str]) -> None:
    tags = ("\\-o table", "\\-o md", "\\-\\-fields a,b.c", "\\-\\-to FILE", "ROOMCTL_OUTPUT")
    assert [tag for tag in tags if f".TP\n\\fB{tag}\\fR\n" not in man["roomctl.7"]] == []


def test_the_config_page_holds_every_field_of_a_profile(folder: Path) -> None:
    from roomctl.profiles import PROFILE_FIELDS

    text = shown(folder, "roomctl-config.5")
    assert [field.name for field in PROFILE_FIELDS if f"\n       {field.name}" not in text] == []


def test_the_example_of_the_config_page_can_be_read() -> None:
    import tomllib

    from roomctl.manual.topics import CONFIG_EXAMPLE
    from roomctl.profiles import PROFILE_FIELDS

    config = tomllib.loads(CONFIG_EXAMPLE)
    assert config["default_profile"] in config["profiles"]
    fields = {name for profile in config["profiles"].values() for name in profile}
    assert fields <= {field.name for field in PROFILE_FIELDS}


def test_the_pages_are_plain_ascii_and_name_no_place_of_this_machine(man: dict[str, str]) -> None:
    for name, text in man.items():
        assert text.isascii(), name
        assert str(Path.home()) not in text, name
        assert str(Path(__file__).parents[2]) not in text, name


def test_the_files_are_the_same_in_every_surrounding(python: str, tmp_path: Path) -> None:
    """Width, home, zone, locale and hash seed leave no trace."""
    source = Path(__file__).parents[2] / "src"
    program = "import zlib; from roomctl.manual.files import generated; print(zlib.crc32(repr(generated()).encode()))"

    def run(**variables: str) -> str:
        variables["PYTHONPATH"] = str(source)
        done = subprocess.run([python, "-c", program], env=variables, capture_output=True, text=True, check=True)
        return done.stdout

    first = run(HOME="/nowhere", COLUMNS="20", TZ="Asia/Tokyo", LC_ALL="C", PYTHONHASHSEED="1", TERM="dumb")
    second = run(HOME=str(tmp_path), COLUMNS="300", XDG_CONFIG_HOME="/x", ROOMCTL_CONFIG="/y", PYTHONHASHSEED="2")
    assert first == second


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("the room's name", "The room's name."),
        ("rooms' ids", "Rooms' ids."),
        ("done; it is", "Done; it is."),
        ("temporary: try again", "Temporary: try again."),
        ("hostAdmitted", "hostAdmitted."),
        ("exit-codes, output", "exit-codes, output."),
        ("RFC 3339", "RFC 3339."),
        ("", ""),
    ],
)
def test_help_becomes_a_sentence_and_names_stay_as_they_are(text: str, sentence: str) -> None:
    assert _sentence(text) == sentence
