"""The config file: private, bounded, UTF-8, TOML; its errors name a place and quote nothing (R51).

Changed under a lock, with all comments kept, replaced whole or not at all (R50). A byte order mark and Windows' line
ends are fine, and stay.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from roomctl import files
from roomctl.errors import BadConfig, BadValue, LocalFailure
from roomctl.profiles.environment import Environment
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean

LARGEST = 1024 * 1024
BOM = "\ufeff"
Change = Callable[[MutableMapping[str, Any]], None]
"""Changes the values of a config, plain ones or a tomlkit document."""


def read_small(path: Path, most: int) -> tuple[int, bytes]:
    """Read the mode of a file that may hold a secret, and its first `most` bytes: none of what is no regular file.

    A named pipe is not waited for. Raises OSError, ValueError (not a path).
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    try:
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            return mode, b""
        with open(descriptor, "rb", closefd=False) as file:
            return mode, file.read(most)
    finally:
        os.close(descriptor)


def others_can(action: str, mode: int) -> bool:
    """Whether others than a file's owner can read or write it; Windows has no such bits."""
    return sys.platform != "win32" and bool(mode & {"read": 0o044, "write": 0o022}[action])


def chmod(mode: str, path: Path) -> str:
    from shlex import quote

    return f"`chmod {mode} {quote(os.fspath(path))}`"


def reason(error: OSError | ValueError) -> str:
    """Say why a file could not be used, in a few words of lower case that quote nothing of it."""
    if isinstance(error, OSError):
        return (error.strerror or "it cannot be used").lower()
    return "not a path"


def read(path: Path) -> dict[str, Any]:
    return parse(_read_text(path), path)


def table(value: Any, where: str, hint: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise BadConfig(f"{where} is not a table", hint=hint)
    return value


def profiles_of(config: Mapping[str, Any], path: Path) -> dict[str, Any]:
    return table(config.get("profiles", {}), f"profiles in {path}", "a profile is written as `[profiles.NAME]`")


def unknown(names: Iterable[str], known: Collection[str], where: str) -> list[str]:
    """Say of each name that is not a known setting that it is none, with the nearest one that is."""
    strange = [name for name in names if name not in known]
    return [f"{where}: {name} is not a setting" + did_you_mean(name, known, ": ") for name in strange]


def _read_text(path: Path) -> str:
    if os.fspath(path) == os.devnull:
        return ""
    try:
        mode, data = read_small(path, LARGEST)
    except FileNotFoundError:
        return ""
    except (OSError, ValueError) as error:
        raise BadConfig(f"cannot read {path}: {reason(error)}") from None
    if not stat.S_ISREG(mode):
        raise BadConfig(f"{path} is not a file")
    if others_can("read", mode) or others_can("write", mode):
        raise BadConfig(f"others can read or write {path}, which may hold keys", hint=chmod("600", path))
    if len(data) == LARGEST:
        raise BadConfig(f"{path} is larger than a config file can be: 1 MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is not UTF-8: byte {error.start}") from None


def parse(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a config file. Raises BadConfig with the line and the column."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError) as error:
        found = re.search(r"\(at (line \d+, column \d+|end of document)\)\Z", str(error))
        where = found[1].replace("end of", "at the end of the") if found else "nested too deeply, or a number too long"
        raise BadConfig(
            f"{path} is not valid TOML: {where}",
            hint="correct that line; the file is not shown, because it may hold keys",
        ) from None


def edit(path: Path, change: Change) -> dict[str, Any]:
    """Change the config file under a lock, and give what it said before. Raises BadConfig, LocalFailure."""
    real = Path(os.path.realpath(path))  # a symlink keeps its link
    replaced = False
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.locked(real.with_name(f".{real.name}.lock")):
            before = _read_text(real)
            data = _change_text(before, real, change).encode("utf-8")
            for left in real.parent.glob(f".{real.name}.*.new"):  # by a process that was killed
                left.unlink(missing_ok=True)
            files.replace(real, [data], by=real.with_name(f".{real.name}.{os.urandom(6).hex()}.new"))
            replaced = True
            files.sync_folder(real.parent)
    except OSError as error:
        if not replaced:
            raise LocalFailure(f"cannot write {path}: {reason(error)}") from None
        message = f"{path} was changed, but the disk did not confirm it: {reason(error)}"
        raise LocalFailure(message, outcome="applied") from None
    return parse(before, path)


def _change_text(text: str, path: Path, change: Change) -> str:
    """Change the text of the config file with all else in it kept. Raises BadConfig where tomlkit cannot do that.

    tomlkit fails in many ways on rare documents: what it wrote is read again, and must say what the plain values say.
    """
    import tomlkit

    wanted = parse(text, path)
    change(wanted)
    body = text.removeprefix(BOM)
    windows = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    try:
        document = tomlkit.parse(body.replace("\r\n", "\n") if windows else body)
        change(document)
        changed = tomlkit.dumps(document)
        faithful = {"profiles": {}, **parse(changed, path)} == {"profiles": {}, **wanted}  # an empty table may go
    except Exception:
        faithful = False
    if not faithful:
        raise BadConfig(f"roomctl cannot change {path} without losing other content", hint="edit the file by hand")
    return (BOM if text.startswith(BOM) else "") + (changed.replace("\n", "\r\n") if windows else changed)


class View(NamedTuple):
    """Columns that the config file names for exports: which, under which headings, on the clock of which zone."""

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
