"""The proxy on the way to a service, its password never in sight (R15)."""

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from roomctl.profiles.addresses import Proxy, proxy_for
from tests.conftest import Cases, error_of

PROXY = "http://user:canary-secret@proxy.example:3128"
SERVICE = "https://rooms.example.org:8443"


def found(url: str = SERVICE, **variables: str) -> Proxy | None:
    return proxy_for(Environment({"HTTPS_PROXY": PROXY, **variables}), url)


def test_the_proxy_of_an_https_address_comes_with_its_variable() -> None:
    assert tuple(found() or ()) == (PROXY, "HTTPS_PROXY")
    lower = proxy_for(Environment({"https_proxy": "http://p.example:1"}), SERVICE)
    assert tuple(lower or ()) == ("http://p.example:1", "https_proxy")
    assert proxy_for(Environment({"HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}), SERVICE) is None


def test_r15_no_proxy_is_honoured_and_names_no_more_than_it_says(cases: Cases) -> None:
    def says(url: str, excluded: str) -> str:
        told = {"directly" if found(url, **{name: excluded}) is None else "proxy" for name in ("NO_PROXY", "no_proxy")}
        return " or ".join(told)

    cases("no-proxy.txt", says)


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
