"""`--to FILE` of the lists: an export where its name says the form, else the result as it is shown."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Done

Run = Callable[..., Done]
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
    "shaped", [("-o", "json"), ("--json",), ("--limit", "1"), ("--page", "0"), ("--fields", "name"), ("--no-header",)]
)
def test_what_shapes_the_result_makes_it_no_export(shaped: tuple[str, ...], sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / "sets.json"
    assert sandbox("roomset", "list", "--to", str(to), *shaped).status == 0
    assert [path.name for path in tmp_path.glob("sets.json*")] == ["sets.json"]


def test_a_name_that_says_no_form_makes_no_export(sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / "sets.txt"
    assert sandbox("roomset", "list", "--to", str(to)).status == 0
    assert [path.name for path in tmp_path.glob("sets.txt*")] == ["sets.txt"]
    assert to.read_text().splitlines()[0].startswith("name\tsocialRoomSetId\t")


def test_a_file_that_exists_stays_and_nothing_is_asked(sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / "sets.csv"
    to.write_text("mine")
    done = sandbox("roomset", "list", "--to", str(to))
    assert (done.status, to.read_text()) == (2, "mine")
    assert sandbox("roomset", "list", "--to", str(to), "--force").status == 0
    assert (tmp_path / "sets.csv.manifest.json").exists()
