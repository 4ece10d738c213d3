"""Each fault gives the same outcome in this process and over a socket, and roomctl reacts as it promises."""

import re
import shlex
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roomctl.contract.paging import ENDS
from roomctl.sandbox.fault_effects import DENIALS
from roomctl.sandbox.faults import FaultStore, effects, parse
from roomctl.sandbox.judge import Mistake, judge
from tests.conftest import Env, Patch, Run, sandbox_served

KEY = "same-outcome-test-key"
NOW = "2026-11-21T08:00:00Z"
SET, STAGE = "e4c87ba4-21ac-49f2-b78b-325ed33b2862", "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
ROWS = "registration list c7951964-2838-427f-8267-5f07922a7056 --page-size 100"
WORDS = {"END": f"social end {STAGE} --yes", "ROWS": ROWS, "LIST": f"{ROWS} --fields registrationId"}
WORDS["EXPORT"] = f"{ROWS.partition(' --')[0].replace('list', 'export')} --to regs.csv --force --concurrency 1"
WORDS |= {"UPDATE": f"roomset update {SET} --description x --yes", "MAKE": "playlist create --name Rain"}
PEOPLE = "--email grace.hopper@example.org --email alan.turing@example.org"
WORDS |= {"INVITE": f"invite send {STAGE} {PEOPLE} --yes", "SET": SET, "STAGE": STAGE}
"""What stands in `nights.txt` for several words, or for an id."""


class Night(NamedTuple):
    """A fault, a command under it, its exit code, how many requests for writes were seen, and what stderr says."""

    fault: str
    command: list[str]
    status: int
    writes: int
    says: str


def night(line: str) -> Night:
    fault, command, status, writes, says = (each.strip() for each in line.split("|"))
    words = [each for word in shlex.split(command) for each in (WORDS[word].split() if word in WORDS else [word])]
    return Night(fault, words, int(status), int(writes), says)


NIGHTS = [*map(night, Path(__file__).with_name("nights.txt").read_text(encoding="utf-8").splitlines()[1:])]


class Seen(NamedTuple):
    """What a run left: status, result, what was said, what the sandbox saw, and what its judge finds wrong in that."""

    status: int
    stdout: str
    said: list[str]
    log: list[Any]
    mistakes: list[Mistake]


@pytest.fixture
def fresh(seeded_data: Path, tmp_path: Path) -> Callable[[str], Path]:
    return lambda name: shutil.copytree(seeded_data, tmp_path / name)


def _said(stderr: str) -> list[str]:
    """What was said, without what differs by nature: the address, the profile, the journal's entries, the delays."""
    found = re.sub(r"of \d (?:now|in \d+\.\d s)", "of N in … s", stderr)
    found = re.sub(r"https?://[\w.:]+", "http://HOST", found)
    found = re.sub(r"(?:try|note): (?:the key comes from \w+; )?`roomctl profile show \w+", "", found)
    found = re.sub(r"profile: .*|journal: .*|journal (?:verify|repeat) \w+| --sandbox\b", "", found)
    found = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "WHEN", found)
    return [line.rstrip() for line in found.splitlines() if not line.startswith("SANDBOX") and line.strip()]


def _log(stage: FaultStore) -> tuple[list[Any], list[Mistake]]:
    with closing(stage):
        rows = stage.log()
    timeless = [{name: value for name, value in row.items() if name not in ("at", "answered")} for row in rows]
    return timeless, judge(rows)


def in_process(night: Night, folder: Path, roomctl: Run, variables: Env) -> Seen:
    variables |= {"ROOMCTL_DATA": str(folder)}
    done = roomctl("--sandbox", "--fault", night.fault, *night.command)
    return Seen(done.status, done.stdout, _said(done.stderr), *_log(FaultStore(folder / "sandbox-stage.db")))


def over_a_socket(night: Night, folder: Path, roomctl: Run, variables: Env) -> Seen:
    with sandbox_served(folder, variables, night.fault) as (_, stage):
        done = roomctl(*night.command)
        return Seen(done.status, done.stdout, _said(done.stderr), *_log(stage))


@pytest.mark.parametrize("night", NIGHTS, ids=lambda each: each.fault.replace(":", " "))
def test_a_fault_has_the_same_outcome_in_process_and_over_a_socket(
    night: Night, fresh: Callable[[str], Path], roomctl: Run, variables: Env, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    here = in_process(night, fresh("here"), roomctl, variables)
    there = over_a_socket(night, fresh("there"), roomctl, variables)
    assert here == there
    assert (here.status, sum(row["method"] != "GET" for row in here.log)) == (night.status, night.writes), here.said
    assert night.says in "\n".join(here.said)
    assert here.mistakes == []
    assert next(row["fault"] for row in here.log if row["fault"]) == night.fault


def test_every_effect_has_its_night() -> None:
    faults = [parse(night.fault).fault for night in NIGHTS]
    assert effects().keys() == {name for fault in faults for name in fault}
    for name, words in (("denied", DENIALS), ("end-of-list", ENDS)):
        assert {*words} <= {fault.get(name) for fault in faults}
