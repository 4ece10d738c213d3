"""What an earlier export held, so that the next one writes only what is new or changed (`--since`)."""

import json
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.errors import BadInput
from roomctl.exports import manifest
from roomctl.exports.disk import beside
from roomctl.exports.distinct import fingerprint, key_of
from roomctl.exports.exported import Exported
from roomctl.exports.finishing import sha256_of

JSON = Any
_ENDING = ".manifest.json"


class Earlier(NamedTuple):
    """The rows of an earlier export, by key: about 250 bytes of memory each. `basis` tells one file from another."""

    hashes: dict[str, bytes]
    basis: str

    def has(self, key: str, content: str) -> bool:
        """Whether a row was there with this very content."""
        return self.hashes.get(key) == bytes.fromhex(content)


def earlier(path: Path, row_id: str | None) -> Earlier:
    """Read an ndjson export, or the manifest of an export of any format that kept its ids. Raises BadInput."""
    if not path.is_file():
        raise BadInput(f"no such file: `{path}`")
    if path.name.endswith(_ENDING):
        manifest.read(path)
        return _kept(path.with_name(path.name.removesuffix(_ENDING)))
    exported = Exported(path)
    facts = exported.manifest
    if exported.format != "ndjson" or exported.tabular or (facts and (facts.left_out or facts.label)):
        return _kept(path, exported)
    content = sha256_of(path)
    if facts and facts.sha256 != content:
        raise BadInput(
            f"`{path}` is not what its manifest says", hint=f"`roomctl registration check {path}` shows what differs"
        )
    hashes = {key_of(row, row_id): bytes.fromhex(fingerprint(row)) for row in exported.rows()}
    if hashes and not facts and all(key.startswith("#") for key in hashes):
        raise BadInput(
            f"no row of `{path}` has an id (`{row_id}`): nothing tells which rows are new",
            hint="give the ndjson file as it was exported",
        )
    return Earlier(hashes, content)


def _kept(file: Path, exported: Exported | None = None) -> Earlier:
    path = beside(file, ".ids")
    if not path.is_file():
        cut = exported and exported.format == "ndjson" and exported.tabular
        raise BadInput(
            f"`{file}` holds columns, not all that the service sent, so nothing in it tells whether a row changed"
            if cut
            else f"the ids of the earlier export are not kept beside it: `{path}`",
            hint="an ndjson export of all rows serves too; or export once more with `--keep-ids`",
        )
    try:
        with path.open("rb") as lines:
            hashes = {key: bytes.fromhex(content) for key, content in map(json.loads, lines)}
    except (OSError, ValueError, TypeError) as error:
        raise BadInput(f"not the ids of an export: `{path}`") from error
    return Earlier(hashes, sha256_of(path))
