"""The sandbox over real HTTP, on this machine only."""

import logging
import socket
from collections.abc import Callable
from typing import Any

from roomctl.errors import LocalFailure, WrongCall
from roomctl.sandbox.app import build
from roomctl.sandbox.guarded import guarded, teller
from roomctl.sandbox.store import Store

LOOPBACK = ("127.0.0.1", "::1", "localhost")


Say = Callable[[str], None]


def serve(
    store: Store, *, host: str, port: int, key: str, ready: Callable[[int], None], say: Say, reading: str = ""
) -> None:
    """Serve until Ctrl-C or SIGTERM; `ready` hears the port, `say` what went wrong since.

    Raises LocalFailure when the port is taken.
    """
    import uvicorn

    if host not in LOOPBACK:
        raise WrongCall(f"the sandbox is served on this machine only, not on {host}")
    listener = _listener(host, port)

    class Server(uvicorn.Server):
        async def startup(self, sockets: Any = None) -> None:
            await super().startup(sockets)
            ready(listener.getsockname()[1])

    config = uvicorn.Config(
        guarded(build(store, key, reading), teller(say)),
        log_config=None,
        log_level=logging.CRITICAL,
        access_log=False,
        lifespan="off",
        http="h11",
        server_header=False,
    )
    with listener:
        Server(config).run(sockets=[listener])


def _listener(host: str, port: int) -> socket.socket:
    try:
        listener = socket.create_server((host, port), backlog=128)
    except OSError as error:
        raise LocalFailure(
            f"port {port} cannot be served: {(error.strerror or str(error)).lower()}",
            hint="`--port 0` takes a free one",
        ) from None
    # A head and a body are two packets: without this the second waits 40 ms for the first one's acknowledgement.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener
