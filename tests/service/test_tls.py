"""Whom to trust over https (R14)."""

import os
import ssl
from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.contract.operations import ROOMSET_LIST
from roomctl.errors import BadConfig
from roomctl.service.transport import tls_context as context
from tests.service.servers import CERTIFICATES, Server, client, reply, server_tls

CA = CERTIFICATES / "ca.pem"
CA_HASH = "4a7d2633.0"  # what `openssl x509 -hash` says of ca.pem


def shakes_hands(made: ssl.SSLContext) -> bool:
    """Whether a context trusts the test authority's server."""
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


def test_a_context_always_verifies(hashed: str) -> None:
    for made in (context(), context(os.fspath(CA)), context(None, (hashed,)), context(None, ())):
        assert (made.verify_mode, made.check_hostname) == (ssl.CERT_REQUIRED, True)
        assert made.minimum_version >= ssl.TLSVersion.TLSv1_2


def test_a_hashed_folder_is_used_where_there_is_one(hashed: str, tmp_path: Path) -> None:
    assert shakes_hands(context(None, (os.fspath(tmp_path / "missing"), os.fspath(tmp_path), hashed)))


def test_without_one_the_bundle_that_comes_with_httpx_is_used(tmp_path: Path) -> None:
    made = context(None, (os.fspath(tmp_path),))
    assert len(made.get_ca_certs()) > 50
    assert not shakes_hands(made)


def test_a_file_of_the_profile_takes_the_place_of_the_system_s(hashed: str) -> None:
    assert shakes_hands(context(os.fspath(CA), ()))
    assert context(os.fspath(CA)).get_ca_certs()[0]["subject"] == ((("commonName", "roomctl test authority"),),)


@pytest.mark.parametrize(
    ("content", "why"),
    [(None, "no such file or directory"), ("", "it holds no certificates"), ("x", "it holds no certificates")],
)
def test_a_file_that_cannot_be_used_is_named(content: str | None, why: str, tmp_path: Path) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    with pytest.raises(BadConfig) as caught:
        client("https://rooms.example.org", ca_file=os.fspath(path))
    assert caught.value.message == f"the certificates of the profile cannot be used: {path}: {why}"


def test_no_variable_of_the_environment_widens_or_watches_the_trust(
    hashed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R14."""
    log = tmp_path / "keys"
    monkeypatch.setenv("SSL_CERT_FILE", os.fspath(CA))
    monkeypatch.setenv("SSL_CERT_DIR", hashed)
    monkeypatch.setenv("SSLKEYLOGFILE", os.fspath(log))
    assert not shakes_hands(context(None, ()))
    assert shakes_hands(context(os.fspath(CA)))
    assert not log.exists()


def test_plain_http_needs_no_certificates(serve: Callable[..., Server]) -> None:
    with client(serve(reply([])).url, ca_file="/nowhere") as service:
        assert service.send(ROOMSET_LIST).value == []
