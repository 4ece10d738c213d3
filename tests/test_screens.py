"""What people see on terminals of five widths: the tables and pictures of the world, byte for byte."""

import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.terminals import screen

EVENT = "c7951964-2838-427f-8267-5f07922a7056"
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
RECORDING = "8667b48c-ef7b-4382-9ba0-12b3f72e45a9"
PEOPLE = ("a2b7faa7-549d-4d69-8a65-825f3dafca2e", "887ae4c1-5184-439c-89f6-0dd9fc7d547e", EVENT)
WIDTHS = (40, 60, 80, 120, 200)
SCREENS = {
    "roomset-list": ("roomset", "list"),
    "roomset-get": ("roomset", "get", "Onboarding"),
    "roomset-tree": ("roomset", "tree"),
    "social-list": ("social", "list"),
    "social-get": ("social", "get", "Q&A"),
    "social-cta-map": ("social", "cta", "Q&A", "--map"),
    "social-watch": ("social", "watch", "Onboarding", "--times", "1"),
    "registration-list": ("registration", "list", EVENT, "--limit", "5"),
    "registration-list-empty": ("registration", "list", EVENT, "--text", "nobody is named so"),
    "registration-stats": ("registration", "stats", EVENT),
    "recording-list": ("recording", "list"),
    "recording-timeline": ("recording", "timeline", RECORDING),
    "transcription-list": ("transcription", "list"),
    "user-get-several": ("user", "get", *PEOPLE),
    "rules-get": ("rules", "get", "Onboarding"),
    "profile-list": ("profile", "list"),
}
Run = Callable[..., Any]


def shown(args: tuple[str, ...], variables: dict[str, str]) -> str:
    """The screens of a command, one below the other, escapes made visible."""
    parts = [f"{columns} columns\n{screen(('--sandbox', *args), variables, columns)}" for columns in WIDTHS]
    return "\n".join(parts).replace("\x1b", "␛").replace("\r", "␍")


@pytest.fixture
def seeded(sandbox: Run, variables: dict[str, str]) -> dict[str, str]:
    """The environment of a sandbox whose clock stands still, seen from Berlin."""
    variables["TZ"] = "Europe/Berlin"
    return variables


@pytest.mark.parametrize("name", SCREENS)
def test_a_screen(name: str, seeded: dict[str, str], golden: Callable[[str, str], None]) -> None:
    golden(f"screens/{name}.txt", shown(SCREENS[name], seeded))


def test_without_colours_and_for_accessibility(seeded: dict[str, str], golden: Callable[[str, str], None]) -> None:
    parts = []
    for variable in ("NO_COLOR", "ROOMCTL_ACCESSIBLE"):
        for name in ("roomset-tree", "social-list", "social-cta-map", "registration-stats", "recording-timeline"):
            text = screen(("--sandbox", *SCREENS[name]), {**seeded, variable: "1"}, 80)
            parts.append(f"{name}, {variable}=1\n{text}")
            assert variable != "NO_COLOR" or "\x1b" not in text
    golden("screens/without-colours.txt", "\n".join(parts).replace("\x1b", "␛"))


