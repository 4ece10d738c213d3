"""The README's commands run, and print what the README shows."""

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import Env, Run, sandbox_served
from tests.events.stage import DOT
from tests.temperament import LIKE, probed, same

EVENT = "2b1f7d3c-5a0e-4a52-9f0d-1c9d5f1f7a11"
README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"```console\n(.*?)```", re.DOTALL)


def commands(block: str) -> list[str]:
    return [line[2:] for line in block.splitlines() if line.startswith("$ ")]


def ran(command: str, roomctl: Run, event: str) -> str:
    words = shlex.split(command)
    assert words.pop(0) == "roomctl"
    done = roomctl(*(event if word == "EVENT" else word for word in words))
    said = [line for line in done.stderr.splitlines() if not line.startswith(("SANDBOX", "profile:"))]
    return f"$ {command}\n{done.stdout}" + "".join(f"{line}\n" for line in said)


def test_every_console_example_prints_what_the_readme_shows(roomctl: Run, update: bool) -> None:
    seeded = roomctl("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids")
    assert seeded.status == 0, seeded.stderr
    event = seeded.stdout.splitlines()[0]

    def rerun(match: re.Match[str]) -> str:
        return "```console\n" + "".join(ran(each, roomctl, event) for each in commands(match[1])) + "```"

    text = README.read_text(encoding="utf-8")
    now = BLOCK.sub(rerun, text)
    if update:
        README.write_text(now, encoding="utf-8")
    else:
        assert text == now, "differs: look, then run `pytest --update`"


