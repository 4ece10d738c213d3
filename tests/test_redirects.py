"""Five codes, six targets, three methods: no redirect is followed, no write that met one is confirmed (R3, R4, R59)."""

import pytest

from tests.conftest import Run, Serving
from tests.servers import KEY, A, Recorder

CODES = (301, 302, 303, 307, 308)
SERVER = "127.0.0.1:{elsewhere}"
TARGETS = (
    *(f"http://{SERVER}/api/v1/user/{{id}}", "http://localhost:{elsewhere}/", f"https://{SERVER}/api/v1"),
    *(f"//{SERVER}/api/v1/user/{{id}}", f"http://127.0.0.1:{{here}}@{SERVER}/", "/api/v1/elsewhere"),
)
METHODS: dict[str, tuple[str, list[str], int]] = {"GET": ("user.get", ["user", "get", A], 4)}
METHODS["POST"] = ("playlist.create", ["playlist", "create", "--name", "Rain"], 7)
METHODS["PATCH"] = ("roomset.update", ["roomset", "update", A, "--name", "Fair", "--yes"], 7)


class Redirecting(Recorder):
    """A service that answers one method with a redirect, and reads beside it with an empty list."""

    def __init__(self, method: str, code: int, target: str) -> None:
        self.method, self.code, self.target = method.encode(), code, target
        super().__init__(METHODS[method][0])

    def reply(self, request: bytes) -> bytes:
        if not request.startswith(self.method):
            return super().reply(request)
        location = self.target.replace("{here}", str(self.port))
        head = f"HTTP/1.1 {self.code} X\r\nLocation: {location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        return head.encode()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("code", CODES)
def test_r3_r4_r59_no_redirect_is_followed(code: int, target: str, method: str, roomctl: Run, serving: Serving) -> None:
    name, command, status = METHODS[method]
    elsewhere = serving(Recorder(name))
    here = serving(Redirecting(method, code, target.replace("{elsewhere}", str(elsewhere.port)).replace("{id}", A)))
    done = roomctl(*command)
    asked = [request for request in here.requests if request.startswith(here.method)]
    assert (done.status, done.stdout, elsewhere.requests) == (status, "", []), done.stderr
    assert (len(asked), b"elsewhere" in b"".join(here.requests), KEY in done.stderr) == (1, False, False)
