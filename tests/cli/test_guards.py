"""R42, R47: a room is ended, or ended again, only while a recent look shows that its guards hold; no run drops one."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Env, Patch, Run, Serving
from tests.servers import A, B, C
from tests.test_answers import Said, posted, room_in, told
from tests.test_bulk_runs import killed, rows_of

JSON = Any
PAST, EMPTY = "2020-01-01T00:00:00Z", {"numberCurrentlyPresent": 0}
CROWD = {"socialMeta": {"numberCurrentlyPresent": 40}}
LATER = {"endDateTime": "2099-01-01T00:00:00Z"}
ROOMS = (A, B, C)


class House:
    """Three open rooms with nobody in them; `answers` are the statuses of the first ends, of which only 200 is done.

    Once the first end has come, the rooms are as `then` says.
    """

    def __init__(self, serving: Serving) -> None:
        shown = {"isOpen": True, "recurring": False, "endDateTime": PAST, "socialMeta": EMPTY}
        self.rooms: dict[str, JSON] = {key: {"socialId": key, "name": key[:1], **shown} for key in ROOMS}
        self.then: dict[str, JSON] = {}
        self.answers: list[int] = []
        self.sent: list[str] = []
        self.url = serving(Said(self.says)).url

    def says(self, method: str, target: str) -> bytes | tuple[int, bytes]:
        self.sent.append(f"{method} {target}")
        if method == "GET":
            return json.dumps([room_in(A, [*self.rooms.values()])] if "page=0" in target else []).encode()
        for key, fields in self.then.items():
            self.rooms[key] = told(self.rooms[key], **fields)
        status = self.answers.pop(0) if self.answers else 200
        key = target.partition("?")[0].rpartition("/")[2]
        if status == 200:
            self.rooms[key] = told(self.rooms[key], isOpen=False)
        return status, json.dumps(self.rooms[key]).encode()

    @property
    def looks(self) -> int:
        return sum("page=0" in each for each in self.sent)


@pytest.fixture
def house(serving: Serving, monkeypatch: Patch, tmp_path: Path) -> House:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    monkeypatch.setattr("roomctl.service.client.longest_delay", lambda *_: 0.0)
    (tmp_path / "rooms.csv").write_text("\n".join(["socialId", *ROOMS]) + "\n")
    return House(serving)


@pytest.mark.parametrize("status", [429, 502, 503])
@pytest.mark.parametrize(
    ("guard", "then", "code"),
    [
        (("--only-if-empty",), CROWD, 8),
        (("--max-present", "39"), CROWD, 8),
        (("--max-present", "40"), CROWD, 0),
        (("--only-past-end",), LATER, 8),
        (("--only-past-end",), CROWD, 0),
        ((), CROWD | LATER, 0),
    ],
)
def test_an_end_without_an_answer_is_sent_again_only_while_its_guards_hold(
    status: int, guard: tuple[str, ...], then: JSON, code: int, house: House, roomctl: Run
) -> None:
    house.answers, house.then = [status], {A: then}
    done = roomctl("social", "end", A, *guard, "--yes")
    assert (done.status, len(posted(house.sent))) == (code, 1 if code else 2), done
    assert house.rooms[A]["isOpen"] is (code == 8)
    assert ("; the request was not resent" in done.stderr) is (code == 8), done


@pytest.mark.parametrize(
    ("guard", "then", "recent", "more", "statuses", "code", "looks"),
    [
        ("--only-if-empty", CROWD, 0.0, (), ["ok", "skipped", "ok"], 8, 4),
        ("--only-if-empty", CROWD, 1e9, (), ["ok", "ok", "skipped"], 8, 1),
        ("--only-if-empty", CROWD, 1e9, ("--keep-going",), ["ok", "ok", "ok"], 6, 1),
        ("--only-past-end", LATER, 0.0, (), ["ok", "skipped", "ok"], 8, 4),
        ("--only-past-end", LATER, 1e9, (), ["ok", "ok", "skipped"], 8, 1),
    ],
)
def test_each_room_of_a_run_is_ended_by_a_recent_look_and_a_reply_that_contradicts_a_guard_stops_the_rest(
    guard: str, then: JSON, recent: float, more: tuple[str, ...], statuses: list[str], code: int, looks: int,
    house: House, roomctl: Run, monkeypatch: Patch,
) -> None:  # fmt: skip
    monkeypatch.setattr("roomctl.cli.guards.RECENT", recent)
    house.then = {B: then}
    words = ("social", "end", "--from", "rooms.csv", guard, "--yes", "--concurrency", "1", *more)
    done = roomctl(*words, "-o", "json")
    assert (done.status, [row["status"] for row in done.json], house.looks) == (code, statuses, looks), done
    assert f"`{guard}` does not hold for 2" in done.json[1]["error"]
    assert ("40 people present" if then is CROWD else "has not passed") in done.stderr


@pytest.mark.parametrize(
    ("answers", "more", "code", "statuses"),
    [
        ([200, 502], (), 7, ["unknown", "ok", "ok"]),
        ([], ("--only-if-empty",), 7, ["unknown", "ok", "ok"]),
        ([], (), 0, ["ok", "ok", "ok"]),
        ([200, 502], ("--leave-open-until", "2099-01-01T00:00Z"), 7, ["ok", "unknown", "ok"]),
    ],
)
def test_r46_a_room_that_a_later_list_of_the_run_shows_open_is_not_ended(
    answers: list[int], more: tuple[str, ...], code: int, statuses: list[str],
    house: House, roomctl: Run, monkeypatch: Patch,
) -> None:  # fmt: skip
    monkeypatch.setattr("roomctl.cli.guards.RECENT", 0.0)
    house.answers, house.then = answers, {A: {"isOpen": True}}
    done = roomctl("social", "end", "--from", "rooms.csv", "--yes", "--concurrency", "1", *more, "-o", "json")
    assert (done.status, [row["status"] for row in done.json]) == (code, statuses), done
    unknown = [row["input"] for row in done.json if row["status"] == "unknown"]
    assert [each["about"] for each in roomctl("journal", "list", "--open", "-o", "json").json] == unknown


@pytest.mark.parametrize(
    ("before", "after", "code", "people"),
    [(0, 40, 6, "40 people were"), (3, 0, 0, "3 people were"), (0, 0, 0, "nobody was"), (3, 1, 0, "3 people were")],
)
def test_people_present_are_told(before: int, after: int, code: int, people: str, house: House, roomctl: Run) -> None:
    house.rooms[A]["socialMeta"] = {"numberCurrentlyPresent": before}
    house.then = {A: {"socialMeta": {"numberCurrentlyPresent": after}}}
    done = roomctl("social", "end", A, "--max-present", "3", "--yes", "-o", "ids")
    assert (done.status, f", {people} present" in done.stderr) == (code, True), done
    assert ("the reply shows that `--max-present 3` does not hold" in done.stderr) is (code == 6)


def test_r47_results_of_a_guarded_run_go_on_with_its_guards_alone(house: House, roomctl: Run, tmp_path: Path) -> None:
    house.answers = [200, 400]
    end = ("social", "end", "--yes", "--concurrency", "1", "--results", "ended.csv", "--from")
    first = roomctl(*end, "rooms.csv", "--only-if-empty", "--expect-rooms", "3")
    again = "`--from ended.csv --results ended.csv --expect-rooms=3 --only-if-empty`"
    assert (first.status, again in first.stderr) == (6, True), first
    dropped = roomctl(*end, "ended.csv", "--expect-rooms", "3")
    assert (dropped.status, "under --expect-rooms=3 --only-if-empty" in dropped.stderr) == (2, True), dropped
    last = roomctl(*end, "ended.csv", "--only-if-empty", "--expect-rooms", "3", "--max-present", "9")
    assert (last.status, [row["status"] for row in rows_of(tmp_path / "ended.csv")]) == (0, ["ok"] * 3), last
    assert posted(house.sent) == [A, B, C, B]


def test_r46_a_room_that_a_guard_sees_open_again_is_ended_again(house: House, roomctl: Run, monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.reconcile.LAG", timedelta())
    end = ("social", "end", "--yes", "--only-if-empty", "--results", "ended.csv", "--from")
    assert roomctl(*end, "rooms.csv").status == 0
    house.rooms[B]["isOpen"] = True
    assert (roomctl(*end, "ended.csv").status, posted(house.sent)[3:]) == (0, [B])


def test_r47_a_run_is_resumed_with_its_guards_alone(house: House, roomctl: Run, tmp_path: Path, variables: Env) -> None:
    target = f"social.end at {house.url} under --max-present=5"
    killed(variables["ROOMCTL_STATE"], tmp_path / "rooms.csv", target)
    end = ("social", "end", "--from", "rooms.csv", "--yes")
    for words, why in (((), "`--resume --max-present=5` resumes it"), (("--resume",), "with `--max-present=5`")):
        done = roomctl(*end, *words)
        assert (done.status, why in done.stderr, posted(house.sent)) == (2, True, []), done
    assert roomctl(*end, "--resume", "--max-present", "9").status == 0
    assert sorted(posted(house.sent)) == list(ROOMS)


def test_r47_an_end_that_had_guards_is_not_repeated_without_them(house: House, roomctl: Run) -> None:
    house.answers, house.then = [502], {A: CROWD}
    assert roomctl("social", "end", A, "--only-if-empty", "--yes").status == 8
    entry = roomctl("journal", "list", "--open", "-o", "ids").stdout.strip()
    done = roomctl("journal", "repeat", entry, "--yes")
    assert (done.status, len(posted(house.sent))) == (2, 1), done
    assert "was sent with `--only-if-empty`" in done.stderr
