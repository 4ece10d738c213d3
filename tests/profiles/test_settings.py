"""Which service is asked, with which key, and where each setting came from."""

from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig, NotAllowed, RoomctlError, WrongCall
from roomctl.profiles import Environment, Settings, resolve

KEY = "canary-key-0123456789abcdef"
OTHER = "another-key-0123456789abcdef"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "config.toml"
    path.write_text(
        'default_profile = "staging"\n'
        f'[profiles.staging]\nbase_url = "https://staging.example.org/"\napi_key = "{KEY}"\ntimeout = 7\n'
        f'[profiles.prod]\nbase_url = "https://rooms.example.org"\napi_key_env = "PROD_KEY"\nprotected = true\n'
    )
    path.chmod(0o600)
    return path


def settings(config: Path, profile: str | None = None, sandbox: bool = False, **variables: str) -> Settings:
    overrides: dict[str, Any] = {}
    environment = Environment({"ROOMCTL_CONFIG": str(config), **variables})
    return resolve(environment, profile=profile, sandbox=sandbox, overrides=overrides)


def test_the_default_profile_is_used_and_named_with_its_origin(config: Path) -> None:
    found = settings(config)
    assert (found.profile, found.profile_origin) == ("staging", f"default_profile in {config}")
    assert (found.base_url, found.api_key(), found.timeout) == ("https://staging.example.org", KEY, 7.0)
    assert found.origins["timeout"] == f"profile staging in {config}"
    assert found.origins["concurrency"] == "built-in"


def test_the_environment_beats_the_default_profile(config: Path) -> None:
    found = settings(config, ROOMCTL_PROFILE="prod", PROD_KEY=OTHER, ROOMCTL_TIMEOUT="3")
    assert (found.profile, found.profile_origin, found.protected) == ("prod", "from ROOMCTL_PROFILE", True)
    assert (found.api_key(), found.timeout, found.origins["timeout"]) == (OTHER, 3.0, "ROOMCTL_TIMEOUT")


def test_an_option_beats_the_environment(config: Path) -> None:
    environment = Environment({"ROOMCTL_CONFIG": str(config), "ROOMCTL_TIMEOUT": "3"})
    found = resolve(environment, profile="staging", overrides={"timeout": 1.5})
    assert (found.timeout, found.origins["timeout"], found.profile_origin) == (1.5, "--timeout", "from --profile")


def test_url_and_key_of_the_environment_are_a_whole_profile(config: Path) -> None:
    found = settings(config, ROOMCTL_BASE_URL="http://127.0.0.1:8400", ROOMCTL_API_KEY=OTHER)
    assert (found.profile, found.base_url, found.api_key()) == ("environment", "http://127.0.0.1:8400", OTHER)


def test_a_profile_on_the_command_line_beats_the_pair_of_the_environment(config: Path) -> None:
    found = settings(config, "staging", ROOMCTL_BASE_URL="http://127.0.0.1:8400", ROOMCTL_API_KEY=OTHER)
    assert (found.profile, found.base_url, found.api_key()) == ("staging", "https://staging.example.org", KEY)


@pytest.mark.parametrize("half", [{"ROOMCTL_BASE_URL": "https://a.example"}, {"ROOMCTL_API_KEY": OTHER}])
@pytest.mark.parametrize("more", [{}, {"ROOMCTL_PROFILE": "staging"}])
def test_r3_half_a_pair_is_refused_and_the_way_is_named(
    config: Path, half: dict[str, str], more: dict[str, str]
) -> None:
    with pytest.raises(BadConfig) as raised:
        settings(config, **half, **more)
    assert raised.value.exit == 2
    assert "api_key_env" in raised.value.hint
    with pytest.raises(BadConfig):
        settings(config, "staging", **half)


def test_a_named_profile_beside_the_pair_is_not_guessed(config: Path) -> None:
    pair = {"ROOMCTL_BASE_URL": "https://a.example", "ROOMCTL_API_KEY": OTHER}
    with pytest.raises(BadConfig, match="which service is meant is not clear"):
        settings(config, **pair, ROOMCTL_PROFILE="staging")


def test_the_sandbox_needs_no_config_and_takes_no_other_profile(tmp_path: Path) -> None:
    found = settings(tmp_path / "none.toml", sandbox=True)
    assert (found.profile, found.sandbox, found.profile_origin) == ("sandbox", True, "from --sandbox")
    with pytest.raises(WrongCall):
        settings(tmp_path / "none.toml", "prod", sandbox=True)


