"""The proxy on the way to a service, its password never in sight (R15)."""

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from roomctl.profiles.addresses import Proxy, proxy_for
from tests.conftest import error_of

PROXY = "http://user:canary-secret@proxy.example:3128"
SERVICE = "https://rooms.example.org:8443"


def found(url: str = SERVICE, **variables: str) -> Proxy | None:
    return proxy_for(Environment({"HTTPS_PROXY": PROXY, **variables}), url)


def test_the_proxy_of_an_https_address_comes_with_its_variable() -> None:
    assert tuple(found() or ()) == (PROXY, "HTTPS_PROXY")
    lower = proxy_for(Environment({"https_proxy": "http://p.example:1"}), SERVICE)
    assert tuple(lower or ()) == ("http://p.example:1", "https_proxy")
    assert proxy_for(Environment({"HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}), SERVICE) is None


HONOURED = {
    SERVICE: "*|rooms.example.org|ROOMS.example.ORG|example.org|.example.org|*.example.org|x.example, rooms.example.org"
    "|x.example rooms.example.org:8443|example.org:8443",
    "https://10.1.2.3": "10.0.0.0/8",
    "https://[2001:db8::1]": "[2001:db8::1]",
    "https://[2001:db8::1]:8443": "[2001:db8::1]:8443",
    **dict.fromkeys(("http://127.0.0.1:8400", "https://127.0.0.1:8400", "https://localhost", "https://[::1]:8443"), ""),
}
"""Whom a value of NO_PROXY, of which `|` stands between several, lets ask directly; R15: this machine always is."""
PASSED_OVER = {
    SERVICE: "|,|.|ooms.example.org|rooms.example.org:443|org:1|10.0.0.0/8",
    "https://11.1.2.3": "10.0.0.0/8",
    "https://10.1.2.3": "10.0.0.0/99",
}
CASES = [
    (url, excluded, direct)
    for table, direct in ((HONOURED, True), (PASSED_OVER, False))
    for url, several in table.items()
    for excluded in several.split("|")
]


@pytest.mark.parametrize(("url", "excluded", "direct"), CASES)
def test_r15_no_proxy_is_honoured_and_names_no_more_than_it_says(url: str, excluded: str, direct: bool) -> None:
    assert [found(url, **{name: excluded}) is None for name in ("NO_PROXY", "no_proxy")] == [direct] * 2


WRONG = ["socks5://{}proxy.example:1"] + [
    f"http://{{}}{rest}"
    for rest in (
        *("", "proxy.example:99999", "proxy.example:0", "proxy.example/path", "proxy.example?q", "[proxy.example"),
        *("proxy example", "proxy.example\n"),
    )
]


@pytest.mark.parametrize("proxy", [each.format("user:canary-secret@") for each in WRONG])
def test_a_proxy_that_cannot_be_used_is_refused_without_being_quoted(proxy: str) -> None:
    raised = error_of(BadConfig, found, HTTPS_PROXY=proxy)
    assert raised.message == "HTTPS_PROXY is not the address of a proxy"
    assert "canary" not in raised.hint


def test_r15_a_password_is_never_shown() -> None:
    assert Proxy(PROXY, "").without_password == "http://***@proxy.example:3128"
    assert Proxy("http://@proxy.example:3128", "").without_password == "http://***@proxy.example:3128"
    assert Proxy("http://proxy.example:3128", "").without_password == "http://proxy.example:3128"
    assert repr(found()) == "Proxy('http://***@proxy.example:3128', 'HTTPS_PROXY')"
