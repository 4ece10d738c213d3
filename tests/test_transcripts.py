"""What the commands say, as transcripts: each section of `golden/transcripts` in a seeded sandbox of its own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import NOW
from tests.transcripts import GOLDEN, Shell, section, sections


@pytest.mark.parametrize(("name", "title"), [*sections()])
def test_a_transcript(
    name: str, title: str, roomctl: Callable[..., Any], variables: dict[str, str], tmp_path: Path, update: bool
) -> None:
    file = GOLDEN / "transcripts" / f"{name}.txt"
    text = file.read_text(encoding="utf-8")
    wanted = section(text, title)
    if "sandbox" in wanted:
        assert roomctl("sandbox", "seed", "--clock", NOW, "--yes", "-q").status == 0
    found = Shell(roomctl, variables, tmp_path).replay(wanted)
    if update:
        file.write_text(text.replace(f"## {title}\n{wanted}", f"## {title}\n{found}"), encoding="utf-8")
    else:
        assert found == wanted, "differs: look, then run `pytest --update`"
