"""A defect of the served sandbox is a line and a 500; a reader that does not read stops nothing."""

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from roomctl.sandbox.guarded import MOST, guarded, teller
from roomctl.sandbox.transport import SandboxTransport

SECRET = "served-test-key-0123456789"


async def failing(scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    await receive()
    raise KeyError(SECRET)


async def late(scope: Any, receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    raise KeyError(SECRET)


@pytest.mark.parametrize(("app", "status"), [(failing, 500), (late, 200)])
def test_a_defect_is_one_line_without_a_value_of_the_request(app: Any, status: int) -> None:
    said: list[str] = []
    with httpx.Client(transport=SandboxTransport(guarded(app, said.append))) as client:
        reply = client.post(f"http://localhost/api/v1/x?key={SECRET}", headers={"X-API-Key": SECRET}, content=SECRET)
    assert (reply.status_code, said) == (status, ["SANDBOX: a defect: POST /api/v1/x: KeyError"])
    assert SECRET not in reply.text


def test_lines_that_nobody_reads_are_lost_and_hold_nobody_up() -> None:
    reads, said = threading.Event(), list[str]()
    done = threading.Event()

    def say(line: str) -> None:
        reads.wait(10)
        said.append(line)
        if line == "last":
            done.set()

    tell = teller(say)
    for number in range(5 * MOST):
        tell(str(number))
    reads.set()
    while not done.wait(0.05):
        tell("last")
    kept = [line for line in said if line != "last"]
    assert kept == [str(number) for number in range(len(kept))] and MOST <= len(kept) <= MOST + 1
