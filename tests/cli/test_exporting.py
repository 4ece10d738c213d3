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
