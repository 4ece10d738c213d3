"""Pages ahead of their turn, in order, and few beyond the end."""

import threading
import time
from itertools import islice

import pytest

from roomctl.service import workers
from roomctl.service.workers import in_order
from tests.conftest import Patch


def test_giving_up_does_not_wait_for_replies_under_way() -> None:
    gate = threading.Event()

    def fetch(number: int) -> list[int]:
        if number > 6:
            gate.wait(20)
        return [number]

    pages = in_order(fetch, 0, 4)
    list(islice(pages, 4))
    began = time.monotonic()
    pages.close()
    assert time.monotonic() - began < 10
    gate.set()


@pytest.mark.parametrize("most", [0, 2])
def test_where_no_more_threads_can_be_made_the_others_fetch(most: int, monkeypatch: Patch) -> None:
    """Asked for ahead: page 0 is waited for."""
    start = threading.Thread.start
    started: list[threading.Thread] = []

    def scarce(thread: threading.Thread) -> None:
        if len(started) == most:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    def fetch(number: int) -> list[int]:
        time.sleep(0 if number else 0.01)
        return [number]

    workers._IDLE.clear()
    monkeypatch.setattr(threading.Thread, "start", scarce)
    pages = in_order(fetch, 0, 8)
    assert [page[0] for page in islice(pages, 40)] == list(range(40))
    pages.close()
    assert len(started) == most
