"""`kill -9` in the middle of an export over a socket: the same command goes on, and ends with the same bytes (R33)."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from roomctl.exports import manifest
from tests.benchmarks.registrations import EVENT
from tests.benchmarks.running import serving
from tests.conftest import soak
from tests.programs import tool
from tests.servers import KEY

FORMATS = ("csv", "ndjson", "xlsx", "json", "sqlite")


class Exports:
    """Exports of one list by processes of their own. `kills` counts those that were killed at work."""

    def __init__(self, url: str, folder: Path, size: int, seed: int) -> None:
        self.variables = {"ROOMCTL_STATE": f"{folder}/state", "ROOMCTL_CACHE": f"{folder}/cache"}
        self.variables |= {"ROOMCTL_BASE_URL": url, "ROOMCTL_API_KEY": KEY}
        self.folder, self.size, self.chance = folder, str(size), random.Random(seed)
        self.kills = self.resumed = 0

    def start(self, to: Path) -> subprocess.Popen[str]:
        """Begin an export, or go on with it."""
        words = ("registration", "export", EVENT, "--to", str(to), "--page-size", self.size)
        return tool(*words, variables=self.variables, cwd=self.folder)

    def whole(self, form: str) -> tuple[bytes, float]:
        """Export without an interruption; give the file, and the seconds that it took."""
        to = self.folder / f"whole.{form}"
        began = time.monotonic()
        _, said = self.start(to).communicate()
        assert to.exists(), said
        return to.read_bytes(), time.monotonic() - began

    def killed(self, to: Path, seconds: float) -> None:
        """Kill an export at a random moment, then run it again; one that was done before is begun anew."""
        while True:
            running = self.start(to)
            time.sleep(self.chance.uniform(0, seconds))
            running.kill()
            running.communicate()
            if running.returncode != 0:
                break
            for path in self.folder.glob(f"{to.name}*"):
                path.unlink()
        self.kills += 1
        again = self.start(to)
        _, said = again.communicate()
        # killed between the last step and the end of the process, the export is done, and its name is taken
        assert again.returncode == 0 or "the file exists" in said or "already exists" in said, said
        self.resumed += manifest.read(manifest.path_of(to)).resumed > 0


def survives(exports: Exports, kills: int, forms: tuple[str, ...]) -> None:
    """Kill so many exports at random moments, and hold each result against an uninterrupted one."""
    wholes = {form: exports.whole(form) for form in forms}
    for number in range(kills):
        form = forms[number % len(forms)]
        data, seconds = wholes[form]
        to = exports.folder / f"{number}.{form}"
        exports.killed(to, seconds)
        facts = manifest.read(manifest.path_of(to))
        assert (to.read_bytes() == data, facts.complete, facts.rows) == (True, True, facts.distinct_ids), to.name
        assert sorted(path.name for path in exports.folder.glob(f"{to.name}*")) == [to.name, f"{to.name}.manifest.json"]
        to.unlink()


RUNS = [(3_000, 20, 3, ("csv",), 0), soak(50_000, 100, 40, FORMATS, 11)]
"""Rows, the size of a page, kills, formats, and how many exports must have gone on from a checkpoint."""


@pytest.mark.parametrize(("rows", "size", "kills", "forms", "resumed"), RUNS)
def test_killed_over_a_socket_an_export_goes_on_and_ends_with_the_same_bytes_r33(
    rows: int, size: int, kills: int, forms: tuple[str, ...], resumed: int, tmp_path: Path
) -> None:
    with serving(rows) as url:
        exports = Exports(url, tmp_path, size, seed=kills)
        survives(exports, kills, forms)
    assert (exports.kills, exports.resumed >= resumed) == (kills, True)
