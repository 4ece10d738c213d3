"""A theme before it is saved: its colours as swatches, its images laid over each other."""

from collections.abc import Iterator

from rich.color import Color, ColorSystem
from rich.console import RenderableType
from rich.style import Style
from rich.text import Text

from roomctl.output.console import span
from roomctl.output.images import pixels
from roomctl.output.look import Look, Shown, width
from roomctl.output.values import plain, short
from roomctl.text import JSON
from roomctl.text.colors import RGB, rgb
from roomctl.text.safe import expresses

_SWATCH = 8
_WIDEST, _MOST_ROWS = 80, 80


def theme(shown: Shown, look: Look) -> Iterator[RenderableType]:
    """Draw the preview of a theme, `around` is its image; without colours and for accessibility in words."""
    preview: dict[str, JSON] = shown.value
    swatches = bool(look.depth) and look.color and not look.accessible
    head = [short(plain(preview["theme"].get(name))) for name in ("socialThemeName", "type")]
    yield span(", ".join(filter(None, head)) or "theme", "head")
    labels = max((width(each["field"]) for each in preview["colors"]), default=0)
    for each in preview["colors"]:
        color = rgb(each["value"])
        told = short(plain(each["value"]), 60) + ("" if color else "  not a colour that roomctl knows")
        if look.accessible or labels + _SWATCH + 6 + width(told) > look.width:
            yield span(f"{each['field']}: {told}")
        else:
            parts = ("  ", (" " * _SWATCH, _style(None, color, look.depth))) if color and swatches else ()
            yield Text.assemble(f"{each['field']:<{labels}}", *parts, f"  {told}")
    for each in preview["layers"]:
        size = f"{each['format']}, {each['width']} x {each['height']}, " if each["width"] else ""
        yield f"{each['field']}: {size}{each['bytes']} bytes"
    if swatches and shown.around is not None and expresses(look.encoding, "▀▄"):
        yield ""
        rows = pixels(shown.around, min(look.width, _WIDEST), _MOST_ROWS)
        for above, below in zip(rows[::2], rows[1::2], strict=True):  # the upper half of a cell before its ground
            yield Text.assemble(*(_cell(*pair, look.depth) for pair in zip(above, below, strict=True)))


def _cell(above: RGB | None, below: RGB | None, depth: int) -> tuple[str, Style]:
    if above is None:
        return " " if below is None else "▄", _style(below, None, depth)
    return "▀", _style(above, below, depth)


def _style(front: RGB | None, back: RGB | None, depth: int) -> Style:
    colors = (None if each is None else Color.from_rgb(*each) for each in (front, back))
    if depth <= 256:
        colors = (each and each.downgrade(ColorSystem.EIGHT_BIT) for each in colors)
    return Style(color=next(colors), bgcolor=next(colors))
