"""Rows that are prose as cards."""

import io

from roomctl.render.carded import cards
from roomctl.render.writers import Look, Shown

ROWS = [{"id": "one", "why": "nothing may depend on what is not documented"}, {"id": "two", "why": "it is short"}]


def test_each_row_is_a_card_and_a_text_has_the_whole_width() -> None:
    out = io.StringIO()
    cards(Shown(ROWS), Look("table", terminal=True, width=46), out)
    assert out.getvalue() == (
        "id   one\nwhy  nothing may depend on what is not\n     documented\n\nid   two\nwhy  it is short\n"
    )
