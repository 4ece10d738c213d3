"""What is kept for the shell's completion."""

import json
import shutil
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from roomctl.cli.completion import SHELLS
from roomctl.cli.completion_cache import remember, remember_profiles
from roomctl.cli.main import root
from roomctl.docs.completions import script
from roomctl.docs.tree import tree
from tests.conftest import Cases, Env, Run

A, B, C = (f"11111111-1111-4111-8111-00000000000{digit}" for digit in "123")


def kept(kind: str, things: Iterable[tuple[str, str]]) -> list[tuple[str, Any]]:
    resource, field = {"room": ("Social", "socialId"), "roomset": ("RoomSet", "socialRoomSetId")}[kind]
    return [(resource, [{field: key, "name": name} for key, name in things])]


def ids(folder: Path) -> list[str]:
    return (folder / "completion" / "ids").read_text(encoding="utf-8").splitlines()


def test_what_was_seen_last_comes_first_and_once_and_500_of_each_kind_are_kept(tmp_path: Path) -> None:
    remember(tmp_path, kept("roomset", [(A, "Autumn Summit")]))
    remember(tmp_path, kept("room", [(A, "Lobby"), (B, "Main Stage")]))
    remember(tmp_path, kept("room", [(C, "Attic"), (B, "Great Stage")]))
    rooms = [f"room\t{C}\tAttic", f"room\t{B}\tGreat Stage", f"room\t{A}\tLobby"]
    assert ids(tmp_path) == [*rooms, f"roomset\t{A}\tAutumn Summit"]
    many = [(f"22222222-2222-4222-8222-{n:012}", f"Room {n}") for n in range(600)]
    remember(tmp_path, kept("room", many))
    lines = ids(tmp_path)
    assert (len(lines), lines[0][-7:], lines[-1]) == (501, "\tRoom 0", f"roomset\t{A}\tAutumn Summit")
    before = (tmp_path / "completion" / "ids").stat().st_ino
    remember(tmp_path, kept("room", many))
    assert (tmp_path / "completion" / "ids").stat().st_ino == before, "the same again writes nothing"


def test_profiles_are_kept_a_name_a_line_and_all_files_are_for_their_owner_only(tmp_path: Path) -> None:
    remember(tmp_path / "cache", kept("room", [(A, "Lobby")]))
    for name in ("staging", "ci"):
        remember_profiles(tmp_path / "cache", ["prod", name])
    folder = tmp_path / "cache" / "completion"
    assert (folder / "profiles").read_text(encoding="utf-8") == "prod\nci\n"
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())}
    assert modes == {"completion": 0o700, "ids": 0o600, "profiles": 0o600}


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"room\tevil\t\x1b[2J\n", b"\n\n\t\t\n"], ids=ascii)
def test_a_damaged_file_is_replaced(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "completion" / "ids"
    path.parent.mkdir()
    path.write_bytes(content)
    remember(tmp_path, kept("room", [(A, "Lobby")]))
    assert ids(tmp_path) == [f"room\t{A}\tLobby"]


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    remember(tmp_path / "cache", kept("room", [(A, "Lobby")]))
    remember_profiles(tmp_path / "cache", ["prod"])
    remember_profiles(Path("/proc/nowhere"), ["prod"])
    remember_profiles(Path("nul\0"), ["prod"])
    assert (tmp_path / "cache").read_text(encoding="utf-8") == "a file"


def test_r20_r21_of_a_result_what_can_be_typed_is_kept(tmp_path: Path, cases: Cases) -> None:
    def says(resource: str, value: Any) -> str:
        shutil.rmtree(tmp_path / "completion", ignore_errors=True)
        remember(tmp_path, [(resource, value)])
        return json.dumps(ids(tmp_path) if [*tmp_path.iterdir()] else None)

    cases("kept.txt", says)


def test_an_event_that_was_exported_keeps_the_name_it_had(sandbox: Run, variables: Env, tmp_path: Path) -> None:
    event, folder = "c7951964-2838-427f-8267-5f07922a7056", Path(variables["ROOMCTL_CACHE"])
    for names in ([], ["Autumn Summit 2026"]):
        remember(folder, [("Event", {"socialEventId": event, "name": name}) for name in names])
        sandbox("registration", "export", event, "--to", f"{tmp_path}/r.csv", "--force", terminal=True)
        assert ids(folder) == [f"event\t{event}\t{''.join(names)}"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_printed(roomctl: Run, shell: str) -> None:
    done = roomctl("completion", shell)
    assert (done.status, done.stdout, done.stderr) == (0, script(shell, tree(root())), "")


def test_it_is_printed_with_a_broken_config_too(roomctl: Run, variables: Env) -> None:
    config = Path(variables["ROOMCTL_CONFIG"])
    config.parent.mkdir(parents=True)
    config.write_bytes(b"\xff[[[")
    assert roomctl("completion", "bash", "-o", "json").stdout == script("bash", tree(root()))
