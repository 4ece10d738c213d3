"""A bug that is planted is caught: what the other tests promise, they keep."""

import pytest

from tests.planted import BUGS, Bug, caught, places


def test_every_bug_has_its_place() -> None:
    assert {bug.name: places(bug) for bug in BUGS} == {bug.name: 1 for bug in BUGS}


@pytest.mark.soak
@pytest.mark.parametrize("bug", BUGS, ids=[bug.name for bug in BUGS])
def test_every_planted_bug_is_caught(bug: Bug) -> None:
    assert caught(bug).startswith("caught by ")
