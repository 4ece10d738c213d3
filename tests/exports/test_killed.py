"""`kill -9` in the middle of an export over a socket: the same command goes on, and ends with the same bytes (R33)."""

import random
import subprocess
import time
from pathlib import Path

import pytest

from roomctl.exports import manifest
from tests.benchmarks.registrations import EVENT
from tests.benchmarks.running import serving
from tests.programs import started
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
        words = ("-m", "roomctl", "registration", "export", EVENT, "--to", str(to), "--page-size", self.size)
        return started(*words, variables=self.variables, cwd=self.folder, stderr=subprocess.PIPE)

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


def test_killed_over_a_socket_an_export_goes_on_and_ends_with_the_same_bytes_r33(tmp_path: Path) -> None:
    with serving(3_000) as url:
        exports = Exports(url, tmp_path, 20, seed=1)
        survives(exports, 3, ("csv",))
    assert exports.kills == 3


@pytest.mark.soak
def test_killed_at_40_moments_50_000_rows_end_with_the_same_bytes_r33(tmp_path: Path) -> None:
    with serving(50_000) as url:
        exports = Exports(url, tmp_path, 100, seed=40)
        survives(exports, 40, FORMATS)
    print(f"{exports.kills} kills, {exports.resumed} exports went on from a checkpoint")
    assert exports.kills == 40
    assert exports.resumed > 10
