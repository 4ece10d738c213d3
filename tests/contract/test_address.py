"""The address that a key is bound to (R3, R14)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.address import address
from tests.conftest import Cases


def test_r14_an_address_has_one_form_and_what_cannot_carry_a_key_is_refused_and_not_quoted(cases: Cases) -> None:
    def says(url: Any) -> str:
        try:
            base = address(url).base
        except ValueError as error:
            return f"it is not {error}"
        assert address(base).base == base
        return base

    cases("addresses.txt", says)


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
