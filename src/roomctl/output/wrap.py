"""Prose on stderr, broken between words to fit a terminal; it costs no import of rich where all is ASCII."""

import re

_LABEL = re.compile(r"[a-z]+: ")
_ATOM = re.compile(r"(?:`[^`]*`|[^ `]|`)+")


def width(text: str) -> int:
    """How many cells of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def hanging(text: str, space: int) -> str:
    """Break each line between words, what follows indented below what it belongs to.

    What stands in backticks can be typed, so it is never broken, nor is any word: a terminal that breaks them itself
    still lets them be copied whole.
    """
    return "\n".join(part for line in text.split("\n") for part in _hanging_line(line, space))


def _hanging_line(line: str, space: int) -> list[str]:
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
