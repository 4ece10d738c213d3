"""What people see on terminals of five widths: the tables and pictures of the world, byte for byte."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Env, Golden, Patch, Run
from tests.docs.conftest import SETUPS, Shell
from tests.programs import ROOT
from tests.terminals import BAR, screen
from tests.transcripts import GOLDEN

STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
EVENT = "c7951964-2838-427f-8267-5f07922a7056"
WIDTHS = (40, 60, 80, 120, 200)
COMMAND = re.compile(r"(?m)^% roomctl (.*)$")
SCREENS = {path.stem: path for path in (GOLDEN / "screens").glob("*.txt") if path.stem != "without-colours"}


def asked(name: str) -> tuple[str, ...]:
    found = COMMAND.search(SCREENS[name].read_text("utf-8"))
    assert found
    return ("--sandbox", *shlex.split(found[1]))


@pytest.fixture
def in_berlin(sandbox: Run, variables: Env) -> dict[str, str]:
    """The environment of a sandbox whose clock stands still, seen from Berlin."""
    variables["TZ"] = "Europe/Berlin"
    return variables


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen(name: str, in_berlin: dict[str, str], golden: Golden) -> None:
    parts = [f"{columns} columns\n{screen(asked(name), in_berlin, columns)}" for columns in WIDTHS]
    text = "\n".join([f"% roomctl {shlex.join(asked(name)[1:])}", *parts])
    golden(f"screens/{name}.txt", text.replace("\x1b", "␛").replace("\r", "␍"))


def test_without_colours_and_for_accessibility(in_berlin: dict[str, str], golden: Golden) -> None:
    parts = []
    for variable in ("NO_COLOR", "ROOMCTL_ACCESSIBLE"):
        for name in ("roomset-tree", "social-list", "social-cta-map", "registration-stats", "recording-timeline"):
            text = screen(asked(name), {**in_berlin, variable: "1"}, 80)
            parts.append(f"{name}, {variable}=1\n{text}")
            assert variable != "NO_COLOR" or "\x1b" not in text
    golden("screens/without-colours.txt", "\n".join(parts).replace("\x1b", "␛"))


TASKS = {path.stem: path for path in (GOLDEN / "tasks").glob("*.txt") if path.stem != "tab-and-man"}
"""What an administrator does, line by line; behind `<` what is typed at a question."""
OWN = ("first-contact", "profile", "rehearse")
"""Tasks that are not about the sandbox, or choose it themselves."""
EDITOR = 'sed -i.old "s/^description:.*/description: Arrivals, coffee/" "$1"'
SCRIPTS = {"editor.sh": EDITOR, "careful.sh": 'ROOM social end "Main Stage" --yes -q'}
SCRIPTS["careless.sh"] = f"ROOM social list >list\nuntil ROOM social end {STAGE} --yes; do :; done"
VARYING = {
    "first-contact": {r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "0c0ffee0-0000-4000-8000-000000000000"},
    "edit": {r"/\S*/edits/\w+/": "/STATE/edits/KEPT/"},
    "rehearse": {r"\d+\.\d(?=\n)": "1.5"},
    "journal": {r"\b[0-9a-f]{16}\b": "0123456789abcdef", r"(?<=sent: )[-0-9T:]+": "2026-11-21T09:00:00"},
}
VARYING["journal"][r"(?<=  )20\d\d-\d\d-\d\d \d\d:\d\d|(?<=\(CET\): )20\d\d-\d\d-\d\d \d\d:\d\d"] = "2026-11-21 10:00"
"""What differs from run to run, by task: ids that are drawn at random, the time of day, how long it took."""


@pytest.mark.parametrize("name", TASKS)
def test_a_task(name: str, in_berlin: dict[str, str], golden: Golden, tmp_path: Path, monkeypatch: Patch) -> None:
    parts = []
    lines = COMMAND.findall(TASKS[name].read_text("utf-8").partition("\n80 columns\n")[0])
    for columns in (60, 80, 120):
        home = tmp_path / f"{columns}"
        shutil.copytree(in_berlin["ROOMCTL_DATA"], home / "data")
        monkeypatch.chdir(home)
        Path("people.csv").write_text("E-Mail,table\nAda <ada.lovelace@example.org>,1\nnobody@example.invalid,2\n")
        Path("key.txt").write_text("a-test-key-0123456789")
        Path("key.txt").chmod(0o600)
        for script, text in SCRIPTS.items():
            Path(script).write_text(text.replace("ROOM", f"{sys.executable} -m roomctl"))
        own = {f"ROOMCTL_{folder.upper()}": folder for folder in ("data", "state", "cache")}
        own |= {"ROOMCTL_CONFIG": "config.toml", "EDITOR": "sh editor.sh", "PATH": os.environ["PATH"]}
        parts.append(f"{columns} columns\n")
        for line in lines:
            command, _, answer = line.partition(" < ")
            words = (*(() if name in OWN else ("--sandbox",)), *shlex.split(command))
            parts.append(f"% roomctl {line}\n{screen(words, {**in_berlin, **own}, columns, answer)}\n")
    text = re.sub(BAR, "", "".join(parts))
    for pattern, fixed in VARYING.get(name, {}).items():
        text = re.sub(pattern, fixed, text)
    golden(f"tasks/{name}.txt", text.replace("\x1b", "␛").replace("\r", "␍"))


TABS: tuple[str, ...] = ("", "social ", "social end --lea", "social end --o", "-o ", "social end ", "social end Wel")
TABS += ("social list --fields na", "social create --permission-type ", "social create --tz Europe/Ber")
TABS += ("social watch ", "registration export ")


@pytest.mark.skipif(not (shutil.which("bash") and shutil.which("man")), reason="bash or man is not installed")
def test_tab_and_man(sandbox: Run, variables: Env, golden: Golden, tmp_path: Path) -> None:
    """What Tab shows in bash for a line, what the line then is, and a page of the manual."""
    for words in (("social", "list"), ("registration", "list", EVENT, "--limit", "1")):
        sandbox(*words, terminal=True)  # which is when names are kept for Tab
    parts = []
    own = {**variables, "PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8"}
    options, setup = SETUPS["bash"]
    for columns in (60, 80, 120):
        bash = Shell([str(shutil.which("bash")), *options], own, tmp_path, columns)
        bash.send(setup.format(script=ROOT / "completions" / "roomctl.bash", more="") + "\n")
        bash.read_until(r"\nready[^$]*\$ ")
        parts.append(f"{columns} columns\n")
        for line in TABS:
            tab = bash.tab(f"roomctl {line}")
            offered = [f"{each.rstrip()}\n" for each in tab.shown.split("\n")[1:-1] if not each.startswith("$ ")]
            parts += [f"$ roomctl {line}<Tab>\n", *offered, f"$ {tab.line}\n"]
        bash.close()
        own["MANWIDTH"] = str(columns)
        command = ["man", "-l", "man/man1/roomctl-social-get.1"]
        page = subprocess.run(command, env=own, cwd=ROOT, capture_output=True, text=True, check=True)
        parts.append(f"$ man roomctl-social-get\n{page.stdout}\n")
    golden("tasks/tab-and-man.txt", "".join(parts))
