"""A theme before it is saved: its colours as swatches, its images laid over each other."""

from collections.abc import Iterator, Mapping
from typing import Any, TextIO

from roomctl.render.colors import RGB, contrast, rgb, sgr
from roomctl.render.layout import fold, pad, paint, width
from roomctl.render.safe import Wall, expresses
from roomctl.render.words import plain, short
from roomctl.render.writers import Look, Shown

JSON = Any
_RESET = "\x1b[0m"
_SWATCH = 8
_WIDEST, _MOST_ROWS = 80, 80
_SAMPLE = " Button "


def theme(shown: Shown, look: Look, out: TextIO) -> None:
    """Draw the preview of a theme, `around` is its image; without colours and for accessibility in words."""
    wall = Wall(out, color=look.color, human=True)
    depth = 0 if look.accessible or not look.color else look.depth
    preview: dict[str, JSON] = shown.value
    for line in _words(preview, look, depth):
        wall.write(line + "\n")
    if depth and shown.around is not None and expresses(getattr(out, "encoding", None), "▀▄"):
        wall.write("\n")
        for line in _picture(shown.around, look.width, depth):
            wall.write(line + "\n")


def _words(preview: Mapping[str, JSON], look: Look, depth: int) -> Iterator[str]:
    head = [short(plain(preview["theme"].get(name))) for name in ("socialThemeName", "type")]
    yield from (paint(line, "head", look.color) for line in _folded(", ".join(filter(None, head)) or "theme", look))
    colors = preview["colors"]
    labels = max((width(each["field"]) for each in colors), default=0)
    for each in colors:
        told = short(plain(each["value"]), 60)
        color = rgb(each["value"])
        swatch = f"  {_block(' ' * _SWATCH, color, depth)}" if color and depth else ""
        unknown = "" if color else "  not a colour that is known here"
        if look.accessible or labels + _SWATCH + 6 + width(told + unknown) > look.width:
            yield from _folded(f"{each['field']}: {told}{unknown}", look)
        else:
            yield f"{pad(each['field'], labels)}{swatch}  {told}{unknown}"
    yield from _button(preview, look, depth)
    for each in preview["layers"]:
        size = f"{each['format']}, {each['width']} x {each['height']}, " if each["width"] else ""
        yield from _folded(f"{each['field']}: {size}{each['bytes']} bytes", look)


def _button(preview: Mapping[str, JSON], look: Look, depth: int) -> Iterator[str]:
    text, ground = (rgb(preview["theme"].get(name)) for name in ("colorButtonText", "colorButtonBG"))
    if not (text and ground):
        return
    told = f"button text on button: contrast {contrast(text, ground):.1f} to 1"
    if depth and width(told) + 2 + width(_SAMPLE) <= look.width:
        yield f"{told}  {_block(_SAMPLE, ground, depth, text)}"
    else:
        yield from _folded(told, look)


def _block(text: str, back: RGB, depth: int, front: RGB | None = None) -> str:
    return f"{sgr(front, back, depth)}{text}{_RESET}"


def _picture(image: Any, space: int, depth: int) -> Iterator[str]:
    """Draw two rows of points in one of characters, the upper half of a cell in front of its ground."""
    from roomctl.render.layers import pixels

    rows = pixels(image, min(space, _WIDEST), _MOST_ROWS)
    for above, below in zip(rows[::2], rows[1::2], strict=True):
        yield "".join(_cell(*pair, depth) for pair in zip(above, below, strict=True)) + _RESET


def _cell(above: RGB | None, below: RGB | None, depth: int) -> str:
    if above is None and below is None:
        return f"{_RESET} "
    if above is None:
        return f"{_RESET}{sgr(below, None, depth)}▄"
    return f"{_RESET if below is None else ''}{sgr(above, below, depth)}▀"


def _folded(text: str, look: Look) -> list[str]:
    return [text] if look.accessible else fold(text, look.width)
