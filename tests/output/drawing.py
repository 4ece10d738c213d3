"""What a person or a script gets of a value, as text."""

import io
from typing import Any
from zoneinfo import ZoneInfo

from roomctl.output.look import Look, Shown
from roomctl.output.pictures import draw
from roomctl.output.writers import write


def drawn(value: Any, resource: str = "", *, picture: str = "", around: Any = None, **look: Any) -> str:
    """Draw a value on a terminal in Berlin, as a table, as a picture, or as `look` says otherwise."""
    how = Look(**{"format": "table", "terminal": True, "zone": ZoneInfo("Europe/Berlin"), **look})
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=how.encoding, newline="")
    if picture:
        draw(picture, Shown(value, resource, around), how, out)
    else:
        write(Shown(value, resource, around), how, out)
    out.flush()
    return raw.getvalue().decode(how.encoding)
