"""The sandbox over real HTTP, on this machine only."""

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Full, Queue
from threading import Event, Thread
from typing import Any

from roomctl.errors import LocalFailure
from roomctl.sandbox.app import App, build
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.store import Store

HOST = "127.0.0.1"
"""Served on this machine only."""
WAITING_LINES = 100
"""Lines that wait to be written, at most; those beyond are lost."""
Say = Callable[[str], None]


def serve(
    store: Store, faults: FaultStore, *, port: int, key: str, ready: Callable[[int], None], say: Say,
    strictness: str = "",
) -> None:  # fmt: skip
    """Serve until Ctrl-C or SIGTERM; `ready` hears the port, `say` what went wrong since.

    Raises LocalFailure when the port is taken.
    """
    listener = _listener(port)
    app = build(store, key, faults, strictness=strictness, tell=teller(say))
    with listener:
        _server(app, lambda: ready(listener.getsockname()[1])).run(sockets=[listener])


@contextmanager
def served(store: Store, faults: FaultStore, key: str) -> Iterator[int]:
    """Serve in a thread beside what is done inside; gives the port."""
    up = Event()
    with _listener(0) as listener:
        server = _server(build(store, key, faults), up.set)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        up.wait()
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


def teller(say: Say) -> Say:
    """Make a `say` that never waits: a thread says the lines, however long the reader takes."""
    waiting: Queue[str] = Queue(WAITING_LINES)

    def tell(line: str) -> None:
        try:
            waiting.put_nowait(line)
        except Full:
            return

    def speak() -> None:
        while True:
            say(waiting.get())

    Thread(target=speak, daemon=True).start()
    return tell


def _server(app: App, ready: Callable[[], None]) -> Any:
    import uvicorn

    from roomctl.sandbox.asgi import Connection, asgi

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready()

    config = uvicorn.Config(
        asgi(app), log_config=None, log_level=logging.CRITICAL, access_log=False, lifespan="off", http=Connection,
        server_header=False, timeout_graceful_shutdown=2,
    )  # fmt: skip
    return Server(config)


def _listener(port: int) -> socket.socket:
    try:
        listener = socket.create_server((HOST, port), backlog=128)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise LocalFailure(f"port {port} cannot be served: {reason}", hint="`--port 0` takes a free one") from None
    # A head and a body are two packets: without this the second waits 40 ms for the first one's acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
