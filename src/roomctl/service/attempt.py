"""One attempt to send one request, under a deadline that holds whatever it waits for (R12).

A name server knows no deadline of ours, and httpx's own timeouts begin anew with each read, so that a slow drip would
last for ever. So an attempt runs in a thread of its own, and whoever asked waits for it until the deadline:

    running ──▶ sent ──▶ complete ──▶ the value        its body has arrived: what is left is ours, and may take its time
       │          │
       └──────────┴────▶ late ──────▶ P0 not sent, or P2 nobody knows; the socket is shut, and nothing is sent any more
"""

import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

import httpx

from roomctl.errors import BadConfig, RoomctlError, Temporary, Unintelligible
from roomctl.service.policy import Failed, Phase
from roomctl.service.workers import TURN, start

LATE: Final = "no reply in time"
UNREACHED: Final = "no connection in time"
CUT: Final = "the connection ended before the reply was complete"
BROKEN: Final = (httpx.TransportError, UnicodeError)
_GRACE: Final = 1.0  # seconds in which an attempt whose socket is shut can say what it has heard
_UNSENT: Final = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError)
_NOT_TLS: Final = ("WRONG_VERSION_NUMBER", "HTTP_REQUEST", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL")
_CLOSED: Final = re.compile("disconnected|closed connection")  # what httpx says where nothing came
_HTTP: Final = b"HTTP/"
_PROXY: Final = "`roomctl profile show PROFILE` shows the proxy in use, and where it is set"


@dataclass(eq=False)
class Attempt:
    """A deadline (monotonic, R56), the connection that is used, and whether the request has left.

    `on_send` of a write is called once, just before the first byte may leave. `sock` is None where it is not known.
    `behind` came with the reply, beyond its end: httpcore would take it for the reply to the next request.
    """

    seconds: float
    on_send: Callable[[], None] | None
    transport: httpx.BaseTransport = field(init=False)
    sock: socket.socket | None = None
    host: str = ""
    sent: bool = False
    late: bool = False
    complete: bool = False
    behind: bytes = b""
    lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, work: Callable[[], Any]) -> Any:
        """Do the work in a thread and give its value. Raises what it raises, and Failed at the deadline."""
        deadline = time.monotonic() + self.seconds
        task = start(work)
        try:
            while not task.done.wait(min(TURN, max(deadline - time.monotonic(), 0.0)) or TURN):
                if time.monotonic() < deadline or not self._give_up():
                    continue
                if not task.done.wait(_GRACE if self.sent else 0.0):
                    raise self.overdue()
        except BaseException:
            self._give_up()
            raise
        value, error = task.outcome
        if error is not None:
            raise error
        return value

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Follow what httpx does: which socket it uses, and when the request itself begins.

        What `on_send` raises then stops the request, and so does a deadline that is over.
        """
        match event.partition(".")[2]:
            case "connect_tcp.started":
                self.host, self.sock = info["host"], None
            case "connect_tcp.complete" | "start_tls.complete":
                self.sock = info["return_value"].get_extra_info("socket")
            case "send_request_headers.started" if info["request"].method != b"CONNECT":
                with self.lock:
                    if self.late:
                        raise self.overdue()
                    if self.on_send is not None:
                        self.on_send()
                    self.sent = True
            case "receive_response_headers.started" if self.sent and type(self.sock) is socket.socket:
                try:  # to look at the first bytes: httpx would wait for a whole head of whatever comes
                    first = self.sock.recv(len(_HTTP), socket.MSG_PEEK)
                except OSError as error:  # a reset is said once: who reads after it meets an end
                    raise httpx.ReadError("") from error
                if not _HTTP.startswith(first):
                    raise httpx.RemoteProtocolError("not HTTP")

    def failed(self, error: Exception) -> Failed:
        """Say what an error of httpx means: before the request began nothing was sent, afterwards nobody knows."""
        phase: Phase = "P2" if self.sent and not isinstance(error, _UNSENT) else "P0"
        kind: type[RoomctlError] = Temporary
        hint = ""
        match error, _cause(error):
            case (httpx.TimeoutException(), _) | (_, TimeoutError()):
                why = LATE if phase == "P2" else UNREACHED
            case _ if self.late:
                return self.overdue()
            case _, ssl.SSLCertVerificationError(verify_message=text):
                phase, kind, why = "P3", BadConfig, f"the certificate of the service is not trusted: {text.lower()}"
            case httpx.ConnectError(), ssl.SSLError(reason=text) if text in _NOT_TLS:
                kind, why = BadConfig, "the server at its port does not use TLS"
            case _, socket.gaierror() | UnicodeError():
                why = f"cannot resolve {self.host}"
            case httpx.ConnectError(), OSError() as cause if self.sock:
                why = f"no TLS connection: {_reason(cause)}"
            case httpx.ProxyError(), _:
                why, hint = f"the proxy refused: {error}", _PROXY
            case httpx.RemoteProtocolError(), _ if phase == "P2" and self.sock and not _CLOSED.search(str(error)):
                kind, why = Unintelligible, "the reply is not HTTP"
            case httpx.RemoteProtocolError(), _:
                why = CUT
            case httpx.LocalProtocolError(), _:  # its text repeats a header, which may be the key
                why = "it cannot be written as HTTP"
            case _, OSError() as cause:
                why = _reason(cause)
            case _:
                why = str(error).lower() or "the connection broke"
        return Failed(phase, why, kind=kind, hint=hint)

    def _give_up(self) -> bool:
        """Let nothing leave any more, and end what waits for the socket; false where the answer has arrived."""
        with self.lock:
            self.late = not self.complete
        if self.late and self.sent and self.sock:
            with suppress(OSError):
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)  # TLS's would forget its state first
        return self.late

    def overdue(self) -> Failed:
        return Failed("P2", LATE) if self.sent else Failed("P0", UNREACHED)


def _cause(error: BaseException) -> BaseException:
    """Give what an error began with: what the system said, where it is in the chain."""
    while not isinstance(error, OSError | UnicodeError) and (inner := error.__cause__ or error.__context__):
        error = inner
    return error


def _reason(error: BaseException) -> str:
    text = getattr(error, "strerror", None) or getattr(error, "reason", None) or str(error) or type(error).__name__
    return str(text).lower()
