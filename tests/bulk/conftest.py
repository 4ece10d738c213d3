"""Fixtures of the bulk tests: shapes of input, and files of it."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.bulk import Shape, Table, parse, read_input

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def an_id(text: str) -> str:
    """Say what is wrong with an id."""
    return "" if UUID.fullmatch(text) else f"not an id: {text}"


def an_address(text: str) -> str:
    """Say what is wrong with an e-mail address."""
    return "" if re.fullmatch(r"[^@\s]+@[^@\s]+", text) else f"not an address: {text}"


@pytest.fixture
def rooms() -> Shape:
    """Rows that name rooms."""
    return Shape(("socialId",), {"socialId": an_id})


@pytest.fixture
def people() -> Shape:
    """Rows that name people by id or address."""
    return Shape(("invitedUserId", "emailAddress"), {"invitedUserId": an_id, "emailAddress": an_address})


@pytest.fixture
def file(tmp_path: Path) -> Callable[..., Path]:
    """Write an input file."""

    def write(text: str | bytes, name: str = "people.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


@pytest.fixture
def table(people: Shape) -> Callable[[str], Table]:
    """Read the text of an input of people."""
    return lambda text: parse(text.encode(), "people.csv", people)


@pytest.fixture
def read(people: Shape) -> Callable[[Path], Table]:
    """Read a file of people."""
    return lambda path: read_input(path, people)


@pytest.fixture
def room() -> Callable[[int], str]:
    """Give the id of the n-th room."""
    return lambda number: f"{number:08x}-1111-4222-8333-444455556666"
