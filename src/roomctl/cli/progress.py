"""Progress of a long job on stderr: a bar on a terminal once a second has passed, elsewhere a line every 30 seconds.

    with progress(session, "people", total=300) as counted:
        counted.update(120, "2 failed")

Tell it as often as you like, from any thread: it is drawn by a thread of its own. What `session.note` says meanwhile
stands above the bar; the bar is gone when the context is left, so the result and errors come after that.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final

from roomctl.cli.session import Session
from roomctl.cli.terminal import columns, look_of, redrawn
from roomctl.output.progress import Progress, live_bar

DELAY: Final = 1.0  # seconds before a bar is drawn
EVERY: Final = 30.0  # seconds between two lines where no bar can be drawn


@contextmanager
def progress(
    session: Session, noun: str = "", total: int | None = None, *, resume: str = "run the same command again"
) -> Iterator[Progress]:
    """Show how far a job is that counts `noun`, up to `total` where that is known; `--quiet` shows nothing.

    Nothing is drawn inside another one, or beside a live view. `resume` tells a person who stops the job how to go on.
    """
    counted, over = Progress(noun, total), threading.Event()
    teller = threading.Thread(target=_tell, args=(session, counted, over), name="progress", daemon=True)
    before, inside = session.resume, session.busy
    session.resume, session.busy = resume or before, True
    if not (session.given.quiet or inside):
        teller.start()
    try:
        yield counted
        session.resume = before
    finally:
        over.set()
        session.busy = inside
        if teller.ident is not None:
            teller.join()


def _tell(session: Session, counted: Progress, over: threading.Event) -> None:
    stderr = session.streams.stderr
    if stderr is None or not redrawn(session.environment, stderr):
        while not over.wait(EVERY):
            session.say(counted.line)
        return
    if over.wait(DELAY):
        return
    look = look_of(session.environment, session.given, "table", stderr, terminal=True)
    space = partial(columns, session.environment, stderr)
    with suppress(OSError, ValueError), live_bar(counted, look, stderr, space) as above:
        session.above = above
        over.wait()
    session.above = None
