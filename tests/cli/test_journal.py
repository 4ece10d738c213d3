"""The journal from the command line."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

Run = Callable[..., Any]


def entry(sandbox: Run, operation: str) -> dict[str, Any]:
    found = sandbox("journal", "list", "--operation", operation, "-o", "json").json
    return dict(found[0])


def test_every_write_is_in_the_journal_and_no_read_is(sandbox: Run) -> None:
    sandbox("roomset", "list")
    sandbox("playlist", "create", "--name", "Rain of secrets")
    sandbox("social", "end", "Main Stage", "--yes")
    entries = sandbox("journal", "list", "-o", "json").json
    assert [(each["operation"], each["state"]) for each in entries] == [
        ("social.end", "confirmed"),
        ("playlist.create", "confirmed"),
    ]
    assert "secrets" not in json.dumps(entries)


def test_a_refused_write_is_refused_in_the_journal(sandbox: Run) -> None:
    gone = "99999999-9999-4999-8999-999999999999"
    assert sandbox("social", "end", gone, "--yes").status == 4
    assert entry(sandbox, "social.end")["state"] == "refused"


def test_an_entry_is_shown_by_the_beginning_of_its_id(sandbox: Run) -> None:
    sandbox("playlist", "create", "--name", "Rain")
    made = entry(sandbox, "playlist.create")
    shown = sandbox("journal", "show", made["id"][:8], "-o", "json")
    assert (shown.status, shown.json) == (0, made)
    assert sandbox("journal", "show", "zzzz").status == 2


def test_repeat_wants_the_same_body_and_the_word(sandbox: Run, tmp_path: Path) -> None:
    sandbox("playlist", "create", "--name", "Rain")
    key = entry(sandbox, "playlist.create")["id"]
    body, other = tmp_path / "body.json", tmp_path / "other.json"
    body.write_text('{"name": "Rain"}')
    other.write_text('{"name": "Snow"}')
    assert sandbox("journal", "repeat", key, "--yes").status == 2
    assert sandbox("journal", "repeat", key, "--input", str(other), "--yes").status == 2
    assert sandbox("journal", "repeat", key, "--input", str(body)).status == 2
    assert sandbox("journal", "repeat", key, "--input", str(body), stdin="no\n", terminal=True).status == 1
    done = sandbox("journal", "repeat", key, "--input", str(body), "-o", "json", stdin="repeat\n", terminal=True)
    assert done.status == 0, done.stderr
    assert done.json["name"] == "Rain"
    assert len(sandbox("journal", "list", "-o", "json").json) == 2


def test_verify_reads_my_rooms_once_for_all_entries(sandbox: Run) -> None:
    ids = sandbox("social", "list", "--open", "-o", "ids").stdout.split()[:3]
    blind = ("--fault", "drop-after-commit:social.end", "--fault", "status=403:roomset.list")
    assert [sandbox("social", "end", key, "--yes", *blind).status for key in ids] == [7, 7, 7]
    assert sandbox("social", "create", "--name", "Late", "--fault", "drop-after-commit:social.create").status == 7
    sandbox("sandbox", "log", "--clear")
    done = sandbox("journal", "verify", "-o", "json")
    assert [each["status"] for each in done.json] == ["unknown", "confirmed", "confirmed", "confirmed"]
    asked = [(each["operation"], each["query"]) for each in sandbox("sandbox", "log", "-o", "json").json]
    assert asked == [("roomset.list", [["page", str(page)], ["size", "100"]]) for page in (0, 1, 2)]


def test_verify_says_what_other_profiles_have_open(sandbox: Run, roomctl: Run) -> None:
    assert sandbox("playlist", "create", "--name", "Rain", "--fault", "drop-after-commit:write").status == 7
    roomctl("profile", "add", "prod", "--base-url", "https://rooms.example.org", "--key-env", "NOT_SET")
    done = roomctl("journal", "verify", "-q")
    assert (done.status, done.stdout) == (0, "")
    assert done.stderr == (
        "1 write of profile sandbox without a known outcome: `roomctl journal verify --profile sandbox`\n"
    )
    assert "of profile" not in sandbox("journal", "verify").stderr


def test_verify_has_nothing_to_do_where_all_is_known(sandbox: Run) -> None:
    sandbox("social", "end", "Main Stage", "--yes")
    done = sandbox("journal", "verify", "-o", "json")
    assert (done.status, done.json) == (0, [])


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
        assert planless.endswith("was sent, and the line that says what it is cannot be used")


def test_what_would_be_repeated_is_shown_and_nothing_is_sent(sandbox: Run) -> None:
    sandbox("social", "end", "Main Stage", "--yes")
    made = entry(sandbox, "social.end")
    shown = sandbox("journal", "repeat", made["id"], "--dry-run", "-o", "json")
    assert (shown.status, shown.json["method"], shown.json["url"]) == (0, "POST", f"http://localhost{made['path']}")
    assert len(sandbox("journal", "list", "-o", "json").json) == 1
