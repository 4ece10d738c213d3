"""The nearest known name."""

from roomctl.text.suggest import did_you_mean, nearest


def test_the_nearest_name_is_found_in_any_case() -> None:
    assert nearest("Base_Ulr", ["base_url", "api_key"]) == "base_url"
    assert nearest("PROD", ["prod"]) == "prod"


def test_nothing_near_is_nothing() -> None:
    assert nearest("zzz", ["base_url"]) == ""
    assert nearest("base_url", []) == ""


def test_the_question_ends_a_sentence() -> None:
    assert did_you_mean("tmeout", ["timeout"]) == "; did you mean `timeout`?"
    assert did_you_mean("zzz", ["timeout"]) == ""
