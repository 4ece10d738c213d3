"""The ways that ARCHITECTURE.md draws are those that a command takes."""

import re
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any
from uuid import UUID

import pytest

import roomctl as package
from tests.conftest import Done, Patch, Run, Serving
from tests.servers import A, Paged, Recorder

HOME = Path(package.__file__).parent
TEXT = (HOME / "ARCHITECTURE.md").read_text(encoding="utf-8")
IDS = {"A": A, "EVENT": "c7951964-2838-427f-8267-5f07922a7056", "ROOM": "8fd42f77-3f0d-400f-9d2a-e6e426f76844"}
MOST_STEPS = {"social end A --yes": 87, "registration export EVENT --to regs.csv": 139}
"""Functions of ours that a command may enter over a socket: they come down, and never go up."""
KEYS = [str(UUID(int=number)) for number in range(1, 252)]
OF = {"event": {"socialEventId": IDS["EVENT"], "name": "Summit"}, "values": [{"name": "Company", "value": "Acme"}]}
REGISTRATIONS = [{"registrationId": key, "user": {"userId": key, "name": f"Person {key}"}, **OF} for key in KEYS]
BLOCKS = [block.split("\n") for block in re.findall(r"```\n\$ (.*?)```", TEXT, re.DOTALL)]
DRAWN = {line: lines for line, *lines in BLOCKS}


def entered(call: Callable[[], Any]) -> list[str]:
    """Make a call; give the functions of roomctl that it enters, in their order, as `folder/module.function`."""
    found: dict[str, None] = {}

    def watch(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(HOME)) and "<" not in code.co_name:
            above: FrameType | None = frame
            while above := above and above.f_back:
                if above.f_code.co_name == "<module>" and above.f_code.co_filename.startswith(str(HOME)):
                    return  # what an import does is no step of the way
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


@pytest.fixture(autouse=True)
def nothing_is_left_of_earlier_runs(monkeypatch: Patch) -> None:
    """Let no thread be used that began before, which would not be watched, and no result that was kept."""
    monkeypatch.setattr("roomctl.service.workers._IDLE", [])
    modules = [module for name, module in sys.modules.items() if name.startswith("roomctl.")]
    for made in {id(each): each for module in modules for each in vars(module).values()}.values():
        if hasattr(made, "cache_clear"):
            made.cache_clear()


def test_the_map_stays_short_enough_to_be_read() -> None:
    assert len(DRAWN) == 2
    assert TEXT.count("\n") <= 150


@pytest.mark.parametrize("line", DRAWN)
def test_a_drawn_way_is_the_one_that_is_taken(line: str, sandbox: Run) -> None:
    words = [IDS.get(word, word) for word in line.split()[1:]]
    drawn = [name for each in DRAWN[line] for name in re.findall(r"[a-z][a-z/_]*\.[A-Za-z_][\w.]+", each)]
    assert len(drawn) > 10
    order = entered(lambda: sandbox(*words))
    assert [name for name in order if name in drawn] == drawn


@pytest.mark.parametrize("line", MOST_STEPS)
def test_a_way_over_a_socket_stays_short(line: str, roomctl: Run, serving: Serving) -> None:
    serving(Recorder("social.end") if line.startswith("social") else Paged(registration=REGISTRATIONS))
    done: list[Done] = []
    order = entered(lambda: done.append(roomctl(*(IDS.get(word, word) for word in line.split()))))
    assert done[0].status == 0, done[0].stderr
    order = order[: order.index("cli/signals.SignalHandling.restore") + 1]  # what follows is the fixture's
    assert "service/attempt.Attempt.trace" in order
    assert len(order) <= MOST_STEPS[line], order
