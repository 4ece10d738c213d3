"""Short commands beside others: `python -m tests.benchmarks.commands [TURNS] [NAME=PATH …]` prints medians and ratios.

All are run in turn, so that what else the machine does meets them alike. Others are left out where they are not
installed; `http=/path/to/http` says where one is.
"""

import shutil
import sys
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from tests.benchmarks.running import environment, took
from tests.servers import KEY, A, Recorder

BARE = f"""
import json, httpx
reply = httpx.Client().post("{{url}}", headers={{{{"X-API-Key": "{KEY}"}}}})
print(json.dumps(reply.json(), indent=2))
"""
PLAIN = f"""
import http.client, json
connection = http.client.HTTPConnection("127.0.0.1", {{port}})
connection.request("POST", "{{path}}", headers={{{{"X-API-Key": "{KEY}"}}}})
print(json.dumps(json.load(connection.getresponse()), indent=2))
"""
PATH: Final = f"/api/v1/social/end/{A}"


class Row(NamedTuple):
    """A command of a table; the first of a table is what the others are compared with."""

    table: str
    name: str
    command: list[str]


def rows(port: int, places: dict[str, str]) -> list[Row]:
    url = f"http://127.0.0.1:{port}{PATH}"
    python = [sys.executable, "-c"]
    installed = Path(sys.executable).with_name("roomctl")
    ours = [str(installed)] if installed.exists() else [sys.executable, "-m", "roomctl"]
    ending = ["social", "end", A, "--yes", "-o", "json"]
    found = [
        Row("version", "roomctl --version", [*ours, "--version"]),
        Row("version", "an empty Python", [*python, "pass"]),
        *(Row("version", f"{name} --version", [name, "--version"]) for name in ("gh", "http", "aws")),
        Row("help", "roomctl --help", [*ours, "--help"]),
        Row("help", "import typer", [*python, "import typer"]),
        *(Row("help", f"{name} --help", [name, "--help"]) for name in ("gh", "hcloud", "http")),
        Row("one POST", "roomctl social end", [*ours, *ending]),
        Row("one POST", "an httpx script", [*python, BARE.format(url=url)]),
        Row("one POST", "an http.client script", [*python, PLAIN.format(port=port, path=PATH)]),
        Row("one POST", "http POST", ["http", "--ignore-stdin", "POST", url, f"X-API-Key:{KEY}"]),
        Row("one POST", "curl", ["curl", "-s", "-X", "POST", "-H", f"X-API-Key: {KEY}", url]),
    ]
    placed = [row._replace(command=[places.get(row.command[0], row.command[0]), *row.command[1:]]) for row in found]
    return [row for row in placed if shutil.which(row.command[0])]


def main(turns: int, places: dict[str, str]) -> None:
    server = Recorder("social.end")
    with TemporaryDirectory() as folder:
        given = environment(f"http://127.0.0.1:{server.port}", folder)
        commands = rows(server.port, places)
        for row in commands:
            took(row.command, given)
        times = [[took(row.command, given).wall for row in commands] for _ in range(turns)]
    server.close()
    ours: dict[str, list[float]] = {}
    for row, taken in zip(commands, zip(*times, strict=True), strict=True):
        first = ours.setdefault(row.table, list(taken))
        ratio = median(other / own for own, other in zip(first, taken, strict=True))
        print(f"{row.table:<10}{row.name:<24}{1000 * median(taken):>6.0f} ms  {ratio:>5.2f} x of roomctl's")


if __name__ == "__main__":
    words = sys.argv[1:]
    main(int(next(iter(words), "15")), dict(word.split("=", 1) for word in words[1:]))
