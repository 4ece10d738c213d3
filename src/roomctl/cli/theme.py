"""`roomctl theme`: custom themes (operation 10)."""

import base64
from pathlib import Path
from typing import Annotated, Any

from typer import Option

from roomctl.cli.bodies import checked, from_input, over, skeleton
from roomctl.cli.lazy import Commands, Context, Takes
from roomctl.cli.options import BODY, UNTOLD, WRITING, a_name, an_id, at_least, choice
from roomctl.cli.session import Answer, Session
from roomctl.cli.writing import write
from roomctl.contract.operations import THEME_SAVE
from roomctl.contract.scalars import THEME_TYPE
from roomctl.errors import BadInput, WrongCall

commands = Commands("Themes: the look of a room.")
SMALLEST_IMAGE = 26  # bytes; a GIF of one pixel
LARGEST_IMAGE = 32 * 1024 * 1024
SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a", b"BM")


def theme_fields(
    socialThemeName: Annotated[
        str | None, Option("--name", parser=a_name, metavar="TEXT", help="the theme's name")
    ] = None,
    socialThemeId: Annotated[
        str | None,
        Option("--theme-id", parser=an_id, metavar="ID", help="the theme to update; without it one is created"),
    ] = None,
    type: Annotated[  # noqa: A002  (the field's name)
        str | None, choice("--type", values=THEME_TYPE, text="what the theme is made of")
    ] = None,
    description: Annotated[str | None, Option("--description", help="what the theme is for")] = None,
    colorPrimary: Annotated[
        str | None,
        Option("--color-primary", metavar="COLOR", help="the main colour, such as #102030; its form is not documented"),
    ] = None,
    colorSecondary: Annotated[
        str | None, Option("--color-secondary", metavar="COLOR", help="the second colour")
    ] = None,
    colorBackground: Annotated[
        str | None, Option("--color-background", metavar="COLOR", help="the colour behind everything")
    ] = None,
    colorGradientBackground: Annotated[
        str | None,
        Option("--color-gradient-background", metavar="COLOR", help="the colour that the background runs into"),
    ] = None,
    colorButtonText: Annotated[
        str | None, Option("--color-button-text", metavar="COLOR", help="the colour of text on buttons")
    ] = None,
    colorButtonBG: Annotated[
        str | None, Option("--color-button-bg", metavar="COLOR", help="the colour of buttons")
    ] = None,
    imageWidth: Annotated[
        int | None,
        Option("--image-width", parser=at_least(1), metavar="N", help="width of the images; unit not documented"),
    ] = None,
    imageHeight: Annotated[
        int | None,
        Option("--image-height", parser=at_least(1), metavar="N", help="height of the images; unit not documented"),
    ] = None,
    templateId: Annotated[str | None, Option("--template-id", metavar="ID", help="a template's id")] = None,
    defaultArtifactSetId: Annotated[
        str | None, Option("--artifact-set", parser=an_id, metavar="ID", help="the default artifact set's id")
    ] = None,
    multiSize: Annotated[bool | None, Option("--multi-size/--single-size", help=f"multiSize, {UNTOLD}")] = None,
    addToMiniMap: Annotated[bool | None, Option("--minimap/--no-minimap", help=f"addToMiniMap, {UNTOLD}")] = None,
) -> None:
    """Fields of a theme that an administrator sets."""


THEME_FIELDS = Takes("Fields", theme_fields, body="Theme")
ImageFile = Annotated[str | None, Option(metavar="FILE", help="PNG, JPEG, GIF, WebP or BMP")]


