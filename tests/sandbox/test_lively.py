"""People come and go in open rooms, the same in the same world."""

import itertools
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from roomctl.sandbox.seed import seed
from roomctl.sandbox.serve import EVERYBODY_LEAVES, MINUTE, step
from roomctl.sandbox.store import Store

NOW = datetime(2026, 11, 21, 8, tzinfo=UTC)


def lived(path: Path, steps: int, later: timedelta = timedelta()) -> list[dict[str, int]]:
    """How many people are in each room after each step."""
    store = Store(path)
    seed(store, registrations=0, now=NOW)
    store.freeze(NOW + later)
    random, looks = Random(1), []
    for number in range(steps):
        step(store, random, leaving=number % MINUTE >= EVERYBODY_LEAVES)
        rooms = [*store.where("social", "isOpen", True), *store.where("social", "isOpen", False)]
        assert all(0 <= room["socialMeta"]["numberCurrentlyPresent"] <= room["maxParticipants"] for room in rooms)
        looks.append({room["name"]: room["socialMeta"]["numberCurrentlyPresent"] for room in rooms})
    store.close()
    return looks


def test_people_come_and_go_the_same_in_the_same_world(tmp_path: Path) -> None:
    looks = lived(tmp_path / "a.db", 20)
    assert looks == lived(tmp_path / "b.db", 20)
    assert len({look["Main Stage"] for look in looks}) > 5
    assert {look["Main Stage 2025"] for look in looks} == {0}


def test_each_minute_the_rooms_are_empty_for_a_while_and_fill_again(tmp_path: Path) -> None:
    looks = lived(tmp_path / "a.db", 3 * MINUTE)
    empty = [not any(look.values()) for look in looks]
    assert [each for each, _ in itertools.groupby(empty)] == [False, True] * 3
    assert min(len([*these]) for nobody, these in itertools.groupby(empty) if nobody) >= 5  # looks of a watch: each 5 s


def test_after_the_planned_end_they_leave_until_nobody_is_there(tmp_path: Path) -> None:
    looks = lived(tmp_path / "a.db", 200, later=timedelta(days=2))
    assert set(looks[-1].values()) == {0}
    assert all(before[name] >= after[name] for before, after in itertools.pairwise(looks) for name in before)
