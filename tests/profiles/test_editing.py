"""The `profile` commands: what they change in the config file, and what they say of it."""

import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from roomctl.errors import BadConfig, NotAllowed
from roomctl.profiles import Environment, configfile, editing
from roomctl.profiles.settings import Settings

Find = Callable[..., Settings]
Write = Callable[[str | bytes], Path]
FIELDS = {"base_url": "https://a.example", "api_key": "canary-key-0123456789abcdef"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where there is no config file yet."""
    return tmp_path / "config" / "config.toml"


def test_the_first_profile_becomes_the_default_and_another_one_when_it_is_told(path: Path) -> None:
    assert editing.add(path, "one", FIELDS) is True
    assert editing.add(path, "two", FIELDS) is False
    assert editing.add(path, "three", FIELDS, make_default=True) is True
    assert configfile.read(path) == {
        "default_profile": "three",
        "profiles": {"one": FIELDS, "two": FIELDS, "three": FIELDS},
    }
    assert path.read_text().startswith('default_profile = "three"\n\n[profiles.one]\nbase_url = "https://a.example"\n')


def test_what_is_added_is_kept_in_its_checked_form(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    editing.add(
        path,
        "a.b",
        {
            "base_url": "HTTPS://A.example:443/api/v1/",
            "api_key_command": ["./show", "x.key"],
            "protected": True,
            "timeout": 5,
            "ca_file": "corp.pem",
        },
    )
    editing.add(path, "c", {"base_url": "https://a.example", "api_key_file": "~/key"})
    editing.add(path, "d", {"base_url": "https://a.example", "api_key_command": ("pass", "show", 'it\'s "x"')})
    editing.add(path, "e", {"base_url": "https://a.example", "api_key": "a-test-key\n"})
    assert configfile.read(path)["profiles"] == {
        "a.b": {
            "base_url": "https://a.example",
            "api_key_command": [str(tmp_path / "show"), "x.key"],
            "protected": True,
            "timeout": 5.0,
            "ca_file": str(tmp_path / "corp.pem"),
        },
        "c": {"base_url": "https://a.example", "api_key_file": "~/key"},
        "d": {"base_url": "https://a.example", "api_key_command": ["pass", "show", 'it\'s "x"']},
        "e": {"base_url": "https://a.example", "api_key": "a-test-key"},
    }


def test_r2_what_cannot_be_a_key_is_not_added(path: Path) -> None:
    with pytest.raises(NotAllowed) as raised:
        editing.add(path, "x", {**FIELDS, "api_key": "canary with blanks"})
    assert "canary" not in raised.value.message + raised.value.hint
    assert not path.exists()


@pytest.mark.parametrize("name", ["a", "prod", "a.b", "-x", "_", "A" * 64])
def test_r52_a_name_is_1_to_64_letters_digits_and_marks(path: Path, name: str) -> None:
    editing.add(path, name, FIELDS)
    assert list(configfile.read(path)["profiles"]) == [name]


@pytest.mark.parametrize("name", ["", "a b", "ä", "a/b", "x" * 65, "a\n", "\n", "\u0661", "sandbox", "environment"])
def test_r52_what_is_no_name_is_not_added(path: Path, name: str) -> None:
    with pytest.raises(BadConfig):
        editing.add(path, name, FIELDS)
    assert not path.exists()


def test_a_profile_is_replaced_only_when_it_is_told(config: Path) -> None:
    before = config.read_text()
    with pytest.raises(BadConfig) as raised:
        editing.add(config, "staging", FIELDS)
    assert (raised.value.message, raised.value.hint) == (
        "a profile named staging exists already",
        "`--replace` replaces it",
    )
    assert config.read_text() == before


def test_a_replaced_profile_keeps_nothing_of_the_old_key_and_the_comments_around_it(written: Write) -> None:
    path = written(
        "# top\n[profiles.a] # first\nbase_url = 'https://a.example' # same\n# about the key\n"
        "api_key_env = 'OLD'\n\n# second\n[profiles.b]\nbase_url = 'https://b.example'\n"
    )
    assert editing.add(path, "a", FIELDS, replace=True) is False
    text = path.read_text()
    assert tomllib.loads(text) == {"profiles": {"a": FIELDS, "b": {"base_url": "https://b.example"}}}
    assert [line for line in text.split("\n") if "#" in line] == [
        "# top",
        "[profiles.a] # first",
        "base_url = 'https://a.example' # same",
        "# about the key",
        "# second",
    ]


def row(name: str, base_url: str | None, key: str | None, **more: bool) -> dict[str, Any]:
    plain = {"name": name, "default": False, "base_url": base_url, "key": key, "protected": False, "read_only": False}
    return {**plain, **more}


SANDBOX = row("sandbox", "in this process", "built-in")


def listed(path: Path, **variables: str) -> Any:
    return editing.list_profiles(Environment({"ROOMCTL_CONFIG": str(path), **variables}))


def test_the_list_has_every_profile_and_of_a_key_only_where_it_is(config: Path) -> None:
    prod = row("prod", "https://rooms.example.org", "api_key_env", protected=True)
    staging = row("staging", "https://staging.example.org", "api_key")
    assert listed(config) == [{**staging, "default": True}, prod, SANDBOX]
    assert listed(config, ROOMCTL_PROFILE="prod") == [staging, {**prod, "default": True}, SANDBOX]
    pair = row("environment", "https://e.example", "ROOMCTL_API_KEY", default=True)
    variables = {"ROOMCTL_BASE_URL": "https://e.example", "ROOMCTL_API_KEY": "canary-key"}
    assert listed(config, **variables) == [staging, prod, pair, SANDBOX]
    assert listed(config, ROOMCTL_BASE_URL="https://e.example")[2]["key"] is None


def test_the_list_survives_profiles_that_cannot_be_used_and_shows_no_password(written: Write) -> None:
    path = written(
        "default_profile = 3\n[profiles]\na = 'canary'\n[profiles.b]\nbase_url = 'https://u:canary@b.example'\n"
        "protected = 'canary'\n[profiles.sandbox]\nbase_url = 'https://x.example'\n[profiles.c]\nbase_url = 3\n"
    )
    assert listed(path) == [row("b", None, None), row("c", None, None), SANDBOX]


def shown_key(found: Settings) -> Any:
    return next(shown["value"] for shown in editing.show(found) if shown["setting"] == "api_key")


def test_a_key_that_cannot_be_had_says_why(settings: Find) -> None:
    assert shown_key(settings("prod")) == ("not usable: profile prod takes its key from PROD_KEY, which is not set")
    assert shown_key(settings("prod", PROD_KEY="short-key")) == "••••"


def test_a_key_command_is_not_run_to_be_shown(settings: Find, written: Write, tmp_path: Path) -> None:
    written(
        "default_profile = 'a'\n[profiles.a]\nbase_url = 'https://a.example'\n"
        "api_key_command = ['sh', '-c', 'touch ran']\n"
    )
    assert shown_key(settings()) == "printed by sh, which is not run here: `roomctl profile check` runs it"
    assert not (tmp_path / "ran").exists()


NAMES = st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True)
COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
LINES = st.lists(
    st.sampled_from(["protected = true", "timeout = 3.5", "unknown = [1, 2]", "when = 2026-11-21", 'x."y z" = "é\\n"']),
    unique=True,
    max_size=4,
)
TABLES = st.dictionaries(NAMES, st.tuples(COMMENTS, LINES, COMMENTS), max_size=4)
CHANGES = st.lists(st.tuples(st.sampled_from(["add", "use", "remove"]), NAMES, st.booleans()), min_size=1, max_size=4)


def document(tables: dict[str, tuple[str, list[str], str]], views: bool) -> str:
    parts = ["# top: kept\n"]
    for number, (name, (beside, lines, below)) in enumerate(tables.items()):
        parts.append(f'[profiles."{name}"] # {number} {beside}\n' + "".join(f"{line}\n" for line in lines))
        parts.append(f"# below {number} {below}\n\n")
    return "".join([*parts, "[views] # views: kept\nrooms = ['a', # b\n 'c']\n" if views else ""])


@given(tables=TABLES, views=st.booleans(), changes=CHANGES)
@example(tables={"a": ("", [], "")}, views=True, changes=[("add", "a", True), ("remove", "a", False)])
@examples(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_changed_the_values_are_as_meant_and_the_comments_of_the_rest_stay(
    tmp_path: Path, tables: dict[str, tuple[str, list[str], str]], views: bool, changes: list[tuple[str, str, bool]]
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(document(tables, views), encoding="utf-8", newline="")
    path.chmod(0o600)
    expected = tomllib.loads(path.read_text(encoding="utf-8"))
    profiles = expected.setdefault("profiles", {})
    touched = set()
    for kind, wanted, flag in changes:
        name = wanted if kind == "add" or not profiles else sorted(profiles)[len(wanted) % len(profiles)]
        if kind == "add" and name not in ("sandbox", "environment"):
            if flag or not profiles:
                expected["default_profile"] = name
            editing.add(path, name, FIELDS, make_default=flag, replace=True)
            profiles[name] = dict(FIELDS)
            touched.add(name)
        elif kind != "add" and name in profiles:
            (editing.use if kind == "use" else editing.remove)(path, name)
            if kind == "use":
                expected["default_profile"] = name
            else:
                del profiles[name]
                touched.add(name)
                if expected.get("default_profile") == name:
                    del expected["default_profile"]
    after = path.read_text(encoding="utf-8")
    found = tomllib.loads(after)
    assert {**found, "profiles": found.get("profiles", {})} == expected
    assert "# top: kept\n" in after
    assert ("# views: kept\nrooms = ['a', # b\n 'c']\n" in after) is views
    for number, (name, (beside, _, below)) in enumerate(tables.items()):
        if name not in touched:
            assert f"# {number} {beside}\n" in after
            assert f"# below {number} {below}\n" in after


def test_use_names_the_default_and_keeps_the_comment_beside_it(written: Write) -> None:
    path = written("default_profile = 'a' # the usual\n[profiles.a]\n[profiles.b] # other\n")
    editing.use(path, "b")
    assert path.read_text() == 'default_profile = "b" # the usual\n[profiles.a]\n[profiles.b] # other\n'
    editing.use(path, "sandbox")
    assert configfile.read(path)["default_profile"] == "sandbox"


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "profile x has no base_url"),
        (
            {"base_url": "http://a.example"},
            "base_url of profile x is not an https address: http is for this machine only",
        ),
        ({**FIELDS, "api_key_env": "X"}, "profile x has more than one key: api_key, api_key_env"),
        ({**FIELDS, "time": 3}, "profile x: time is not a setting: did you mean `timeout`?"),
        ({**FIELDS, "timeout": "3"}, "timeout of profile x is not a number above 0 and below 1,000,000"),
    ],
)
def test_what_could_not_be_used_is_not_added(path: Path, values: dict[str, Any], message: str) -> None:
    with pytest.raises(BadConfig) as raised:
        editing.add(path, "x", values)
    assert raised.value.message == message
    assert not path.exists()
