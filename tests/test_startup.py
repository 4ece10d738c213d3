"""Which modules a command may load: what start-up costs is decided here."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.benchmarks.instructions import Service
from tests.servers import A, Recorder
from tests.terminals import Terminal

HEAVY = (
    "pydantic", "rich", "yaml", "tomlkit", "jinja2", "jmespath", "sqlite3", "asyncio", "roomctl.sandbox",
    "roomctl.exports", "roomctl.events.report",
)  # fmt: skip
GROUPS = ["roomset", "social", "invite", "theme", "rules", "playlist", "recording", "transcription", "user"]
GROUPS += ["registration"]
EMPTY = "import json, sys; print(json.dumps(sorted(sys.modules)))"
PROGRAM = """
import json, sys
from roomctl.__main__ import main
sys.argv[0] = "roomctl"
try:
    main()
except SystemExit as done:
    assert not done.code, done.code
finally:
    print(json.dumps(sorted(sys.modules)), file=sys.stderr)
"""


def loaded(*args: str, stdout: int = subprocess.PIPE, **variables: Any) -> set[str]:
    """Run a command in a process of its own and give the modules that it left loaded."""
    command, environment = [sys.executable, "-c", PROGRAM, *args], {**os.environ, **variables}
    done = subprocess.run(
        command, stdout=stdout, stderr=subprocess.PIPE, text=True, check=True, env=environment, timeout=60
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


def heavy(modules: set[str], allowed: tuple[str, ...] = ()) -> set[str]:
    loaded = {name for name in HEAVY if any(f"{module}.".startswith(f"{name}.") for module in modules)}
    return loaded - {*allowed}


def groups(modules: set[str]) -> set[str]:
    return {name for name in GROUPS if f"roomctl.cli.{name}" in modules}


def test_version_loads_nothing_of_ours_but_the_version() -> None:
    empty = subprocess.run([sys.executable, "-c", EMPTY], capture_output=True, text=True, check=True, timeout=60)
    assert loaded("--version") - set(json.loads(empty.stdout)) == {"roomctl", "roomctl.__main__"}


@pytest.mark.parametrize("words", [(), ("social",), ("social", "end")])
def test_help_that_is_ready_loads_nothing_of_ours_but_itself(words: tuple[str, ...]) -> None:
    empty = subprocess.run([sys.executable, "-c", EMPTY], capture_output=True, text=True, check=True, timeout=60)
    more = loaded(*words, "--help") - set(json.loads(empty.stdout))
    assert more == {"roomctl", "roomctl.__main__", "roomctl.prerendered"}


def test_live_help_loads_no_group_and_nothing_heavy() -> None:
    modules = loaded("--help", COLUMNS="60")
    assert groups(modules) == set()
    assert heavy(modules) == set()
    assert "httpx" not in modules


def test_the_live_help_of_a_group_loads_that_group_only() -> None:
    modules = loaded("social", "--help", COLUMNS="60")
    assert groups(modules) == {"social"}
    assert heavy(modules) == set()
    assert "httpx" not in modules


@pytest.mark.parametrize(
    ("recorder", "args", "allowed"),
    [
        ("user.get", ("user", "get", A, "-o", "json"), ()),
        ("roomset.list", ("roomset", "list", "-o", "tsv"), ("roomctl.exports",)),
        ("social.end", ("social", "end", A, "--yes", "-o", "json"), ()),
    ],
    indirect=["recorder"],
)
def test_a_request_loads_its_group_and_nothing_heavy(
    recorder: Recorder, args: tuple[str, ...], allowed: tuple[str, ...], variables: dict[str, Any]
) -> None:
    modules = loaded(*args, **variables)
    assert groups(modules) == {args[0]}
    assert heavy(modules, allowed) == set()
    assert "httpx" in modules
    assert ("roomctl.journal" in modules) is (args[0] == "social")  # which is for writes
    assert modules & {"click", "pygments"} == set()  # of httpx's own command line


def test_a_table_on_a_terminal_loads_of_rich_what_draws_tables(variables: dict[str, Any], serving: Any) -> None:
    terminal = Terminal(80)
    serving(Service("roomset.list"))
    modules = loaded("roomset", "list", stdout=terminal.slave, **variables)
    os.close(terminal.slave)
    assert "Set 00000019" in terminal.closed()
    assert heavy(modules, ("roomctl.exports", "rich")) == set()
    more = {"markdown", "traceback", "live", "progress", "syntax", "tree", "prompt", "logging", "json"}
    assert modules & {"pygments", *(f"rich.{name}" for name in more)} == set()


def test_a_profile_of_the_config_file_is_read_without_pydantic(variables: dict[str, Any]) -> None:
    config = Path(variables["ROOMCTL_CONFIG"])
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text('[profiles.a]\nbase_url = "https://a.example"\napi_key = "startup-test-key"\n')
    config.chmod(0o600)
    assert heavy(loaded("profile", "show", "a", "-o", "json", **variables)) == set()
