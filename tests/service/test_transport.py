"""How a request leaves: whom to trust over https (R14), and a transport of httpx's kind in place of the network."""

import os
import ssl
from pathlib import Path
from typing import Any

import httpx
import pytest

from roomctl.contract.operations import SOCIAL_END
from roomctl.errors import BadConfig, OutcomeUnknown, RoomctlError, Temporary
from roomctl.service.transport import tls_context
from tests.conftest import Cases, Patch, error_of
from tests.servers import A
from tests.service.servers import CERTIFICATES, KEY, Book, client, server_tls

URL = "http://127.0.0.1:8400"
END: dict[str, Any] = {"path": {"socialId": A}}


def test_r6_what_breaks_has_its_phase_and_shows_no_key(cases: Cases) -> None:
    def says(kind: str, text: str) -> str:
        def broken(_: httpx.Request) -> httpx.Response:
            raise getattr(httpx, kind)(text.replace("KEY", KEY))

        book, transport = Book(), httpx.MockTransport(broken)
        with client(URL, transport=transport, recorder=book) as service, pytest.raises(RoomctlError) as caught:
            service.send(SOCIAL_END, **END)
        error, (*_, outcome, why) = caught.value, book.lines[-1]
        phase, attempts = error.details["phase"], error.details["attempts"]
        assert (type(error), outcome) == ((Temporary, "not_sent") if phase == "P0" else (OutcomeUnknown, "unknown"))
        assert (error.message.endswith(f": {why}"), KEY in error.message) == (True, False)
        return f"{phase}, {attempts}: {why}"

    cases("broken.txt", says)


CA = CERTIFICATES / "ca.pem"
CA_HASH = "4a7d2633.0"  # what `openssl x509 -hash` says of ca.pem


def shakes_hands(made: ssl.SSLContext) -> bool:
    ours, theirs = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_side = made.wrap_bio(theirs, ours, server_hostname="localhost")
    server_side = server_tls().wrap_bio(ours, theirs, server_side=True)
    for _ in range(4):
        for side in (client_side, server_side):
            try:
                side.do_handshake()
            except ssl.SSLWantReadError:
                continue
            except ssl.SSLError:
                return False
    return client_side.version() is not None


@pytest.fixture
def hashed(tmp_path: Path) -> str:
    folder = tmp_path / "hashed"
    folder.mkdir()
    (folder / "README").write_text("not a certificate")
    (folder / CA_HASH).write_bytes(CA.read_bytes())
    return os.fspath(folder)


def test_a_hashed_folder_is_used_where_there_is_one(hashed: str, tmp_path: Path) -> None:
    assert shakes_hands(tls_context(None, (os.fspath(tmp_path / "missing"), os.fspath(tmp_path), hashed)))


def test_without_one_the_bundle_that_comes_with_httpx_is_used(tmp_path: Path) -> None:
    made = tls_context(None, (os.fspath(tmp_path),))
    assert len(made.get_ca_certs()) > 50
    assert not shakes_hands(made)


def test_a_file_of_the_profile_takes_the_place_of_the_system_s(hashed: str) -> None:
    assert shakes_hands(tls_context(os.fspath(CA), ()))
    assert tls_context(os.fspath(CA)).get_ca_certs()[0]["subject"] == ((("commonName", "roomctl test authority"),),)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "no such file or directory"), ("", "it holds no certificates"), ("x", "it holds no certificates")],
)
def test_a_file_that_cannot_be_used_is_named(content: str | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    caught = error_of(BadConfig, client, "https://rooms.example.org", ca_file=os.fspath(path))
    assert caught.message == f"the certificates of the profile cannot be used: {path}: {why}"


def test_r14_no_variable_widens_or_watches_the_trust(hashed: str, tmp_path: Path, monkeypatch: Patch) -> None:
    log = tmp_path / "keys"
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(CA))
    monkeypatch.setenv("SSL_CERT_DIR", hashed)
    monkeypatch.setenv("SSLKEYLOGFILE", os.fspath(log))
    assert not shakes_hands(tls_context(None, ()))
    assert shakes_hands(tls_context(os.fspath(CA)))
    assert not log.exists()
