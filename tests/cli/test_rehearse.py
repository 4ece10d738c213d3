"""A real shell script in a bad night."""

import os
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.cli.rehearse import NIGHTS
from roomctl.sandbox.faults import parse
from roomctl.sandbox.judge import for_each_write
from tests.conftest import Env, Run

Script = Callable[[str], str]
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
LOST = "drop-after-commit:social.end#1"
BLIND = "drop-after-commit:write#1 status=403,after=3,times=2:roomset.list"
NAIVE = f"until $ROOM social end {STAGE} --yes; do :; done"
CAREFUL = """
for try in 1 2 3; do
  $ROOM social end --room-set "$1" --yes --results "$2"
  status=$?
  case $status in
    0) break ;;                # done
    5) sleep 0.1 ;;            # certainly not sent: safe to run again
    6) echo "some were refused: see $2" >&2; break ;;
    7) echo "unknown: see $2, look with roomset tree, send nothing again" >&2; break ;;
    *) break ;;                # 2 3 4 8 9: a person must look
  esac
done
exit $status
"""


@pytest.fixture
def script(tmp_path: Path, variables: Env, python: str) -> Script:
    variables |= {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    variables["ROOMCTL_PROFILE"] = "prod"

    def make(text: str) -> str:
        path = tmp_path / "script.sh"
        path.write_text(f"ROOM='{shlex.quote(python)} -m roomctl'\n{text}", encoding="utf-8")
        return os.fspath(path)

    return make


def rehearsed(roomctl: Run, script: str, *faults: str, more: tuple[str, ...] = ()) -> Any:
    words = [word for fault in faults for word in ("--fault", fault)]
    return roomctl("rehearse", "--only", *words, *more, "-o", "json", "--", "sh", script)


def nights(done: Any) -> list[tuple[Any, ...]]:
    return [(row["run"], row["exit"], row["effects"], row["mistakes"]) for row in done.json]


def test_a_script_that_repeats_on_any_failure_is_found(script: Script, roomctl: Run) -> None:
    naive = script(f"$ROOM social list >/dev/null\n{NAIVE}")
    done = rehearsed(roomctl, naive, BLIND)
    twice = "sent-twice: social.end, already sent as request 4, whose outcome was unknown"
    ended = {"rooms ended": 1}
    assert nights(done) == [("no fault", 0, ended, []), (BLIND, 0, ended, [twice])]
    assert done.status == 6 and "the script made 1 mistake" in done.stderr


def test_a_script_that_asks_for_the_exit_status_makes_no_mistake(script: Script, roomctl: Run, tmp_path: Path) -> None:
    careful = script(f'set -- "Autumn Summit" "$(mktemp -d)/ended.csv"\n{CAREFUL}')
    done = rehearsed(roomctl, careful, LOST, BLIND, "status=429,retry-after=0:write#1")
    assert done.status == 0, done.stderr
    assert [(row["exit"], row["effects"]) for row in done.json] == [(each, {"rooms ended": 4}) for each in (0, 0, 7, 0)]


def test_every_answer_that_can_deceive_a_script_has_its_night() -> None:
    lines = for_each_write(NIGHTS.read_text().splitlines(), [])
    nights = [[parse(text) for text in line.split()] for line in lines]
    assert {name for night in nights for fault in night for name in fault.fault} >= {
        *("empty-page", "end-of-list", "list-field", "denied", "other-name", "without", "uppercase-ids", "row-twice"),
        *("odd-row", "drop-before-commit", "drop-after-commit", "truncated", "html", "clamp-size", "ignore-page"),
    }


def test_an_exit_status_of_0_without_the_effect_is_a_mistake(script: Script, roomctl: Run) -> None:
    hopeful = script(f"$ROOM social end {STAGE} --yes; $ROOM recording list || true")
    done = rehearsed(roomctl, hopeful, "status=404:social.end", "status=500:recording.list")
    told = [row["mistakes"][0].partition(", but ")[2] for row in done.json[1:]]
    assert told == ["nothing changed; without faults: 1 room ended", "no request for recording.list succeeded"]


def test_what_a_script_made_counts_by_what_became_of_it(script: Script, roomctl: Run) -> None:
    deaf = script("""
$ROOM roomset create --name "Club $$" -o ids
room=$($ROOM social create --name Bar --room-set "Autumn Summit" -o ids)
$ROOM social end "$room" --yes
exit 0
""")
    lost, unnamed = "drop-before-commit:social.end", "status=404:roomset.update"
    done = rehearsed(roomctl, deaf, lost, unnamed, "drop-after-commit:social.end#1")
    made = {"room sets created": 1, "rooms created": 1}
    usual, false = {**made, "rooms ended": 1}, "false success: exit 0, but 1 room set created, 1 room created"
    ended = "without faults: 1 room set created, 1 room created, 1 room ended"
    otherwise = "1 room ended; its values differ from those of the run without faults"
    expected = [("no fault", 0, usual, []), (lost, 0, made, [f"{false}; {ended}"])]
    expected += [(unnamed, 0, usual, [f"{false}, {otherwise}"]), ("drop-after-commit:social.end#1", 0, usual, [])]
    assert nights(done) == expected


COUNT = "n=$($ROOM roomset list -o ids 2>/dev/null | wc -l)"
GAP = "empty-page,page=0:roomset.list"


@pytest.mark.parametrize(
    ("rest", "mistake"),
    [
        ("echo $n", "the output differs from that of the run without faults"),
        ("$ROOM roomset list >/dev/null 2>&1; echo done", ""),
        (
            '$ROOM social create --name "Room $n" --room-set e4c87ba4-21ac-49f2-b78b-325ed33b2862 --yes',
            "1 room created; its values differ from those of the run without faults",
        ),
        ('$ROOM social create --name "Room $$" --room-set e4c87ba4-21ac-49f2-b78b-325ed33b2862 --yes', ""),
    ],
)
def test_a_number_of_a_deceived_script_is_compared(script: Script, roomctl: Run, rest: str, mistake: str) -> None:
    done = rehearsed(roomctl, script(f"{COUNT}\n{rest}"), GAP)
    assert done.json[1]["mistakes"] == ([f"false success: exit 0, but {mistake}"] if mistake else []), done


def test_each_operation_and_the_last_write_meet_a_fault_that_is_for_each_write() -> None:
    writes = ["roomset.create", "roomset.update", "social.create", "social.end", "social.end"]
    log = [{"operation": name} for name in ("roomset.list", *writes, "roomset.list")]
    names = ["roomset.create#1", "roomset.update#1", "social.create#1", "social.end#1", "social.end#2"]
    each = [f"status=500:{name}" for name in names]
    assert for_each_write(["reset:write#1", "status=500:write#each"], log) == ["reset:write#1", *each]


def test_a_script_that_does_not_end_is_stopped(script: Script, roomctl: Run) -> None:
    done = rehearsed(roomctl, script("[ -e here ] && sleep 60; : > here"), "reset:read", more=("--stop-after", "0.3"))
    told = [(row["exit"], [each.rpartition(" after ")[0] for each in row["mistakes"]]) for row in done.json]
    assert told == [(0, []), (None, ["endless: stopped"])]


def test_what_a_script_leaves_in_the_background_is_not_waited_for(script: Script, roomctl: Run) -> None:
    daemon = script("$ROOM -q roomset list; sleep 30 &")
    done = rehearsed(roomctl, daemon, "uppercase-ids:read", more=("--stop-after", "20"))
    assert [(row["exit"], row["mistakes"]) for row in done.json] == [(0, []), (0, [])]


def test_nothing_of_the_persons_own_reaches_the_script(script: Script, roomctl: Run, variables: Env) -> None:
    done = rehearsed(roomctl, script("$ROOM -q roomset list >&2; env | sort"), "uppercase-ids:read")
    assert done.status == 0, done.stderr
    seen = dict(line.split("=", 1) for line in done.json[0]["output"] if line.startswith("ROOMCTL_"))
    assert seen.keys() >= {"ROOMCTL_API_KEY", "ROOMCTL_BASE_URL", "ROOMCTL_CONFIG", "ROOMCTL_DATA", "ROOMCTL_STATE"}
    assert "ROOMCTL_PROFILE" not in seen and not set(seen.values()) & set(variables.values())


def test_a_script_that_fails_without_a_fault_is_said_to(script: Script, roomctl: Run) -> None:
    fails = script("$ROOM roomset get Nowhere")
    done = rehearsed(roomctl, fails, BLIND)
    assert [row["exit"] for row in done.json] == [4] and done.status == 6
    assert "the script ended with 4 even without faults, so none was tried; the script wrote: roomctl" in done.stderr


def test_a_fault_that_was_never_applied_is_no_success(script: Script, roomctl: Run) -> None:
    once = script(f"[ -e here ] && echo here is in the way >&2 && exit 2\n: > here; $ROOM social end {STAGE} --yes")
    done = rehearsed(roomctl, once, LOST, "reset:playlist.create")
    assert (done.status, [row["applied"] for row in done.json]) == (6, [0, 0, 0])
    assert "a second run without faults differs: exit 2, nothing changed; the script wrote: here is in" in done.stderr
    assert "SANDBOX: 2 runs with faults, 2 without; 0 mistakes, 2 faults never applied" in done.stderr
    assert f"never applied: {LOST}, reset:playlist.create" in done.stderr


def test_a_script_that_fails_when_it_is_run_again_is_no_success(script: Script, roomctl: Run) -> None:
    once = script("[ -e here ] && exit 2\n$ROOM -q roomset list; [ -e now ] && : > here; : > now")
    done = rehearsed(roomctl, once, "uppercase-ids:read")
    assert (done.status, "the script fails when it is run again" in done.stderr) == (6, True), done


@pytest.mark.parametrize(
    ("faults", "idle"),
    [
        ("latency=0:social.end status=500:social.create", "status=500:social.create"),
        ("latency=0:social.end drop-after-commit:social.end#1", "drop-after-commit:social.end#1"),
        ("latency=0:social.end#1 latency=0:roomset.list", ""),
    ],
)
def test_each_of_several_faults_of_a_run_is_to_be_applied(faults: str, idle: str, script: Script, roomctl: Run) -> None:
    done = rehearsed(roomctl, script(f"$ROOM roomset list >/dev/null; $ROOM social end {STAGE} --yes"), faults)
    assert (done.status, f"never applied: {idle}" in done.stderr) == (6 if idle else 0, bool(idle)), done
