"""The config file: private, bounded, UTF-8, TOML; its errors name a place and quote nothing (R51).

Changed under a lock, with all comments kept, replaced whole or not at all (R50). A byte order mark and Windows' line
ends are fine, and stay.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig, LocalFailure

LARGEST = 1024 * 1024
BOM = "\ufeff"
Change = Callable[[MutableMapping[str, Any]], str | None]
"""Changes the values of a config. It may return TOML that says the same when it is appended to the file."""


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
    """Write the command that mends a file's permissions, as it can be typed."""
    from shlex import quote

    return f"`chmod {mode} {quote(os.fspath(path))}`"


def reason(error: OSError | ValueError) -> str:
    """Say why a file could not be used, in a few words of lower case that quote nothing of it."""
    if isinstance(error, OSError):
        return (error.strerror or "it cannot be used").lower()
    return "not a path"


def read(path: Path) -> dict[str, Any]:
    """Read the config file; a missing one is empty. Raises BadConfig."""
    return _parsed(_text_of(path), path)


def profiles_of(config: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The `profiles` table of a config. Raises BadConfig when it is something else."""
    return table(config.get("profiles", {}), f"profiles in {path}", "a profile is written as `[profiles.NAME]`")


def table(value: Any, where: str, hint: str) -> dict[str, Any]:
    """Check that a value is a table. Raises BadConfig."""
    if not isinstance(value, dict):
        raise BadConfig(f"{where} is not a table", hint=hint)
    return value


def _text_of(path: Path) -> str:
    """Read the file's text as it is; empty when there is none. Raises BadConfig."""
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
        raise BadConfig(f"others can read or write {path}, which holds keys", hint=chmod("600", path))
    if len(data) == LARGEST:
        raise BadConfig(f"{path} is larger than a config file can be: 1 MiB")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is not UTF-8: byte {error.start}") from None


def _parsed(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a config file. Raises BadConfig with the line and the column."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError) as error:
        found = re.search(r"\(at (line \d+, column \d+|end of document)\)\Z", str(error))
        where = found[1].replace("end of", "at the end of the") if found else "nested too deeply, or a number too long"
        raise BadConfig(f"{path} is not TOML: {where}", hint="mend it there; what it holds is not shown") from None


def edit(path: Path, change: Change) -> dict[str, Any]:
    """Change the config file: lock, read again, change, replace; give what it said before.

    Raises BadConfig, LocalFailure.

    A symlink keeps its link. `change` is called with the plain values, which say what has to come out, and with the
    tomlkit document where appending does not do.
    """
    from roomctl import files

    real = Path(os.path.realpath(path))
    replaced = False
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.locked(real.with_name(f".{real.name}.lock")):
            before = _text_of(real)
            data = _changed(before, real, change).encode("utf-8")
            for left in real.parent.glob(f".{real.name}.*.new"):  # by a process that was killed
                left.unlink(missing_ok=True)
            files.replace(real, [data], by=real.with_name(f".{real.name}.{os.urandom(6).hex()}.new"))
            replaced = True
            files.sync_folder(real.parent)
    except OSError as error:
        if not replaced:
            raise LocalFailure(f"cannot write {path}: {reason(error)}") from None
        message = f"{path} is changed, but the disk did not confirm it: {reason(error)}"
        raise LocalFailure(message, outcome="applied") from None
    return _parsed(before, path)


def _changed(text: str, path: Path, change: Change) -> str:
    """Change the text of the config file, in a way that keeps all else in it. Raises BadConfig where there is none."""
    wanted = _parsed(text, path)
    addition = change(wanted)
    body = text.removeprefix(BOM)
    windows = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    body = body.replace("\r\n", "\n") if windows else body
    if not addition or not _says(fresh := _appended(body, addition), wanted):
        fresh = _edited(body, change)
        if not _says(fresh, wanted):
            raise BadConfig(f"roomctl cannot change {path} and keep all else in it", hint="edit it by hand")
    return (BOM if text.startswith(BOM) else "") + (fresh.replace("\n", "\r\n") if windows else fresh)


def _appended(text: str, addition: str) -> str:
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + addition


def _edited(text: str, change: Change) -> str:
    """Change a text with tomlkit; no TOML where tomlkit fails, which it does in many ways on rare documents."""
    import tomlkit

    try:
        document = tomlkit.parse(text)
        change(document)
        return tomlkit.dumps(document)
    except Exception:
        return "\0"


def _says(text: str, wanted: dict[str, Any]) -> bool:
    """Whether a text holds exactly the wanted values."""
    try:
        return _canonical(_parsed(text, Path())) == _canonical(wanted)
    except BadConfig:
        return False


def _canonical(values: dict[str, Any]) -> str:
    """Values in a form that can be compared; profiles of which there are none are the same as no word of them."""
    import json

    kept = {name: value for name, value in values.items() if value or name != "profiles"}
    return json.dumps(kept, sort_keys=True, default=repr)
