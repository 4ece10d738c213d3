"""The address that a key is bound to (R3, R14)."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.address import address

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
LONG = "an address without /api/v1 and anything after it"
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
    assert address(url).base == expected
    assert address(expected).base == expected


@pytest.mark.parametrize(("url", "what"), REFUSED)
def test_r14_an_address_that_cannot_carry_a_key_is_refused_without_being_quoted(url: Any, what: str) -> None:
    with pytest.raises(ValueError, match=r".") as raised:
        address(url)
    assert str(raised.value) == what


@given(st.text(alphabet="htps:/[]@.?#\\%1a-_ é\n", max_size=40).map("https://".__add__))
def test_whatever_is_taken_names_one_host_and_stays_as_it_is(url: str) -> None:
    from urllib.parse import urlsplit

    try:
        taken = address(url).base
    except ValueError:
        return
    parts = urlsplit(taken)
    assert address(taken).base == taken
    assert parts.hostname == (urlsplit(url).hostname or "").lower()
    assert (parts.username, parts.query, parts.fragment) == (None, "", "")
