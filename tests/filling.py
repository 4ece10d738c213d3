"""The tool on a disk that fills: no file may grow beyond a size. Run as a program, for it forks; prints JSON."""

import csv
import io
import json
import os
import resource
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from roomctl.cli.main import run
from roomctl.errors import LocalFailure
from roomctl.profiles import Environment
from tests.servers import A, Recorder, invitation

CONFIG = '# kept\ndefault_profile = "old"  # kept too\n\n[profiles.old]\nbase_url = "https://old.example.org"\n'
PEOPLE = [f"p{number}@example.org" for number in range(8)]
ROWS = [{"socialRoomSetId": f"{A[:-2]}{number:02}", "name": f"Set {number}"} for number in range(40)]
FULL = LocalFailure.exit
NO_LIMIT = resource.RLIM_INFINITY


class Rooms(Recorder):
    """A service that invites people, makes playlists and lists room sets; what it did stands in a file."""

    def __init__(self, did: Path) -> None:
        self.did = os.open(did, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        super().__init__("invite.send")

    def answer(self, request: bytes) -> bytes:
        if request.startswith(b"GET "):
            return json.dumps(ROWS if b"page=0" in request else []).encode()
        sent = json.loads(request.partition(b"\r\n\r\n")[2])
        if isinstance(sent, dict):
            os.write(self.did, f"{sent['name']}\n".encode())
            return json.dumps({"playlistId": A}).encode()
        people = [each["invitedUser"]["emailAddress"] for each in sent]
        os.write(self.did, "".join(f"{person}\n" for person in people).encode())
        return json.dumps([invitation(one) for one in people]).encode()


class Level(NamedTuple):
    """One size in a folder of its own: the files that were there before, and what is run."""

    folder: Path
    port: int
    limit: int

    def tool(self, limit: int, *args: str) -> int:
        """Run the tool in a process of its own whose files may have so many bytes; give its status."""
        if pid := os.fork():
            return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        status = 99
        try:
            os.chdir(self.folder)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, NO_LIMIT))
            streams = {name: io.StringIO() for name in ("stdin", "stdout", "stderr")}
            status = run(args, environment=self.environment, **streams)
        finally:
            os._exit(status)

    @property
    def environment(self) -> Environment:
        own = {f"ROOMCTL_{name}": os.fspath(self.folder / name.lower()) for name in ("STATE", "DATA", "CACHE")}
        service = {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{self.port}", "ROOMCTL_API_KEY": "filling-test-key-0123"}
        config = {"ROOMCTL_CONFIG": os.fspath(self.folder / "config.toml"), "HOME": os.fspath(self.folder)}
        return Environment({**own, **config, **service})

    def did(self) -> Counter[str]:
        return Counter((self.folder.parent / "did").read_text().split())

    def files(self) -> set[str]:
        return {path.name for path in self.folder.iterdir()} - {"state", "cache", "data"}

    def journal(self) -> list[str]:
        """Give the states of the journal's entries, the newest first."""
        out = io.StringIO()
        assert run(["journal", "list", "-o", "json"], environment=self.environment, stdout=out) == 0
        return [entry["state"] for entry in json.loads(out.getvalue())]


def config(level: Level) -> tuple[int, list[str]]:
    """Add a profile: the old config stays whole, or the new one is."""
    file = level.folder / "config.toml"
    file.write_text(CONFIG)
    file.chmod(0o600)
    words = ["profile", "add", "new", "--base-url", "https://new.example.org", "--key-env", "K"]
    status = level.tool(level.limit, *words)
    text = file.read_text()
    fine = text == CONFIG if status == FULL else status == 0 and text.startswith(CONFIG) and "[profiles.new]" in text
    left = level.files() - {"config.toml", "config.toml.lock", ".config.toml.lock"}
    again = level.tool(NO_LIMIT, *words) if status else 0
    wrong = [] if fine and not left and again == 0 else [f"status {status}, then {again}, left {left}: {text!r}"]
    return status, wrong


def to(level: Level) -> tuple[int, list[str]]:
    """Write a list over an older file: the old one stays whole, or the new one is."""
    file = level.folder / "sets.csv"
    file.write_text("old\n")
    words = ["roomset", "list", "-o", "csv", "--fields", "socialRoomSetId,name", "--to", "sets.csv", "--force"]
    status = level.tool(level.limit, *words)
    text = file.read_text()
    whole = "\n".join(["socialRoomSetId,name", *(f"{row['socialRoomSetId']},{row['name']}" for row in ROWS), ""])
    fine = text == "old\n" if status == FULL else (status, text.replace("\r\n", "\n")) == (0, whole)
    return status, [] if fine and level.files() == {"sets.csv"} else [f"status {status}, {level.files()}: {text!r}"]


def journal(level: Level) -> tuple[int, list[str]]:
    """Make a playlist: what the journal cannot hold is not sent, and what was sent it holds."""
    name = f"list-{level.folder.name}"
    status = level.tool(level.limit, "playlist", "create", "--name", name)
    done, states = level.did()[name], level.journal()
    if done:
        fine = states in (["confirmed"], ["sent"]) and status in (0, FULL)
    else:
        fine = status == FULL and not {"confirmed", "sent", "unknown"} & set(states)
    return status, [] if fine else [f"status {status}, done {done}: {states}"]


def bulk(level: Level, padding: int = 0) -> tuple[int, list[str]]:
    """Invite people, go on with room: no result says what is not so, and nobody is invited twice."""
    people = [f"{level.folder.name}.{person}" for person in PEOPLE]
    rows = "".join(f"{person},{'x' * padding}\n" for person in people)
    (level.folder / "people.csv").write_text(f"emailAddress,note\n{rows}")
    words = ["invite", "send", A, "--from", "people.csv", "--results", "r.csv", "--batch", "1", "--yes"]
    first = level.tool(level.limit, *words)
    wrong = [f"{first}: {each}" for each in _false_results(level, people)]
    if first == 0:
        return first, wrong
    status = level.tool(NO_LIMIT, *words, "--resume")
    if status == 2:  # it had not begun
        status = level.tool(NO_LIMIT, *words)
    wrong += [f"{first}, then {status}: {each}" for each in _false_results(level, people)]
    states = Counter(row["status"] for row in _results(level))
    certain = states["ok"] + states["unknown"] == len(people) and status == (7 if states["unknown"] else 0)
    if first != FULL or not certain or states["unknown"] > 4 or level.files() != {"people.csv", "r.csv"}:
        wrong.append(f"{first}, then {status}: {dict(states)}, {level.files()}")
    return first, wrong


def padded(level: Level) -> tuple[int, list[str]]:
    """Invite people with long notes: it is the result file that does not fit."""
    return bulk(level, 3_000)


def _results(level: Level) -> list[dict[str, str]]:
    file = level.folder / "r.csv"
    with (file if file.exists() else Path(os.devnull)).open(newline="") as lines:
        return list(csv.DictReader(lines))


def _false_results(level: Level, people: list[str]) -> list[str]:
    did = level.did()
    said = {row["emailAddress"]: row["status"] for row in _results(level)}
    never = [one for one in people if said.get(one) == "ok" and did[one] != 1]
    twice = [one for one in people if did[one] > 1]
    denied = [one for one in people if said.get(one) in ("failed", "skipped", "") and did[one]]
    return [f"never {never}, twice {twice}, denied {denied}"] if never or twice or denied else []


CASES: dict[str, tuple[Callable[[Level], tuple[int, list[str]]], int]]
CASES = {"config": (config, 240), "to": (to, 2_000), "journal": (journal, 1_000), "bulk": (bulk, 12_000)}
CASES["padded"] = (padded, 40_000)
"""What is run, and a size in bytes for its files that suffices."""


@contextmanager
def served(folder: Path) -> Iterator[int]:
    """Serve from a process of its own, so that this one has no threads when it forks; give the port."""
    hears, says = os.pipe()
    if not (pid := os.fork()):
        made = Rooms(folder / "did")
        os.write(says, str(made.port).encode())
        made.thread.join()
        os._exit(0)
    try:
        yield int(os.read(hears, 10))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def filled(folder: Path, levels: int) -> dict[str, Any]:
    """Try each case with so many sizes, of which the last one suffices; count the statuses."""
    counts, problems = {}, []
    with served(folder) as port:
        warm_up(folder, port)
        for name, (case, enough) in CASES.items():
            statuses: Counter[int] = Counter()
            for number in range(levels):
                level = Level(folder / f"{name}-{number}", port, enough * number // (levels - 1))
                level.folder.mkdir()
                status, wrong = case(level)
                statuses[status] += 1
                problems += [f"{name}, {level.limit} bytes: {each}" for each in wrong]
            counts[name] = statuses
    return {"statuses": counts, "problems": problems}


def warm_up(folder: Path, port: int) -> None:
    """Load in this process what its children need, each of which would load it anew."""
    level = Level(folder / "warm", port, 0)
    level.folder.mkdir()
    (level.folder / "people.csv").write_text("emailAddress\nwarm@example.org\n")
    to = os.fspath(level.folder / "sets.csv")
    for words in (
        ["profile", "add", "new", "--base-url", "https://new.example.org", "--key-env", "K"],
        ["roomset", "list", "-o", "csv", "--to", to],
        ["invite", "send", A, "--from", f"{level.folder}/people.csv", "--results", f"{level.folder}/r.csv", "--yes"],
    ):
        out, err = io.StringIO(), io.StringIO()
        status = run(words, environment=level.environment, stdin=io.StringIO(), stdout=out, stderr=err)
        assert status == 0, err.getvalue()


if __name__ == "__main__":
    os.fsync = lambda fd: None  # the disk is full, not the computer off
    sys.stdout.write(json.dumps(filled(Path(sys.argv[1]), int(sys.argv[2]))))
