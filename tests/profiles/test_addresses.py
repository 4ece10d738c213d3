"""The address that a key is bound to (R3, R14), and the proxy on the way there, its password never in sight (R15)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from roomctl.profiles.addresses import Proxy, base_url, proxy_for

FORMS = [
    ("https://Rooms.Example.org:443/api/v1/", "https://rooms.example.org"),
    ("HTTPS://rooms.example.org", "https://rooms.example.org"),
    ("https://rooms.example.org:8443/api/v1", "https://rooms.example.org:8443"),
    ("https://rooms.example.org//", "https://rooms.example.org"),
    ("https://a.example/rooms/", "https://a.example/rooms"),
    ("https://a.example/rooms/api/v1", "https://a.example/rooms"),
    ("http://localhost:8400/", "http://localhost:8400"),
    ("http://LOCALHOST:80", "http://localhost"),
    ("http://127.0.0.1:8400", "http://127.0.0.1:8400"),
    ("http://127.9.8.7", "http://127.9.8.7"),
    ("http://[::1]:8400", "http://[::1]:8400"),
    ("http://[0:0:0:0:0:0:0:1]", "http://[::1]"),
    ("https://[2001:DB8::1]", "https://[2001:db8::1]"),
    ("https://rooms_internal:8443", "https://rooms_internal:8443"),
    ("https://xn--bcher-kva.example", "https://xn--bcher-kva.example"),
]
EXAMPLE = "an address such as https://rooms.example.org"
BARE = "an address without user, query and fragment"
SHUT = "an https address: http is for this machine only"
LONG = "an address up to /api/v1, without what follows it"
REFUSED = [
    (None, EXAMPLE),
    (443, EXAMPLE),
    ("", EXAMPLE),
    ("rooms.example.org", EXAMPLE),
    ("//rooms.example.org", EXAMPLE),
    ("ftp://a.example", EXAMPLE),
    ("https://", EXAMPLE),
    ("https:///rooms", EXAMPLE),
    ("https://a.example:99999", EXAMPLE),
    ("https://a.example:0", EXAMPLE),
    ("https://a.example:", EXAMPLE),
    ("https://a.example:0443", EXAMPLE),
    ("https://a.example:80a", EXAMPLE),
    ("https://a b.example", EXAMPLE),
    ("https://a.exam\tple", EXAMPLE),
    ("https://a.example\n", EXAMPLE),
    ("https://bücher.example", EXAMPLE),
    ("https://-a.example", EXAMPLE),
    ("https://a.example.", EXAMPLE),
    ("https://a\\.example", EXAMPLE),
    ("https://a%2eexample", EXAMPLE),
    ("https://[::1", EXAMPLE),
    ("https://[::1]evil.example", EXAMPLE),
    ("https://[fe80::1%eth0]", EXAMPLE),
    ("https://[1:2]", EXAMPLE),
    ("https://u:p@a.example", BARE),
    ("https://good.example\\@evil.example", BARE),
    ("https://a.example/?x=1", BARE),
    ("https://a.example?", BARE),
    ("https://a.example/#x", BARE),
    ("http://a.example", SHUT),
    ("http://127.0.0.1.evil.example", SHUT),
    ("http://localhost.evil.example", SHUT),
    ("http://evil.localhost", SHUT),
    ("http://2130706433", SHUT),
    ("http://0.0.0.0", SHUT),
    ("http://[::ffff:127.0.0.1]", SHUT),
    ("https://a.example/api/v1/social", LONG),
    ("https://a.example/api/v1/api/v1", LONG),
    ("https://a.example/../x", LONG),
    ("https://a.example/x//y", LONG),
    ("https://a.example/x;y", LONG),
    ("https://a.example/%2e%2e", LONG),
]


@pytest.mark.parametrize(("url", "expected"), FORMS)
def test_an_address_has_one_form(url: str, expected: str) -> None:
    assert base_url(url) == expected
    assert base_url(expected) == expected


@pytest.mark.parametrize(("url", "what"), REFUSED)
def test_r14_an_address_that_cannot_carry_a_key_is_refused_without_being_quoted(url: Any, what: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        base_url(url)
    assert str(raised.value) == what


@given(st.text(alphabet="htps:/[]@.?#\\%1a-_ é\n", max_size=40).map("https://".__add__))
def test_whatever_is_taken_names_one_host_and_stays_as_it_is(url: str) -> None:
    from urllib.parse import urlsplit

    try:
        taken = base_url(url)
    except ValueError:
        return
    parts = urlsplit(taken)
    assert base_url(taken) == taken
    assert parts.hostname == (urlsplit(url).hostname or "").lower()
    assert (parts.username, parts.query, parts.fragment) == (None, "", "")


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
