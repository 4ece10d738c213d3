"""The settings in force, and where each of them came from."""

from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.errors import Unexpected
from roomctl.profiles import Environment
from roomctl.profiles.settings import Settings, resolve

Find = Callable[..., Settings]


@pytest.mark.parametrize("name", ["base_url", "api_key", "protected", "read_only", "ca_file", "x"])
def test_r3_what_binds_a_key_cannot_come_from_an_option(config: Path, name: str) -> None:
    with pytest.raises(Unexpected):
        resolve(Environment({"ROOMCTL_CONFIG": str(config)}), overrides={name: "https://evil.example"})


def test_r15_the_proxy_comes_with_its_origin(settings: Find) -> None:
    found = settings(HTTPS_PROXY="http://proxy.example:3128")
    assert (found.proxy, found.origins["proxy"]) == ("http://proxy.example:3128", "HTTPS_PROXY")
    found = settings(HTTPS_PROXY="http://proxy.example:3128", NO_PROXY=".example.org")
    assert (found.proxy, found.origins["proxy"]) == (None, "built-in")


def test_the_key_is_in_no_text_of_the_settings(settings: Find, key: str) -> None:
    found = settings(HTTPS_PROXY="http://proxy.example:3128")
    assert found.key.read(found.notes.append) == key
    assert repr(found) == "Settings(profile='staging', base_url='https://staging.example.org')"
    assert key not in f"{found}{vars(found)}{found.key}{found.notes}"
