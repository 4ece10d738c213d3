"""The `profile` commands: what they change in the config file, and what they say of it."""

import tomllib
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roomctl.errors import BadConfig
from roomctl.profiles import configfile, editing

FIELDS = {"base_url": "https://a.example", "api_key": "canary-key-0123456789abcdef"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where there is no config file yet."""
    return tmp_path / "config" / "config.toml"


@pytest.mark.parametrize("name", ["a", "prod", "a.b", "-x", "_", "A" * 64])
def test_r52_a_name_is_1_to_64_letters_digits_and_marks(path: Path, name: str) -> None:
    editing.add(path, name, FIELDS)
    assert list(configfile.read(path)["profiles"]) == [name]


@pytest.mark.parametrize("name", ["", "a b", "ä", "a/b", "x" * 65, "a\n", "\n", "\u0661", "sandbox", "environment"])
def test_r52_what_is_no_name_is_not_added(path: Path, name: str) -> None:
    with pytest.raises(BadConfig):
        editing.add(path, name, FIELDS)
    assert not path.exists()


NAMES = st.from_regex(r"[A-Za-z0-9._-]{1,12}", fullmatch=True)
COMMENTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=12)
SAMPLES = ["protected = true", "timeout = 3.5", "unknown = [1, 2]", "when = 2026-11-21", 'x."y z" = "é\\n"']
LINES = st.lists(st.sampled_from(SAMPLES), unique=True, max_size=4)
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
