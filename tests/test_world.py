"""The tool against the sandbox, in this process and over a real socket: the transcripts of `golden/world`."""

import shlex
from pathlib import Path

import pytest

from roomctl.contract.operations import OPERATIONS
from tests.conftest import Env, Golden, Run, sandbox_served
from tests.transcripts import GOLDEN, LINE, Shell

WORLD = {path.stem: path for path in (GOLDEN / "world").glob("*.txt")}
FILES = {
    "broken.yaml": b"name: [1, 2\nx",
    "list.json": b"[1, 2]",
    "invites.yaml": b"- invitedUser: {emailAddress: alan.turing@example.org}\n- invitedUser: {emailAddress: x@y.zz}\n",
    "bad.csv": b"emailAddress,table\nada@example.org,1\nnobody,2\nADA@example.org,3\n,4\n\xff@example.org,5\n",
    "dot.gif": bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"),
}


@pytest.fixture(autouse=True)
def files(seeded: Path, tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)


@pytest.mark.parametrize("name", WORLD)
def test_a_scenario_in_this_process(name: str, roomctl: Run, variables: Env, tmp_path: Path, golden: Golden) -> None:
    shell = Shell(lambda *args, **more: roomctl("--sandbox", *args, **more), variables, tmp_path)
    found = shell.replay(WORLD[name].read_text("utf-8"))
    golden(f"world/{name}.txt", found.replace("mean `roomctl --sandbox ", "mean `roomctl "))


@pytest.mark.parametrize("name", WORLD)
def test_the_same_over_a_real_socket(name: str, seeded: Path, roomctl: Run, variables: Env, tmp_path: Path) -> None:
    text = WORLD[name].read_text("utf-8")
    with sandbox_served(seeded, variables):
        assert Shell(roomctl, variables, tmp_path).replay(text) == text


def test_every_operation_is_in_a_scenario() -> None:
    from roomctl.cli.main import root

    tree = root()
    called: set[str] = set()
    for line in LINE.finditer(WORLD["reading"].read_text("utf-8") + WORLD["writing"].read_text("utf-8")):
        group, verb = shlex.split(line[1])[1:3]
        if group in tree.members and hasattr(command := tree.get_command(None, group), "members"):
            called.update(operation.name for operation in command.get_command(None, verb).about.named)
    assert called == {operation.name for operation in OPERATIONS}
