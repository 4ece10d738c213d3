"""The sandbox in this process: replies that come in parts."""

from collections.abc import Iterator

import httpx

from roomctl.sandbox.request import Event, Head, RawRequest
from roomctl.sandbox.transport import SandboxTransport


class Parts:
    """An application that sends numbered parts, and notes how far it came and that it ended."""

    def __init__(self, count: int) -> None:
        self.count, self.made, self.ended = count, 0, False

    def __call__(self, request: RawRequest) -> Iterator[Event]:
        try:
            yield Head(200, {"x": request.body.decode()})
            for number in range(self.count):
                self.made += 1
                yield b"%d;" % number
        finally:
            self.ended = True


def test_a_reply_comes_part_by_part_as_it_is_read() -> None:
    parts = Parts(3)
    with httpx.Client(transport=SandboxTransport(parts)) as client:
        with client.stream("POST", "http://localhost/", content=b"hello") as reply:
            assert (reply.headers["x"], parts.made) == ("hello", 0)
            assert [(part, parts.made) for part in reply.iter_raw()] == [(b"0;", 1), (b"1;", 2), (b"2;", 3)]
        assert parts.ended
