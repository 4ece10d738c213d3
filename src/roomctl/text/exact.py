"""Numbers that a float would not give back; a module of its own because hardly any reply has one."""

from decimal import Decimal
from typing import Self


class Exact(Decimal):
    """A number that keeps its text, which `str` gives."""

    literal: str

    def __new__(cls, literal: str) -> Self:
        self = super().__new__(cls, literal)
        self.literal = literal
        return self

    def __str__(self) -> str:
        return self.literal
