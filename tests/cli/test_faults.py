"""Faults and the log of the sandbox, as a person uses them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.faults import CONDITIONS, EFFECTS, TEMPERAMENTS, parse
from roomctl.sandbox.serve import served
from roomctl.sandbox.store import Store

KEY = "faults-test-key-0123456789"
Run = Callable[..., Any]
MAKE = ("playlist", "create", "--name", "Rain")


def test_faults_are_added_listed_and_cleared(roomctl: Run, tmp_path: Path) -> None:
    (tmp_path / "night.yaml").write_text("seed: 7\nfaults:\n  - html:read#2\n  - {fault: {reset: true}}\n")
    assert roomctl("sandbox", "faults", "add", "status=500:write", "--from", "night.yaml").status == 0
    rows = roomctl("sandbox", "faults", "list", "-o", "json").json
    assert [(row["id"], row["fault"], row["state"], row["met"], row["applied"]) for row in rows] == [
        (1, "status=500:write", "standing", 0, 0),
        (2, "html,seed=7:read#2", "standing", 0, 0),
        (3, "reset,seed=7:*", "standing", 0, 0),
    ]
    assert "faults cleared: 3" in roomctl("sandbox", "faults", "clear").stderr
    assert roomctl("sandbox", "faults", "list", "-o", "json").json == []


def test_the_words_are_listed(roomctl: Run) -> None:
    words = [row["word"] for row in roomctl("sandbox", "faults", "words", "-o", "json").json]
    assert words == [*EFFECTS, *CONDITIONS, *(f"like={name}" for name in TEMPERAMENTS)]


def test_a_fault_that_is_added_is_seen_in_process_and_by_a_sandbox_that_is_served(
    sandbox: Run, roomctl: Run, variables: dict[str, str]
) -> None:
    data = Path(variables["ROOMCTL_DATA"])
    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db")
    with served(store, stage, KEY) as port:
        assert roomctl("sandbox", "faults", "add", "status=500,times=2:playlist.create").status == 0
        here = sandbox(*MAKE)
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
        there = [roomctl(*MAKE).status for _ in range(2)]
    stage.close()
    store.close()
    assert (here.status, there) == (7, [7, 0])
    assert "SANDBOX: fault: status=500,times=2:playlist.create" in here.stderr


def test_a_fault_of_one_run_is_gone_after_it_and_needs_the_sandbox(
    sandbox: Run, roomctl: Run, variables: dict[str, str]
) -> None:
    assert [sandbox("--fault", "status=500:write", *MAKE).status, sandbox(*MAKE).status] == [7, 0]
    variables |= {"ROOMCTL_BASE_URL": "http://127.0.0.1:9", "ROOMCTL_API_KEY": KEY}
    live = roomctl("--fault", "reset:read", "roomset", "list")
    assert live.status == 2 and "`--fault` is for the sandbox: nothing was sent" in live.stderr


@pytest.mark.parametrize("words", [(), ("nonsense",), ("reset:social.ende",)])
def test_what_is_no_fault_is_refused_and_nothing_stands(roomctl: Run, words: tuple[str, ...]) -> None:
    assert roomctl("sandbox", "faults", "add", *words).status == 2
    assert roomctl("sandbox", "faults", "list", "-o", "json").json == []


def test_the_log_says_what_was_asked_and_done_and_holds_no_key(sandbox: Run, roomctl: Run) -> None:
    sandbox("--fault", "drop-after-commit:playlist.create", *MAKE)
    (row,) = roomctl("sandbox", "log", "-o", "json").json
    picked = ("operation", "method", "path", "status", "answer", "fault", "committed", "sent")
    assert [row[name] for name in picked] == [
        "playlist.create", "POST", "/audio/api/key/playlist", None, "none", "drop-after-commit:playlist.create", True,
        {"name": "Rain"},
    ]  # fmt: skip
    assert "0123456789" not in roomctl("sandbox", "log", "-o", "json").stdout.replace(row["body"], "")
    roomctl("sandbox", "log", "--clear")
    assert roomctl("sandbox", "log", "-o", "json").json == []


def test_the_judge_fails_a_client_that_sends_twice(sandbox: Run, roomctl: Run) -> None:
    sandbox("--fault", "drop-after-commit:playlist.create", *MAKE)
    good = roomctl("sandbox", "log", "--judge", "-o", "json")
    assert (good.status, good.json) == (0, [])
    sandbox(*MAKE)
    bad = roomctl("sandbox", "log", "--judge", "--junit", "judged.xml", "-o", "json")
    assert (bad.status, [row["rule"] for row in bad.json]) == (6, ["sent-twice"])
    assert ElementTree.parse("judged.xml").getroot().get("failures") == "1"
    assert roomctl("sandbox", "log", "--junit", "x.xml").status == 2


@pytest.mark.parametrize("other", [("--judge",), ("--after", "1")], ids=" ".join)
def test_a_log_is_not_emptied_in_place_of_what_else_was_asked(
    sandbox: Run, roomctl: Run, other: tuple[str, ...]
) -> None:
    sandbox(*MAKE)
    done = roomctl("sandbox", "log", "--clear", *other)
    assert (done.status, f"`--clear` and `{other[0]}` exclude each other" in done.stderr) == (2, True)
    assert len(roomctl("sandbox", "log", "-o", "json").json) == 1


OTHER_WORLDS = (("reset", "--yes"), ("seed", "--yes"), ("restore", "before", "--yes"))


@pytest.mark.parametrize("words", OTHER_WORLDS, ids=["reset", "seed", "restore"])
def test_another_world_begins_well_and_with_an_empty_log(sandbox: Run, roomctl: Run, words: tuple[str, ...]) -> None:
    assert roomctl("sandbox", "snapshot", "before").status == 0
    lists = sandbox("roomset", "list", "-o", "json").json
    roomctl("sandbox", "faults", "add", "rows-deleted=1:roomset.list", "reset:write#9")
    assert sandbox("roomset", "list", "-o", "json").json == lists[1:]
    assert len(roomctl("sandbox", "log", "-o", "json").json) == 6
    done = roomctl("sandbox", *words)
    assert (done.status, "faults ended with the world before: 2" in done.stderr) == (0, True)
    assert roomctl("sandbox", "log", "-o", "json").json == []
    assert roomctl("sandbox", "faults", "list", "-o", "json").json == []
    assert len(sandbox("roomset", "list", "-o", "json").json) == len(lists)
    assert "faults ended" not in roomctl("sandbox", *words).stderr


def test_a_fault_of_a_sandbox_that_is_served_outlives_a_restore(
    sandbox: Run, roomctl: Run, variables: dict[str, str]
) -> None:
    assert roomctl("sandbox", "snapshot", "before").status == 0
    data = Path(variables["ROOMCTL_DATA"])
    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db", [parse("status=500:write")])
    with served(store, stage, KEY) as port:
        assert roomctl("sandbox", "restore", "before", "--yes").status == 0
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
        assert roomctl(*MAKE).status == 7
    stage.close()
    store.close()
