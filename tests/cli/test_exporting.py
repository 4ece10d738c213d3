"""`--to FILE` of the lists: an export where its name says the form, else the result as it is shown."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run

LISTS = (("recording", "list"), ("transcription", "list"), ("roomset", "list"), ("social", "cta", "Main Stage"))


@pytest.mark.parametrize("words", LISTS, ids=" ".join)
@pytest.mark.parametrize("ending", ["csv", "ndjson", "json", "xlsx"])
def test_a_list_is_exported_with_a_manifest(words: tuple[str, ...], ending: str, sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / f"list.{ending}"
    shown = sandbox(*words, "-o", "json").json
    done = sandbox(*words, "--to", str(to))
    assert (done.status, done.stdout) == (0, "")
    facts = json.loads((tmp_path / f"list.{ending}.manifest.json").read_bytes())
    assert (facts["rows"], facts["complete"], facts["format"]) == (len(shown), True, ending)
    if ending == "json":
        assert json.loads(to.read_bytes()) == shown
    assert sandbox("registration", "check", str(to)).status == 0


@pytest.mark.parametrize(
    ("verify", "fault", "passes", "said"),
    [
        ((), "rows-inserted=1,after=1", 1, "the list changed meanwhile: rows may be missing"),
        (("--verify",), "unknown-fields,after=5", 3, "the list changed while it was read: `--force` exports it again"),
    ],
)
def test_a_list_that_changed_while_it_was_read_is_said_and_stands_in_the_manifest_r32(
    verify: tuple[str, ...], fault: str, passes: int, said: str, sandbox: Run, tmp_path: Path
) -> None:
    event = sandbox("sandbox", "seed", "--yes", "-o", "ids").stdout.split()[0]
    words = ("registration", "export", event, "--to", "r.csv", "--page-size", "100", *verify)
    done = sandbox(*words, "--fault", f"{fault}:registration.list")
    assert (done.status, said in done.stderr) == (0, True), done.stderr
    facts = json.loads((tmp_path / "r.csv.manifest.json").read_bytes())
    assert (facts["passes"], facts["driftSeen"], facts["complete"]) == (passes, True, True)
