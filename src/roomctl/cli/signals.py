"""Ctrl-C and SIGTERM: at once, or after the reply to a write that is under way (R53).

    nothing awaited ─────────▶ stop now, nothing was sent
    a write is awaited ──────▶ up to 5 s for its reply ─▶ finish what is left to say, stop
                                        └─ none came ───▶ journal "unknown", stop; a second signal does not wait
    a bulk run ──────────────▶ it starts no more requests and waits for those that run, likewise 5 s

What stops a run is a KeyboardInterrupt, so that nothing that takes errors takes it.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from roomctl.cli.session import Session
from roomctl.contract.operations import BY_NAME
from roomctl.errors import Interrupted, Outcome, RoomctlError, Stopped, Terminated
from roomctl.text.times import stamp

if TYPE_CHECKING:
    from roomctl.journal.book import Entry

GRACE: Final = 5.0  # seconds to wait for the reply to a write
LOOK: Final = 0.05  # seconds between two looks whether it has come
LEFT: Final = 4  # looks for what is left to be said after it
AGAIN: Final = 2.0  # seconds after which a stop that came to nothing is tried again
_ALARM: Final = hasattr(signal, "setitimer")
KINDS: Final[dict[int, tuple[type[Stopped], str]]] = {
    signal.SIGINT: (Interrupted, "stopped by Ctrl-C"),
    signal.SIGTERM: (Terminated, "stopped by SIGTERM"),
}
LEAVES: Final[dict[str, Outcome]] = {
    **dict.fromkeys(("sent", "unknown"), "unknown"),
    **dict.fromkeys(("confirmed", "partial"), "applied"),
    "refused": "refused",
}
"""What the state of a request says about the run, the worst first."""
if hasattr(signal, "SIGHUP"):
    KINDS[signal.SIGHUP] = (Terminated, "stopped because its terminal was closed")


class Stop(KeyboardInterrupt):
    """Ends the run from inside a signal's handler."""


@dataclass(eq=False, repr=False)
class SignalHandling:
    """Hears the signals of one run; elsewhere than in the main thread, or where they are ignored, it hears nothing."""

    session: Session
    start: float = field(default_factory=time.time)
    before: dict[int, Any] = field(default_factory=dict)
    _signal: int = 0
    _deadline: float = 0.0
    _looks: int = 0
    _over: bool = False

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Hear signals until the end, then none until `restore`. Raises Interrupted, Terminated, with what became."""
        if threading.current_thread() is threading.main_thread():
            for number in KINDS:
                if signal.getsignal(number) is not signal.SIG_IGN:
                    self.before[number] = signal.signal(number, self._heard)
        try:
            yield
        finally:
            self._over = True
            if self._signal:
                if _ALARM:
                    signal.setitimer(signal.ITIMER_REAL, 0)
                with suppress(RoomctlError):  # the answers that workers of a bulk run still await will not be heard
                    for entry in self._entries():
                        if entry.state == "sent":
                            self.session.journal.resolve(entry.id, "unknown", "stopped before a reply arrived")
                if not isinstance(fault := sys.exception(), Stopped):
                    raise self._failure(fault) from None

    @property
    def left(self) -> Outcome:
        """What the writes of this run have left behind, as the journal has them."""
        with suppress(RoomctlError):
            states = {entry.state for entry in self._entries()}
            return next((outcome for state, outcome in LEAVES.items() if state in states), "not_sent")
        return "unknown"

    def restore(self) -> None:
        for number, handler in self.before.items():
            signal.signal(number, handler)

    def _failure(self, error: BaseException | None) -> Stopped:
        kind, text = KINDS[self._signal]
        if isinstance(error, RoomctlError):
            stopped = kind(f"{text}; {error.message}")
            known = ("hint", "outcome", "http", "request", "service", "journal", "details")
            vars(stopped).update({name: getattr(error, name) for name in known})
            return stopped
        entries = self._entries()
        if lost := next((entry for entry in entries if entry.open and entry.state != "planned"), None):
            from roomctl.cli.reply_notes import settled_by

            hint = settled_by(BY_NAME[lost.operation], lost.id)
            why = f"{text} before a reliable reply arrived: it is not known whether the write took effect"
            return kind(why, outcome="unknown", hint=hint, journal=lost.id)
        if any(entry.state in ("confirmed", "partial") for entry in entries):
            return kind(f"{text} after the service had confirmed what was sent", outcome="applied")
        if refused := next((entry for entry in entries if entry.state == "refused"), None):
            why = f"{text}; what was sent had been refused: {refused.detail}"
            return kind(why, outcome="refused", journal=refused.id)
        return kind(f"{text}{'; nothing was sent' * self.session.about.writes}", hint=self.session.resume)

    def _entries(self) -> "list[Entry]":
        if "journal" not in self.session.__dict__:
            return []
        start, ours = stamp(self.start), os.getpid()
        return [each for each in self.session.journal.entries() if each.pid == ours and each.planned >= start]

    @property
    def _writing(self) -> bool:
        client = self.session.__dict__.get("client")
        return client is not None and client.writing

    def _heard(self, number: int, _frame: FrameType | None) -> None:
        again, self._signal = bool(self._signal), self._signal or number
        if self._over:
            return
        if self.session.in_bulk:
            kind, text = KINDS[self._signal]
            raise kind(text)
        if again or not self._writing or not _ALARM:
            self._stop()
        self._deadline = time.monotonic() + GRACE
        signal.signal(signal.SIGALRM, self._look)
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
        with suppress(OSError, RuntimeError):  # stderr may be in the middle of a line
            self.session.say(
                f"waiting up to {GRACE:.0f} s for the reply to the last request; press Ctrl-C again to stop now"
            )

    def _look(self, _number: int, _frame: FrameType | None) -> None:
        """Stop when no answer came in time, or when what is left to be said after it takes long."""
        if self._over:
            return
        self._looks = 0 if self._writing else self._looks + 1
        if self._looks >= LEFT or time.monotonic() >= self._deadline:
            self._stop()

    def _stop(self) -> None:
        """Stop; once more a little later, should this be raised where Python lets no exception through."""
        if _ALARM:
            signal.signal(signal.SIGALRM, self._look)
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        raise Stop
