"""Fixtures of the bulk tests: shapes of input, and files of it."""

import re
from collections.abc import Callable

import pytest

from roomctl.bulk import Shape, Table, parse

UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def an_id(text: str) -> str:
    return "" if UUID.fullmatch(text) else f"not an id: {text}"


def an_address(text: str) -> str:
    return "" if re.fullmatch(r"[^@\s]+@[^@\s]+", text) else f"not an address: {text}"


@pytest.fixture
def people() -> Shape:
    return Shape(("invitedUserId", "emailAddress"), {"invitedUserId": an_id, "emailAddress": an_address})


@pytest.fixture
def table(people: Shape) -> Callable[[str], Table]:
    return lambda text: parse(text.encode(), "people.csv", people)
