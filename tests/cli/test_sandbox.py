"""`roomctl sandbox`: what a person types to keep a world and to have it again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]


def test_a_rehearsal_can_be_done_again(sandbox: Run, roomctl: Run) -> None:
    kept = roomctl("sandbox", "snapshot", "before", "-o", "json")
    assert (kept.status, kept.json["snapshot"], kept.stderr) == (0, "before", "")
    room = ("social", "get", "Main Stage", "-o", "json", "--fields", "isOpen")
    assert sandbox("social", "end", "Main Stage", "--yes").status == 0
    assert sandbox(*room).json == {"isOpen": False}
    refused = roomctl("sandbox", "restore", "before")
    assert (refused.status, refused.stdout) == (2, "")
    declined = roomctl("sandbox", "restore", "before", stdin="n\n", terminal=True)
    assert (declined.status, sandbox(*room).json) == (1, {"isOpen": False})
    assert "no snapshot holds it" in declined.stderr
    assert roomctl("sandbox", "restore", "before", "--yes", "-o", "ids").stdout == "before\n"
    assert sandbox(*room).json == {"isOpen": True}


def test_a_restore_that_loses_nothing_asks_nothing(sandbox: Run, roomctl: Run) -> None:
    for name in ("first", "second"):
        assert roomctl("sandbox", "snapshot", name).status == 0
        assert sandbox("playlist", "create", "--name", name).status == 0
    assert roomctl("sandbox", "snapshot", "third").status == 0
    assert roomctl("sandbox", "restore", "first").status == 0
    assert roomctl("sandbox", "snapshot", "-o", "ids").stdout == "first\nsecond\nthird\n"


def test_a_snapshot_is_replaced_only_when_asked(sandbox: Run, roomctl: Run) -> None:
    assert roomctl("sandbox", "snapshot", "one").status == 0
    assert roomctl("sandbox", "snapshot", "one").status == 2
    assert roomctl("sandbox", "snapshot", "one", "--yes").status == 0


@pytest.mark.parametrize("words", [("restore", "gone"), ("restore", "a/b"), ("snapshot", "a/b"), ("restore",)])
def test_a_wrong_name_is_said_and_nothing_is_done(sandbox: Run, roomctl: Run, words: tuple[str, ...]) -> None:
    assert roomctl("sandbox", *words, "--yes").status == 2
    assert roomctl("sandbox", "snapshot", "-o", "json").json == []


def test_the_first_snapshot_of_an_unused_sandbox_is_that_of_its_first_world(roomctl: Run) -> None:
    kept = roomctl("sandbox", "snapshot", "fresh")
    assert kept.status == 0 and "first use" in kept.stderr
    assert roomctl("sandbox", "reset", "--yes").status == 0
    assert roomctl("sandbox", "restore", "fresh").status == 0
    assert "first use" not in roomctl("--sandbox", "roomset", "list").stderr


def test_the_skeleton_of_a_world_seeds_as_it_is(roomctl: Run, tmp_path: Path) -> None:
    (tmp_path / "world.yaml").write_text(roomctl("sandbox", "seed", "--skeleton").stdout)
    made = roomctl("sandbox", "seed", "--input", "world.yaml", "-o", "json")
    event = "0b9a4c1e-7f0d-4b83-9a3e-6d1c2f3a4b5c"
    assert (made.status, made.json) == (0, [{"id": event, "name": "Winter Conference", "registrations": 1}])
    rows = roomctl("--sandbox", "registration", "list", event, "-o", "json").json
    assert [row["values"] for row in rows] == [
        [{"name": "Dietary needs", "value": "vegan"}, {"name": "T-shirt size", "value": "M"}]
    ]
    done = roomctl("--sandbox", "invite", "send", "Main Stage", "--email", "grace@example.org", "--yes")
    assert done.status == 0, done.stderr


def test_a_world_with_faults_leaves_the_old_one_alone_and_names_each_of_them(sandbox: Run, roomctl: Run) -> None:
    before = sandbox("roomset", "list", "-o", "json").stdout
    text = "users: [{nam: x}]\nevents: [{registrations: [{confirmed: 7}]}]\n"
    done = roomctl("sandbox", "seed", "--input", "-", "--yes", "--error-format", "json", stdin=text)
    assert done.status == 2
    error = json.loads(done.stderr)["error"]
    assert [each["path"] for each in error["details"]["problems"]] == [
        "users[0].nam",
        "events[0].registrations[0].confirmed",
    ]
    assert sandbox("roomset", "list", "-o", "json").stdout == before


def test_a_world_of_ones_own_says_itself_who_registered(roomctl: Run) -> None:
    assert roomctl("sandbox", "seed", "--input", "-", "--registrations", "5", "--yes", stdin="{}").status == 2


def test_a_hostile_sandbox_stays_so_until_it_is_made_anew(roomctl: Run) -> None:
    assert roomctl("sandbox", "reset", "--hostile", "--yes").status == 0
    hostile = roomctl("--sandbox", "roomset", "list", "-o", "json").json
    assert all("somethingNew" in row for row in hostile)
    assert roomctl("sandbox", "seed", "--strict", "--yes").status == 0
    assert roomctl("--sandbox", "playlist", "create", "--name", "x").status == 4
    assert roomctl("sandbox", "seed", "--yes").status == 0
    assert roomctl("--sandbox", "playlist", "create", "--name", "x").status == 0
    assert roomctl("sandbox", "seed", "--strict", "--hostile", "--yes").status == 2


def test_a_framework_that_the_sandbox_does_not_know_is_refused_with_those_that_it_knows(roomctl: Run) -> None:
    done = roomctl("sandbox", "serve", "--like", "sprin")
    assert (done.status, "`--like` is one of spring, not 'sprin'" in done.stderr) == (2, True)


def test_what_an_answer_rests_on_is_said_when_asked(sandbox: Run) -> None:
    said = sandbox("social", "end", "Main Stage", "--leave-open-until", "+30m", "--yes", "-v").stderr
    assert "HTTP 200, assuming leave-open-until: `roomctl help gaps`\n" in said
    assert "assuming" not in sandbox("roomset", "list").stderr


def test_lists_and_exports_are_whole_in_a_hostile_sandbox(roomctl: Run) -> None:
    event = roomctl("sandbox", "seed", "--hostile", "--yes", "-o", "ids").stdout.split()[0]
    done = roomctl("--sandbox", "registration", "export", event, "--to", "regs.csv")
    assert (done.status, "250 registrations" in done.stderr) == (0, True), done.stderr
    assert len(roomctl("--sandbox", "registration", "list", event, "-o", "ids").stdout.splitlines()) == 250
    ended = roomctl("--sandbox", "social", "end", "Main Stage", "--yes", "-o", "json")
    assert [ended.status, roomctl("--sandbox", "social", "end", ended.json["socialId"], "--yes").status] == [0, 4]
