"""Views of the config file: what is no view is refused by its place."""

from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.errors import BadConfig
from roomctl.profiles import Environment
from roomctl.profiles.views import view


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
def test_what_is_no_view_is_refused_by_its_place(written: Callable[[str | bytes], Path], text: str, said: str) -> None:
    path = written(text)
    with pytest.raises(BadConfig) as raised:
        view(Environment({"ROOMCTL_CONFIG": str(path)}), "a")
    assert raised.value.message == said.format(path=path)
