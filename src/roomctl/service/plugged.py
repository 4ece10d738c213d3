"""A transport of httpx's kind in place of the network, such as the sandbox's, which answers in this process."""

from collections.abc import Iterable, Iterator
from typing import cast

import httpx

from roomctl.service.access import Address
from roomctl.service.attempt import Attempt, Overdue
from roomctl.service.policy import Failed
from roomctl.service.transport import CUT, LATE, UNREACHED, Answer, Call, words

_UNSENT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


class Plugged:
    """Hands requests to the transport. Its `timeout` extension says how many seconds are left."""

    def __init__(self, transport: httpx.BaseTransport, address: Address) -> None:
        self._transport = transport
        self._origin = f"{address.scheme}://{address.authority}"

    def exchange(self, call: Call, attempt: Attempt) -> Answer:
        request = httpx.Request(
            call.method,
            f"{self._origin}{call.target}",
            headers=[*call.headers],
            content=call.body or b"",
            extensions={"timeout": dict.fromkeys(("connect", "read", "write", "pool"), attempt.left())},
        )
        attempt.depart()
        try:
            response = self._transport.handle_request(request)
        except httpx.TransportError as error:
            raise _failed(error) from error
        attempt.departed = True
        return Answer(response.status_code, response.headers.raw, _chunks(response, attempt), response.close)

    def close(self) -> None:
        self._transport.close()


def _chunks(response: httpx.Response, attempt: Attempt) -> Iterator[bytes]:
    try:
        for chunk in cast(Iterable[bytes], response.stream):
            attempt.left()
            yield chunk
    except Overdue:
        raise Failed("P2", LATE) from None
    except httpx.TransportError as error:
        raise _failed(error) from error


def _failed(error: httpx.TransportError) -> Failed:
    late = isinstance(error, httpx.TimeoutException)
    if isinstance(error, _UNSENT):
        return Failed("P0", UNREACHED if late else words(error))
    if late:
        return Failed("P2", LATE)
    return Failed("P2", CUT if isinstance(error, httpx.RemoteProtocolError) else words(error))
