"""R58: a served sandbox that is killed while it is written to."""

import os
import sqlite3
import threading
from pathlib import Path

import httpx
import pytest

from tests.programs import sandbox_server
from tests.servers import KEY


def writes(url: str, made: list[str]) -> None:
    """Make playlists until nobody answers any more, and note each one that was answered."""
    with httpx.Client(headers={"X-API-Key": KEY}, trust_env=False) as client:
        while True:
            try:
                made.append(client.post(f"{url}/api/v1/audio/api/key/playlist", json={}).json()["playlistId"])
            except httpx.HTTPError:
                return


@pytest.mark.parametrize("most", [5, 120])
def test_r58_after_a_kill_of_the_server_every_answered_write_is_there(tmp_path: Path, most: int) -> None:
    variables = {f"ROOMCTL_{name}": os.fspath(tmp_path) for name in ("DATA", "STATE", "CACHE")}
    made: list[list[str]] = [[], []]
    with sandbox_server(variables, tmp_path) as server:
        threads = [threading.Thread(target=writes, args=(server.url, each)) for each in made]
        for thread in threads:
            thread.start()
        while sum(map(len, made)) < most and any(thread.is_alive() for thread in threads):
            threads[0].join(0.01)
        server.process.kill()
        for thread in threads:
            thread.join(10)
    with sqlite3.connect(tmp_path / "sandbox.db") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = {row[0] for row in connection.execute("SELECT id FROM document WHERE kind = 'playlist'")}
    connection.close()
    answered = {each for ids in made for each in ids}
    assert len(answered) >= most and answered <= kept
