"""A record in the person's editor: what comes back changed."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml

from roomctl.cli.confirm import YES, answer_of
from roomctl.cli.printing import report
from roomctl.cli.request_body import check_body, read_input
from roomctl.cli.session import Session
from roomctl.errors import BadInput, Declined, NeedsConfirmation, RoomctlError, WrongCall
from roomctl.exports.part import doing

READ_ONLY = frozenset({"socialRoomSetId", "socials", "hostUser"})


@contextmanager
def edited(session: Session, present: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Open a record in $VISUAL or $EDITOR; give the fields that were changed.

    What a person wrote lies in the state folder until the block has ended well; where it does not, that is where the
    text stays, and it is said. Raises NeedsConfirmation, Declined, errors.*.
    """
    if not session.interactive:
        raise NeedsConfirmation("an editor needs a terminal", hint="`roomctl roomset update SET` changes fields")
    before = {name: value for name, value in present.items() if name not in READ_ONLY}
    text = yaml.safe_dump(before, allow_unicode=True, sort_keys=False)
    original = f"# change fields, save and leave; `null` clears a field\n{text}".encode()
    above = session.environment.folder("state") / "edits"
    with doing("write", above):
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(dir=above)  # editors put their own files beside it
        path = Path(folder, "roomset.yaml")
        path.write_bytes(original)
    try:
        yield _changes(session, path, before)
    except BaseException as error:
        if not path.is_file() or path.read_bytes() == original:
            shutil.rmtree(folder, ignore_errors=True)
        elif isinstance(error, RoomctlError):
            error.details = {**error.details, "kept": os.fspath(path)}
            error.hint = f"{error.hint}; " * bool(error.hint) + f"your text is kept in {path}"
        else:
            session.say(f"your text is kept in {path}")
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _changes(session: Session, path: Path, before: Mapping[str, Any]) -> dict[str, Any]:
    while True:
        _open_editor(session, path)
        try:
            after = read_input(session, os.fspath(path))
            if not isinstance(after, dict):
                raise BadInput("the edited file is not a list of fields")
            changes = {name: value for name, value in after.items() if name not in before or before[name] != value}
            check_body(session, "RoomSet", changes)  # a name that is mistyped is not a field that was deleted
            if gone := [name for name in before if name not in after]:
                raise BadInput(f"fields were deleted: {', '.join(gone)}", hint="write `null` to clear a field")
            return changes
        except BadInput as error:
            report(session, error)
            if answer_of(session, "edit again? [Y/n] ") not in ("", *YES):
                raise Declined("cancelled; nothing was sent") from None


def _open_editor(session: Session, path: Path) -> None:
    command = session.environment.get("VISUAL") or session.environment.get("EDITOR") or "vi"
    try:
        done = subprocess.run([*shlex.split(command), os.fspath(path)], check=False)  # noqa: S603  (their editor)
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).lower()
        raise WrongCall(f"cannot start the editor {command!r}: {why}", hint="set EDITOR to one that exists") from None
    if not path.is_file():
        raise WrongCall(f"the editor {command!r} removed {path}; nothing was sent")
    if done.returncode:
        raise WrongCall(f"the editor {command!r} exited with status {done.returncode}; nothing was sent")
