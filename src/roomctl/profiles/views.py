"""Views: sets of columns that the config file names, for exports. Read only when one is asked for."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from roomctl.errors import BadConfig, BadValue
from roomctl.profiles.configfile import read
from roomctl.profiles.environment import Environment
from roomctl.profiles.folders import config_file
from roomctl.text.suggest import did_you_mean, nearest


class View(NamedTuple):
    """Which columns, under which headings, and on the clock of which zone."""

    columns: tuple[str, ...] = ()
    rename: Mapping[str, str] = {}
    tz: str | None = None


def view(environment: Environment, name: str) -> View:
    """Read a view of the config file. Raises BadValue for an unknown name, BadConfig for what is no view."""
    path = config_file(environment)
    views = read(path).get("views", {})
    if not isinstance(views, dict):
        raise BadConfig(f"views in {path} is not a table", hint="a view is written as `[views.NAME]`")
    if name not in views:
        raise BadValue(f"no view has this name: {name}", hint=_instead(name, views, str(path)))
    where = f"view {name} in {path}"
    if not isinstance(views[name], dict):
        raise BadConfig(f"{where} is not a table", hint=f"a view is written as `[views.{name}]`")
    return View(**{field: _taken(field, value, where) for field, value in views[name].items()})


def _instead(name: str, views: Mapping[str, Any], path: str) -> str:
    if near := nearest(name, views):
        return f"did you mean `{near}`?"
    return f"{path} has: {', '.join(views)}" if views else f'write `[views.NAME]` with `columns = ["…"]` in {path}'


def _taken(field: str, value: Any, where: str) -> Any:
    if field not in _FIELDS:
        raise BadConfig(f"{where}: {field} is not a setting{did_you_mean(field, _FIELDS)}")
    try:
        return _FIELDS[field](value)
    except ValueError as error:
        raise BadConfig(f"{field} of {where} is not {error}") from None


def _columns(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(map(_is_name, value)):
        raise ValueError("a list of names of columns")
    return tuple(value)


def _rename(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(map(_is_name, [*value, *value.values()])):
        raise ValueError("a table of columns and their headings")
    return value


def _tz(value: Any) -> str:
    if not _is_name(value):
        raise ValueError("the name of a time zone")
    return str(value)


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


_FIELDS: Mapping[str, Callable[[Any], Any]] = {"columns": _columns, "rename": _rename, "tz": _tz}
