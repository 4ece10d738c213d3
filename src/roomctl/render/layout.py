"""Text in columns of terminal cells: widths, folding, padding, colour. The widths are rich's.

rich's own tables crop what does not fit, drop half of a wide character, and cost 100 ms before the first line and a
second for 1,500 rows; here nothing is ever cropped.
"""

import re
from collections.abc import Mapping

# yellow (33) cannot be read on a light background: magenta can on both
_SGR: Mapping[str, str] = {"head": "1", "dim": "2", "good": "32", "bad": "31", "wait": "35", "bar": "36"}

_LABEL = re.compile(r"[a-z]+: ")
_ATOM = re.compile(r"(?:`[^`]*`|[^ `]|`)+")


def width(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def fold(text: str, space: int) -> list[str]:
    """Break text into lines of at most `space` cells, between words where that can be; only blanks are left out."""
    space = max(space, 1)
    if width(text) <= space:
        return [text]
    lines, line = [], ""
    for word in text.split(" "):
        candidate = f"{line} {word}" if line else word
        if width(candidate) <= space:
            line = candidate
            continue
        if line:
            lines.append(line.rstrip(" "))
        *full, line = _chopped(word, space)
        lines += full
    return [*lines, line]


def hanging(text: str, space: int) -> str:
    """Break each line of prose between words, what follows indented below what it belongs to.

    What stands in backticks can be typed, so it is never broken, nor is any word: a terminal that breaks them itself
    still lets them be copied whole.
    """
    return "\n".join(broken for line in text.split("\n") for broken in _hung(line, space))


def _hung(line: str, space: int) -> list[str]:
    if width(line) <= space:
        return [line]
    margin = line[: len(line) - len(line.lstrip(" "))]
    label = found[0] if margin and (found := _LABEL.match(line, len(margin))) else ""
    head = margin + label
    indent = " " * len(head) if label and len(head) * 3 <= space else margin + "  "
    lines, start = [], head
    for word in _ATOM.findall(line, len(head)):
        if start in (head, indent):
            start += word
        elif width(f"{start} {word}") <= space:
            start += f" {word}"
        else:
            lines.append(start)
            start = indent + word
    return [*lines, start]


def _chopped(word: str, space: int) -> list[str]:
    """Break a word that is too long: before `@` or after a mark where that can be, else wherever the line ends."""
    if width(word) <= space:
        return [word]
    lines, line = [], ""
    for piece in re.split(r"(?<=[./:,;=&?_-])|(?=@)", word):
        if width(line + piece) <= space:
            line += piece
        elif width(piece) <= space:
            lines.append(line)
            line = piece
        else:
            *full, line = _cut(line + piece, space)
            lines += full
    return [*lines, line]


def _cut(word: str, space: int) -> list[str]:
    if word.isascii():
        return [word[start : start + space] for start in range(0, len(word), space)]
    from rich.cells import chop_cells

    return chop_cells(word, max(space, 2))


def pad(text: str, space: int, *, right: bool = False) -> str:
    """Fill text with blanks up to `space` cells; `right` puts them before it."""
    blanks = " " * (space - width(text))
    return blanks + text if right else text + blanks


def paint(text: str, style: str, color: bool) -> str:
    """Colour text, blanks around it left out."""
    bare = text.strip(" ")
    if not color or not style or not bare:
        return text
    start = text.index(bare)
    return f"{text[:start]}\x1b[{_SGR[style]}m{bare}\x1b[0m{text[start + len(bare) :]}"
