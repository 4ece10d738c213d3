"""A theme as it would look, drawn here: a preview sends nothing."""

import os
from base64 import b64decode
from binascii import Error as NotBase64
from pathlib import Path
from typing import Any

from roomctl.cli.session import Answer, Session
from roomctl.errors import BadConfig, BadInput, LocalFailure

JSON = Any
COLORS = (
    *("colorPrimary", "colorSecondary", "colorBackground"),
    *("colorGradientBackground", "colorButtonText", "colorButtonBG"),
)
LAYERS = ("imageBytes", "imageFarBytes", "imageMidBytes", "imageNearBytes")
INSTALL = "`pip install 'roomctl[pictures]'` draws images"
NOT_SENT = "a preview: nothing was sent; how the service lays images over each other is not documented"


def preview(session: Session, body: dict[str, JSON], to: str | None) -> Answer:
    """Show a theme's colours and images, and with `to` write the images as one PNG. Raises BadInput, BadConfig."""
    from roomctl.output.images import available, rgb

    theme = body.get("theme") or {}
    layers = [(field, _decoded(field, body[field])) for field in LAYERS if isinstance(body.get(field), str)]
    image, drawable = None, available()
    if to is not None and not drawable:
        raise BadConfig("`--preview-to` needs Pillow, which is not installed", hint=INSTALL)
    described = [_described(field, data, drawable) for field, data in layers]
    if drawable and (layers or to is not None):
        image = _composed([data for _, data in layers], theme, rgb(theme.get("colorBackground")))
    elif layers:
        session.note(f"images are not drawn: Pillow is not installed; {INSTALL}")
    if to is not None:
        _write(Path(to), image, force=session.given.force)
        session.note(f"written: {to}")
    session.note(NOT_SENT)
    colors = [{"field": name, "value": theme[name], "rgb": rgb(theme[name])} for name in COLORS if theme.get(name)]
    return Answer(
        {"theme": theme, "colors": colors, "layers": described}, "ThemePreview", picture="theme", around=image
    )


def _decoded(field: str, text: str) -> bytes:
    try:
        return b64decode(text)
    except (NotBase64, ValueError):
        raise BadInput(f"{field} is not base64") from None


def _described(field: str, data: bytes, drawable: bool) -> dict[str, JSON]:
    from roomctl.output.images import facts

    shown: dict[str, JSON] = {"field": field, "format": None, "width": None, "height": None, "bytes": len(data)}
    if drawable:
        try:
            shown |= facts(data)._asdict()
        except ValueError as error:
            raise BadInput(f"{field}: {error}") from None
    return shown


def _composed(layers: list[bytes], theme: dict[str, JSON], background: tuple[int, int, int] | None) -> Any:
    from roomctl.output.images import composed

    size = (theme.get("imageWidth"), theme.get("imageHeight"))
    whole = (size[0], size[1]) if isinstance(size[0], int) and isinstance(size[1], int) else None
    try:
        return composed(layers, whole, background)
    except ValueError as error:
        raise BadInput(f"the theme cannot be drawn: {error}") from None


def _write(path: Path, image: Any, *, force: bool) -> None:
    from roomctl.durable import replace
    from roomctl.output.images import png

    if not force and os.path.lexists(path):
        raise LocalFailure(f"{path} exists already", hint="`--force` replaces it")
    try:
        replace(path, [png(image)], by=path.with_name(path.name + ".part"))
    except OSError as error:
        raise LocalFailure(f"cannot write {path}: {error.strerror or error}") from None