@pytest.mark.parametrize("kind", LIKE)
def test_every_example_says_the_same_whatever_the_service_is_like(kind: str, roomctl: Run, variables: Env) -> None:
    """With the lines that `doctor --probe` writes for it."""
    event = roomctl("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.splitlines()[0]
    become(kind, roomctl, variables)
    for block in BLOCK.findall(README.read_text(encoding="utf-8")):
        now = "".join(ran(each, roomctl, event) for each in commands(block))
        assert same(re.sub("ended with (HTTP ...|an empty body|`null`)", "ended on an empty page", now)) == same(block)


def become(kind: str, roomctl: Run, variables: Env) -> None:
    assert roomctl("sandbox", "faults", "add", LIKE[kind]).status == 0
    found = probed(roomctl("--sandbox", "doctor", "--probe", "--yes", "-o", "json").stdout)
    assert found
    variables |= found


def blocks(kind: str) -> list[str]:
    found: list[str] = re.findall(rf"```{kind}\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    return found


def lines_of_jobs() -> list[str]:
    """The commands of the jobs, and those of the shell examples that are no script."""
    steps = [step for text in blocks("yaml") for step in _steps(yaml.safe_load(text))]
    shell = [part for text in blocks("sh") if not text.startswith("#!") for part in re.split(r"\n|&&", text)]
    return [line.strip() for line in (*steps, *shell) if "roomctl " in line]


def _steps(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for each in inner for text in _steps(each)]


@pytest.mark.parametrize("line", lines_of_jobs())
def test_a_command_of_a_job_is_one_that_there_is(line: str, roomctl: Run) -> None:
    ids = {"$EVENT": EVENT, "ID": EVENT}
    words = [ids.get(word, word) for word in shlex.split(line[line.index("roomctl ") :])[1:]]
    done = roomctl("explain", *words)
    assert done.status == 0, done.stderr


def evening(folder: Path) -> None:
    """Put the evening of the README into a folder, with what belongs to it."""
    [text] = [each for each in blocks("yaml") if each.startswith("room_set:")]
    (folder / "evening.yaml").write_text(text)
    (folder / "hall.png").write_bytes(DOT)
    (folder / "people.csv").write_text("emailAddress\nada.lovelace@example.org\ngrace.hopper@example.org\n")


@pytest.mark.parametrize("kind", ["", *LIKE])
def test_jobs_run_on_services_like_these(kind: str, sandbox: Run, roomctl: Run, variables: Env, tmp_path: Path) -> None:
    evening(tmp_path)
    if kind:
        become(kind, roomctl, variables)
    event = sandbox("registration", "list", "c7951964-2838-427f-8267-5f07922a7056", "--limit", "1", "-o", "json")
    assert event.status == 0, event.stderr
    for line in [each for each in lines_of_jobs() if "--yes" in each or "--verify" in each]:
        if " rehearse " in line:  # below
            continue
        own = {"$EVENT": "c7951964-2838-427f-8267-5f07922a7056"}
        words = [own.get(word, word) for word in shlex.split(line[line.index("roomctl ") :])[1:]]
        done = sandbox(*words, *(["--force"] if "--results" in words or "--to" in words else []))
        assert done.status == (8 if "--only-past-end" in words else 0), done.stderr  # the summit is still on


def programs(tmp_path: Path, python: str) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "roomctl").write_text(f'#!/bin/sh\nexec {shlex.quote(python)} -m roomctl "$@"\n')
    (folder / "roomctl").chmod(0o755)
    return folder


def test_the_script_makes_no_mistake_in_a_bad_night(roomctl: Run, variables: Env, tmp_path: Path, python: str) -> None:
    [text] = [each for each in blocks("sh") if each.startswith("#!/bin/sh")]
    folder = programs(tmp_path, python)
    (tmp_path / "end-rooms.sh").write_text(text)
    variables |= {"PATH": f"{folder}:{os.environ['PATH']}", "PAUSE": "0"}
    variables |= {name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}
    script = ("sh", "-c", 'sh end-rooms.sh "Autumn Summit" "$(mktemp -d)/ended.csv"')
    faults = ["drop-after-commit:social.end#1", "status=503,times=9:roomset.list", "status=429,retry-after=0:write#1"]
    faults += ["status=404:social.end#2", "status=429,retry-after=0,times=12:social.end"]
    only = [part for fault in faults for part in ("--fault", fault)]
    done = roomctl("rehearse", "--only", *only, "-o", "json", "--", *script)
    assert done.status == 0, (done.stderr, done.stdout)
    assert [row["exit"] for row in done.json] == [0, 0, 0, 0, 6, 0]
    assert [row["mistakes"] for row in done.json] == [[]] * 6


def test_the_two_commands_that_set_everything_up_are_there() -> None:
    text = README.read_text(encoding="utf-8")
    assert "pip install . && roomctl demo\n" in text
    assert 'pip install ".[test]" && pytest\n' in text


def test_the_evening_of_the_readme_is_planned_on_a_pull_request_and_applied_on_main(
    sandbox: Run, roomctl: Run, variables: Env, tmp_path: Path, python: str
) -> None:
    """Its steps are run as a script against a sandbox that is served; and its rehearsal makes no mistake."""
    evening(tmp_path)
    [job] = [each for each in map(yaml.safe_load, blocks("yaml")) if each.get("name") == "evening"]
    steps = [step for step in job["jobs"]["evening"]["steps"] if "roomctl" in step.get("run", "")]
    folder = programs(tmp_path, python)
    with sandbox_served(Path(variables["ROOMCTL_DATA"]), variables) as (store, stage):
        own = {**os.environ, **variables, "PATH": f"{folder}:{os.environ['PATH']}"}
        for where, rooms in (("pull_request", 0), ("main", 2), ("main", 2)):
            lines = [step["run"] for step in steps if where in step.get("if", where)]
            script = "set -e\n" + "\n".join(lines)
            command = ["sh", "-c", script]
            done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
            assert done.returncode == 0, (done.stdout, done.stderr)
            sets = [each for each in store.all("roomset", "me") if each["name"] == "Winter Gala"]
            assert sum(len(store.all("social", each["socialRoomSetId"])) for each in sets) == rooms
        sent = [each for each in stage.log() if each["operation"] == "invite.send"]
        assert (len(store._documents("", "invite")), len(sent)) == (2, 1)
    for name in ("ROOMCTL_BASE_URL", "ROOMCTL_API_KEY"):
        del variables[name]
    variables["PATH"] = f"{folder}:{os.environ['PATH']}"
    [line] = [each for each in lines_of_jobs() if each.startswith("roomctl rehearse")]
    only = ("--only", "--fault", "drop-after-commit:write#4", "-o", "json")
    rehearsed = roomctl("rehearse", *only, *shlex.split(line)[2:])
    assert [(row["exit"], row["mistakes"]) for row in rehearsed.json] == [(0, [])] * 2, rehearsed.stderr
