"""Where results and errors go."""

import stat
from pathlib import Path

import pytest

from tests.conftest import Run


def test_r7_no_form_shows_a_bearer_value(sandbox: Run) -> None:
    event = sandbox("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.split()[0]
    for form in ("table", "json", "ndjson", "csv", "tsv", "yaml"):
        done = sandbox("registration", "list", event, "--limit", "3", "-o", form)
        assert done.status == 0, done.stderr
        assert "earer" not in done.stdout
        assert "sandbox-not-a-credential" not in done.stdout
    assert "earer" not in sandbox("api", "registration.list", "-f", f"socialEventId={event}", "-o", "json").stdout


@pytest.mark.parametrize(
    "name", ["x[/foo]", "[bold]x[/bold]", "\x1b[2J\x1b]0;t\x07", "a\rb", "\u202eevil", "::error::x", "=1+1"]
)
def test_r20_a_room_of_any_name_prints_as_such_and_no_control_byte_passes(sandbox: Run, name: str) -> None:
    made = sandbox("social", "create", "--name", name, "--room-set", "Onboarding", "-o", "json")
    assert made.status == 0, made.stderr
    assert made.json["name"] == name
    for terminal in (False, True):
        for words in (("list",), ("get", made.json["socialId"])):
            shown = sandbox("social", *words, terminal=terminal).stdout
            assert not any(ord(each) < 32 and each not in "\n\t\x1b" for each in shown)
            assert "\x1b[2J" not in shown and "\u202e" not in shown and "\n::error" not in shown
    if name.isprintable():
        assert name in sandbox("social", "list", "-o", "csv", "--fields", "name").stdout


def test_debug_names_a_private_trace_and_no_traceback_is_shown(sandbox: Run, variables: dict[str, str]) -> None:
    done = sandbox("social", "get", "Nowhere", "--debug")
    path = next(line for line in done.stderr.splitlines() if line.startswith("debug: ")).removeprefix("debug: ")
    assert "Traceback" not in done.stderr
    assert "Traceback" in Path(path).read_text()
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
