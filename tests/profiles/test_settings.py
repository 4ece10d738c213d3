"""The settings in force, and where each of them came from."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import Unexpected
from roomctl.profiles import Environment
from roomctl.profiles.profile import KEY_SOURCES, SETTINGS
from roomctl.profiles.settings import Settings, resolve

Find = Callable[..., Settings]
Write = Callable[[str | bytes], Path]
PLAIN = {name: each.default for name, each in SETTINGS.items() if name not in KEY_SOURCES}
FULL = """
default_profile = "a"
[profiles.a]
base_url = "https://a.example"
api_key = "canary-key-0123456789abcdef"
protected = true
read_only = true
timeout = 1.5
retries = 0
rate = 10
concurrency = 8
page_size = 50
copy_parameter = "roomId"
idempotency_header = "Idempotency-Key"
list_field = "content"
end_of_list = ["204"]
ca_file = "corp.pem"
output = "json"
time_zone = "Europe/Berlin"
"""
ENVIRONMENT = {
    "ROOMCTL_TIMEOUT": "2",
    "ROOMCTL_RETRIES": "1",
    "ROOMCTL_RATE": "0.5",
    "ROOMCTL_CONCURRENCY": "16",
    "ROOMCTL_PAGE_SIZE": "20",
    "ROOMCTL_LIST_FIELD": "items",
    "ROOMCTL_END_OF_LIST": "404,null",
    "ROOMCTL_OUTPUT": "csv",
}


def values(found: Settings) -> dict[str, Any]:
    return {name: getattr(found, name) for name in PLAIN}


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


def test_the_profile_beats_what_is_built_in(settings: Find, written: Write, tmp_path: Path) -> None:
    path = written(FULL)
    (tmp_path / "corp.pem").write_text("certificates")
    found = settings()
    said = {name: value for name, value in tomllib.loads(FULL)["profiles"]["a"].items() if name != "api_key"}
    assert values(found) == {**said, "end_of_list": ("204",), "ca_file": str(tmp_path / "corp.pem")}
    assert found.origins == {
        **dict.fromkeys(PLAIN, f"profile a in {path}"),
        "api_key": f"api_key of profile a in {path}",
        "proxy": "built-in",
    }


def test_the_environment_beats_the_profile_and_an_option_the_environment(
    settings: Find, written: Write, config: Path, tmp_path: Path
) -> None:
    written(FULL.replace("ca_file", "#"))
    found = settings(**ENVIRONMENT)
    said = [getattr(found, name) for name, each in SETTINGS.items() if each.variable]
    assert said == [2.0, 1, 0.5, 16, 20, "items", ("404", "null"), "csv"]
    assert {found.origins[name.removeprefix("ROOMCTL_").lower()] for name in ENVIRONMENT} == set(ENVIRONMENT)
    overrides = {"timeout": 3.5, "retries": 5, "rate": None, "concurrency": 1, "page_size": 7, "output": "ids"}
    found = resolve(Environment({"ROOMCTL_CONFIG": str(config), **ENVIRONMENT}), overrides=overrides)
    said = [getattr(found, name) for name in overrides]
    assert said == [3.5, 5, 0.5, 1, 7, "ids"]
    assert (found.origins["page_size"], found.origins["rate"]) == ("--page-size", "ROOMCTL_RATE")
