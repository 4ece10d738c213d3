"""Views: sets of columns that the config file names, for exports. Read only when one is asked for."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, BadValue
from roomctl.profiles.configfile import read, table
from roomctl.profiles.environment import Environment
from roomctl.text.suggest import did_you_mean, nearest


class View(NamedTuple):
    """Which columns, under which headings, and on the clock of which zone."""

    columns: tuple[str, ...] = ()
    rename: Mapping[str, str] = {}
    tz: str | None = None


_KINDS = {
    "columns": "a list of names of columns",
    "rename": "a table of columns and their headings",
    "tz": "the name of a time zone",
}


def view(environment: Environment, name: str) -> View:
    """Read a view of the config file. Raises BadValue for an unknown name, BadConfig for what is no view."""
    path = environment.config_file
    views = table(read(path).get("views", {}), f"views in {path}", "a view is written as `[views.NAME]`")
    if name not in views:
        hint = f'write `[views.NAME]` with `columns = ["…"]` in {path}'
        hint = f"{path} has: {', '.join(views)}" if views else hint
        near = nearest(name, views)
        raise BadValue(f"there is no view named {name}", hint=f"did you mean `{near}`?" if near else hint)
    where = f"view {name} in {path}"
    values = table(views[name], where, f"a view is written as `[views.{name}]`")
    for field, value in values.items():
        if field not in _KINDS:
            raise BadConfig(f"{where}: {field} is not a setting" + did_you_mean(field, _KINDS, ": "))
        if not _fits(field, value):
            raise BadConfig(f"{field} of {where} is not {_KINDS[field]}")
    return View(**{**values, "columns": tuple(values.get("columns", ()))})


def _fits(field: str, value: Any) -> bool:
    match field, value:
        case "columns", [_, *_]:
            names = value
        case "rename", dict():
            names = [*value, *value.values()]
        case "tz", str():
            names = [value]
        case _:
            return False
    return all(isinstance(each, str) and each.strip() for each in names)
