"""`--debug`: the trace of a failure, without secrets, in a file that only its owner can read."""

import os
import traceback
from contextlib import suppress
from pathlib import Path
from time import strftime

from roomctl import files
from roomctl.cli.session import Session
from roomctl.errors import RoomctlError


def write_trace(session: Session, error: BaseException) -> Path | None:
    """Write the trace of an error to a new file in the state folder and name it; None where that is not possible."""
    from roomctl.profiles import state_folder

    text = "".join(traceback.format_exception(error))
    with suppress(OSError, RoomctlError):
        folder = state_folder(session.environment)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = folder / f"debug-{strftime('%Y%m%dT%H%M%S')}-{os.getpid()}.log"
        with os.fdopen(files.create_new(path), "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(_without_secrets(session, text))
        return path
    return None


def _without_secrets(session: Session, text: str) -> str:
    secrets = [value for name, value in session.environment.items() if name.endswith(("KEY", "TOKEN", "SECRET"))]
    if (client := session.__dict__.get("client")) is not None:
        text = client.redact(text)
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(secret, "<redacted>")
    return text
