"""`roomctl doctor`: what is wrong with this machine, and with --probe what the service does where it is silent."""

from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tests.conftest import Env, Run, Serving
from tests.servers import Paged

TWO = 'items":[],"data', "the rows may be in its field `items` or `data`"


@pytest.fixture
def paged(serving: Serving) -> Paged:
    return serving(Paged(recording=[{"socialRecordingId": str(UUID(int=each, version=4))} for each in range(50)]))


def states(done: Any) -> dict[str, str]:
    return {row["check"]: row["state"] for row in done.json}


def test_a_machine_that_is_ready_has_nothing_to_mend(sandbox: Run, variables: Env) -> None:
    done = sandbox("doctor", "-o", "json")
    assert done.status == 0
    assert sandbox("doctor").stdout.startswith("check\tstate\twhat\tnext\npython\tok\t")
    assert {check for check, state in states(done).items() if state != "ok"} == {"command"}
    assert list(states(done)) == [
        *("python", "clock", "command", "config", "active profile", "key"),
        *("data folder", "state folder", "cache folder", "journal", "sandbox"),
    ]


def test_a_config_that_others_can_read_is_to_be_mended(roomctl: Run, variables: Env) -> None:
    path = Path(variables["ROOMCTL_CONFIG"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch(0o644)
    done = roomctl("doctor", "-o", "json")
    assert done.status == 2
    found = next(row for row in done.json if row["check"] == "config")
    assert (found["state"] != "ok", found["what"]) == (True, f"others can read or write {path}, which may hold keys")
    assert found["next"] == f"`chmod 600 {path}`"


@pytest.mark.parametrize(
    ("end", "wrapper", "lines"),
    [
        ("[]", "", []),
        ("404", "", ['end_of_list = ["404"]']),
        ("204", "content", ['list_field = "content"', 'end_of_list = ["204"]']),
        ("null", "items", ['list_field = "items"', 'end_of_list = ["null"]']),
    ],
)
def test_a_probe_finds_how_lists_end_and_are_wrapped(
    end: str, wrapper: str, lines: list[str], roomctl: Run, variables: Env, paged: Paged
) -> None:
    """R30: with these lines lists are read to their proven end."""
    paged.end, paged.wrapper = end, wrapper
    done = roomctl("doctor", "--probe", "--yes", "-o", "json")
    assert done.status == 0, done.stderr
    assert (done.json["add_to_profile"], done.json["list_field"]) == (lines, wrapper or None)
    for name, _, value in (line.partition(" = ") for line in lines):
        variable, word = f"ROOMCTL_{name.upper()}", value.strip('[]"')
        assert f"to apply this, set {variable}={word} in the environment\n" in done.stderr
        variables[variable] = word
    assert roomctl("recording", "list").status == 0
    assert roomctl("doctor", "--probe", "--yes", "-o", "json").json["add_to_profile"] == []


def test_a_probe_of_lists_that_are_wrapped_in_two_ways_advises_no_setting(roomctl: Run, paged: Paged) -> None:
    for paged.wrapper, why in (("{}s", "one list is in the field `sets` of an object, another in `recordings`"), TWO):
        done = roomctl("doctor", "--probe", "--yes")
        assert (done.status, done.stdout, why in done.stderr) == (4, "", True), done.stderr


def test_a_probe_takes_no_refusal_for_the_end_that_more_rows_may_stand_behind(roomctl: Run, paged: Paged) -> None:
    paged.end, paged.lists["recording"] = "404", paged.lists["recording"][:40]
    done = roomctl("doctor", "--probe", "--yes", "-o", "json")
    assert (done.json["add_to_profile"], done.json["past_last_page"]) == ([], "not found")
    assert "page 2 was refused after a full page, so more rows may follow\n" in done.stderr
    assert "no list was seen to end, so none can be proven complete with this service" in done.stderr
    for paged.end, code in (("404", 4), ("204", 6), ("[]", 0)):
        paged.lists["recording"] = []
        done = roomctl("doctor", "--probe", "--yes")
        assert (done.status, "nothing to add" in done.stderr) == (code, code == 0)


def test_a_probe_of_a_list_with_a_hole_says_that_no_setting_proves_it(roomctl: Run, paged: Paged) -> None:
    paged.holes = {1}
    for why in (": page 1 was empty, but page 2 has rows", " (list your recordings): page 1 only repeats rows"):
        done = roomctl("doctor", "--probe", "--yes", "-o", "json")
        assert (done.status, f"may be incomplete{why}" in done.stderr) == (6, True), done.stderr
        assert "nothing to add" not in done.stderr
        paged.holes, paged.stuck = set(), True
