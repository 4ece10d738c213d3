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


EVENT = "c7951964-2838-427f-8267-5f07922a7056"
