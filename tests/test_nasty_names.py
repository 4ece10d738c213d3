"""Rooms and sets with nasty names, through the whole tool: no control byte that roomctl did not make (R20 to R24)."""

import json
import re
from pathlib import Path

import pytest

from tests.conftest import Done, Env, Run
from tests.output.test_escapes import made_by_others

NAMES = {"markup": "x[/foo]", "clear the screen": "\x1b[2Ja\x9bb", "turned around": "\u202eroom\x00"}
NAMES |= {"annotation": "::error::x\n##[error]y"}
LISTS = (("social", "list"), ("roomset", "list"), ("roomset", "tree"))
SAYING = {
    "social get NAME": 0,
    "roomset get NAME": 0,
    "social get NAME?": 4,
    "social watch NAME --times 1": 0,
    "social copy NAME": 0,
    "social end NAME --yes": 2,
    "social end ROOM --yes": 0,
    "social create --set NAME=1": 2,
    "roomset list --sort-by NAME": 2,
    "roomset list --to none/NAME": 2,
    "explain social NAME": 2,
    "-v user get NAME": 2,
    "profile show NAME": 2,
    "journal list": 0,
    "journal list -o csv": 0,
}
FORMS = ("table", "json", "ndjson", "csv", "tsv", "ids", "yaml", "md")
COMMAND = re.compile(r"^\s*::[A-Za-z]|##\[|##vso\[", re.MULTILINE)
CURSOR = re.compile(r"\x1b\[(?:\?25[lh]|2?K|\d*A|J)|\r")


def harmless(done: Done, *, terminal: bool, form: str = "table") -> None:
    """Hold both outputs against what may stand in them."""
    out = CURSOR.sub("", done.stdout) if terminal else done.stdout
    assert made_by_others(out, color=terminal, tabs=form in ("tsv", "ids") or (form == "table" and not terminal)) == []
    assert made_by_others(CURSOR.sub("", done.stderr) if terminal else done.stderr, color=False, tabs=False) == []
    assert not COMMAND.search(done.stderr)
    assert form not in ("table", "tsv", "ids", "md") or not COMMAND.search(done.stdout)
    assert "Traceback" not in done.stderr and "defect" not in done.stderr


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("terminal", [False, True])
def test_a_nasty_name_harms_nothing(kind: str, terminal: bool, sandbox: Run, variables: Env, tmp_path: Path) -> None:
    name = NAMES[kind]
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"name": name, "description": name}))
    made = sandbox("social", "create", "--room-set", "Onboarding", "--input", str(body), "-o", "ids")
    harmless(made, terminal=False)
    room = made.stdout.strip()
    assert made.status == 0, made.stderr
    changed = sandbox("roomset", "update", "Onboarding", "--input", str(body), "--yes", terminal=terminal)
    assert changed.status == 0, changed.stderr
    for form in FORMS:
        for shown in LISTS:
            done = sandbox(*shown, "-o", form, terminal=terminal)
            assert done.status == 0, done.stderr
            harmless(done, terminal=terminal, form=form)
    asked = sandbox("social", "end", name, stdin="no\n", terminal=terminal)
    harmless(asked, terminal=terminal)
    assert asked.status == (1 if terminal else 2), asked.stderr
    for line, status in SAYING.items():
        given = name if status != 9 else name.replace("\0", "")
        words = [word.replace("NAME", given).replace("ROOM", room) for word in line.split(" ")]
        done = sandbox(*words, terminal=terminal)
        harmless(done, terminal=terminal)
        assert done.status == status, (words, done)
    seen = [file for file in Path(variables["ROOMCTL_CACHE"]).rglob("*") if file.is_file()]
    assert seen
    for file in seen:
        assert made_by_others(file.read_text("utf-8"), color=False, tabs=True) == []
