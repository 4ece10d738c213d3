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
    "shaped",
    [
        *(("-o", "json"), ("--json",), ("--limit", "1"), ("--page", "0"), ("--fields", "name"), ("--no-header",)),
        *(("--query", "[0]"), ("--sort-by", "name")),
    ],
)
def test_what_shapes_the_result_makes_it_no_export(shaped: tuple[str, ...], sandbox: Run, tmp_path: Path) -> None:
    to = tmp_path / "sets.json"
    assert sandbox("roomset", "list", "--to", str(to), *shaped).status == 0
    assert [path.name for path in tmp_path.glob("sets.json*")] == ["sets.json"]


@pytest.mark.parametrize("shaped", [("-o", "csv"), ("--limit", "1"), ("--page", "0"), ("--query", "[0]")])
def test_no_text_is_written_under_the_name_of_a_workbook(shaped: tuple[str, ...], sandbox: Run, tmp_path: Path) -> None:
    done = sandbox("roomset", "list", "--to", str(tmp_path / "sets.xlsx"), *shaped)
    assert (done.status, "only a whole list" in done.stderr, list(tmp_path.glob("sets*"))) == (2, True, [])


@pytest.mark.parametrize(
    "shaped", [("--fields", "source"), ("--query", "[0]"), ("--sort-by", "source"), ("--no-header",)]
)
def test_an_export_is_not_shaped_and_says_so_before_anything_is_asked(
    shaped: tuple[str, ...], sandbox: Run, tmp_path: Path
) -> None:
    event = "00000000-0000-4000-8000-000000000001"
    done = sandbox("registration", "export", event, "--to", str(tmp_path / "r.csv"), *shaped)
    assert (done.status, f"an export is not shaped by `{shaped[0]}`" in done.stderr) == (2, True)
    assert list(tmp_path.glob("r.csv*")) == []


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


def test_a_view_names_columns_headings_and_zone_and_options_beat_it(
    roomctl: Run, variables: dict[str, str], tmp_path: Path
) -> None:
    event = roomctl("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.split()[0]
    config = tmp_path / "views.toml"
    config.write_text(
        '[views.badges]\ncolumns = ["user.name", "registrationId", "registeredDateTime"]\n'
        'rename = { "user.name" = "Name", registrationId = "Id" }\ntz = "Europe/Berlin"\n'
    )
    config.chmod(0o600)
    variables["ROOMCTL_CONFIG"] = str(config)

    def lines(*options: str) -> list[str]:
        done = roomctl(
            *("--sandbox", "registration", "export", event, "--to", str(tmp_path / "r.csv"), "--force"),
            *("--view", "badges", *options),
        )
        assert done.status == 0, done.stderr
        return (tmp_path / "r.csv").read_text(encoding="utf-8").splitlines()

    head, first, *_ = lines()
    assert (head, first[-6:] in ("+01:00", "+02:00")) == ("Name,Id,registeredDateTime", True)
    head, first, *_ = lines("--rename", "registrationId=Number", "--tz", "UTC")
    assert (head, first[-6:]) == ("Name,Number,registeredDateTime", "+00:00")
    assert lines("--columns", "registrationId")[0] == "Id"


def test_an_unknown_view_is_a_wrong_call_and_nothing_is_asked(sandbox: Run, tmp_path: Path) -> None:
    event = "00000000-0000-4000-8000-000000000001"
    done = sandbox("registration", "export", event, "--to", str(tmp_path / "r.csv"), "--view", "badges")
    assert (done.status, "no view has this name: badges" in done.stderr) == (2, True)
    assert not list(tmp_path.glob("r.csv*"))


EVENT = "c7951964-2838-427f-8267-5f07922a7056"


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        *[(f"social list --to x.{ending}", "") for ending in ("xls", "xlsx", "ods", "html", "parquet", "gz", "XLS")],
        *[(f"social list --to x{ending}", "x") for ending in ("", ".txt", ".md", ".JSON", ".2026-11-22", ".log")],
        ("social list --to x.xls -o csv", ""),
        ("social create --name x --to x.xlsx", ""),
        ("help files --to x.pdf", ""),
        ("roomset list --to x.xlsx", "x"),
        ("roomset list --to x.xls", ""),
        ("roomset list --to x.yaml", "x"),
        ("api roomset.list --to x.xlsx", ""),
        ("api roomset.list --paginate --to x.xlsx", "x"),
        ("api social.create -f name=x --to x.xlsx", ""),
        (f"registration export {EVENT} --to x.xls --format csv", ""),
        (f"registration export {EVENT} --to x.yaml --format json", ""),
        (f"registration export {EVENT} --to x --format csv", "x"),
        ("completion bash --to x.bash", "x"),
    ],
)
def test_a_name_that_promises_another_form_is_refused_before_anything_is_sent(
    line: str, taken: str, sandbox: Run, tmp_path: Path
) -> None:
    """R47"""
    done = sandbox(*line.split(), "-v")
    assert done.status == (0 if taken else 2), done.stderr
    assert [path.name for path in tmp_path.glob("x*")] != [] if taken else "attempt 1" not in done.stderr
    if not taken:
        assert "roomctl does not write ." in done.stderr
        assert "end the name in one of .csv, " in done.stderr
