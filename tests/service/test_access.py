"""Addresses and keys, looked at before a client exists (R2, R14)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import BadConfig, NotAllowed
from roomctl.service.access import Address, address, usable_key


@pytest.mark.parametrize(
    ("text", "wanted", "base"),
    [
        ("https://rooms.example.org", Address("https", "rooms.example.org", 443, ""), "https://rooms.example.org"),
        ("HTTPS://Rooms.Example.ORG:443/", Address("https", "rooms.example.org", 443, ""), "https://rooms.example.org"),
        ("https://h:8443/a/b/api/v1", Address("https", "h", 8443, "/a/b"), "https://h:8443/a/b"),
        ("http://127.0.0.1:8400", Address("http", "127.0.0.1", 8400, ""), "http://127.0.0.1:8400"),
        ("http://127.9.9.9", Address("http", "127.9.9.9", 80, ""), "http://127.9.9.9"),
        ("http://localhost:80", Address("http", "localhost", 80, ""), "http://localhost"),
        ("http://[::1]:8400", Address("http", "::1", 8400, ""), "http://[::1]:8400"),
    ],
)
def test_an_address_is_taken_apart(text: str, wanted: Address, base: str) -> None:
    assert (address(text), address(text).base) == (wanted, base)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "rooms.example.org",
            "ftp://h",
            "https://",
            "https:///x",
            "https://h:99999",
            "https://[::1",
            "https://h:x",
        ),
        *("http://rooms.example.org", "http://127.0.0.1.evil.org", "http://localhost.evil.org", "http://0.0.0.0"),
        *(
            "https://user@h",
            "https://u:p@h",
            "https://@h",
            "https://h?x=1",
            "https://h#x",
            "https://h/a b",
            "https://h/é",
        ),
        *(
            "https://h\n",
            "https://h/\x00",
            "https://h é",
            "https://ho st",
            "https://h\\@evil",
            "http://127.0.0.1@evil.org",
        ),
    ],
)
def test_an_address_that_could_lead_elsewhere_is_refused(text: str) -> None:
    with pytest.raises(BadConfig, match="the base URL is not an"):
        address(text)


@pytest.mark.parametrize("key", ["x" * 8, "x" * 512, "!~" * 4, "a-b_c.d:e/f+g="])
@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_key_loses_one_trailing_newline(key: str, end: str) -> None:
    """R2."""
    assert usable_key(key + end) == key


@pytest.mark.parametrize(
    "key",
    [
        *(
            "",
            "\n",
            "x" * 7,
            "x" * 513,
            "x" * 100_000,
            "12345678\n\n",
            "1234\n5678",
            "1234\r\n5678",
            "1234 5678",
            " 12345678",
        ),
        *("12345678 ", "1234é5678", "1234\x005678", "1234\t5678", "\ufeff12345678", "12345678\x7f", "１２３４５６７８"),
    ],
)
def test_what_cannot_be_a_key_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(NotAllowed) as caught:
        usable_key(key)
    assert caught.value.message == "this cannot be a key: a key is 8 to 512 visible ASCII characters"


@given(st.text(min_size=1, max_size=600))
def test_a_key_is_whole_or_refused(text: str) -> None:
    try:
        key = usable_key(text)
    except NotAllowed as error:
        assert len(text) < 4 or text not in f"{error.message} {error.hint}"
    else:
        assert text.removesuffix("\n").removesuffix("\r") == key
        assert key.isascii() and key.isprintable() and " " not in key and 8 <= len(key) <= 512
