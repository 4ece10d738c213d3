"""A defect of the served sandbox is a line and a 500; a reader that does not read stops nothing."""

import threading

import httpx

from roomctl.sandbox.app import guard
from roomctl.sandbox.messages import RawRequest, Response
from roomctl.sandbox.middleware import deliver
from roomctl.sandbox.serve import WAITING_LINES, teller
from roomctl.sandbox.transport import SandboxTransport

SECRET = "served-test-key-0123456789"


def test_a_defect_is_one_line_without_a_value_of_the_request() -> None:
    def fail(_: RawRequest) -> Response:
        raise KeyError(SECRET)

    said: list[str] = []
    app = guard(fail, said.append)
    with httpx.Client(transport=SandboxTransport(lambda request: deliver(app(request)))) as client:
        reply = client.post(f"http://localhost/api/v1/x?key={SECRET}", headers={"X-API-Key": SECRET}, content=SECRET)
    assert (reply.status_code, said) == (500, ["SANDBOX: a defect: POST /api/v1/x: KeyError"])
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
    for number in range(5 * WAITING_LINES):
        tell(str(number))
    reads.set()
    while not done.wait(0.05):
        tell("last")
    kept = [line for line in said if line != "last"]
    assert kept == [str(number) for number in range(len(kept))] and WAITING_LINES <= len(kept) <= WAITING_LINES + 1
