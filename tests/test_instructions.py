"""What a short command costs, in instructions: they repeat to the digit, so a bar is a test and not a timing."""

from collections.abc import Iterator

import pytest

from tests.benchmarks.instructions import BARS, VALGRIND, Bar, Counter, counting, in_process, ratio

pytestmark = [pytest.mark.soak, pytest.mark.skipif(VALGRIND is None, reason="valgrind is not installed")]


@pytest.fixture(scope="module")
def count() -> Iterator[Counter]:
    with counting() as counter:
        yield counter


@pytest.mark.parametrize("bar", BARS, ids=[bar.name for bar in BARS])
def test_a_command_costs_no_more_than_its_bar(bar: Bar, count: Counter) -> None:
    assert ratio(count, bar) <= bar.most


def test_a_read_in_process_costs_little_more_than_over_http(count: Counter) -> None:
    assert in_process(count) <= 1.3