@commands.verb(
    "save",
    shows=["Theme"],
    calls=[THEME_SAVE],
    takes=[THEME_FIELDS, BODY, WRITING],
    examples=[
        'theme save --name "Evening" --type SINGLE_COLOR --color-background "#102030"',
        'theme save --name "Forest" --type LAYERED --image-far far.png --image-mid mid.png --image-near near.png',
        'theme save --name "Forest" --image-far far.png --image-near near.png --preview --preview-to forest.png',
    ],
)
def save(
    ctx: Context,
    image: Annotated[str | None, Option("--image", metavar="FILE", help="the image; PNG, JPEG, GIF, WebP, BMP")] = None,
    image_far: Annotated[str | None, Option("--image-far", metavar="FILE", help="the far layer")] = None,
    image_mid: Annotated[str | None, Option("--image-mid", metavar="FILE", help="the middle layer")] = None,
    image_near: Annotated[str | None, Option("--image-near", metavar="FILE", help="the near layer")] = None,
    image_far_id: Annotated[
        str | None,
        Option(
            "--image-far-id",
            parser=an_id,
            metavar="ID",
            help="the id of an image that is there already, as the far layer",
        ),
    ] = None,
    image_mid_id: Annotated[
        str | None,
        Option(
            "--image-mid-id",
            parser=an_id,
            metavar="ID",
            help="the id of an image that is there already, as the middle layer",
        ),
    ] = None,
    image_near_id: Annotated[
        str | None,
        Option(
            "--image-near-id",
            parser=an_id,
            metavar="ID",
            help="the id of an image that is there already, as the near layer",
        ),
    ] = None,
    preview: Annotated[bool, Option("--preview", help="show colours and images, send nothing")] = False,
    preview_to: Annotated[
        str | None, Option("--preview-to", metavar="FILE.png", help="and write the images as one; needs Pillow")
    ] = None,
) -> Answer:
    """Create a theme, or update the one that --theme-id names.

    The service does not document what decides between creating and updating: a theme's id in the body is taken to
    mean an update. Images are read from files, checked to be images, and sent as base64.

    With --preview or --preview-to nothing is sent: the theme is drawn here, the later image before the earlier one.
    """
    session: Session = ctx.obj
    if (shown := skeleton(session, "CustomTheme")) is not None:
        return shown
    files = {"imageBytes": image, "imageFarBytes": image_far, "imageMidBytes": image_mid, "imageNearBytes": image_near}
    ids = {"imageFarId": image_far_id, "imageMidId": image_mid_id, "imageNearId": image_near_id}
    images = {name: encoded(path) for name, path in files.items() if path is not None}
    sent = _whole(session, {**images, **{name: key for name, key in ids.items() if key is not None}})
    updates = (sent.get("theme") or {}).get("socialThemeId")
    if preview or preview_to is not None:
        from roomctl.cli.previewing import preview as previewed

        return previewed(session, sent, preview_to)
    card = [f"about to update theme {updates}"] if updates else []
    return write(
        session, THEME_SAVE, body=sent, card=card, what=f"update theme {updates}" if updates else "create a theme"
    )


def _whole(session: Session, images: dict[str, str]) -> dict[str, Any]:
    """Make the body: `--input` holds a whole body or the theme alone; options and `--set` speak of the theme."""
    base = from_input(session, "CustomTheme")
    if (
        base
        and "theme" not in base
        and not any(
            name.startswith("image") and name[5:6].isupper() and name.endswith(("Bytes", "Id")) for name in base
        )
    ):
        base = {"theme": base}
    if not isinstance(base.get("theme") or {}, dict):
        raise BadInput("`--input` holds a theme that is no object")
    whole = {**base, "theme": {**(base.get("theme") or {}), **over(session, "Theme", {})}, **images}
    if whole == {"theme": {}}:
        raise WrongCall("no field of a theme was given: nothing was sent", hint="give `--name`, `--image` or `--input`")
    result: dict[str, Any] = checked(session, "CustomTheme", whole)
    return result


def encoded(name: str) -> str:
    """Read an image file as base64. Raises BadInput when it is missing, too large or not an image."""
    try:
        if not Path(name).is_file() and Path(name).exists():  # a named pipe would be waited for
            raise BadInput(f"not a file: {name}")
        with Path(name).open("rb") as file:
            data = file.read(LARGEST_IMAGE + 1)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read {name}: {str(getattr(error, 'strerror', None) or error).lower()}") from None
    if len(data) > LARGEST_IMAGE:
        raise BadInput(f"{name} is larger than 32 MiB")
    known = data.startswith(SIGNATURES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
    if not known or len(data) < SMALLEST_IMAGE:
        raise BadInput(f"{name} is not an image that is known here", hint="give PNG, JPEG, GIF, WebP or BMP")
    return base64.b64encode(data).decode("ascii")
