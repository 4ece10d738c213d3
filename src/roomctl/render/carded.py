"""Rows that are prose as cards, one below the other: a table would give each text a narrow column."""

from typing import TextIO

from roomctl.render.cards import card
from roomctl.render.safe import Wall
from roomctl.render.writers import Look, Shown


def cards(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw each row as a card, with a blank line between two."""
    wall = Wall(out, color=look.color, human=True)
    for number, row in enumerate(shown.value):
        if number:
            wall.write("\n")
        for line in card(row, look.zone, space=look.width, color=look.color, accessible=look.accessible):
            wall.write(line + "\n")
