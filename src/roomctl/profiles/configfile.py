"""The config file, read: private, bounded, UTF-8, TOML; its errors name a place and quote nothing (R51).

A byte order mark and Windows' line ends are fine. What changes it is in `rewriting`.
"""

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from roomctl.errors import BadConfig
from roomctl.profiles.smallfile import SmallFile, read_small, reason

LARGEST = 1024 * 1024
BOM = "\ufeff"
_PLACE = r"\(at (line \d+, column \d+|end of document)\)\Z"


def read(path: Path) -> dict[str, Any]:
    """Read the config file; a missing one is empty. Raises BadConfig."""
    return parsed(text_of(path), path)


def profiles_of(config: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The `profiles` table of a config. Raises BadConfig when it is something else."""
    profiles = config.get("profiles", {})
    if not isinstance(profiles, dict):
        raise BadConfig(f"profiles in {path} is not a table", hint="a profile is written as `[profiles.NAME]`")
    return profiles


def text_of(path: Path) -> str:
    """Read the file's text as it is; empty when there is none. Raises BadConfig."""
    if os.fspath(path) == os.devnull:
        return ""
    try:
        found = read_small(path, LARGEST)
        _check(found)
        return found.data.decode("utf-8")
    except FileNotFoundError:
        return ""
    except UnicodeDecodeError as error:
        raise BadConfig(f"{path} is not UTF-8: byte {error.start}") from None
    except (OSError, ValueError) as error:
        raise BadConfig(f"cannot read {path}: {reason(error)}") from None


def _check(found: SmallFile) -> None:
    if not found.regular:
        raise BadConfig(f"{found.path} is not a file")
    if found.others_read or found.others_write:
        raise BadConfig(f"others can read or write {found.path}, which holds keys", hint=found.chmod("600"))
    if len(found.data) == LARGEST:
        raise BadConfig(f"{found.path} is larger than a config file can be: 1 MiB")


def parsed(text: str, path: Path) -> dict[str, Any]:
    """Parse the text of a config file. Raises BadConfig with the line and the column."""
    import tomllib

    try:
        return tomllib.loads(text.removeprefix(BOM))
    except (ValueError, RecursionError) as error:
        found = re.search(_PLACE, str(error))
        where = found[1].replace("end of", "at the end of the") if found else "nested too deeply, or a number too long"
        raise BadConfig(f"{path} is not TOML: {where}", hint="mend it there; what it holds is not shown") from None
