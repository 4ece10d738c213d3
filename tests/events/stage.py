"""A sandbox with two people and nothing else, a file to apply to it, and what must hold however often that was done."""

import io
import os
import shutil
from collections import Counter
from pathlib import Path
from typing import NamedTuple, TextIO

from roomctl.cli.main import run
from roomctl.profiles import Environment
from roomctl.sandbox.faults import FaultStore
from roomctl.sandbox.store import Store
from roomctl.sandbox.world import fill

DOT = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")
PEOPLE = [{"name": name, "emailAddress": f"{name.lower()}@example.org"} for name in ("Ada", "Grace")]
EVENING = Path(__file__).with_name("evening.yaml").read_text("utf-8")
WRITES = 9
"""How many requests that changes something it takes to bring an empty sandbox to what the file says."""


class Done(NamedTuple):
    status: int
    out: str
    err: str


def ran_in(folder: Path, variables: dict[str, str], *args: str, stdin: TextIO | None = None) -> Done:
    out, err, before = io.StringIO(), io.StringIO(), Path.cwd()
    os.chdir(folder)
    try:
        status = run(args, environment=Environment(variables), stdin=stdin, stdout=out, stderr=err)
    finally:
        os.chdir(before)
    return Done(status, out.getvalue(), err.getvalue())


class Stage:
    """A folder with a sandbox of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        names = ("CONFIG", "DATA", "STATE", "CACHE")
        self.variables = {f"ROOMCTL_{name}": os.fspath(folder / name.lower()) for name in names}
        self.variables |= {"HOME": os.fspath(folder), "TZ": "UTC"}
        self.fresh()

    def fresh(self) -> None:
        for name in ("data", "state", "results.csv", "results.csv.part"):
            path = self.folder / name
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
        (self.folder / "data").mkdir(parents=True)
        (self.folder / "evening.yaml").write_text(EVENING)
        (self.folder / "stage.gif").write_bytes(DOT)
        (self.folder / "people.csv").write_text("emailAddress\nada@example.org\ngrace@example.org\n")
        store = self.store()
        fill(store, {"users": PEOPLE})
        store.close()

    def store(self) -> Store:
        return Store(self.folder / "data" / "sandbox.db")

    def roomctl(self, *args: str) -> Done:
        return ran_in(self.folder, self.variables, "--sandbox", *args)

    def apply(self, *args: str) -> Done:
        return self.roomctl("roomset", "apply", "evening.yaml", "--yes", "--retries", "0", "--timeout", "5", *args)

    def doubled(self) -> list[str]:
        """Name what there is twice, and what was done twice."""
        store = self.store()
        sets = store.all("roomset", "me")
        names = [("set", each.get("name")) for each in sets]
        ids = [each["socialRoomSetId"] for each in sets]
        names += [(key, room["name"]) for key in ids for room in store.all("social", key)]
        store.close()
        stage = FaultStore(self.folder / "data" / "sandbox-stage.db")
        log = stage.log()
        stage.close()
        done = [(row["operation"], row["body"]) for row in log if row["committed"]]
        return [str(each) for each, number in Counter([*names, *done]).items() if number > 1]

    def whole(self) -> dict[str, int]:
        store = self.store()
        kinds = ("roomset", "social", "theme", "image", "playlist", "invite", "config")
        counts = {kind: len(store._documents("", kind)) for kind in kinds}
        store.close()
        return counts

    def brought_to_its_end(self) -> list[str]:
        """Run it again until nothing is left but what is unknown; then settle that too. Say what was wrong."""
        done, runs = self.apply(), 1
        while done.status not in (0, 7) and runs < 4:
            done, runs = self.apply(), runs + 1
        wrong = [] if done.status in (0, 7) else [f"ends with {done.status}: {done.err}"]
        wrong += [f"doubled: {each}" for each in self.doubled()]
        if done.status == 7:
            wrong += [] if "unknown" in done.out or "not known" in done.err else [f"the unknown is not said: {done}"]
            done = self.settled(done)
        checked = self.roomctl("roomset", "plan", "evening.yaml", "--check")
        if (done.status, checked.status) != (0, 0):
            wrong.append(f"not brought to its end: {done} {checked}")
        sizes = self.whole()
        least = {"roomset": 1, "social": 2, "theme": 1, "image": 1, "playlist": 1, "invite": 2, "config": 1}
        wrong += [f"{kind} is missing: {sizes}" for kind, number in least.items() if sizes[kind] < number]
        return wrong

    def settled(self, done: Done) -> Done:
        """Do what a person does about what is unknown: name the set that was made, or send it again."""
        if "whether room set" in done.err:
            store = self.store()
            keys = [each["socialRoomSetId"] for each in store.all("roomset", "me")]
            store.close()
            more = f"id: {keys[0]}\n" if keys else ""
            (self.folder / "evening.yaml").write_text(more + EVENING)
        return self.apply("--retry-unknown")