def test_without_any_profile_the_way_is_named(tmp_path: Path) -> None:
    with pytest.raises(NotAllowed, match="no profile was chosen"):
        settings(tmp_path / "none.toml")


def test_an_unknown_profile_names_the_nearest(config: Path) -> None:
    with pytest.raises(BadConfig) as raised:
        settings(config, "stagin")
    assert (raised.value.exit, raised.value.hint) == (2, "did you mean `staging`?")


@pytest.mark.parametrize(
    "key", ["", "short", "with blank inside", "zwölf-zeichen", "two\nlines-here", "x" * 513, "nul\0-inside-it", "\r\n"]
)
def test_r2_a_key_that_cannot_be_one_is_refused_without_being_shown(config: Path, key: str) -> None:
    with pytest.raises(NotAllowed) as raised:
        settings(config, "prod", PROD_KEY=key).api_key()
    shown = f"{raised.value.message} {raised.value.hint} {raised.value.details} {raised.value!r}"
    assert "PROD_KEY" in shown
    assert not key.strip() or key not in shown


def test_r2_one_trailing_newline_is_taken_off(config: Path) -> None:
    assert settings(config, "prod", PROD_KEY=OTHER + "\n").api_key() == OTHER
    with pytest.raises(NotAllowed):
        settings(config, "prod", PROD_KEY=OTHER + "\n\n").api_key()


@pytest.mark.parametrize(
    "url",
    [
        "",
        "rooms.example.org",
        "ftp://a.example",
        "http://a.example",
        "https://u:p@a.example",
        "https://a.example/?x=1",
        "https://a.example/#x",
        "https://",
        "https://a.example:99999",
        "http://127.0.0.1.evil.example",
        "https://a b.example",
    ],
)
def test_r14_an_address_that_is_not_https_or_this_machine_is_refused(config: Path, url: str) -> None:
    with pytest.raises(RoomctlError) as raised:
        settings(config, ROOMCTL_BASE_URL=url, ROOMCTL_API_KEY=OTHER)
    assert raised.value.exit == 2
    assert ":p@" not in raised.value.message


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://Rooms.Example.org:443/api/v1/", "https://rooms.example.org"),
        ("http://localhost:8400/", "http://localhost:8400"),
        ("http://[::1]:8400", "http://[::1]:8400"),
        ("https://a.example/rooms/", "https://a.example/rooms"),
    ],
)
def test_an_address_is_normalised(config: Path, url: str, expected: str) -> None:
    assert settings(config, ROOMCTL_BASE_URL=url, ROOMCTL_API_KEY=OTHER).base_url == expected


def test_r15_a_proxy_is_for_https_and_never_for_this_machine(config: Path) -> None:
    proxy = {"HTTPS_PROXY": "http://proxy.example:3128"}
    assert settings(config, **proxy).proxy == "http://proxy.example:3128"
    assert settings(config, **proxy, NO_PROXY="x.example, .example.org").proxy is None
    local = {"ROOMCTL_BASE_URL": "http://127.0.0.1:1", "ROOMCTL_API_KEY": OTHER}
    assert settings(config, **proxy, **local).proxy is None


def test_the_key_is_in_no_text_of_the_settings(config: Path) -> None:
    found = settings(config)
    assert KEY not in repr(found) + str(vars(found))


def test_names_that_are_not_read_are_noted_with_the_nearest(config: Path) -> None:
    assert settings(config, ROOMCTL_PROFLE="x").notes == ["ROOMCTL_PROFLE is not read; did you mean ROOMCTL_PROFILE?"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("timeout = true", "timeout in profile staging in {path} is not a number"),
        ('timeout = "soon"', "timeout in profile staging in {path} is not a number"),
        ("concurrency = 0", "concurrency in profile staging in {path} is not a whole number from 1"),
        ('protected = "yes"', "protected in profile staging in {path} is not true or false"),
        ('api_key_env = "X"', "profile staging in {path} has more than one key: api_key, api_key_env"),
    ],
)
def test_a_wrong_value_names_its_field_and_place(config: Path, line: str, message: str) -> None:
    text = config.read_text().replace("timeout = 7", line)
    config.write_text(text)
    with pytest.raises(BadConfig) as raised:
        settings(config)
    assert raised.value.message == message.format(path=config)
