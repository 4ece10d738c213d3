"""The config file, changed: under a lock, with all comments kept, replaced whole or not at all (R50)."""

import os
from collections.abc import Callable, MutableMapping
from pathlib import Path
from typing import Any

from roomctl import files
from roomctl.errors import BadConfig, LocalFailure
from roomctl.profiles.configfile import BOM, parsed, text_of
from roomctl.profiles.smallfile import reason

Change = Callable[[MutableMapping[str, Any]], str | None]
"""Changes the values of a config. It may return TOML that says the same when it is appended to the file."""


def edit(path: Path, change: Change) -> None:
    """Change the config file: lock, read again, change, replace. Raises BadConfig, LocalFailure.

    A symlink keeps its link. `change` is called with the plain values, which say what has to come out, and with the
    tomlkit document where appending does not do.
    """
    real = Path(os.path.realpath(path))
    replaced = False
    try:
        real.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with files.locked(real.with_name(f".{real.name}.lock")):
            _replace(real, _changed(real, change).encode("utf-8"))
            replaced = True
            files.sync_folder(real.parent)
    except OSError as error:
        if not replaced:
            raise LocalFailure(f"cannot write {path}: {reason(error)}") from None
        message = f"{path} is changed, but the disk did not confirm it: {reason(error)}"
        raise LocalFailure(message, outcome="applied") from None


def _replace(path: Path, data: bytes) -> None:
    """Replace the file, and remove what a killed process left beside it; for the holder of its lock."""
    for left in path.parent.glob(f".{path.name}.*.new"):
        left.unlink(missing_ok=True)
    files.replace(path, [data], by=path.with_name(f".{path.name}.{os.urandom(6).hex()}.new"))


def _changed(path: Path, change: Change) -> str:
    """Change the text of the config file; its byte order mark and its way to end lines stay."""
    text = text_of(path)
    wanted = parsed(text, path)
    addition = change(wanted)
    body = text.removeprefix(BOM)
    windows = "\r\n" in body and "\n" not in body.replace("\r\n", "")
    body = body.replace("\r\n", "\n") if windows else body
    fresh = _appended(body, addition) if addition else None
    if fresh is None or not _says(fresh, wanted):
        fresh = _edited(body, change)
    if fresh is None or not _says(fresh, wanted):
        raise BadConfig(f"roomctl cannot change {path} and keep all else in it", hint="edit it by hand")
    return (BOM if text.startswith(BOM) else "") + (fresh.replace("\n", "\r\n") if windows else fresh)


def _appended(text: str, addition: str) -> str:
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return text + gap + addition


def _edited(text: str, change: Change) -> str | None:
    """Change a text with tomlkit; None where tomlkit fails, which it does in many ways on rare documents."""
    import tomlkit

    try:
        document = tomlkit.parse(text)
        change(document)
        return tomlkit.dumps(document)
    except Exception:
        return None


def _says(text: str, wanted: dict[str, Any]) -> bool:
    """Whether a text holds exactly the wanted values."""
    try:
        return _canonical(parsed(text, Path())) == _canonical(wanted)
    except BadConfig:
        return False


def _canonical(values: dict[str, Any]) -> str:
    """Values in a form that can be compared; profiles of which there are none are the same as no word of them."""
    import json

    kept = {name: value for name, value in values.items() if value or name != "profiles"}
    return json.dumps(kept, sort_keys=True, default=repr)
