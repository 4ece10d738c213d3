"""`roomctl describe`: one document that other programs can rely on."""

import json
from typing import Any

from roomctl.contract.operations import OPERATIONS
from tests.conftest import Env, Golden, Run


def test_the_document_is_the_golden_one(roomctl: Run, golden: Golden) -> None:
    done = roomctl("describe", "-o", "json")
    assert (done.status, done.stderr) == (0, "")
    golden("describe.json", json.dumps({**done.json, "version": "VERSION"}, indent=1, ensure_ascii=False) + "\n")


def test_it_is_json_unless_asked_otherwise_and_the_same_everywhere(roomctl: Run, variables: Env, tmp_path: Any) -> None:
    first = roomctl("describe")
    variables.update(HOME=str(tmp_path / "other"), ROOMCTL_CONFIG=str(tmp_path / "c.toml"), TZ="Asia/Tokyo")
    assert roomctl("describe", terminal=True).json == first.json
    assert first.json["schema"] == 1


def test_every_operation_is_covered_by_a_command(roomctl: Run) -> None:
    whole = roomctl("describe").json
    called = {name for command in whole["commands"] for name in command["operations"]}
    assert called == {operation.name for operation in OPERATIONS} == {each["name"] for each in whole["operations"]}
