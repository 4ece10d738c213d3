"""`roomctl theme`: custom themes (operation 10)."""

import base64
from pathlib import Path

from roomctl.cli.mutation import write
from roomctl.cli.options import BODY, WRITING, Commands, field_options, flag, option
from roomctl.cli.parsers import an_id
from roomctl.cli.request_body import check_body, from_input, overlay, read_bytes
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.fields import fields
from roomctl.contract.operations import THEME_SAVE
from roomctl.contract.scalars import image_problem
from roomctl.errors import BadInput, WrongCall
from roomctl.reconcile import Write
from roomctl.text.colors import is_color
from roomctl.text.jsontext import compact

commands = Commands("Themes: the look of a room.")

LAYERS = ("imageBytes", "imageFarBytes", "imageMidBytes", "imageNearBytes")


@commands.verb("save", shows=["Theme"], calls=[THEME_SAVE], takes=[field_options("Theme"), BODY, WRITING])
def save(
    session: Session,
    image: str | None = option("--image", "FILE"),
    image_far: str | None = option("--image-far", "FILE", excludes="--image-far-id"),
    image_mid: str | None = option("--image-mid", "FILE", excludes="--image-mid-id"),
    image_near: str | None = option("--image-near", "FILE", excludes="--image-near-id"),
    image_far_id: str | None = option("--image-far-id", "ID", an_id),
    image_mid_id: str | None = option("--image-mid-id", "ID", an_id),
    image_near_id: str | None = option("--image-near-id", "ID", an_id),
    preview: bool = flag("--preview"),
) -> Answer:
    """Create a theme, or update the one that --theme-id names."""
    files = {"imageBytes": image, "imageFarBytes": image_far, "imageMidBytes": image_mid, "imageNearBytes": image_near}
    ids = {"imageFarId": image_far_id, "imageMidId": image_mid_id, "imageNearId": image_near_id}
    images = {name: _encode_image(session, path) for name, path in files.items() if path is not None}
    sent = _build_body(session, {**images, **{name: key for name, key in ids.items() if key is not None}})
    theme = sent.get("theme") or {}
    updates = theme.get("socialThemeId")
    for name in (each for each in theme if each.startswith("color") and not is_color(theme[each])):
        why = f"`{name}`: {compact(theme[name])} is neither written like #102030 nor a CSS colour name"
        session.note(f"warning: {why}; which forms the service accepts is not documented")
    if preview:
        return _preview(session, sent)
    card = [f"about to update theme {updates}"] if updates else []
    what = f"update theme {updates}" if updates else "create a theme"
    answer = write(session, Write(THEME_SAVE, body=sent, what=what), card, done="saved")
    way = "; on other machines, refer to it by its id until a room uses it" if answer.done and not updates else ""
    return answer._replace(done=f"{answer.done}{way}")


def _build_body(session: Session, images: dict[str, str]) -> JSON:
    """Make the body: `--input` holds a whole body or the theme alone; options and `--set` speak of the theme."""
    base = from_input(session)
    if base and not base.keys() & fields("CustomTheme").keys():
        base = {"theme": base}
    if not isinstance(base.get("theme") or {}, dict):
        raise BadInput("`--input` holds a theme that is not an object")
    whole = {**base, "theme": {**(base.get("theme") or {}), **overlay(session, "Theme", {})}, **images}
    if whole == {"theme": {}}:
        raise WrongCall("nothing to send: give at least one field", hint="give `--name`, `--image` or `--input`")
    return check_body(session, "CustomTheme", whole)


def _encode_image(session: Session, name: str) -> str:
    if name == "-" or (Path(name).exists() and not Path(name).is_file()):  # a named pipe would be waited for
        raise BadInput(f"{name} is not a file")
    data = read_bytes(session, name, 32)
    if problem := image_problem(data):
        raise BadInput(f"{name} {problem}", hint="choose another file, or export the picture again")
    return base64.b64encode(data).decode("ascii")


def _preview(session: Session, body: dict[str, JSON]) -> Answer:
    from roomctl.output.theme import available, composed, facts
    from roomctl.text.colors import rgb

    theme, image, drawable = body.get("theme") or {}, None, available()
    width, height = theme.get("imageWidth"), theme.get("imageHeight")
    images: list[bytes] = []
    layers: list[dict[str, JSON]] = []
    for field in LAYERS:
        if not isinstance(body.get(field), str):
            continue
        try:
            images.append(base64.b64decode(body[field]))
            known = facts(images[-1])._asdict() if drawable else dict.fromkeys(("format", "width", "height"))
        except ValueError as error:
            raise BadInput(f"{field}: {error}") from None
        layers.append({"field": field, **known, "bytes": len(images[-1])})
    if images and drawable:
        size = (width, height) if isinstance(width, int) and isinstance(height, int) else None
        try:
            image = composed(images, size, rgb(theme.get("colorBackground")))
        except ValueError as error:
            raise BadInput(f"the theme cannot be drawn: {error}") from None
    elif images:
        session.note("images are not drawn: Pillow is not installed; `pip install 'roomctl[pictures]'` draws images")
    session.note("preview only; nothing was sent; how the service layers images is not documented")
    named = [name for name in fields("Theme") if name.startswith("color") and theme.get(name)]
    colors = [{"field": name, "value": theme[name], "rgb": rgb(theme[name])} for name in named]
    drawn = {"theme": theme, "colors": colors, "layers": layers}
    return Answer(drawn, "ThemePreview", picture="theme", around=image)
