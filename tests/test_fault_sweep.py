"""Whichever step on disk or network fails: no false success, nothing lost, doubled or betrayed (R40, R41, R42)."""

import errno
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import BY_NAME
from tests.conftest import Run, Serving
from tests.faults import Faults
from tests.servers import KEY, A, B, Recorder
from tests.test_wire import COMMANDS, DOT

CODES = (errno.ENOSPC, errno.EIO, errno.EACCES, errno.EROFS, errno.EDQUOT)
CONFIG = '# kept\ndefault_profile = "old"  # kept too\n\n[profiles.old]\nbase_url = "https://old.example.org"\n'
INVITE = ["invite", "send", A, "--from", "people.csv", "--results", "r.csv", "--yes"]
BULK = {"invite.send --results": ("invite.send", INVITE)}
BULK |= {"user.get --results": ("user.get", ["user", "get", "--from", "users.csv", "--results", "r.csv"])}
for name, file in (("registration export", "r.csv"), ("registration export xlsx", "r.xlsx")):
    BULK[name] = ("registration.list", ["registration", "export", A, "--to", file])
PLAIN = {
    "--to": ("user.get", ["user", "get", A, "--to", "r.csv"]),
    "--to of a write": ("playlist.create", ["playlist", "create", "--name", "Rain", "--to", "r.json"]),
    "profile add": ("user.get", ["profile", "add", "new", "--base-url", "https://new.example.org", "--key-env", "K"]),
    "profile use": ("user.get", ["profile", "use", "old"]),
    "profile remove": ("user.get", ["profile", "remove", "old", "--yes"]),
}
LINES = {name: (name, command) for name, command in COMMANDS.items()} | BULK | PLAIN
SUMMARY = {"not_sent", "refused", "unknown", "applied"}


class Service(Recorder):
    """A service that answers everything and keeps what was asked."""

    def answer(self, request: bytes) -> bytes:
        if self.name == "registration.list":
            row = {"registrationId": B, "event": {"eventId": A}}
            return json.dumps([row] if b"page=0" in request else []).encode()
        return super().answer(request)


@pytest.fixture
def service(serving: Serving, tmp_path: Path) -> Service:
    (tmp_path / "dot.gif").write_bytes(DOT)
    people = f"invitedUserId,emailAddress\n{B},\n,ada@example.org\n"  # the two of whom the reply has a record
    (tmp_path / "people.csv").write_text(people, encoding="utf-8")
    (tmp_path / "users.csv").write_text(f"userId\n{A}\n", encoding="utf-8")
    return serving(Service("user.get"))


def complaints(
    done: Any, name: str, service: Service, roomctl: Run, folder: Path, whole: dict[str, bytes]
) -> list[str]:
    """Say what is wrong with the end of a run in which one step failed."""
    writes = BY_NAME[name].writes
    said = done.stdout + done.stderr
    odd = "Traceback" in said or KEY in said or done.status == 1
    found = ["a trace, a secret or a defect"] if odd else []
    if service.writes > 1:
        found.append("sent twice")
    error = {} if done.status == 0 else json.loads(done.stderr.splitlines()[-1])["error"]
    if error and (error["exit"] != done.status or error["outcome"] not in SUMMARY):
        found.append("the error says something else than the status")
    if writes and done.status == 0 and service.writes == 0 and "confirmed" not in said:
        found.append("a false success")
    states = [entry["state"] for entry in roomctl("journal", "list", "-o", "json").json]
    if service.writes and error.get("outcome") in ("not_sent", "refused"):
        found.append(f"said {error['outcome']}, and it was sent")
    if service.writes and (not states or states[0] in ("refused", "not_sent", "planned")):
        found.append(f"the journal has lost it: {states}")
    if done.status == 0:
        now = files(folder)
        found += [f"{path} is not whole" for path, data in whole.items() if now.get(path) != data]
    return found


def config_complaints(line: str, status: int, folder: Path) -> list[str]:
    """Say what is wrong with the config after a run: it is the old one or the new one, and its comments stay."""
    text = (folder / "home" / "config" / "config.toml").read_text(encoding="utf-8")
    expected = {"profile add": "[profiles.new]", "profile use": "# kept too", "profile remove": "# kept"}
    if text == CONFIG and (status != 0 or line == "profile use" or not line.startswith("profile")):
        return []
    return [] if text.startswith("# kept") and expected.get(line, "\0") in text else [f"the config is {text!r}"]


def files(folder: Path) -> dict[str, bytes]:
    """Give the results that a run left in files, but for those that hold the time."""
    found = {path.name: path.read_bytes() for path in folder.glob("r.csv")}
    return {name: data for name, data in found.items() if b"at" not in data.split(b"\n")[0].strip().split(b",")}


def swept(line: str, code: int, service: Service, roomctl: Run, folder: Path) -> tuple[int, list[str]]:
    """Fail each step of a command in turn; give how many there are, and what went wrong."""
    name, command = LINES[line]
    config = folder / "home" / "config" / "config.toml"
    service.name = name
    whole: dict[str, bytes] = {}
    found: list[str] = []
    for failing in range(10_000):  # 0: none fails
        for each in [*folder.glob("r.*"), *folder.glob(".r.*"), folder / "home"]:
            shutil.rmtree(each) if each.is_dir() else each.unlink(missing_ok=True)
        service.settle()
        service.requests.clear()
        config.parent.mkdir(parents=True)
        config.write_text(CONFIG, encoding="utf-8")
        config.chmod(0o600)
        with Faults(failing, code, network=code == errno.ENOSPC) as faults:
            done = roomctl(*command, "--retries", "0", "--timeout", "0.15" if failing else "9", "-o", "json")
        if failing == 0:
            assert done.status == 0, done.stderr
            whole = files(folder)
        elif not faults.failed:
            return failing - 1, found
        wrong = complaints(done, name, service, roomctl, folder, whole)
        wrong += config_complaints(line, done.status, folder)
        found += [f"{line}, step {failing} ({faults.failed}): {each}; {done.status} {done.stderr}" for each in wrong]
    raise AssertionError("it does not end")


@pytest.mark.parametrize("line", LINES)
def test_r40_r41_r42_no_more_is_said_than_is_known(line: str, service: Service, roomctl: Run, tmp_path: Path) -> None:
    results = [swept(line, code, service, roomctl, tmp_path) for code in CODES]
    assert [each for _, found in results for each in found] == []
    assert sum(steps for steps, _ in results) > 2
