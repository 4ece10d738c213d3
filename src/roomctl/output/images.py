"""The images of a theme, laid over each other, the later before the earlier; the service's own way is not documented.

The only owner of Pillow, an extra: nothing else needs it.
"""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from typing import Any, NamedTuple

from roomctl.text.colors import RGB

FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP")
LARGEST_SIDE = 16_384
_DEFAULT = (640, 360)


class Facts(NamedTuple):
    format: str
    width: int
    height: int


def available() -> bool:
    return find_spec("PIL") is not None


def facts(data: bytes) -> Facts:
    with _opened(data) as image:
        return Facts(str(image.format), *image.size)


def composed(layers: Sequence[bytes], size: tuple[int, int] | None, background: RGB | None) -> Any:
    """Lay images over each other, the first at the back; `size` None is that of the first. Raises ValueError."""
    pillow: Any = import_module("PIL.Image")
    if size is None:
        size = facts(layers[0])[1:] if layers else _DEFAULT
    if max(size) > LARGEST_SIDE or min(size) < 1:
        raise ValueError(f"{size[0]} x {size[1]} is not a size that roomctl draws")
    canvas = pillow.new("RGBA", size, (*background, 255) if background else (0, 0, 0, 0))
    for data in layers:
        with _opened(data) as image:
            canvas.alpha_composite(image.convert("RGBA").resize(size))
    return canvas


def pixels(image: Any, columns: int, most_rows: int) -> list[list[RGB | None]]:
    """Make an image small: rows of colours, None where it is rather transparent; an even number of rows."""
    columns = max(min(columns, image.width), 1)
    rows = max(round(image.height * columns / image.width / 2), 1) * 2
    if rows > most_rows:
        columns, rows = max(columns * most_rows // rows, 1), most_rows
    small = image.resize((columns, rows))
    points = zip(*[iter(small.tobytes())] * 4, strict=True)
    data = [(red, green, blue) if alpha >= 128 else None for red, green, blue, alpha in points]
    return [data[start : start + columns] for start in range(0, len(data), columns)]


@contextmanager
def _opened(data: bytes) -> Iterator[Any]:
    pillow: Any = import_module("PIL.Image")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # an image of very many pixels is a warning to Pillow
            with pillow.open(BytesIO(data), formats=FORMATS) as image:
                image.load()
                yield image
    except (OSError, SyntaxError, Warning, pillow.DecompressionBombError) as error:
        raise ValueError(f"not an image that can be drawn: {type(error).__name__}") from None
