"""The sandbox's HTTP: a request in, a response out as events, one by one, in this process and on a socket alike."""

import hmac
from collections.abc import Callable, Iterator
from email.utils import format_datetime

from roomctl.contract.operations import KEY_HEADER
from roomctl.errors import LocalFailure
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.gaps import SETTING, Strictness
from roomctl.sandbox.handlers import HANDLERS
from roomctl.sandbox.messages import Event, RawRequest, Response, routes
from roomctl.sandbox.middleware import deliver, with_faults
from roomctl.sandbox.request import Problem, check
from roomctl.sandbox.store import Store, encode

App = Callable[[RawRequest], Iterator[Event]]
HOSTS = ("127.0.0.1", "localhost", "[::1]")
"""Only this machine's names, so that no page in a browser reaches the sandbox by a name of its own."""
ERROR_PAGE = (
    "<html><head><title>{status}</title></head><body><h1>{status} Something went wrong</h1>Please try again."
    "</body></html>"
)


def build(
    store: Store, key: str, faults: FaultStore | None = None, *, strictness: str = "",
    tell: Callable[[str], None] | None = None,
) -> App:  # fmt: skip
    """Make the application over a store; `strictness` goes before that of the world.

    With `tell`, a defect is a 500, and a line without any value of the request; without it, it is raised.
    """

    def respond(request: RawRequest) -> Response:
        level = Strictness(strictness or store.meta(SETTING) or "lenient")
        try:
            return _answer(store, key, request, level)
        except Problem as problem:
            return _refuse(problem, level)
        except LocalFailure as error:
            level.note("busy")
            return _refuse(Problem(503, str(error)), level)
        except Exception as error:
            if tell is None:
                raise
            tell(f"SANDBOX: a bug: {request.method} {request.full_path[:100]}: {type(error).__name__}")
            return Problem(500, "a bug in the sandbox").response()

    return with_faults(respond, faults) if faults else lambda request: deliver(respond(request))


def _answer(store: Store, key: str, raw: RawRequest, strictness: Strictness) -> Response:
    host = raw.headers.get("host", "")
    if (host if host.endswith("]") else host.rpartition(":")[0] or host).lower() not in HOSTS:
        raise Problem(421, "this host is not served: use 127.0.0.1")
    found = routes(raw.full_path)
    if not found:
        raise Problem(404, "nothing is at this path")
    if raw.method not in found:
        allowed = ", ".join(found)
        raise Problem(405, f"the method here is {allowed}", headers={"Allow": allowed})
    given = raw.headers.get(KEY_HEADER.lower(), "")
    if not hmac.compare_digest(given.encode(), key.encode()):
        strictness.note("keys")
        raise Problem(401, f"the header {KEY_HEADER} is {'not a key of this sandbox' if given else 'missing'}")
    operation, path = found[raw.method]
    reply = HANDLERS[operation.name](store, check(raw, operation, path, strictness))
    if operation.reply is not None:
        response = Response(200).with_body(encode(strictness.reply(operation, reply)))
    else:
        response = Response(200).with_body(b"OK" if strictness.hostile("no-reply") else b"", "text/plain")
    dated = {"Date": format_datetime(store.now(), usegmt=True)} if operation.writes else {}
    return response.with_headers({**strictness.headers, **dated})


def _refuse(problem: Problem, strictness: Strictness) -> Response:
    """Answer what is wrong; read hostilely, as a page that says nothing."""
    strictness.note("error-statuses", "error-shape")
    response = problem.response()
    if strictness.level == "hostile":
        status = {401: 403}.get(problem.status, problem.status if problem.status >= 500 else 400)
        page = ERROR_PAGE.format(status=status).encode()
        response = response._replace(status=status).with_body(page, "text/html; charset=utf-8")
    return response.with_headers(strictness.headers)
