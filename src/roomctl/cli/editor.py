"""A record in the person's editor: what comes back changed."""

import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import yaml

from roomctl.cli.request_body import check_body, parse_document
from roomctl.cli.session import Session
from roomctl.errors import BadInput, NeedsConfirmation, WrongCall

READ_ONLY = frozenset({"socialRoomSetId", "socials", "hostUser"})


def edit_record(session: Session, present: dict[str, Any]) -> dict[str, Any]:
    """Open a record in $VISUAL or $EDITOR; give the fields that were changed. Raises NeedsConfirmation, errors.*."""
    if not session.interactive:
        raise NeedsConfirmation(
            "an editor needs a terminal", hint="`roomctl roomset update` changes fields with options"
        )
    before = {name: value for name, value in present.items() if name not in READ_ONLY}
    text = _through_editor(session, before)
    try:
        after = parse_document(text, "the edited file")
        if not isinstance(after, dict):
            raise BadInput("the edited file is not a list of fields")
        if gone := [name for name in before if name not in after]:
            raise BadInput(f"fields were deleted: {', '.join(gone)}", hint="write `null` to clear a field")
        changes = {name: value for name, value in after.items() if name not in before or before[name] != value}
        check_body(session, "RoomSet", changes)
        return changes
    except BadInput as error:
        raise _keeping(text, error) from None


def _keeping(text: str, error: WrongCall) -> WrongCall:
    """Keep what a person wrote, and say where."""
    file, kept = tempfile.mkstemp(prefix="roomctl-", suffix=".yaml")  # private
    with os.fdopen(file, "w", encoding="utf-8") as out:
        out.write(text)
    error.details = {**error.details, "kept": kept}
    error.hint = f"{error.hint}; " * bool(error.hint) + f"your text is kept in {kept}"
    return error


def _through_editor(session: Session, record: dict[str, Any]) -> str:
    command = session.environment.get("VISUAL") or session.environment.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="roomctl-") as folder:
        path = Path(folder, "roomset.yaml")
        text = yaml.safe_dump(record, allow_unicode=True, sort_keys=False)
        path.write_text(f"# change fields, save and leave; `null` clears a field\n{text}", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(command), os.fspath(path)], check=False)  # noqa: S603  (their editor)
        except (OSError, ValueError) as error:
            why = str(getattr(error, "strerror", None) or error).lower()
            raise WrongCall(f"cannot start the editor {command!r}: {why}", hint="set EDITOR") from None
        try:
            edited = path.read_text(encoding="utf-8")
        except OSError as error:
            why = (error.strerror or str(error)).lower()
            raise WrongCall(f"the editor {command!r} left no {path.name}: {why}; nothing was sent") from None
        if done.returncode:
            failed = WrongCall(f"the editor {command!r} exited with status {done.returncode}; nothing was sent")
            raise _keeping(edited, failed) if not edited.endswith(text) else failed
        return edited
