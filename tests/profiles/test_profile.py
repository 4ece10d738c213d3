"""What a profile can say: names, values, and what is wrong with others."""

from typing import Any

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles.profile import KEY_SOURCES, SETTINGS, check, validate
from tests.conftest import error_of

GOOD: list[tuple[str, Any, Any]] = [
    ("base_url", "https://A.example/", "https://a.example"),
    ("api_key", "x", "x"),
    ("api_key_env", "CI_ROOMS_KEY", "CI_ROOMS_KEY"),
    ("api_key_file", "/run/secrets/rooms key", "/run/secrets/rooms key"),
    ("api_key_command", ["pass", "show", ""], ("pass", "show", "")),
    ("protected", True, True),
    ("timeout", 7, 7.0),
    ("timeout", 0.5, 0.5),
    ("retries", 0, 0),
    ("rate", 2, 2.0),
    ("concurrency", 256, 256),
    ("page_size", 999_999_999, 999_999_999),
    ("copy_parameter", "roomId", "roomId"),
    ("idempotency_header", "Idempotency-Key", "Idempotency-Key"),
    ("list_field", "content", "content"),
    ("end_of_list", ["204", "empty", "null", "400", "404"], ("204", "empty", "null", "400", "404")),
    ("end_of_list", [404], ("404",)),
    ("end_of_list", [], ()),
    ("end_of_list", "204, 404", ("204", "404")),
    ("ca_file", "corp.pem", "corp.pem"),
    ("time_zone", "Europe/Berlin", "Europe/Berlin"),
    ("output", "json", "json"),
]
ABOVE = "a number above 0 and below 1,000,000"
COMMAND = 'a list of texts such as ["pass", "show", "rooms"]'
BAD: list[tuple[str, str, list[Any]]] = [
    ("api_key", "a text", ["", 12345678]),
    ("api_key_env", "the name of an environment variable", ["canary secret", ["X"]]),
    ("api_key_file", "a text", ["a\u0000b"]),
    ("ca_file", "a text", ["\udcff"]),
    ("time_zone", "a time zone such as Europe/Berlin", ["Berlin", 1]),
    ("api_key_command", COMMAND, ["pass show", [], [""], ["pass", 3], ["pass", 0], ["pass", "a\u0000"]]),
    ("protected", "true or false", ["yes"]),
    ("read_only", "true or false", [1]),
    ("timeout", ABOVE, [True, "30", 0, float("nan")]),
    ("rate", ABOVE, [float("inf"), -1]),
    ("retries", "a whole number from 0 to 1000", [-1, 2.0]),
    ("concurrency", "a whole number from 1 to 256", [0, True]),
    ("page_size", "a whole number from 1 to 999999999", [10**9]),
    ("copy_parameter", "a word without spaces", ["social id"]),
    ("output", "a word without spaces", [3]),
    ("idempotency_header", "the name of a header such as Idempotency-Key", ["X-API-Key", "Host", "Bad: header", 1]),
    ("list_field", "a word without spaces", ["the rows"]),
    ("end_of_list", "a list of 204, empty, null, 400, 404", ["", True, ["204", "500"]]),
]
"""Values that a setting cannot have, by what is said of them."""


@pytest.mark.parametrize(("name", "value", "expected"), GOOD)
def test_a_good_value_is_taken(name: str, value: Any, expected: Any) -> None:
    assert check(name, value, "x") == expected
    assert type(check(name, value, "x")) is type(expected)


@pytest.mark.parametrize(("name", "value", "what"), [(name, value, what) for name, what, bad in BAD for value in bad])
def test_a_wrong_value_is_an_error_that_does_not_quote_it(name: str, value: Any, what: str) -> None:
    raised = error_of(BadConfig, check, name, value, f"{name} of profile prod")
    assert raised.message == f"{name} of profile prod is not {what}"


def test_every_field_has_good_and_bad_examples() -> None:
    assert {name for name, _, _ in GOOD} | {"read_only"} == set(SETTINGS)
    assert {name for name, _, _ in BAD} | {"base_url"} == set(SETTINGS)


def test_the_declaration_has_what_every_reader_of_it_needs() -> None:
    assert KEY_SOURCES == ("api_key", "api_key_env", "api_key_file", "api_key_command")
    assert all(each.meaning and each.meaning.isascii() for each in SETTINGS.values())
    assert all(each.default is None or each.check(each.default) == each.default for each in SETTINGS.values())
    assert all(each.variable in ("", f"ROOMCTL_{name.upper()}") for name, each in SETTINGS.items())


def test_a_profile_is_checked_as_a_whole_and_all_that_is_wrong_is_said_at_once() -> None:
    """R8: no value is repeated."""
    good = {name: value for name, value, _ in GOOD if name not in KEY_SOURCES[1:]}
    assert validate(good, "x") == {name: expected for name, _, expected in GOOD if name in good}
    with pytest.raises(BadConfig) as raised:
        validate({"timeout": "canary", "time_out": "canary", "output": "two canaries"}, "profile prod")
    assert raised.value.message.split("; ") == [
        "profile prod has no base_url",
        f"timeout of profile prod is not {ABOVE}",
        "output of profile prod is not a word without spaces",
        "profile prod: time_out is not a setting: did you mean `timeout`?",
    ]
