"""Keys on disk: noted, searched for, and moved to a table when that happens often (R35)."""

import errno
import os
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import LocalFailure
from roomctl.exports import digestfile, spilled
from roomctl.exports.digestfile import DigestFile
from roomctl.exports.spilled import MOST_SEARCHES, Spilled
from tests.exports.paged import identifier


@given(st.lists(st.sets(st.text("ab\\\n\ud800", max_size=4), max_size=9), max_size=9))
def test_a_key_is_new_once_r35(pages: list[set[str]]) -> None:
    seen: set[str] = set()
    keys = Spilled()
    for page in pages:
        assert keys.fresh(page) == page - seen
        seen |= page
    assert keys.count == len(seen)


def test_many_known_keys_are_found_after_the_move_to_a_table_r35() -> None:
    numbers = list(range(3_000))
    keys = Spilled()
    assert keys.fresh({identifier(number) for number in numbers}) == {identifier(number) for number in numbers}
    random.Random(5).shuffle(numbers)
    for start in range(0, 3_000, MOST_SEARCHES // 2):
        page = {identifier(number) for number in numbers[start : start + MOST_SEARCHES // 2]}
        assert keys.fresh(page | {f"new {start}"}) == {f"new {start}"}
    assert keys.count == 3_000 + len(range(0, 3_000, MOST_SEARCHES // 2))


def test_a_key_is_found_where_two_reads_of_the_file_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "_CHUNK", 7)
    keys = Spilled()
    page = {identifier(number) for number in range(MOST_SEARCHES)}
    keys.fresh(page)
    assert keys.fresh(page) == set()


def test_few_keys_are_searched_for_in_vain() -> None:
    keys = Spilled()
    for start in range(0, 60_000, 500):
        keys.fresh({identifier(number) for number in range(start, start + 500)})
    assert keys.searches < 5


def test_a_filter_that_is_full_only_costs_searches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spilled, "_MASK", 63)
    keys = Spilled()
    for number in range(MOST_SEARCHES):
        assert keys.fresh({identifier(number)}) == {identifier(number)}
    assert keys.fresh({identifier(number) for number in range(MOST_SEARCHES)}) == set()


def test_a_table_grows_and_forgets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(digestfile, "_CHUNK", 3)
    table = DigestFile(slots=4)
    words = [str(number).encode() for number in range(500)]
    assert all(table.add(word) for word in words)
    assert not any(table.add(word) for word in words)
    assert table.count == 500


def test_a_full_temporary_folder_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any, **more: Any) -> Any:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    keys = Spilled()
    monkeypatch.setattr(spilled, "SpooledTemporaryFile", full)
    with pytest.raises(
        LocalFailure, match="cannot keep the ids of the list in a temporary file: no space left on device"
    ):
        Spilled()
    monkeypatch.setattr(digestfile, "TemporaryFile", full)
    page = {identifier(number) for number in range(MOST_SEARCHES + 1)}
    keys.fresh(page)
    with pytest.raises(LocalFailure, match="cannot keep the ids"):
        keys.fresh(page)
