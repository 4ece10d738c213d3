"""Pages asked for ahead of their turn and delivered in order, with a bounded number under way."""

from collections import deque
from collections.abc import Callable, Generator
from functools import partial
from itertools import count
from time import monotonic, process_time
from typing import Any

from roomctl.service.workers import Task, start

Page = list[Any]
_PROOF = 2  # empty pages in a row that end a list
_freed: list[int] = []


def in_order(fetch: Callable[[int], Page], first: int, width: int) -> Generator[Page]:
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
        page: Page = under_way.popleft().result() if under_way else fetch(next(numbers))
        waited += monotonic() - began
        idle += monotonic() - began - (process_time() - worked)
        slow = slow or idle > 3 / 4 * waited
        empty, full = 0 if page else empty + 1, max(full, len(page))
        window = min(width, window * 2) if len(page) >= full else 1
        while page and width > 1 and len(under_way) < (window if slow else 1):
            under_way.append(start(partial(fetch, next(numbers))))
        yield page
