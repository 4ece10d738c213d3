"""Pages asked for ahead of their turn and delivered in order, with a bounded number under way.

Threads fetch them once a page was waited for: where the time goes into work on pages, as with a service on this
machine, threads only get in each other's way.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import suppress
from itertools import count
from time import monotonic, thread_time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from concurrent.futures import Future

JSON = Any
Page = list[JSON]
_TURN = 0.25  # seconds
_PROOF = 2  # empty pages in a row that end a list


def in_order(fetch: Callable[[int], Page], start: int, width: int) -> Generator[Page]:
    """Yield page `start`, `start` + 1, … asking for at most `width` at once; close it to stop.

    It ends behind an empty page where all that was asked for beyond it is empty too, and at least one page further.
    Only full pages widen the window, so that little is asked for beyond the end of a list.
    """
    numbers = count(start)
    empty = full = 0  # empty pages in a row; rows of a full page
    waited = False
    while width == 1 or not waited:
        began, worked = monotonic(), thread_time()
        page = fetch(next(numbers))
        waited = monotonic() - began > 2 * (thread_time() - worked)
        yield page
        empty, full = 0 if page else empty + 1, max(full, len(page))
        if empty == _PROOF:
            return
    crew = _Crew(fetch, width)
    try:
        yield from _ahead(crew, numbers, width, full, empty)
    finally:
        crew.dismiss()


def _ahead(crew: "_Crew", numbers: Iterator[int], width: int, full: int, empty: int) -> Generator[Page]:
    under_way: deque[Future[Page]] = deque()
    window = 1
    while under_way or empty < _PROOF:
        page = _result(under_way.popleft() if under_way else crew.ask(next(numbers)))
        empty = 0 if page else empty + 1
        window = min(width, window * 2) if len(page) >= full else 1
        while page and len(under_way) < window:
            under_way.append(crew.ask(next(numbers)))
        yield page


def _result(future: "Future[Page]") -> Page:
    """Wait in short turns: a signal that comes just before a wait begins does not end it."""
    while not future.done():
        with suppress(TimeoutError):
            future.exception(_TURN)
    return future.result()


class _Crew:
    """Threads that fetch pages. They are daemons: an interrupted export does not wait for replies under way.

    Where no more can be made those there are do it all; without any, who asks does.
    """

    def __init__(self, fetch: Callable[[int], Page], size: int) -> None:
        from queue import SimpleQueue

        self._fetch = fetch
        self._size = size
        self._hands = 0
        self._tasks: SimpleQueue[Any] = SimpleQueue()  # a page's number and its future; None: no more

    def ask(self, number: int) -> "Future[Page]":
        """Have a page fetched; its result, or what went wrong, arrives in the future."""
        from concurrent.futures import Future

        future: Future[Page] = Future()
        self._tasks.put((number, future))
        if self._hands < self._size:
            self._hire()
        if not self._hands:
            self._do(*self._tasks.get_nowait())
        return future

    def dismiss(self) -> None:
        """Let the threads end after what they are doing."""
        for _ in range(self._hands):
            self._tasks.put(None)

    def _hire(self) -> None:
        from threading import Thread

        try:
            Thread(target=self._work, name=f"roomctl-page-{self._hands + 1}", daemon=True).start()
            self._hands += 1
        except RuntimeError:  # no thread can be made
            self._size = self._hands

    def _work(self) -> None:
        while (task := self._tasks.get()) is not None:
            self._do(*task)

    def _do(self, number: int, future: "Future[Page]") -> None:
        try:
            future.set_result(self._fetch(number))
        except BaseException as error:  # it belongs to whoever waits for the page
            future.set_exception(error)
