"""The proxy on the way to a service, its password never in sight (R15)."""

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from roomctl.profiles.addresses import Proxy, proxy_for

PROXY = "http://user:canary-secret@proxy.example:3128"
SERVICE = "https://rooms.example.org:8443"


def found(url: str = SERVICE, **variables: str) -> Proxy | None:
    return proxy_for(Environment({"HTTPS_PROXY": PROXY, **variables}), url)


def test_the_proxy_of_an_https_address_comes_with_its_variable() -> None:
    assert tuple(found() or ()) == (PROXY, "HTTPS_PROXY")
    lower = proxy_for(Environment({"https_proxy": "http://p.example:1"}), SERVICE)
    assert tuple(lower or ()) == ("http://p.example:1", "https_proxy")
    assert proxy_for(Environment({"HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}), SERVICE) is None


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:8400", "https://127.0.0.1:8400", "https://localhost", "https://[::1]:8443"]
)
def test_r15_this_machine_is_asked_directly(url: str) -> None:
    assert found(url) is None


@pytest.mark.parametrize(
    "excluded",
    [
        "*",
        "rooms.example.org",
        "ROOMS.example.ORG",
        "example.org",
        ".example.org",
        "*.example.org",
        "x.example, rooms.example.org",
        "x.example rooms.example.org:8443",
        "example.org:8443",
    ],
)
def test_no_proxy_is_honoured(excluded: str) -> None:
    assert found(NO_PROXY=excluded) is None
    assert found(no_proxy=excluded) is None


@pytest.mark.parametrize("excluded", ["", ",", ".", "ooms.example.org", "rooms.example.org:443", "org:1", "10.0.0.0/8"])
def test_no_proxy_names_no_more_than_it_says(excluded: str) -> None:
    assert found(NO_PROXY=excluded) is not None


def test_no_proxy_may_name_networks_and_addresses() -> None:
    assert found("https://10.1.2.3", NO_PROXY="10.0.0.0/8") is None
    assert found("https://11.1.2.3", NO_PROXY="10.0.0.0/8") is not None
    assert found("https://[2001:db8::1]", NO_PROXY="[2001:db8::1]") is None
    assert found("https://[2001:db8::1]:8443", NO_PROXY="[2001:db8::1]:8443") is None
    assert found("https://10.1.2.3", NO_PROXY="10.0.0.0/99") is not None


@pytest.mark.parametrize(
    "proxy",
    [
        "socks5://user:canary-secret@proxy.example:1",
        "http://user:canary-secret@",
        "http://user:canary-secret@proxy.example:99999",
        "http://user:canary-secret@proxy.example:0",
        "http://user:canary-secret@proxy.example/path",
        "http://user:canary-secret@proxy.example?q",
        "http://user:canary-secret@[proxy.example",
        "http://user:canary-secret@proxy example",
        "http://user:canary-secret@proxy.example\n",
    ],
)
def test_a_proxy_that_cannot_be_used_is_refused_without_being_quoted(proxy: str) -> None:
    with pytest.raises(BadConfig) as raised:
        found(HTTPS_PROXY=proxy)
    assert raised.value.message == "HTTPS_PROXY is not the address of a proxy"
    assert "canary" not in raised.value.hint


def test_r15_a_password_is_never_shown() -> None:
    assert Proxy(PROXY, "").without_password == "http://***@proxy.example:3128"
    assert Proxy("http://@proxy.example:3128", "").without_password == "http://***@proxy.example:3128"
    assert Proxy("http://proxy.example:3128", "").without_password == "http://proxy.example:3128"
    assert repr(found()) == "Proxy('http://***@proxy.example:3128', 'HTTPS_PROXY')"
