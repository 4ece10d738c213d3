"""A record in the person's editor: what comes back changed."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shlex import quote
from typing import Any

import yaml

from roomctl.cli.confirm import YES, answer_of
from roomctl.cli.printing import report
from roomctl.cli.request_body import check_body, read_input
from roomctl.cli.session import Session, same_service
from roomctl.errors import BadInput, Declined, NeedsConfirmation, RoomctlError, WrongCall
from roomctl.exports.part import doing
from roomctl.output.values import first
from roomctl.text.safe import safe

READ_ONLY = frozenset({"socialRoomSetId", "socials", "hostUser"})
REFUSED = b"# refused: "


@contextmanager
def edited(session: Session, which: str, present: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Open a record in $VISUAL or $EDITOR; give the fields that were changed.

    What a person wrote lies in the state folder until the block has ended well; where it does not, that is where the
    text stays, and the command that sends it is named. Raises NeedsConfirmation, Declined, errors.*.
    """
    if not session.interactive:
        raise NeedsConfirmation("an editor needs a terminal", hint="`roomctl roomset update SET` changes fields")
    before = {name: value for name, value in present.items() if name not in READ_ONLY}
    text = yaml.safe_dump(before, allow_unicode=True, sort_keys=False)
    original = f"# change fields, save and leave; `null` clears a field\n{text}".encode()
    above = _folder(session)
    with doing("write", above):
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(dir=above)  # editors put their own files beside it
        path = Path(folder, "roomset.yaml")
        path.write_bytes(original)
    changed: dict[str, Any] = {}
    try:
        changed = _changes(session, path, before)
        yield changed
    except BaseException as error:
        if not path.is_file() or path.read_bytes() == original:
            shutil.rmtree(folder, ignore_errors=True)
        else:
            if changed:  # the rest may be another's by now
                path.write_text(yaml.safe_dump(changed, allow_unicode=True, sort_keys=False), encoding="utf-8")
            key = quote(str(present.get("socialRoomSetId") or which))
            what = "changes" if changed else "text"
            kept = f"`roomctl roomset update {key} --input {quote(os.fspath(path))}` sends your {what}"
            if not isinstance(error, RoomctlError):
                session.say(same_service(kept, session.argv))
                raise
            error.details = {**error.details, "kept": os.fspath(path)}
            error.hint = f"{error.hint}; {kept}" if error.hint else kept
        raise
    shutil.rmtree(folder, ignore_errors=True)


def forget(session: Session, name: str) -> None:
    """Remove a text that was kept, once it was sent."""
    if (folder := Path(name).resolve().parent).parent == _folder(session).resolve():
        shutil.rmtree(folder, ignore_errors=True)


def _folder(session: Session) -> Path:
    return session.environment.folder("state") / "edits"


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
            _explain(path, error)
            if answer_of(session, "edit again? [Y/n] ") not in ("", *YES):
                raise Declined("cancelled; nothing was sent") from None


def _explain(path: Path, error: RoomctlError) -> None:
    """Put at the top of a text why it was refused, as comments, in place of those of the time before."""
    problems = error.details.get("problems") or [{"path": "", "message": error.message}]
    reasons = [f"{each['path']} {each['message']}".strip() for each in problems]
    told = [safe(each, cell=True) for each in first([*reasons, *filter(None, [error.hint])])]
    with doing("write", path):
        old = path.read_bytes().splitlines(keepends=True)
        kept = [each for each in old if not each.startswith(REFUSED)]
        moved = len(told) + len(kept) - len(old)
        told = [re.sub(r"\bline (\d+)", lambda line: f"line {int(line[1]) + moved}", each) for each in told]
        path.write_bytes(b"".join([*(REFUSED + each.encode() + b"\n" for each in told), *kept]))


def _open_editor(session: Session, path: Path) -> None:
    command = session.environment.get("VISUAL") or session.environment.get("EDITOR") or "vi"
    try:
        done = subprocess.run([*shlex.split(command), os.fspath(path)], check=False)  # noqa: S603  (their editor)
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).lower()
        raise WrongCall(
            f"cannot start the editor {command!r}: {why}", hint="set EDITOR to a program that runs"
        ) from None
    if not path.is_file():
        raise WrongCall(f"the editor {command!r} removed {path}; nothing was sent")
    if done.returncode:
        raise WrongCall(f"the editor {command!r} exited with status {done.returncode}; nothing was sent")
