"""Threads that do work aside and wait for more: a new one for each page of an export costs a sixth of its time.

They are daemons, so that nobody waits for what was given up.
"""

from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Event, Thread
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
