"""Hostile servers that are closed when a test ends."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.service.servers import Server


@pytest.fixture
def serve() -> Iterator[Callable[..., Server]]:
    """Start a server that plays scripts: `serve(reply({"name": "Ada"}), hang_up())`."""
    made: list[Server] = []

    def start(*scripts: Any, **more: Any) -> Server:
        made.append(Server(*scripts, **more))
        return made[-1]

    yield start
    for server in made:
        server.close()
