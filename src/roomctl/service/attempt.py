"""One attempt to send one request, under a deadline that holds whatever it waits for (R12).

A name server knows no deadline of ours, and httpx's own timeouts begin anew with each read, so that a slow drip would
last for ever. So an attempt runs in a thread of its own, and whoever asked waits for it until the deadline:

    running ──▶ sent ──▶ complete ──▶ the value        its body has arrived: what is left is ours, and may take its time
       │          │
       └──────────┴────▶ late ──────▶ P0 not sent, or P2 nobody knows; the socket is shut, and nothing is sent any more
"""

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from roomctl.service.policy import Failed

LATE: Final = "no answer in time"
UNREACHED: Final = "no connection in time"
_TURN: Final = 0.25  # seconds: a signal that comes just before a wait begins does not end it, so waits are short
_GRACE: Final = 1.0  # seconds in which an attempt whose socket is shut can say what it has heard


class Attempt:
    """A deadline (monotonic, R56) and a memory. `on_send` is called once, just before the first byte may leave."""

    def __init__(self, seconds: float, on_send: Callable[[], None]) -> None:
        self.seconds = seconds
        self.socket: socket.socket | None = None
        self.sent = False
        self.late = False
        self._complete = False
        self._on_send = on_send
        self._lock = threading.Lock()

    def run(self, work: Callable[[], Any]) -> Any:
        """Do the work in a thread and give its value. Raises what it raises, and Failed at the deadline."""
        deadline = time.monotonic() + self.seconds
        done = threading.Event()
        outcome: list[Any] = []

        def target() -> None:
            try:
                outcome.extend((work(), None))
            except BaseException as error:
                outcome.extend((None, error))
            done.set()

        threading.Thread(target=target, daemon=True).start()
        try:
            while not done.wait(min(_TURN, max(deadline - time.monotonic(), 0.0)) or _TURN):
                if time.monotonic() >= deadline and self._give_up():
                    done.wait(_GRACE if self.sent else 0.0)
                    break
        except BaseException:
            self._give_up()
            raise
        value, error = outcome or (None, Failed("P2", LATE) if self.sent else Failed("P0", UNREACHED))
        if error is not None:
            raise error
        return value

    def send(self) -> None:
        """Say that the request leaves now: what `on_send` raises stops it, and so does a deadline that is over."""
        with self._lock:
            if self.late:
                raise Failed("P0", UNREACHED)
            self._on_send()
            self.sent = True

    def complete(self) -> None:
        """Say that the whole answer has arrived. Raises Failed where nobody waits for it any longer."""
        with self._lock:
            if self.late:
                raise Failed("P2", LATE)
            self._complete = True

    def _give_up(self) -> bool:
        """Let nothing leave any more, and end what waits for the socket; false where the answer has arrived."""
        with self._lock:
            self.late = not self._complete
        if self.late and self.socket:
            with suppress(OSError):
                socket.socket.shutdown(self.socket, socket.SHUT_RDWR)  # that of TLS would first forget its state
        return self.late
