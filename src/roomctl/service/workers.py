"""Threads that do work aside and wait for more: a new one for each page of an export costs a sixth of its time.

They are daemons, so that nobody waits for what was given up. `in_order` asks for pages ahead of their turn, a bounded
number at once, and delivers them in order.
"""

from collections import deque
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from itertools import count
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic, process_time
from typing import Any, Final, NamedTuple

TURN: Final = 0.25  # seconds: a signal that comes just before a wait begins does not end it, so waits are short


class Task(NamedTuple):
    """Work that is done aside. `done` is set when it has ended; `outcome` is what it gave, and what it raised."""

    work: Callable[[], Any]
    done: Event
    outcome: list[Any]

    def result(self) -> Any:
        """Wait for what the work gives, or raises."""
        while not self.done.wait(TURN):
            pass
        value, error = self.outcome
        if error is not None:
            raise error
        return value


Worker = tuple[Thread, SimpleQueue[Task | None]]
_IDLE: Final[list[Worker]] = []
_PROOF = 2  # empty pages in a row that end a list
_freed: list[int] = []


def start(work: Callable[[], Any]) -> Task:
    """Have a thread do the work; where none can be made, it is done before this returns."""
    task = Task(work, Event(), [])
    with suppress(IndexError):
        while not (worker := _IDLE.pop())[0].is_alive():  # a process that was forked has no other threads
            pass
        worker[1].put(task)
        return task
    tasks: SimpleQueue[Task | None] = SimpleQueue()
    thread = Thread(target=lambda: _serve((thread, tasks)), daemon=True)
    tasks.put(task)
    try:
        thread.start()
    except RuntimeError:
        tasks.put(None)
        _serve((thread, tasks))
    return task


def _serve(worker: Worker) -> None:
    """Do one piece of work after the other, until None comes; what it raises belongs to whoever waits for it."""
    while (task := worker[1].get()) is not None:
        try:
            task.outcome.extend((task.work(), None))
        except BaseException as error:
            task.outcome.extend((None, error))
        _IDLE.append(worker)
        task.done.set()
        del task  # which holds the answer


def in_order(fetch: Callable[[int], list[Any]], first: int, width: int) -> Generator[list[Any]]:
    """Yield page `first`, `first` + 1, … asking for at most `width` at once; close it to stop.

    It ends behind an empty page where all that was asked for beyond it is empty too, and at least one page further.
    Only full pages widen the window, so that little is asked for beyond the end of a list. One page is asked for ahead
    until the time goes into waiting: where it goes into work on pages, more threads only get in each other's way.

    glibc keeps the memory of a page for the next once it has freed a block as large as the one that is made first in a
    process. Else it goes back to the system each time: up to a sixth of the time of an export.
    """
    if not _freed:
        _freed.append(len(bytes(31 << 20)))
    numbers = count(first)
    under_way: deque[Task] = deque()
    empty = full = 0  # empty pages in a row; rows of a full page
    window, slow = 1, False
    waited = idle = 0.0
    while under_way or empty < _PROOF:
        began, worked = monotonic(), process_time()
        page: list[Any] = under_way.popleft().result() if under_way else fetch(next(numbers))
        waited += monotonic() - began
        idle += monotonic() - began - (process_time() - worked)
        slow = slow or idle > 3 / 4 * waited
        empty, full = 0 if page else empty + 1, max(full, len(page))
        window = min(width, window * 2) if len(page) >= full else 1
        while page and width > 1 and len(under_way) < (window if slow else 1):
            under_way.append(start(partial(fetch, next(numbers))))
        yield page