BLIND = "drop-after-commit:write#1 status=403,after=3,times=2:roomset.list"
TASKS = {
    "first-contact": ["help", "demo", "--sandbox roomset tree Onboarding"],
    "profile": [
        "profile add prod --base-url https://rooms.example.org --key-file key.txt --protected --use",
        "profile list",
        "profile show",
        "profile add prod --base-url https://rooms.example.org",
        "profile remove prod < y",
        "social list",
    ],
    "edit": [
        "roomset edit Onboarding < q",
        "roomset edit Onboarding < y",
        "roomset update Onboarding --descripton Arrivals",
        'roomset update Onboarding --description "Arrivals, from 8 o\'clock" --yes --show --fields name,description',
        "rules save Onboarding --rule emailAddress,ENDS_WITH,@example.com < y",
    ],
    "rehearse": [
        "rehearse --only --fault drop-after-commit:social.end#1 -- sh careful.sh",
        f"rehearse --only --fault '{BLIND}' -- sh careless.sh",
        "rehearse --only --fault reset:write -- sh missing.sh",
    ],
    "journal": [
        'social end "Main Stage" --yes',
        "invite send Q&A --from people.csv --map E-Mail=emailAddress --yes",
        "roomset update Onboarding --description Arrivals --yes",
        "social create --name Attic --fault drop-after-commit:social.create#1 --yes",
        "journal list",
        "journal list --runs",
        "journal verify",
    ],
    "list-and-sort": [
        "social list --open --sort-by present,desc",
        "social list --fields name,present,starts",
        "roomset list --sort-by present,desc --fields name,open,present",
    ],
    "invite": [
        'invite send "Main Stage" --from people.csv --map E-Mail=emailAddress --yes --results invited.csv',
        'invite send "Main Stage" --from invited.csv --map E-Mail=emailAddress --yes',
        "invite send --room-set Onboarding --from people.csv --map E-Mail=emailAddress --yes",
    ],
    "export": [
        f"registration export {EVENT} --to regs.csv",
        "registration check regs.csv",
        f"registration stats {EVENT} --tz Europe/Berlin",
    ],
    "recordings": ["recording list --limit 3", "transcription list --limit 3"],
    "output-forms": [
        "roomset list --fields name,open,present -o md",
        "social list --room-set Onboarding --fields name,present -o yaml",
        "social list --room-set Onboarding --fields name,present -o json",
        "social list --room-set Onboarding -o ids",
    ],
    "watch": [
        'social watch "Autumn Summit" Onboarding --times 1',
        'social watch "Archive 2025" --until-closed --interval 1s',
    ],
    "help": ["help social watch", "help glossary", "help nothing", "compare a b", "social end"],
    "wrong-input": [
        "social get Main",
        "social end 8fd42f77-3f0d-400f-9d2a --yes",
        'social create --name Late --starts "2026-12-01 9:00"',
        "social list --fields nam",
    ],
    "explain": ["explain social end", "social end 8fd42f77-3f0d-400f-9d2a-e6e426f76844 --dry-run"],
    "set-with-rooms": [
        'roomset create --name "Spring Fair" --guests',
        'social create --name Tent --room-set "Spring Fair" --max-participants 80',
        'social copy "Tent"',
        'theme save --name Dusk --type SINGLE_COLOR --color-background "#223344"',
        'roomset copy "Spring Fair" --name "Spring Fair (rehearsal)"',
        'roomset tree "Spring Fair"',
    ],
    "end": [
        'social end "Main Stage" --yes',
        'social end "Q&A" --leave-open-until +15m --yes',
        'social end "Welcome Hall" --yes --fields name,isOpen',
        'social end "Main Stage"',
        'social end --room-set "Autumn Summit" --yes',
    ],
}
"""What an administrator does, line by line; behind `<` what is typed at a question."""
OWN = ("first-contact", "profile", "rehearse")
"""Tasks that are not about the sandbox, or choose it themselves."""
EDITOR = 'sed -i.old "s/^description:.*/description: Arrivals, coffee/" "$1"'
SCRIPTS = {
    "editor.sh": EDITOR,
    "careful.sh": 'ROOM social end "Main Stage" --yes -q',
    "careless.sh": f"ROOM social list >list\nuntil ROOM social end {STAGE} --yes; do :; done",
}
VARYING = {
    "first-contact": {r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "0c0ffee0-0000-4000-8000-000000000000"},
    "rehearse": {
        r"(?s)\x1b\[\?25l.*?\x1b\[\?25h\r\x1b\[1A\x1b\[2K": "",
        r"\d+\.\d(?=\n)": "1.5",
    },
    "journal": {
        r"\b[0-9a-f]{16}\b": "0123456789abcdef",
        r"(?<=sent: )[-0-9T:]+": "2026-11-21T09:00:00",
        r"(?<=  )20\d\d-\d\d-\d\d \d\d:\d\d": "2026-11-21 10:00",
    },
}
"""What differs from run to run, by task: ids that are drawn at random, the time of day, how long
it took."""


@pytest.mark.parametrize("name", TASKS)
def test_a_task(
    name: str, seeded: dict[str, str], golden: Callable[[str, str], None], tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    parts = []
    for columns in (60, 80, 120):
        home = tmp_path / f"{columns}"
        shutil.copytree(seeded["ROOMCTL_DATA"], home / "data")
        monkeypatch.chdir(home)
        Path("people.csv").write_text("E-Mail,table\nAda <ada.lovelace@example.org>,1\nnobody@example.invalid,2\n")
        Path("key.txt").write_text("a-test-key-0123456789")
        Path("key.txt").chmod(0o600)
        for script, text in SCRIPTS.items():
            Path(script).write_text(text.replace("ROOM", f"{sys.executable} -m roomctl"))
        own = {f"ROOMCTL_{folder.upper()}": folder for folder in ("data", "state", "cache")}
        own |= {"ROOMCTL_CONFIG": "config.toml", "EDITOR": "sh editor.sh", "PATH": os.environ["PATH"]}
        parts.append(f"{columns} columns\n")
        for line in TASKS[name]:
            command, _, answer = line.partition(" < ")
            words = (*(() if name in OWN else ("--sandbox",)), *shlex.split(command))
            parts.append(f"$ roomctl {command}\n{screen(words, {**seeded, **own}, columns, answer)}\n")
    text = "".join(parts)
    for pattern, fixed in VARYING.get(name, {}).items():
        text = re.sub(pattern, fixed, text)
    golden(f"tasks/{name}.txt", text.replace("\x1b", "␛").replace("\r", "␍"))
