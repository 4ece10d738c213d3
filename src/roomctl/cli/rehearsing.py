"""One rehearsal of a script: a fresh sandbox, served with its fault, and what the script did to it."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from roomctl.errors import BadInput
from roomctl.profiles import Environment

if TYPE_CHECKING:
    from roomctl.sandbox.faults import Fault
    from roomctl.sandbox.judge import Mistake

JSON = Any
NIGHTS: Final = (
    "drop-after-commit:write#1",
    "drop-before-commit:write#1",
    "reset:write#1",
    "status=500:write#1",
    "status=500,after-commit:write#1",
    "status=429,retry-after=1:write#1",
    "html:write#1",
    "truncated:write#1",
    "drop-after-commit:write#1 status=403,after=3,times=2:roomset.list",
    "status=429,retry-after=1:read#1",
    "status=503,times=2:read",
    "truncated:read#1",
    "clamp-size=2:read",
    "ignore-page:read",
    "rows-deleted=1:read#2",
    "key-revoked=1:read",
    "empty-page,page=1:read",
    "end-of-list=404:read",
    "list-field:read",
    "denied=record:write#1",
    "without=isOpen+invitedUser+invitedUserId:*",
    "uppercase-ids:read",
)
"""What a script is tried with: each line is one night, of one fault or several."""
QUIET: Final = "no fault"


class Night(NamedTuple):
    """What one night left: the exit status (None: it had to be stopped), effects, mistakes, how often what was done."""

    name: str
    exit: int | None
    effects: Mapping[str, int]
    mistakes: "list[Mistake]"
    done: Mapping[str, int]
    applied: int
    requests: int
    seconds: float
    output: str


def world(folder: Path) -> Path:
    """Make the world that every night begins with."""
    from roomctl.sandbox.seed import seed
    from roomctl.sandbox.store import Store

    store = Store(folder / "world.db")
    seed(store, registrations=250)
    store.close()
    return folder / "world.db"


def rehearse(
    argv: Sequence[str], base: Path, name: str, faults: "Sequence[Fault]", environment: Environment,
    *, longest: float, usual: Mapping[str, int] | None = None,
) -> Night:  # fmt: skip
    """Run a script through a night. Raises BadInput where it cannot be run at all."""
    import secrets

    from roomctl.sandbox.changes import changes, documents
    from roomctl.sandbox.fault_store import FaultStore
    from roomctl.sandbox.judge import judge, times
    from roomctl.sandbox.serve import served
    from roomctl.sandbox.store import Store

    with TemporaryDirectory(prefix="roomctl-rehearse-") as folder:
        path = Path(folder) / "served" / "sandbox.db"
        path.parent.mkdir()
        shutil.copyfile(base, path)
        before, key = documents(path), "sandbox-" + secrets.token_urlsafe(24)
        store, stage = Store(path), FaultStore(path.with_name("sandbox-stage.db"), faults)
        start = monotonic()
        with served(store, stage, key) as port:
            status, output = _run(argv, _variables(environment, folder, port, key), longest)
        seconds = monotonic() - start
        log = stage.log()
        store.close()
        stage.close()
        after = documents(path)
    applied = sum(bool(entry["fault"]) for entry in log)
    return Night(
        name,
        status,
        changes(before, after),
        judge(log, usual),
        times(log),
        applied,
        len(log),
        round(seconds, 1),
        output,
    )


def _variables(environment: Environment, folder: str, port: int, key: str) -> dict[str, str]:
    """The person's variables without roomctl's own, which point to this night."""
    kept = {name: value for name, value in environment.items() if not name.startswith("ROOMCTL_")}
    own = {f"ROOMCTL_{name}": f"{folder}/{name.lower()}" for name in ("DATA", "STATE", "CACHE")}
    own |= {"ROOMCTL_CONFIG": f"{folder}/config.toml", "ROOMCTL_NO_INPUT": "1"}
    return {**kept, **own, "ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": key}


def _run(argv: Sequence[str], variables: Mapping[str, str], longest: float) -> tuple[int | None, str]:
    """Run a script, and stop it with all that it started when it takes too long.

    It writes to a file: of a pipe, what it left behind in the background would hold the other end.
    """
    with TemporaryFile() as said:
        try:
            script = subprocess.Popen(  # noqa: S603  (the person's own script)
                list(argv),
                env=dict(variables),
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        except OSError as error:
            raise BadInput(f"cannot run {argv[0]}: {(error.strerror or str(error)).lower()}") from None
        status: int | None = None
        with script:
            try:
                status = script.wait(longest)
            except subprocess.TimeoutExpired:
                _stop(script)
            except BaseException:
                _stop(script)
                raise
        said.seek(0)
        return status, said.read().decode(errors="replace")


def _stop(script: "subprocess.Popen[bytes]") -> None:
    if hasattr(os, "killpg"):
        os.killpg(script.pid, signal.SIGKILL)
    else:  # pragma: no cover  (another system's)
        script.kill()
