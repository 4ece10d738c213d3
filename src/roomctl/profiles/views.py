"""Views: sets of columns that the config file names, for exports. Read only when one is asked for."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, BadValue
from roomctl.profiles.configfile import read, table, unknown
from roomctl.profiles.environment import Environment
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean


class View(NamedTuple):
    """Which columns, under which headings, and on the clock of which zone."""

    columns: tuple[str, ...] = ()
    rename: Mapping[str, str] = {}
    tz: str | None = None


_KINDS: Mapping[str, tuple[str, type, Callable[[Any], Sequence[Any]]]] = {
    "columns": ("a list of column names", list, lambda value: value or [None]),
    "rename": ("a table of columns and their headings", dict, lambda value: [*value, *value.values()]),
    "tz": ("the name of a time zone", str, lambda value: [value]),
}
"""What a field of a view is, and the texts in it, of which none is blank."""


def view(environment: Environment, name: str) -> View:
    """Read a view of the config file. Raises BadValue for an unknown name, BadConfig for what is no view."""
    path = environment.config_file
    views = table(read(path).get("views", {}), f"views in {path}", "a view is written as `[views.NAME]`")
    if name not in views:
        hint = f'write `[views.NAME]` with `columns = ["…"]` in {path}'
        hint = f"use one of {', '.join(views)}, from {path}" if views else hint
        raise BadValue(f"there is no view named {compact(name)}", hint=did_you_mean(name, views, "") or hint)
    where = f"view {name} in {path}"
    values = table(views[name], where, f"a view is written as `[views.{name}]`")
    for field, value in values.items():
        if strange := unknown([field], _KINDS, where):
            raise BadConfig(strange[0])
        what, kind, texts = _KINDS[field]
        if not isinstance(value, kind) or not all(isinstance(each, str) and each.strip() for each in texts(value)):
            raise BadConfig(f"{field} of {where} is not {what}")
    return View(**{**values, "columns": tuple(values.get("columns", ()))})
