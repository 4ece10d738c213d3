"""`theme save --preview`: a theme is drawn here, and nothing is sent."""

from pathlib import Path

import pytest

from tests.conftest import Env, Patch, Run
from tests.output.test_theme import BLUE, RED, painted

SAVE = ("theme", "save", "--name", "Forest", "--color-primary", "#2255aa", "--preview")


@pytest.fixture
def images(tmp_path: Path) -> tuple[str, ...]:
    pytest.importorskip("PIL")
    (tmp_path / "far.png").write_bytes(painted([[RED, RED], [RED, RED]]))
    (tmp_path / "near.png").write_bytes(painted([[BLUE, None], [None, None]]))
    return ("--image-far", "far.png", "--image-near", "near.png")


def test_the_layers_are_told_by_what_they_are(roomctl: Run, images: tuple[str, ...]) -> None:
    done = roomctl(*SAVE, *images, "-o", "json")
    assert (done.status, [layer["width"] for layer in done.json["layers"]]) == (0, [2, 2])


def test_a_terminal_shows_swatches_and_layers(roomctl: Run, images: tuple[str, ...], variables: Env) -> None:
    variables["COLORTERM"] = "truecolor"
    text = roomctl(*SAVE, *images, terminal=True).stdout
    assert "\x1b[48;2;34;85;170m        \x1b[0m  #2255aa" in text
    assert text.endswith("\x1b[38;2;0;0;255;48;2;255;0;0m▀\x1b[0m\x1b[38;2;255;0;0;48;2;255;0;0m▀\x1b[0m\n")
    variables["NO_COLOR"] = "1"
    assert "\x1b" not in roomctl(*SAVE, *images, terminal=True).stdout


def test_an_image_that_cannot_be_drawn_is_refused(roomctl: Run, images: tuple[str, ...], tmp_path: Path) -> None:
    (tmp_path / "far.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"broken" * 9 + b"IEND")
    done = roomctl(*SAVE, *images)
    assert (done.status, done.stdout) == (2, "")
    assert "imageFarBytes: not an image that can be drawn" in done.stderr


def test_without_pillow_colours_are_shown(roomctl: Run, images: tuple[str, ...], monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.output.theme.find_spec", lambda _: None)
    done = roomctl(*SAVE, *images)
    assert done.status == 0
    assert "Pillow is not installed; `pip install 'roomctl[pictures]'` draws images" in done.stderr
