"""How far a long job is: its figures in words, and as a bar that rich draws again in place."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from roomctl.output.look import Look, width
from roomctl.text.counted import numbered
from roomctl.text.safe import safe

if TYPE_CHECKING:
    from rich.console import RenderableType

_LONGEST_BAR, _LEAST_BAR = 40, 8
_REFRESHES = 5  # a second


@dataclass(eq=False)
class Progress:
    """The figures of a job: rows done, of how many where that is known, how quickly, for how long.

    Without a `noun` it is a wait, of which `detail` and the time are told, and `total` is how many seconds it may take.
    `first`: when some rows were first done, and how many.
    """

    noun: str = ""
    total: int | None = None
    clock: Callable[[], float] = monotonic
    begun: float = field(default_factory=monotonic)
    first: tuple[float, int] | None = None
    done: int = 0
    detail: str = ""

    def update(self, done: int, detail: str = "") -> None:
        """Say how many are done in all, and what else there is to say; from any thread."""
        self.first = self.first or (self.clock(), done)
        self.done, self.detail = done, detail

    @property
    def share(self) -> float | None:
        done = self.done if self.noun else min(self.clock() - self.begun, self.total or 0)
        return done / self.total if self.total and done <= self.total else None

    @property
    def brief(self) -> str:
        known = f"{self.done:,} of {self.total:,}" if self.share is not None else f"{self.done:,}"
        return known if self.noun else safe(self.detail, cell=True)

    @property
    def counted(self) -> str:
        """What is done, in full: `12,400 of 31,000 registrations, 2 failed`."""
        if not self.noun:
            return self.brief
        noun = self.noun if self.share is not None else numbered(self.done, self.noun).partition(" ")[2]
        return ", ".join(filter(None, [f"{self.brief} {noun}", safe(self.detail, cell=True)]))

    def pace(self, elapsed: str = "") -> list[str]:
        """How quickly it goes, how long it has taken, and how long it takes still, as far as that is known."""
        now = self.clock()
        start, before = self.first or (now, 0)
        rate = (self.done - before) / (now - start) if self.noun and now > start else 0.0
        left = (self.total or 0) - self.done if self.share is not None else None
        return [
            *([f"{rate:,.0f}/s" if rate >= 10 else f"{rate:.1f}/s"] if rate > 0 else []),
            f"{_clock_time(now - self.begun)}{elapsed}",
            *([f"{_clock_time(left / rate)} left"] if left is not None and rate > 0 else []),
        ]

    @property
    def line(self) -> str:
        return ", ".join(filter(None, [self.counted, *self.pace(" elapsed")]))


def _clock_time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{rest:02}" if minutes >= 60 else f"{minutes}:{rest:02}"


@contextmanager
def live_bar(progress: Progress, look: Look, out: TextIO, space: Callable[[], int]) -> Iterator[Callable[[str], None]]:
    """Draw the bar on a terminal for as long as the context lasts; it gives what writes lines above the bar."""
    from rich.live import Live

    from roomctl.output.console import above, console

    screen = console(look, out)

    def drawn() -> "RenderableType":
        screen.width = space() or look.width  # the window may have another width by now
        return bar(progress, screen.width - len("^C"))  # which a terminal echoes: in a new line it would keep the bar

    with Live(
        get_renderable=drawn,
        console=screen,
        refresh_per_second=_REFRESHES,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield above(screen)


def bar(progress: Progress, space: int) -> "RenderableType":
    """Draw a line: what is done, in few words where a bar has no place beside more, the bar or a pulse, the pace."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table

    from roomctl.output.console import copyable

    right = "  " + "  ".join(progress.pace())
    room = space - width(right) - 2 - width(progress.counted)
    left = progress.counted if room >= _LEAST_BAR else progress.brief
    room = space - width(right) - 2 - width(left)
    line = Table.grid()
    line.add_column(max_width=max(space - width(right), 1), no_wrap=True, overflow="ellipsis")
    cells: list[RenderableType] = [left]
    if room >= _LEAST_BAR:
        share = progress.share
        cells += ["  ", ProgressBar(1, share or 0, min(room, _LONGEST_BAR), pulse=share is None)]
    line.add_row(*cells, copyable(right))
    return line
