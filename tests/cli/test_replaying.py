"""`roomctl sandbox replay`: what was asked is asked again, and differences are told."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]
ROOM = ("social", "get", "Main Stage", "-o", "json")
LINE = {"method": "GET", "path": "/social/room/set/mine", "query": [], "body": "", "status": 200}


@pytest.fixture
def night(sandbox: Run, roomctl: Run, tmp_path: Path) -> str:
    """Keep a world, do something in it with a lost answer, and give the log."""
    assert roomctl("sandbox", "snapshot", "before").status == 0
    set_id = sandbox("roomset", "list", "-o", "ids").stdout.split()[0]
    assert sandbox("roomset", "copy", set_id, "--name", "Copy & more", "-q").status == 0
    copied = sandbox("roomset", "list", "-o", "json").json[-1]["socials"][0]["socialId"]
    assert sandbox("--fault", "drop-after-commit:social.end", "social", "end", copied, "--yes").status == 0
    assert sandbox("playlist", "create", "--name", "Café \U0001f600").status == 0
    log = roomctl("sandbox", "log", "-o", "ndjson").stdout
    (tmp_path / "night.ndjson").write_text(log)
    return str(log)


def rows(done: Any) -> list[tuple[Any, ...]]:
    return [(row["operation"], row["then"], row["now"], row["became"]) for row in done.json]


def test_a_log_on_its_snapshot_does_the_same_again(sandbox: Run, roomctl: Run, night: str) -> None:
    worlds = []
    for _ in range(2):
        worlds.append([sandbox("roomset", "list", "-o", "json").json, roomctl("sandbox", "log", "-o", "json").json])
        assert roomctl("sandbox", "restore", "before", "--yes").status == 0
        done = roomctl("sandbox", "replay", "night.ndjson", "--fault", "drop-after-commit:social.end", "-o", "json")
        assert (done.status, len(done.json)) == (0, len(night.splitlines()))
        assert {row["became"] for row in done.json} == {"same"}
    assert f"{len(done.json)} requests: {len(done.json)} same, 0 other, 0 left out" in done.stderr
    assert worlds[0][0] == worlds[1][0]
    again = [json.loads(line) for line in roomctl("sandbox", "log", "-o", "ndjson").stdout.splitlines()]
    kept = ("operation", "path", "query", "sent", "status", "committed", "answerBody")
    for then, now in zip(map(json.loads, night.splitlines()), again, strict=True):
        assert {name: now[name] for name in kept} == {name: then[name] for name in kept}


def test_what_goes_another_way_is_told_and_is_exit_6(roomctl: Run, night: str) -> None:
    assert roomctl("sandbox", "restore", "before", "--yes").status == 0
    done = roomctl("sandbox", "replay", "night.ndjson", "-o", "json")
    assert done.status == 6
    assert [row for row in rows(done) if row[3] != "same"] == [("social.end", None, 200, "other")]
    assert "1 had another status, 0 were left out" in done.stderr


def test_a_log_as_json_through_a_pipe_is_replayed_too(roomctl: Run, night: str) -> None:
    as_json = roomctl("sandbox", "log", "-o", "json").stdout
    assert roomctl("sandbox", "restore", "before", "--yes").status == 0
    done = roomctl("sandbox", "replay", "-", "-o", "json", stdin=as_json)
    assert (done.status, len(done.json)) == (6, len(night.splitlines()))


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"query": [["apiKey", "…"]]}, "a secret or a picture"),
        ({"body": "1f", "sent": {"a": [{"imageBytes": "…"}]}}, "a secret or a picture"),
        ({"body": "1f", "sent": None}, "a body that is large, or not JSON"),
    ],
)
def test_a_request_that_the_log_does_not_hold_whole_is_left_out(
    sandbox: Run, roomctl: Run, more: dict[str, Any], why: str
) -> None:
    done = roomctl("sandbox", "replay", "-", "-o", "json", stdin=json.dumps([{**LINE, **more}, LINE]))
    assert done.status == 6
    assert [(row["now"], row["became"], row["why"]) for row in done.json] == [
        (None, "left out", why),
        (200, "same", ""),
    ]
    assert len(roomctl("sandbox", "log", "-o", "json").json) == 1


def test_a_picture_is_not_in_the_log_and_so_left_out(sandbox: Run, roomctl: Run, tmp_path: Path) -> None:
    from tests.test_wire import DOT

    (tmp_path / "dot.gif").write_bytes(DOT)
    saved = sandbox("theme", "save", "--name", "Plain", "--type", "SINGLE_COLOR", "--image", "dot.gif")
    assert saved.status == 0, saved.stderr
    done = roomctl("sandbox", "replay", "-", "-o", "json", stdin=roomctl("sandbox", "log", "-o", "ndjson").stdout)
    assert rows(done)[-1] == ("theme.save", 200, None, "left out")


def test_a_text_that_looks_like_a_hidden_one_is_sent(sandbox: Run, roomctl: Run) -> None:
    assert sandbox("playlist", "create", "--name", "…").status == 0
    done = roomctl("sandbox", "replay", "-", "-o", "json", stdin=roomctl("sandbox", "log", "-o", "ndjson").stdout)
    assert (done.status, {row["became"] for row in done.json}) == (0, {"same"})


@pytest.mark.parametrize(
    "text",
    ["nonsense", "[1]", '{"method": "GET"}', json.dumps({**LINE, "query": [["a"]]}), json.dumps({**LINE, "path": "x"}),
     json.dumps({**LINE, "status": "200"}), "[" * 100_000],
)  # fmt: skip
def test_what_is_no_log_is_refused_before_anything_is_sent(sandbox: Run, roomctl: Run, text: str) -> None:
    done = roomctl("sandbox", "replay", "-", stdin=json.dumps(LINE) + "\n" + text if text[0] == "{" else text)
    assert (done.status, "sandbox log -o ndjson" in done.stderr) == (2, True), done.stderr
    assert roomctl("sandbox", "log", "-o", "json").json == []
    assert roomctl("sandbox", "replay", "gone.ndjson").status == 2


def test_an_empty_log_is_replayed_and_nothing_is_wrong(sandbox: Run, roomctl: Run) -> None:
    done = roomctl("sandbox", "replay", "-", stdin="")
    assert (done.status, "0 requests" in done.stderr) == (0, True)
