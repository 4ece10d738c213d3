"""What a person or a script gets of a value, as text."""

import io
from typing import Any
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

from roomctl.output.look import Look, Shown
from roomctl.output.writers import write

KEYS = ["name", "value", "socials", "userId", "socialId", "isOpen", "values", "xBytes"]
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.uuids().map(str)
NAMED = st.sampled_from(KEYS) | st.text()
ANYTHING = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMED, inner, max_size=4), max_leaves=15
)
"""Any JSON that a service may answer with, often under keys that mean something."""


def drawn(value: Any, resource: str = "", *, picture: str = "", around: Any = None, **look: Any) -> str:
    """Draw a value on a terminal in Berlin, as a table, as a picture, or as `look` says otherwise."""
    how = Look(**{"format": "table", "terminal": True, "zone": ZoneInfo("Europe/Berlin"), **look})
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding=how.encoding, newline="")
    write(Shown(value, resource, around), how, out, picture=picture)
    out.flush()
    return raw.getvalue().decode(how.encoding)
