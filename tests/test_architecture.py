"""The ways that ARCHITECTURE.md draws are those that a command takes."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import roomctl as package
from tests.conftest import Done

HOME = Path(package.__file__).parent
TEXT = (HOME / "ARCHITECTURE.md").read_text(encoding="utf-8")
DRAWN = {
    lines[0]: lines[1:] for block in re.findall(r"```\n\$ (.*?)```", TEXT, re.DOTALL) if (lines := block.split("\n"))
}


def entered(call: Callable[[], Any]) -> list[str]:
    """Make a call; give the functions of roomctl that it enters, in their order, as `folder/module.function`."""
    found: dict[str, None] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(HOME)):
            module = Path(code.co_filename).relative_to(HOME).with_suffix("").as_posix()
            found.setdefault(f"{module}.{code.co_qualname}")

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(found)


@pytest.mark.parametrize("line", DRAWN)
def test_a_drawn_way_is_the_one_that_is_taken(line: str, sandbox: Callable[..., Done]) -> None:
    words = line.replace("EVENT", "c7951964-2838-427f-8267-5f07922a7056").split()[1:]
    drawn = [name for each in DRAWN[line] for name in re.findall(r"[a-z]+/[a-z/_]+\.[\w.]+", each)]
    assert len(drawn) > 10
    order = entered(lambda: sandbox(*words))
    assert [name for name in order if name in drawn] == drawn
