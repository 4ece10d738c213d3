"""What keeps a served sandbox going: a defect is one line and a 500, and a line that nobody reads stops nothing."""

from collections.abc import Callable
from queue import Full, Queue
from threading import Thread
from typing import Any

from roomctl.sandbox.app import Asgi, Receive, Scope, Send
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.store import encoded

MOST = 100
"""Lines that wait to be written, at most; those beyond are lost."""


def teller(say: Callable[[str], None]) -> Callable[[str], None]:
    """Make a teller that never waits: a thread says the lines, however long the reader takes."""
    waiting: Queue[str] = Queue(MOST)

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


def guarded(app: Asgi, tell: Callable[[str], None]) -> Asgi:
    """Answer 500 where the application fails, and tell what failed: method, path and kind, no value of a request."""

    async def outer(scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def noted(event: Any) -> None:
            nonlocal begun
            begun = True
            await send(event)

        try:
            await app(scope, receive, noted)
        except Exception as error:
            tell(f"SANDBOX: a defect: {scope['method']} {scope['path'][:100]}: {type(error).__name__}")
            if not begun:
                await _sorry(send)

    return outer


async def _sorry(send: Send) -> None:
    data = encoded(Problem(500, "a defect of the sandbox").document())
    headers = [(b"content-length", str(len(data)).encode()), (b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": data})
