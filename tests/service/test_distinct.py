"""Telling rows apart, in memory and on disk (R32, R35)."""

import sqlite3
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import LocalFailure
from roomctl.service.distinct import Distinct, canonical, digest, fingerprint, key_of, version
from tests.conftest import Patch
from tests.exports.paged import identifier


@given(st.lists(st.lists(st.text(max_size=3), max_size=12), max_size=12), st.integers(1, 9))
def test_a_key_is_fresh_once_whether_it_is_in_memory_or_on_disk(pages: list[list[str]], spill_at: int) -> None:
    seen: set[str] = set()
    distinct = Distinct(spill_at)
    for page in pages:
        expected = []
        for key in page:
            expected.append(key not in seen)
            seen.add(key)
        assert distinct.fresh(page) == expected
    assert distinct.count == len(seen)


def test_r48_an_id_in_another_form_is_the_same_row_and_a_text_that_is_no_id_is_not() -> None:
    for distinct in (Distinct(), Distinct(1)):
        key = "abcdefab-cdef-4abc-8def-abcdefabcdef"
        assert distinct.fresh([key, "Ab", "ab"]) == [True, True, True]
        assert distinct.fresh([key.upper(), "AB", f"f{key[1:]}".upper()]) == [False, True, True]
        assert distinct.fresh([f"{{{key}}}", key.replace("-", ""), "{ab}"]) == [False, False, True]
    assert version({"id": key}) == version({"id": key.upper()}) != version({"id": "x"})


@pytest.mark.parametrize("pages", [1, 2])
def test_a_full_temporary_folder_says_so_r35(pages: int, monkeypatch: Patch) -> None:
    connect = sqlite3.connect

    def small(*args: Any, **more: Any) -> Any:
        made = connect(*args, **more)
        made.execute(f"PRAGMA max_page_count = {pages}")
        return made

    monkeypatch.setattr(sqlite3, "connect", small)
    with pytest.raises(LocalFailure, match="cannot keep the ids of the list in a temporary file: database or disk is"):
        Distinct(spill_at=0).fresh([identifier(number) for number in range(1_000)])


def test_the_key_of_a_row_is_its_id_or_its_content() -> None:
    assert key_of({"id": "a", "x": 1}, "id") == "a"
    assert key_of({"id": 7}, "id") == "7"
    odds: list[Any] = [{"id": True}, {"id": None}, {"id": ""}, {"id": [1]}, {}, [], "id", None]
    for odd in odds:
        assert key_of(odd, "id") == "#" + digest(odd)
    assert key_of({"a": 1}, None) == "#" + digest({"a": 1})


def test_a_signature_of_an_image_s_address_is_no_other_content() -> None:
    def of(query: str) -> str:
        return version({"id": 1, "user": {"profileImageURI": f"https://i.example.org/a.png{query}", "name": "a?b"}})

    assert of("?sig=1") == of("?sig=2") == of("") != version({"id": 1})


def test_the_canonical_form_does_not_depend_on_the_order_of_fields() -> None:
    one, other = canonical({"b": [1, None], "a": "é"}), canonical({"a": "é", "b": [1, None]})
    assert one == other == '{"a":"\\u00e9","b":[1,null]}'
    assert fingerprint({"a": 1}) != fingerprint({"a": 2})
    assert len(fingerprint({})) == 32
