"""A record in the person's editor: what comes back changed."""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from shlex import quote
from typing import Any

import yaml

from roomctl.cli.confirm import YES, answer_of
from roomctl.cli.printing import report
from roomctl.cli.request_body import check_body, read_input
from roomctl.cli.session import Answer, Session
from roomctl.contract.fields import fields
from roomctl.errors import BadInput, Declined, NeedsConfirmation, Refused, RoomctlError, WrongCall
from roomctl.exports.part import doing
from roomctl.text.counted import first
from roomctl.text.jsontext import compact
from roomctl.text.safe import safe

READ_ONLY = frozenset({"socialRoomSetId", "socials", "hostUser"})
REFUSED = b"# refused: "


def edit(session: Session, which: str, present: Mapping[str, Any], send: Callable[[dict[str, Any]], Answer]) -> Answer:
    """Open a record in $VISUAL or $EDITOR, and send the fields that were changed; what is refused may be edited again.

    What a person wrote lies in the state folder until it is sent; where it is not, that is where the text stays, and
    the command that sends it is named. Raises NeedsConfirmation, Declined, errors.*.
    """
    if session.unattended:
        raise NeedsConfirmation("an editor needs a terminal", hint="`roomctl roomset update SET` changes fields")
    before = {name: value for name, value in present.items() if name not in READ_ONLY}
    text = yaml.safe_dump(before, allow_unicode=True, sort_keys=False)
    for each in fields("RoomSet").values():
        if each.values and (value := before.get(each.name)) in each.values:
            text = re.sub(f"(?m)^({each.name}: {value})$", rf"\1  # {', '.join(each.values)}", text)
    others = [each for name, each in fields("RoomSet").items() if name not in {*before, *READ_ONLY}]
    unset = [f"# {each.name}: null{'  # ' * bool(each.values)}{', '.join(each.values)}\n" for each in others]
    unset[:0] = ["# not set; to set one, remove its `#` and write a value:\n"] * bool(unset)
    text = f"# change fields, then save and close the editor; `null` clears a field\n{text}{''.join(unset)}"
    original = text.encode()
    above = session.environment.folder("state") / "edits"
    with doing("write", above):
        above.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = tempfile.mkdtemp(dir=above)  # editors put their own files beside it
        path = Path(folder, "roomset.yaml")
        path.write_bytes(original)
    changed: dict[str, Any] = {}
    try:
        while True:
            _open_editor(session, path)
            changed = {}
            try:
                changed = _changes(session, path, before)
                answer = send(changed)
                break
            except (BadInput, Refused) as error:
                report(session, error)
                _explain(path, error)
                if answer_of(session, "edit again? [Y/n] ") not in ("", *YES):
                    what = "sent" if isinstance(error, BadInput) else "changed"
                    raise Declined(f"cancelled; nothing was {what}", outcome=error.outcome) from None
    except BaseException as error:
        if path.is_file() and path.read_bytes() != original:
            _keep(session, error, path, changed, str(present.get("socialRoomSetId") or which))
        else:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)
    return answer


def _keep(session: Session, error: BaseException, path: Path, changed: Mapping[str, Any], key: str) -> None:
    """Keep a text that was not sent, only its changes where they are known: the rest may be another's by now."""
    if changed:
        path.write_text(yaml.safe_dump(changed, allow_unicode=True, sort_keys=False), encoding="utf-8")
    command = f"`roomctl roomset update {quote(key)} --input {quote(os.fspath(path))}`"
    corrected = f"your edit was kept: correct the file, then send it with {command}"
    kept = f"{command} updates the room set with the changes you made" if changed else corrected
    if isinstance(error, RoomctlError):
        error.details = {**error.details, "kept": os.fspath(path)}
        error.hint = f"{error.hint}; {kept}" if error.hint else kept
    else:
        session.say(kept)


def _changes(session: Session, path: Path, before: Mapping[str, Any]) -> dict[str, Any]:
    after = read_input(session, os.fspath(path))
    if after is None:  # emptied, as a person does to cancel
        path.unlink()
        raise Declined("the file was emptied; nothing was sent")
    if not isinstance(after, dict):
        raise BadInput("the edited file is not a list of fields")
    changes = {name: value for name, value in after.items() if before.get(name) != value}
    check_body(session, "RoomSet", changes)  # a name that is mistyped is not a field that was deleted
    if gone := [name for name in before if name not in after]:
        raise BadInput(f"fields were deleted: {', '.join(gone)}", hint="write `null` to clear a field")
    return changes


def _explain(path: Path, error: RoomctlError) -> None:
    """Put at the top of a text why it was refused, as comments, in place of those of the time before."""
    said = f"{error.message}: {error.service}" if error.service else error.message
    problems = error.details.get("problems") or [{"path": "", "message": said}]
    reasons = [f"{each['path']} {each['message']}".strip() for each in problems]
    comments = [REFUSED + safe(each, cell=True).encode() + b"\n" for each in first([*reasons, error.hint]) if each]
    with doing("write", path):
        text = [each for each in path.read_bytes().splitlines(keepends=True) if not each.startswith(REFUSED)]
        path.write_bytes(b"".join([*comments, *text]))


def _open_editor(session: Session, path: Path) -> None:
    command = session.environment.get("VISUAL") or session.environment.get("EDITOR") or "vi"
    try:
        done = subprocess.run([*shlex.split(command), os.fspath(path)], check=False)  # noqa: S603  (their editor)
    except (OSError, ValueError) as error:
        why = str(getattr(error, "strerror", None) or error).lower()
        raise WrongCall(
            f"cannot start the editor {compact(command)}: {why}", hint="set EDITOR to an installed editor"
        ) from None
    if not path.is_file():
        raise WrongCall(f"the editor {compact(command)} removed {path}; nothing was sent")
    if done.returncode:
        raise WrongCall(
            f"the editor {compact(command)} exited with status {done.returncode}; nothing was sent",
            hint="set EDITOR or VISUAL to another editor",
        )
