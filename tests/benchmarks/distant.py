"""Exports from a service that is far away: `python -m tests.benchmarks.distant [ROWS]`, 50 ms added to each reply."""

import os
import sys
import threading
import time
from tempfile import TemporaryDirectory

from tests.benchmarks.registrations import EVENT, Server
from tests.benchmarks.running import environment, took

SIZE = 100
AWAY = 0.05


class Distant(Server):
    """Gives each page 50 ms later than it could."""

    def body(self, number: int, size: int) -> bytes:
        time.sleep(AWAY)
        return super().body(number, size)


def main(rows: int) -> None:
    """Export one page at a time and eight at once, in turn, three times; print the times and their ratios."""
    with Distant(rows, keep=True) as server, TemporaryDirectory() as folder:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        given = environment(f"http://127.0.0.1:{server.server_address[1]}", folder)
        export = [sys.executable, "-m", "roomctl", "registration", "export", EVENT, "--page-size", str(SIZE), "-q"]
        export += ["--force", "--to", f"{folder}{os.sep}r.csv", "--concurrency"]
        for _ in range(3):
            one, eight = (took([*export, width], given).wall for width in ("1", "8"))
            print(f"one at a time {one:.2f} s, eight at once {eight:.2f} s: {one / eight:.1f} x as fast (bar 5)")
        server.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 40_000)
