"""The journal from the command line."""

import json
from pathlib import Path

from tests.conftest import Run


def test_r41_a_request_whose_plan_cannot_be_read_is_not_passed_over(sandbox: Run, variables: dict[str, str]) -> None:
    lost = "drop-after-commit:playlist.create"
    assert sandbox("playlist", "create", "--name", "Rain", "--fault", lost).status == 7
    path = Path(variables["ROOMCTL_STATE"]) / "journal.ndjson"
    path.write_text(path.read_text().replace('"v":1', '"v":2', 1) + '{"entry":"torn')
    for words in (("journal", "verify"), ("journal", "list", "--open")):
        done = sandbox(*words, "-o", "json")
        *_, newer, torn, planless, failure = done.stderr.splitlines()
        assert (done.status, done.json, json.loads(failure)["error"]["outcome"]) == (6, [], "unknown")
        assert newer.endswith("journal.ndjson line 1: written by a newer roomctl")
        assert torn.endswith("journal.ndjson line 4: half-written or damaged")
        assert planless.endswith("was sent, but the line that describes it cannot be used")
