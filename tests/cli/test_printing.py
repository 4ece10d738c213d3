"""Where results and errors go."""

import json
import stat
from pathlib import Path

from tests.conftest import Env, Patch, Run


def test_r7_no_form_shows_a_bearer_value(sandbox: Run) -> None:
    event = sandbox("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.split()[0]
    for form in ("table", "json", "ndjson", "csv", "tsv", "yaml"):
        done = sandbox("registration", "list", event, "--limit", "3", "-o", form)
        assert done.status == 0, done.stderr
        assert "earer" not in done.stdout
        assert "sandbox-not-a-credential" not in done.stdout
    assert "earer" not in sandbox("api", "registration.list", "-f", f"socialEventId={event}", "-o", "json").stdout


def test_debug_names_a_private_trace_and_no_traceback_is_shown(sandbox: Run, variables: Env) -> None:
    done = sandbox("social", "get", "Nowhere", "--debug")
    path = next(line for line in done.stderr.splitlines() if line.startswith("debug: ")).removeprefix("debug: ")
    assert "Traceback" not in done.stderr
    assert "Traceback" in Path(path).read_text()
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600


def test_a_defect_after_a_write_does_not_say_that_nothing_was_sent(sandbox: Run, monkeypatch: Patch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("roomctl.cli.printing._print", broken)
    done = sandbox("social", "end", "Main Stage", "--yes", "--error-format", "json")
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    assert (done.status, error["code"], error["outcome"]) == (1, "unexpected", "applied")
