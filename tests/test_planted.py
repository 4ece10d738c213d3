"""A bug that is planted is caught: what the other tests promise, they keep."""

import pytest

from tests.planted import BUGS, Bug, caught


@pytest.mark.soak
@pytest.mark.parametrize("bug", BUGS, ids=[bug.name for bug in BUGS])
def test_every_planted_bug_is_caught(bug: Bug) -> None:
    assert caught(bug).startswith("caught by ")
