"""Hostile servers: bounded time, bounded bytes, one origin (R3, R4, R10 to R15, R59)."""

import select
import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from roomctl.contract.operations import (
    RECORDING_LIST,
    ROOMSET_CREATE,
    ROOMSET_LIST,
    ROOMSET_UPDATE,
    SOCIAL_END,
    USER_GET,
)
from roomctl.errors import BadConfig, OutcomeUnknown, Refused, RoomctlError, Temporary, Unintelligible
from tests.conftest import Patch
from tests.servers import A, Loopback
from tests.service.servers import (
    CERTIFICATES,
    KEY,
    ROOM,
    Book,
    Server,
    client,
    drip,
    hang_up,
    reply,
    reset,
    response,
    say,
    server_tls,
)

Serve = Callable[..., Server]
END: dict[str, Any] = {"path": {"socialId": A}}
OK = b"HTTP/1.1 200 OK\r\n"
CA = str(CERTIFICATES / "ca.pem")


def listing(url: str, **more: Any) -> Any:
    with client(url, **{"retries": 0, **more}) as service:
        return service.send(ROOMSET_LIST).value


def ending(url: str, **more: Any) -> Any:
    with client(url, **more) as service:
        return service.send(SOCIAL_END, **END).value


@pytest.mark.parametrize(
    "script",
    [
        drip(b"", b"", 0.5),
        drip(b"", b"H", 0.05),
        drip(OK + b"Content-Length: 9999\r\n\r\n[", b" ", 0.05),
        drip(OK + b"\r\n[", b" ", 0.05),
        drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1\r\n \r\n", 0.05),
        drip(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", 0.001),
        drip(OK, b"X-More: yes\r\n", 0.05),
        drip(b"HTTP/1.1 500 X\r\nContent-Length: 99\r\n\r\n", b"x", 0.05),
        drip(OK + b"\r\n[]", b"", 0.05),
    ],
    ids=["silence", "status", "body", "endless", "chunks", "103", "headers", "error-body", "whole-but-open"],
)
def test_an_attempt_ends_at_its_deadline_whatever_drips(script: Any, serve: Serve) -> None:
    """R12, R56: httpx's own timeouts would begin anew with each byte. R30: what it ends is not taken for whole."""
    start = time.monotonic()
    with pytest.raises(Temporary, match=r"no reply in time|HTTP 500"):
        listing(serve(script).url, timeout=0.3)
    assert 0.25 < time.monotonic() - start < 15


def test_a_deadline_says_whether_something_was_sent(serve: Serve) -> None:
    book = Book()
    with pytest.raises(OutcomeUnknown, match="no reply in time"):
        ending(serve(drip(b"", b"", 0.5)).url, timeout=0.3, recorder=book)
    assert book.lines[1:] == [("sent", "entry"), ("settled", "entry", "unknown", "no reply in time")]


def test_a_server_that_reads_nothing_does_not_hold_a_write_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        start = time.monotonic()
        with client(url, timeout=0.3) as service, pytest.raises(OutcomeUnknown, match="no reply in time"):
            service.send(ROOMSET_UPDATE, body={"description": "x" * 30_000_000})
        assert time.monotonic() - start < 15


def test_a_full_backlog_is_no_connection_in_time() -> None:
    """P0 by deadline: nothing was sent."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        place = listener.getsockname()
        held = [socket.socket() for _ in range(4)]
        for each in held:
            each.setblocking(False)
            each.connect_ex(place)
        with pytest.raises(Temporary, match="no connection in time") as caught:
            ending(f"http://127.0.0.1:{place[1]}", timeout=0.2, retries=0)
        assert caught.value.outcome == "not_sent"
        for each in held:
            each.close()


def test_a_long_body_is_refused_with_and_without_a_length(serve: Serve) -> None:
    """R10, R11: 8 MiB for a record, 32 MiB for a page."""
    announced = serve(say(OK + b"Content-Length: 8388609\r\n\r\n"))
    endless = serve(drip(OK + b"\r\n", b" " * 65536, 0.0, times=200))
    for server in (announced, endless):
        with client(server.url) as service, pytest.raises(Unintelligible, match="more than 8 MiB"):
            service.send(USER_GET, path={"userId": A})
    page = serve(drip(OK + b"\r\n", b" " * 65536, 0.0, times=600))
    with pytest.raises(Unintelligible, match="more than 32 MiB"):
        listing(page.url)


@pytest.mark.parametrize(
    "length", ["Content-Length: 2\r\nContent-Length: 3", "Content-Length: -1", "Content-Length: 2x"]
)
def test_a_length_that_makes_no_sense_is_not_http(length: str, serve: Serve) -> None:
    server = serve(say(OK + length.encode() + b"\r\n\r\n[]"))
    with pytest.raises(Unintelligible, match="the reply is not HTTP"):
        listing(server.url)
    with pytest.raises(OutcomeUnknown, match="the reply is not HTTP"):
        ending(server.url)


@pytest.mark.parametrize("amount", [103, 150, 400])
def test_headers_beyond_100_kib_are_refused(amount: int, serve: Serve) -> None:
    """R13, in one read or in many."""
    lines = b"".join(b"X-%d: %s\r\n" % (number, b"x" * 1000) for number in range(amount))
    server = serve(say(OK + lines + b"Content-Length: 2\r\n\r\n[]"))
    with pytest.raises(Unintelligible):
        listing(server.url)


def test_a_reset_after_the_headers_is_a_cut_body(serve: Serve) -> None:
    script = reset(OK + b"Content-Length: 100\r\n\r\n[")
    with pytest.raises(Temporary, match="reset"):
        listing(serve(script).url)
    with pytest.raises(OutcomeUnknown, match="reset"):
        ending(serve(script).url)


def test_an_early_no_is_heard_while_a_body_is_still_being_sent() -> None:
    """A server may refuse a body that it has not read: that is a refusal, not a lost answer."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def refuse() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(response({"message": "too large"}, 413, ["Connection: close"]))
                connection.shutdown(socket.SHUT_RD)
                time.sleep(0.3)

        thread = threading.Thread(target=refuse)
        thread.start()
        with client(f"http://127.0.0.1:{listener.getsockname()[1]}") as service, pytest.raises(RoomctlError) as caught:
            service.send(ROOMSET_CREATE, body=["x" * 20_000_000])
        thread.join(20)
        assert (type(caught.value), caught.value.http) in [(Refused, 413), (OutcomeUnknown, None)]


def test_a_reset_while_a_body_is_still_being_sent_leaves_it_unknown(serve: Serve) -> None:
    class Rude(Server):
        def read(self, connection: socket.socket) -> bytes:
            return connection.recv(10)

    server = Rude(reset())
    with client(server.url) as service, pytest.raises(OutcomeUnknown):
        service.send(ROOMSET_CREATE, body=["x" * 20_000_000])
    assert server.connections == 1
    server.close()


def test_reads_share_a_connection_and_each_write_has_its_own(serve: Serve) -> None:
    server = serve(reply([]), reply([]), reply(ROOM), reply(ROOM), reply([]))
    with client(server.url) as service:
        service.send(ROOMSET_LIST)
        service.send(RECORDING_LIST)
        assert server.connections == 1
        service.send(SOCIAL_END, **END)
        service.send(SOCIAL_END, **END)
        assert server.connections == 3
        service.send(ROOMSET_LIST)
        assert server.connections == 3
    closing = [b"\r\nConnection: close\r\n" in request for request in server.requests]
    assert closing == [False, False, True, True, False]


@pytest.mark.parametrize(("behind", "asked"), [(b"\r\n", 2), (response([]), 3)])
def test_bytes_behind_a_reply_are_no_answer_to_the_next_request(behind: bytes, asked: int, serve: Serve) -> None:
    """They came before it was sent; and which of two replies is the answer to the first is not known either."""
    server = serve(say(response([{"name": "x"}]) + behind), *[reply([{"name": "x"}])] * 2)
    with client(server.url, retries=1) as service:
        assert [service.send(ROOMSET_LIST).value for _ in range(2)] == [[{"name": "x"}]] * 2
    assert (len(server.requests), server.connections) == (asked, 2)


def test_an_idle_connection_that_the_server_closed_is_not_used(serve: Serve) -> None:
    server = serve(hang_up(response([])), reply([]))
    with client(server.url, retries=0) as service:
        service.send(ROOMSET_LIST)
        time.sleep(0.1)
        service.send(ROOMSET_LIST)
    assert server.connections == 2


def test_who_still_waits_when_a_client_is_closed_repeats_nothing_and_says_nothing(serve: Serve) -> None:
    asked, closed = threading.Event(), threading.Event()

    def held(_: socket.socket) -> None:
        asked.set()
        closed.wait(20)
        raise ConnectionAbortedError

    def read() -> None:
        with pytest.raises(Temporary) as caught:
            service.send(ROOMSET_LIST)
        failures.append(caught.value.details["attempts"])

    notes: list[str] = []
    failures: list[int] = []
    with client(serve(held).url, note=notes.append) as service:
        thread = threading.Thread(target=read)
        thread.start()
        asked.wait(20)
    closed.set()
    thread.join(20)
    assert (failures, notes) == ([1], [])


def test_localhost_is_this_machine_whatever_a_name_server_says(serve: Serve, monkeypatch: Patch) -> None:
    real = socket.getaddrinfo

    def lying(host: str, *more: Any, **names: Any) -> Any:
        return real(host if host[0].isdigit() else "192.0.2.1", *more, **names)

    monkeypatch.setattr(socket, "getaddrinfo", lying)
    assert listing(f"http://localhost:{serve(reply([1])).port}") == [1]


def test_the_second_address_is_tried_when_the_first_refuses(serve: Serve) -> None:
    try:
        server = serve(reply([1]), host="::1")
    except OSError:
        pytest.skip("this machine has no IPv6 loopback")
    assert listing(f"http://localhost:{server.port}") == [1]
    assert listing(f"http://[::1]:{server.port}") == [1]
    assert f"Host: [::1]:{server.port}".encode() in server.requests[1]


def secure(server: Server, name: str = "localhost") -> str:
    return f"https://{name}:{server.port}"


def test_r14_https_is_verified_against_the_profile_s_file(serve: Serve) -> None:
    server = serve(reply([1]), tls=server_tls())
    assert listing(secure(server), ca_file=CA) == [1]
    assert listing(secure(server, "127.0.0.1"), ca_file=CA) == [1]
    with client(secure(server), ca_file=CA) as service:
        assert [service.send(ROOMSET_LIST).value for _ in range(2)] == [[1], [1]]
    assert server.connections == 3


def test_a_certificate_that_is_not_trusted_ends_it_at_once(serve: Serve) -> None:
    """R14: P3, nothing was sent, the key least of all."""
    for pem, ca_file in (("server.pem", None), ("other.pem", CA)):
        server = serve(reply([1]), tls=server_tls(pem))
        book = Book()
        with pytest.raises(BadConfig, match="the certificate of the service is not trusted") as caught:
            ending(secure(server), ca_file=ca_file, recorder=book)
        assert (caught.value.exit, caught.value.outcome, server.requests) == (2, "not_sent", [])
        assert book.lines[-1][2] == "not_sent"
        assert server.connections == 1


class Blunt(Server):
    """Answers whatever comes first."""

    def read(self, connection: socket.socket) -> bytes:
        return connection.recv(65536)


def test_a_server_without_tls_is_a_wrong_address_and_no_temporary_failure(serve: Serve) -> None:
    server = Blunt(hang_up(b"HTTP/1.1 400 Bad Request\r\n\r\n"))
    with pytest.raises(BadConfig, match="the server at its port does not use TLS") as caught:
        ending(secure(server), timeout=2)
    server.close()
    assert (caught.value.details, caught.value.outcome) == ({"phase": "P0", "attempts": 1}, "not_sent")


def test_a_handshake_has_a_deadline_too() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        start = time.monotonic()
        with pytest.raises(Temporary, match="no connection in time"):
            ending(f"https://localhost:{listener.getsockname()[1]}", timeout=0.3, retries=0)
        assert time.monotonic() - start < 15


def test_a_write_over_tls_that_fails_may_have_left(serve: Serve) -> None:
    server = serve(hang_up(), tls=server_tls())
    with pytest.raises(OutcomeUnknown):
        ending(secure(server), ca_file=CA)
    assert len(server.requests) == 1


class Tunnel(Loopback):
    """A proxy that opens tunnels to one server, or refuses them."""

    def __init__(self, target: Server, answer: bytes) -> None:
        self.target = target
        self.answer = answer
        super().__init__()

    def attend(self, connection: socket.socket) -> None:
        connection.settimeout(20)
        self.held.append(connection)
        self.requests.append(self.read(connection))
        connection.sendall(self.answer)
        with socket.create_connection(("127.0.0.1", self.target.port)) as onward:
            back = threading.Thread(target=self.pump, args=(onward, connection), daemon=True)
            back.start()
            self.pump(connection, onward)
            back.join(20)

    def pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass


def test_a_proxy_sees_the_tunnel_and_nothing_else(serve: Serve) -> None:
    """R15: the request leaves only when the tunnel stands."""
    server = serve(reply([1]), reply(ROOM), tls=server_tls("other.pem"))
    proxy = Tunnel(server, b"HTTP/1.1 200 OK\r\n\r\n")
    book = Book()
    address = f"http://us%40er:pass@127.0.0.1:{proxy.port}"
    with client("https://rooms.example.org", proxy=address, ca_file=CA, recorder=book) as service:
        assert service.send(ROOMSET_LIST).value == [1]
        assert service.send(SOCIAL_END, **END).value == ROOM
    proxy.close()
    assert all(request.startswith(b"CONNECT rooms.example.org:443 HTTP/1.1\r\n") for request in proxy.requests)
    assert b"Proxy-Authorization: Basic dXNAZXI6cGFzcw==" in proxy.requests[0]
    assert KEY.encode() not in b"".join(proxy.requests)
    assert KEY.encode() in server.requests[0]
    assert [line[0] for line in book.lines] == ["planned", "sent", "settled"]


def test_a_proxy_that_refuses_is_no_connection(serve: Serve) -> None:
    """P0, and its password is in no message."""
    proxy = serve(hang_up(b"HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
    book = Book()
    proxied = client("https://rooms.example.org", proxy=f"http://u:hunter2@127.0.0.1:{proxy.port}", recorder=book)
    with proxied as service, pytest.raises(Temporary) as caught:
        service.send(SOCIAL_END, **END)
    assert caught.value.message == f"could not end room {A}: the proxy refused: 407 Proxy Authentication Required"
    assert caught.value.details == {"phase": "P0", "attempts": 4}
    assert [line[0] for line in book.lines] == ["planned", "settled"]


def test_a_proxy_that_speaks_something_else_is_no_connection(serve: Serve) -> None:
    proxy = serve(hang_up(b"SSH-2.0-OpenSSH_9.9\r\n"))
    with client("https://rooms.example.org", proxy=f"127.0.0.1:{proxy.port}", retries=0) as service:
        for _ in range(2):
            with pytest.raises(Temporary, match="ended before the reply was complete"):
                service.send(ROOMSET_LIST)


def test_a_name_server_that_does_not_answer_is_no_connection_in_time(monkeypatch: Patch) -> None:
    """R12: a resolver knows no deadline of ours."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: time.sleep(20))
    start = time.monotonic()
    with pytest.raises(Temporary, match="no connection in time"):
        ending("https://rooms.example.org", timeout=0.2, retries=0)
    assert time.monotonic() - start < 15


def test_what_finds_its_way_only_after_the_deadline_is_not_sent_any_more(serve: Serve, monkeypatch: Patch) -> None:
    """R12, R40: it was said that nothing was sent, and that stays true."""
    server = serve(reply(ROOM), tls=server_tls("other.pem"))
    found = threading.Event()

    def slow(*_: Any, **__: Any) -> Any:
        time.sleep(0.4)
        found.set()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", server.port))]

    monkeypatch.setattr(socket, "getaddrinfo", slow)
    book = Book()
    with pytest.raises(Temporary, match="no connection in time"):
        ending("https://rooms.example.org", ca_file=CA, timeout=0.2, retries=0, recorder=book)
    assert found.wait(20)
    time.sleep(0.3)
    assert (server.connections, server.requests) == (1, [])
    assert [line[0] for line in book.lines] == ["planned", "settled"]


def test_an_attempt_that_is_late_leaves_no_connection_behind(serve: Serve) -> None:
    """R12: not even where its connection had served others before."""
    ended = threading.Event()

    def dripping(connection: socket.socket) -> None:
        try:
            drip(OK, b"X-More: yes\r\n", 0.02)(connection)
        finally:
            ended.set()

    server = serve(reply([]), dripping)
    with client(server.url, timeout=0.3, retries=0) as service:
        service.send(ROOMSET_LIST)
        with pytest.raises(Temporary, match="no reply in time"):
            service.send(ROOMSET_LIST)
        assert ended.wait(20)
    assert server.connections == 1


@pytest.mark.parametrize("host", ["127.0.0.999", "1.2.3.999", "a" * 64])
def test_an_address_that_cannot_be_one_is_said(host: str) -> None:
    with pytest.raises((BadConfig, Temporary)) as caught:
        ending(f"https://{host}", retries=0)
    assert "base URL is not an address" in caught.value.message or "cannot resolve" in caught.value.message


@pytest.mark.parametrize(
    "location", ["https://xn--zzzz-/", "http://[", "https://\\ud800/", "http:///", "\xff", "https://x:y"]
)
@pytest.mark.parametrize("operation", [ROOMSET_LIST, SOCIAL_END], ids=["GET", "POST"])
def test_r4_a_redirect_to_what_is_no_address_is_a_redirect(location: str, operation: Any, serve: Serve) -> None:
    """`httpx.Client` makes a request of it even where it follows none, and fails."""
    head = f"HTTP/1.1 302 X\r\nLocation: {location}\r\nContent-Length: 0\r\n\r\n".encode("latin-1")
    with client(serve(say(head)).url) as service, pytest.raises(RoomctlError) as caught:
        service.send(operation, path={"socialId": A} if operation is SOCIAL_END else {})
    assert "HTTP 302, a redirect, which roomctl does not follow" in caught.value.message


def test_an_idle_socket_is_looked_at_without_poll_too(monkeypatch: Patch, serve: Serve) -> None:
    monkeypatch.delattr(select, "poll")
    server = serve(reply([]))
    with client(server.url) as service:
        service.send(ROOMSET_LIST)
        service.send(ROOMSET_LIST)
    assert server.connections == 1


@pytest.mark.parametrize("proxy", ["https://proxy:1", "socks5://proxy:1", "http://", "http://x:y:z", "http://h:99999"])
def test_a_proxy_that_cannot_be_used_is_said_without_repeating_it(proxy: str) -> None:
    with pytest.raises(BadConfig) as caught:
        client("https://rooms.example.org", proxy=proxy)
    assert caught.value.message == "the proxy is not an address such as http://proxy.example.org:3128"
