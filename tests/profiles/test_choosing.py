"""Which profile is used, and whose key goes with it (R3)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import BadConfig, NotAllowed, RoomctlError
from roomctl.profiles import Environment
from roomctl.profiles.settings import Settings, resolve
from tests.profiles.conftest import KEY

Find = Callable[..., Settings]
Write = Callable[[str | bytes], Path]
OTHER = "another-key-0123456789abcdef"
PAIR = {"ROOMCTL_BASE_URL": "https://pair.example.org", "ROOMCTL_API_KEY": OTHER}


def refused(kind: type[RoomctlError], find: Find, *args: Any, **named: Any) -> RoomctlError:
    with pytest.raises(kind) as raised:
        find(*args, **named)
    assert "canary" not in f"{raised.value.message}{raised.value.hint}"
    assert OTHER not in f"{raised.value.message}{raised.value.hint}"
    return raised.value


STAGING = ("staging", "https://staging.example.org", KEY)
PROD = ("prod", "https://rooms.example.org", OTHER)
BOTH = ("environment", "https://pair.example.org", OTHER)


@pytest.mark.parametrize(
    ("option", "variables", "origin", "expected"),
    [
        (None, {}, "default_profile in {config}", STAGING),
        (None, dict.fromkeys(("ROOMCTL_PROFILE", "ROOMCTL_API_KEY"), ""), "default_profile in {config}", STAGING),
        (None, {"ROOMCTL_PROFILE": "prod", "PROD_KEY": OTHER}, "from ROOMCTL_PROFILE", PROD),
        ("staging", {"ROOMCTL_PROFILE": "prod"}, "from --profile", STAGING),
        (None, PAIR, "from ROOMCTL_BASE_URL", BOTH),
        (None, {**PAIR, "ROOMCTL_PROFILE": "environment"}, "from ROOMCTL_BASE_URL", BOTH),
        ("environment", {**PAIR, "ROOMCTL_PROFILE": "prod"}, "from --profile", BOTH),
        ("staging", PAIR, "from --profile", STAGING),
    ],
)
def test_r3_option_environment_and_config_choose_in_this_order_and_each_brings_its_own_key(
    settings: Find, config: Path, option: str | None, variables: dict[str, str], origin: str, expected: tuple[str, ...]
) -> None:
    found = settings(option, **variables)
    assert (found.profile, found.base_url, found.api_key()) == expected
    assert found.profile_origin == origin.format(config=config)


def test_the_key_of_the_pair_may_be_in_a_file(settings: Find, tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(OTHER + "\n")
    file.chmod(0o444)
    found = settings(ROOMCTL_BASE_URL="https://pair.example.org", ROOMCTL_API_KEY_FILE=str(file))
    assert found.api_key() == OTHER
    assert found.origins["api_key"] == "ROOMCTL_API_KEY_FILE"
    assert found.notes == [f"others can read the key file {file}: `chmod 600 {file}`"]


def test_the_pair_has_one_key(settings: Find) -> None:
    error = refused(BadConfig, settings, **PAIR, ROOMCTL_API_KEY_FILE="/run/key")
    assert error.message == "ROOMCTL_API_KEY and ROOMCTL_API_KEY_FILE exclude each other"


@pytest.mark.parametrize("name", ["prod", "sandbox", "nobody"])
def test_a_profile_named_beside_the_pair_is_not_guessed(settings: Find, name: str) -> None:
    error = refused(BadConfig, settings, **PAIR, ROOMCTL_PROFILE=name)
    assert error.message == (
        f"ROOMCTL_PROFILE={name} stands beside ROOMCTL_BASE_URL: which service is meant is not clear"
    )
    assert error.hint == "unset one of them, or choose with `--profile`"


def test_the_pair_that_is_not_there_cannot_be_chosen_by_its_name(settings: Find) -> None:
    error = refused(BadConfig, settings, "environment")
    assert error.message == "profile environment (from --profile) needs ROOMCTL_BASE_URL and ROOMCTL_API_KEY"
    refused(BadConfig, settings, ROOMCTL_PROFILE="environment")


HALVES = [
    ({"ROOMCTL_BASE_URL": "https://a.example"}, "ROOMCTL_BASE_URL is set without ROOMCTL_API_KEY"),
    ({"ROOMCTL_API_KEY": OTHER}, "ROOMCTL_API_KEY is set without ROOMCTL_BASE_URL"),
    ({"ROOMCTL_API_KEY_FILE": "/run/key"}, "ROOMCTL_API_KEY_FILE is set without ROOMCTL_BASE_URL"),
    (
        {"ROOMCTL_BASE_URL": "https://a.example", "ROOMCTL_API_KEY": ""},
        "ROOMCTL_BASE_URL is set while ROOMCTL_API_KEY is empty",
    ),
    ({"ROOMCTL_BASE_URL": "", "ROOMCTL_API_KEY": OTHER}, "ROOMCTL_API_KEY is set while ROOMCTL_BASE_URL is empty"),
]
WAYS: list[tuple[str | None, dict[str, str]]] = [
    (None, {}),
    ("staging", {}),
    ("environment", {}),
    (None, {"ROOMCTL_PROFILE": "staging"}),
    (None, {"ROOMCTL_PROFILE": "sandbox"}),
    (None, {"ROOMCTL_PROFILE": "environment"}),
]


@pytest.mark.parametrize(("half", "message"), HALVES)
@pytest.mark.parametrize(("named", "more"), WAYS)
def test_r3_half_a_pair_beside_a_profile_is_refused_and_the_way_is_named(
    settings: Find, half: dict[str, str], message: str, named: str | None, more: dict[str, str]
) -> None:
    error = refused(BadConfig, settings, named, **half, **more)
    assert error.exit == 2
    assert error.message == f"{message}: a key is bound to its address, and neither goes with a profile's"
    assert '`api_key_env = "ROOMCTL_API_KEY"`' in error.hint


def test_r3_a_profile_may_claim_a_variable_by_name(settings: Find, written: Write) -> None:
    written('[profiles.ci]\nbase_url = "https://ci.example"\napi_key_env = "ROOMCTL_API_KEY"\n')
    for variables in ({"ROOMCTL_API_KEY": OTHER}, PAIR):
        found = settings("ci", **variables)
        assert (found.base_url, found.api_key()) == ("https://ci.example", OTHER)
    refused(BadConfig, settings, "ci", ROOMCTL_BASE_URL="https://a.example")
    refused(BadConfig, settings, "ci", ROOMCTL_API_KEY_FILE="/run/key")


@pytest.mark.parametrize("call", [{"sandbox": True}, {"profile": "sandbox"}, {"sandbox": True, "profile": "sandbox"}])
def test_the_sandbox_needs_no_config_and_ignores_what_belongs_to_live_services(call: dict[str, Any]) -> None:
    found = resolve(Environment({**PAIR, "ROOMCTL_CONFIG": "/proc/no/such/place"}), **call)
    assert (found.profile, found.sandbox, found.base_url) == ("sandbox", True, "http://localhost")
    assert found.api_key() not in PAIR.values()
    assert resolve(Environment({"ROOMCTL_API_KEY": OTHER}), **call).api_key() != OTHER


def test_the_sandbox_can_be_chosen_everywhere(settings: Find, written: Write) -> None:
    assert settings(sandbox=True).profile_origin == "from --sandbox"
    assert settings("sandbox").profile_origin == "from --profile"
    assert settings(ROOMCTL_PROFILE="sandbox").profile_origin == "from ROOMCTL_PROFILE"
    path = written('default_profile = "sandbox"')
    assert settings().profile_origin == f"default_profile in {path}"


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("[profiles.a]\n[profiles.b]\n", "`--profile NAME`, or `roomctl profile use NAME`: a, b"),
        ("default_profle = 'a'\n[profiles.a]", "{path} has `default_profle`: did you mean `default_profile`?"),
        ("[profile.a]\n", "{path} has `profile`: did you mean `profiles`?"),
    ],
)
def test_without_a_default_the_config_says_what_there_is(settings: Find, written: Write, text: str, hint: str) -> None:
    path = written(text)
    assert refused(NotAllowed, settings).hint == hint.format(path=path)


def test_an_unknown_profile_names_the_nearest_or_what_there_is(settings: Find, written: Write, config: Path) -> None:
    error = refused(BadConfig, settings, "stagin")
    assert (error.message, error.hint) == ("no profile is named stagin (from --profile)", "did you mean `staging`?")
    error = refused(BadConfig, settings, ROOMCTL_PROFILE="zzz")
    assert (error.message, error.hint) == (
        "no profile is named zzz (from ROOMCTL_PROFILE)",
        f"{config} has: staging, prod",
    )
    written("default_profile = 'gone'")
    error = refused(BadConfig, settings)
    assert error.message == f"no profile is named gone (default_profile in {config})"
    assert error.hint == "`roomctl profile add gone --base-url URL`"


@pytest.mark.parametrize("name", ["", "a b", "../x", "x" * 65, "prod\n", "\x1b[2J"])
def test_r52_what_is_no_name_is_refused(settings: Find, name: str) -> None:
    assert refused(BadConfig, settings, name).message == f"not a profile's name (from --profile): {name!r}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("default_profile = 3", "default_profile in {path} is not a text"),
        ("default_profile = ''", "not a profile's name (default_profile in {path}): ''"),
        ("default_profile = 'a'\nprofiles = []", "profiles in {path} is not a table"),
        ("default_profile = 'a'\nprofiles.a = 'canary'", "profile a in {path} is not a table"),
        ("default_profile = 'a'\n[profiles.a]", "profile a in {path} has no base_url"),
        (
            "default_profile = 'a'\n[profiles.a]\nbase_url = 'https://u:canary@a.example'",
            "base_url of profile a in {path} is not an address without user, query and fragment",
        ),
        (
            "default_profile = 'a'\n[profiles.a]\napi_key = 'canary-key'\napi_key_env = 'X'\nbase_url = 'https://a.b'",
            "profile a in {path} has more than one key: api_key, api_key_env",
        ),
        (
            "default_profile = 'a'\n[profiles.a]\napi_key_command = 'canary show'\nbase_url = 'https://a.b'",
            'api_key_command of profile a in {path} is not a list of texts such as ["pass", "show", "rooms"]',
        ),
    ],
)
def test_what_is_wrong_in_the_config_is_named_with_its_place(
    settings: Find, written: Write, text: str, message: str
) -> None:
    path = written(text)
    assert refused(BadConfig, settings).message == message.format(path=path)


def test_a_wrong_address_in_the_environment_is_named_by_its_variable(settings: Find) -> None:
    error = refused(BadConfig, settings, ROOMCTL_BASE_URL="http://u:canary@a.example", ROOMCTL_API_KEY=OTHER)
    assert error.message == "ROOMCTL_BASE_URL is not an address without user, query and fragment"


def test_what_is_never_read_is_noted_and_other_tables_are_left_to_others(settings: Find, written: Write) -> None:
    path = written(
        "default_profile = 'a'\ncolour = true\n[views]\nx = 1\n[profile]\n[profiles.sandbox]\n"
        "[profiles.a]\nbase_url = 'https://a.example'\nreadonly = true\n[profiles.b]\nnever_looked_at = 1\n"
    )
    assert settings().notes == [
        f"{path}: colour is not a setting",
        f"{path}: profile is not a setting: did you mean `profiles`?",
        f"{path}: profile sandbox is never used: the name is roomctl's own",
        f"profile a in {path}: readonly is not a setting: did you mean `read_only`?",
    ]


def test_a_profile_without_a_key_says_so_when_the_key_is_asked_for(settings: Find, written: Write) -> None:
    written("default_profile = 'a'\n[profiles.a]\nbase_url = 'https://a.example'")
    found = settings()
    with pytest.raises(NotAllowed) as raised:
        found.api_key()
    assert raised.value.message == "profile a has no key"
    assert raised.value.hint == "`roomctl profile add a --base-url URL --replace` asks for it"


@pytest.mark.parametrize(("variables", "state"), [({}, "not set"), ({"PROD_KEY": ""}, "empty")])
def test_a_variable_that_holds_no_key_is_named(settings: Find, variables: dict[str, str], state: str) -> None:
    found = settings("prod", **variables)
    with pytest.raises(NotAllowed) as raised:
        found.api_key()
    assert raised.value.message == f"profile prod takes its key from PROD_KEY, which is {state}"


def test_a_key_command_runs_once_and_only_when_the_key_is_asked_for(
    settings: Find, written: Write, tmp_path: Path
) -> None:
    path = written(
        "default_profile = 'a'\n[profiles.a]\nbase_url = 'https://a.example'\n"
        f"api_key_command = ['sh', '-c', 'echo x >>ran; echo {OTHER}']\n"
    )
    found = settings(PATH="/usr/bin:/bin")
    assert found.origins["api_key"] == f"api_key_command of profile a in {path}"
    assert not (tmp_path / "ran").exists()
    assert (found.api_key(), found.api_key()) == (OTHER, OTHER)
    assert (tmp_path / "ran").read_text() == "x\n"
