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
REFUSED: dict[str, list[Any]] = {
    "an address such as https://rooms.example.org": [
        None, 443, "", "rooms.example.org", "//rooms.example.org", "ftp://a.example", "https://", "https:///rooms",
        "https://a.example:99999", "https://a.example:0", "https://a.example:", "https://a.example:0443",
        "https://a.example:80a", "https://a b.example", "https://a.exam\tple", "https://a.example\n",
        "https://bücher.example", "https://-a.example", "https://a.example.", "https://a\\.example",
        "https://a%2eexample", "https://[::1", "https://[::1]evil.example", "https://[fe80::1%eth0]",
        "https://[1:2]",
    ],
    "an address without user, query and fragment": [
        "https://u:p@a.example", "https://good.example\\@evil.example", "https://a.example/?x=1",
        "https://a.example?", "https://a.example/#x",
    ],
    "an https address (http is accepted for localhost only)": [
        "http://a.example", "http://127.0.0.1.evil.example", "http://localhost.evil.example",
        "http://evil.localhost", "http://2130706433", "http://0.0.0.0", "http://[::ffff:127.0.0.1]",
    ],
    "an address without /api/v1 and anything after it": [
        "https://a.example/api/v1/social", "https://a.example/api/v1/api/v1", "https://a.example/../x",
        "https://a.example/x//y", "https://a.example/x;y", "https://a.example/%2e%2e",
    ],
}  # fmt: skip
"""What is no address, by what is said of it."""


@pytest.mark.parametrize(("url", "expected"), FORMS)
def test_an_address_has_one_form(url: str, expected: str) -> None:
    assert address(url).base == expected
    assert address(expected).base == expected


@pytest.mark.parametrize(("url", "what"), [(url, what) for what, urls in REFUSED.items() for url in urls])
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
