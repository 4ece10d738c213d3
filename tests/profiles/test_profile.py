"""What a profile can say: names, values, and what is wrong with others."""

from typing import Any

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles.profile import KEY_SOURCES, SETTINGS, check, validate
from tests.conftest import Cases


def test_a_good_value_is_read_and_a_wrong_one_is_an_error_that_does_not_quote_it(cases: Cases) -> None:
    good, bad = set(), set()

    def says(name: str, value: Any) -> str:
        try:
            found = check(name, value, f"{name} of profile prod")
        except BadConfig as error:
            bad.add(name)
            return error.message
        good.add(name)
        return repr(found)

    cases("settings.txt", says)
    assert good | {"read_only"} == bad | {"base_url"} == set(SETTINGS), "every setting has good and bad values"


def test_the_declaration_has_what_every_reader_of_it_needs() -> None:
    assert KEY_SOURCES == ("api_key", "api_key_env", "api_key_file", "api_key_command")
    assert all(each.meaning and each.meaning.isascii() for each in SETTINGS.values())
    assert all(each.default is None or each.check(each.default) == each.default for each in SETTINGS.values())
    assert all(each.variable in ("", f"ROOMCTL_{name.upper()}") for name, each in SETTINGS.items())


def test_a_profile_is_checked_as_a_whole_and_all_that_is_wrong_is_said_at_once() -> None:
    """R8: no value is repeated."""
    good = {"base_url": "https://A.example/", "api_key": "x", "timeout": 7, "end_of_list": [404]}
    assert validate(good, "x") == {**good, "base_url": "https://a.example", "end_of_list": ("404",)}
    with pytest.raises(BadConfig) as raised:
        validate({"timeout": "canary", "time_out": "canary", "output": "two canaries"}, "profile prod")
    assert raised.value.message.split("; ") == [
        "profile prod has no base_url",
        "timeout of profile prod is not a number above 0 and below 1,000,000",
        "output of profile prod is not a word without spaces",
        "profile prod: time_out is not a setting: did you mean `timeout`?",
    ]
