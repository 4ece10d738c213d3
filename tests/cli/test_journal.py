"""The journal from the command line."""

import json
from pathlib import Path

from tests.conftest import Env, Run, Serving
from tests.servers import Recorder


def test_r41_a_request_whose_plan_cannot_be_read_is_not_passed_over(sandbox: Run, variables: Env) -> None:
    lost = "drop-after-commit:playlist.create"
    assert sandbox("playlist", "create", "--name", "Rain", "--fault", lost).status == 7
    path = Path(variables["ROOMCTL_STATE"]) / "journal.ndjson"
    planned, sent, *_ = lines = path.read_text().splitlines(keepends=True)
    for hidden in ("#" * 99, planned[:60] + sent, planned[9:], "\0" * 99, "{}", "[]", planned[:-2]):
        path.write_text(hidden)
        for line in ("journal verify", "journal list --open -q"):
            done = sandbox(*line.split(), "-o", "json")
            said = "1 line of the journal cannot be used and may hide writes of unknown outcome"
            failed = hidden != planned[:-2]
            assert (done.status, done.json, said in done.stderr) == (6 * failed, [], failed), hidden
        assert ("cannot be used and may hide" in sandbox("doctor").stdout) == failed
    path.write_text("".join(lines).replace('"v":1', '"v":2', 1) + '{"entry":"torn')
    for words in (("journal", "verify"), ("journal", "list", "--open")):
        done = sandbox(*words, "-o", "json")
        *_, newer, torn, planless, failure = done.stderr.splitlines()
        assert (done.status, done.json, json.loads(failure)["error"]["outcome"]) == (6, [], "unknown")
        assert newer.endswith("journal.ndjson line 1: written by a newer roomctl")
        assert torn.endswith("journal.ndjson line 4: half-written")
        assert planless.endswith("was sent, but the line that describes it cannot be used")


def test_an_entry_is_looked_at_and_repeated_only_where_it_was_made_for(roomctl: Run, serving: Serving) -> None:
    one = serving(Recorder("social.end"))
    assert roomctl("playlist", "create", "--name", "Rain").status == 7
    other = serving(Recorder("social.end"))
    entry = roomctl("journal", "list", "-o", "json").json[0]
    for words in (["verify", entry["id"]], ["repeat", entry["id"], "--yes"]):
        done = roomctl("journal", *words)
        where = f"is for http://127.0.0.1:{one.port}, profile environment for http://127.0.0.1:{other.port}"
        assert (done.status, done.stdout, where in done.stderr) == (2, "", True), done
    done = roomctl("journal", "verify", "-o", "json")
    assert (done.status, done.json) == (7, [])
    assert f"of unknown outcome with profile environment: for http://127.0.0.1:{one.port}, not checked" in done.stderr
    assert other.requests == []
    assert roomctl("journal", "list", "-o", "json").json == [entry]
