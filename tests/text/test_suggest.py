"""The nearest known name."""

from roomctl.text.suggest import nearest


def test_the_nearest_name_is_found_in_any_case() -> None:
    assert nearest("Base_Ulr", ["base_url", "api_key"]) == "base_url"
    assert nearest("PROD", ["prod"]) == "prod"
