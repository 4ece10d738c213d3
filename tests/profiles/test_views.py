"""Views of the config file: sets of columns that are read only when one is asked for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.errors import BadConfig, BadValue
from roomctl.profiles import Environment
from roomctl.profiles.views import View, view

Write = Callable[[str | bytes], Path]


def read(path: Path, name: str) -> View:
    return view(Environment({"ROOMCTL_CONFIG": str(path)}), name)


def test_a_view_is_its_columns_headings_and_zone(written: Write) -> None:
    path = written('[views.a]\ncolumns = ["b", "c.d"]\nrename = { "c.d" = "D" }\ntz = "Europe/Berlin"\n[views.bare]\n')
    assert read(path, "a") == View(("b", "c.d"), {"c.d": "D"}, "Europe/Berlin")
    assert read(path, "bare") == View()


def test_an_unknown_view_is_refused_with_the_nearest_one_or_what_there_is(written: Write) -> None:
    path = written("[views.badges]\n[views.phones]\n")
    with pytest.raises(BadValue) as near:
        read(path, "badge")
    assert (near.value.message, near.value.hint) == ("no view has this name: badge", "did you mean `badges`?")
    with pytest.raises(BadValue) as far:
        read(path, "zzz")
    assert far.value.hint == f"{path} has: badges, phones"
    with pytest.raises(BadValue) as none:
        read(path.with_name("none.toml"), "zzz")
    assert none.value.hint and none.value.hint.startswith("write `[views.NAME]`")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("views = 1", "views in {path} is not a table"),
        ("[views]\na = 1", "view a in {path} is not a table"),
        ("[views.a]\ncolums = []", "view a in {path}: colums is not a setting: did you mean `columns`?"),
        ("[views.a]\ncolumns = []", "columns of view a in {path} is not a list of names of columns"),
        ("[views.a]\ncolumns = [1]", "columns of view a in {path} is not a list of names of columns"),
        ("[views.a]\nrename = {a = 1}", "rename of view a in {path} is not a table of columns and their headings"),
        ("[views.a]\ntz = ' '", "tz of view a in {path} is not the name of a time zone"),
    ],
)
def test_what_is_no_view_is_refused_by_its_place(written: Write, text: str, said: str) -> None:
    path = written(text)
    with pytest.raises(BadConfig) as raised:
        read(path, "a")
    assert raised.value.message == said.format(path=path)
