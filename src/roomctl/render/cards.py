"""One record as a card: its fields beside their values, what stands inside it indented.

A command that is to be copied is never broken: it has a line of its own where it does not fit beside its label.
"""

from collections.abc import Iterator, Sequence
from datetime import tzinfo
from typing import Any, NamedTuple

from roomctl.render.drawing import labelled
from roomctl.render.jsontext import compact
from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import safe
from roomctl.render.shorten import shorten_bytes, size
from roomctl.render.times import looks_like_a_time
from roomctl.render.words import Words, summary, words

JSON = Any
_LONGEST = 5000
_DEEPEST = 3
_LEAST = 38
_STATES = ("status", "state")
_COPIED = ("curl",)


class Line(NamedTuple):
    """A line of a card: the path to the field, and its value; None where only what stands inside has one."""

    path: tuple[str, ...]
    value: Words | None


def card(record: dict[str, JSON], zone: tzinfo | None, *, space: int, color: bool, accessible: bool) -> Iterator[str]:
    """Draw a card at most `space` cells wide; for accessibility as lines of `field.field: value`."""
    lines = list(_lines(record, (), zone))
    label_space = max((len(line.path) * 2 - 2 + width(line.path[-1]) for line in lines), default=0)
    if accessible:
        for line in lines:
            if line.value is not None:
                yield from labelled(".".join(line.path), line.value, space=None, color=color)
    elif label_space + 2 + _LEAST > space:
        for line in lines:
            margin = "  " * (len(line.path) - 1)
            if line.path[-1] in _COPIED:
                yield from _whole(line, color)
                continue
            yield from labelled(line.path[-1], line.value or Words(""), space=space, color=color, margin=margin)
    else:
        yield from _beside(lines, label_space, space, color)


def _beside(lines: Sequence[Line], label_space: int, space: int, color: bool) -> Iterator[str]:
    for line in lines:
        label = paint(pad("  " * (len(line.path) - 1) + line.path[-1], label_space), "head", color)
        cell = line.value or Words("")
        if line.path[-1] in _COPIED and width(cell.text) > space - label_space - 2:
            yield from _whole(line, color)
            continue
        for text in fold(cell.text, space - label_space - 2):
            yield f"{label}  {paint(text, cell.style, color)}".rstrip(" ")
            label = " " * label_space


def _whole(line: Line, color: bool) -> Iterator[str]:
    """Draw what is to be copied as it is, on a line of its own."""
    label = "  " * (len(line.path) - 1) + line.path[-1]
    text = (line.value or Words("")).text
    yield f"{paint(label, 'head', color)}:"
    yield text


def _lines(record: dict[str, JSON], path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    for key, value in record.items():
        yield from _line(value, (*path, safe(str(key), cell=True)), zone)


def _line(value: JSON, path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    if isinstance(value, dict) and value and not summary(value) and len(path) < _DEEPEST:
        yield Line(path, None)
        yield from _lines(value, path, zone)
    elif isinstance(value, list) and any(isinstance(each, dict | list) for each in value):
        yield from _items(value, path, zone)
    else:
        yield Line(path, _told(value, path[-1], zone))


def _items(values: Sequence[JSON], path: tuple[str, ...], zone: tzinfo | None) -> Iterator[Line]:
    """Draw the items of an array: `name` and `value` as a line of that name, anything else numbered from 0."""
    yield Line(path, None)
    for number, each in enumerate(values):
        if isinstance(each, dict) and each.keys() == {"name", "value"} and isinstance(each["name"], str):
            yield from _line(each["value"], (*path, safe(each["name"], cell=True)), zone)
        elif isinstance(each, dict | list) and len(path) >= _DEEPEST:
            yield Line((*path, str(number)), _told(each, "", zone))
        else:
            yield from _line(each, (*path, str(number)), zone)


def _told(value: JSON, key: str, zone: tzinfo | None) -> Words:
    if value is None or value == []:
        return Words("none", "dim")
    if isinstance(value, dict) and not summary(value):
        return words(compact(shorten_bytes(value)), limit=_LONGEST)
    if isinstance(value, str):
        return _text(value, key, zone)
    return words(value, limit=_LONGEST)


def _text(value: str, key: str, zone: tzinfo | None) -> Words:
    if key.endswith("Bytes"):
        return words(size(value))
    if looks_like_a_time(value):
        told = words(value, "time", zone, seconds=True)
        return Words(f"{told.text} {told.zone}".rstrip())
    return words(value, "state" if key in _STATES else "text", limit=_LONGEST)
