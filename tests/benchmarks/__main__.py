"""Exports against `curl | jq` over the same pages: `python -m tests.benchmarks [ROWS] [PAIRS]` prints ratios."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.benchmarks.registrations import EVENT, Server

ROOT = Path(__file__).parents[2]
SIZE = 1_000
_USER = ("userId", "name", "firstName", "middleName", "lastName", "emailAddress", "emailVerified", "mobilePhone")
CELLS = ",".join(
    (
        *(".registrationId", ".registeredDateTime", ".confirmed", ".source"),
        *(f".user.{name}" for name in (*_USER, "timeZone")),
        *(f".event.{name}" for name in ("socialEventId", "name", "startDateTime", "endDateTime")),
        "(.values[]|.value)",
    )
)
JQ = {"csv": f"jq -r '.[]|[{CELLS}]|@csv'", "ndjson": "jq -c '.[]'"}
BARS = {"csv": 4, "ndjson": 5}


def seconds(command: list[str], environment: dict[str, str]) -> float:
    """Run a command; give the time that it took."""
    began = time.monotonic()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - began


def environment(url: str, folder: str) -> dict[str, str]:
    """Give what an export needs to know."""
    own = {"ROOMCTL_STATE": folder, "ROOMCTL_CACHE": folder, "ROOMCTL_BASE_URL": url}
    paths = f"{ROOT / 'src'}{os.pathsep}{ROOT}"
    return {**os.environ, **own, "ROOMCTL_API_KEY": "benchmark-key-0123456789", "PYTHONPATH": paths}


def export(folder: str, form: str) -> list[str]:
    """Give the command of an export, with everything that an export does: checks, checkpoint, hash, manifest."""
    words = ["registration", "export", EVENT, "--to", f"{folder}/r.{form}", "--page-size", str(SIZE), "--force", "-q"]
    return [sys.executable, "-m", "roomctl", *words]


def compare(url: str, rows: int, pairs: int, folder: str) -> None:
    """Run both in turn and print medians and their ratio; xlsx, which jq does not write, against our csv."""
    given = environment(url, folder)
    pages = f"{url}/api/v1/registrations?size={SIZE}&page=[0-{(rows - 1) // SIZE}]"
    ours: dict[str, float] = {}
    for form, jq in JQ.items():
        runs = [
            (seconds(export(folder, form), given), seconds(["sh", "-c", f"curl -s '{pages}' | {jq}"], given))
            for _ in range(pairs)
        ]
        ours[form], theirs = (median(column) for column in zip(*runs, strict=True))
        ratio = median(other / own for own, other in runs)
        print(
            f"{form}: roomctl {ours[form]:.2f} s, curl and jq {theirs:.2f} s, {ratio:.1f} x as fast (bar {BARS[form]})"
        )
    xlsx = median(seconds(export(folder, "xlsx"), given) for _ in range(pairs))
    print(f"xlsx: roomctl {xlsx:.2f} s, {ours['csv'] / xlsx:.2f} of the rate of csv (bar 0.5)")


def main(rows: int = 200_000, pairs: int = 3) -> None:
    """Serve pages made beforehand, and measure."""
    with Server(rows, keep=True) as server, TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        for number in range((rows + SIZE - 1) // SIZE + 1):
            urlopen(f"{url}/api/v1/registrations?size={SIZE}&page={number}").read()
        print(f"{rows:,} registrations, pages of {SIZE:,}, {pairs} pairs")
        compare(url, rows, pairs, folder)
        server.shutdown()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
