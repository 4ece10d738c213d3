"""Every form of output: what it holds, and that it reads back."""

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from roomctl.output.look import Look, Shown
from roomctl.output.writers import FORMATS, write
from tests.output.drawing import drawn

KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
EVENT = {"socialEventId": KEY, "name": "Summit"}
FIRST = {"registrationId": KEY, "confirmed": True, "user": {"name": 'Ada "L"', "emailAddress": "ada@example.org"}}
FIRST |= {"event": EVENT, "values": [{"name": "Diet", "value": "a,b"}], "newField": [1]}
SECOND = {"registrationId": "second", "confirmed": None, "user": None, "source": "C:\\temp\na\tb\r\x1b"}
ROWS: list[Any] = [FIRST, SECOND]


def written(value: Any, form: str, resource: str = "", **more: Any) -> str:
    return drawn(value, resource, **{"format": form, "terminal": False, "zone": None, **more})


def test_ndjson_writes_each_row_as_it_comes() -> None:
    out = io.StringIO()
    seen = []

    def coming() -> Iterator[Any]:
        for number in range(3):
            seen.append(out.getvalue())
            yield {"n": number}

    write(Shown(coming(), ""), Look("ndjson"), out)
    assert seen == ["", '{"n":0}\n', '{"n":0}\n{"n":1}\n']


@pytest.mark.parametrize("form", FORMATS)
def test_an_iterator_gives_what_a_list_gives(form: str) -> None:
    assert written(iter(ROWS), form, "Registration") == written(ROWS, form, "Registration")


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("terminal", [True, False])
def test_no_form_dies_of_an_encoding_r27(form: str, terminal: bool) -> None:
    raw = io.BytesIO()
    out = io.TextIOWrapper(raw, encoding="cp1252", newline="")
    write(Shown([{"id": "é大👩\ud800"}], ""), Look(form, terminal=terminal), out)
    out.flush()
    text = raw.getvalue().decode("cp1252")
    assert "é" in text
    if form in ("json", "ndjson"):
        assert json.loads(text.strip().strip("[]")) == {"id": "é大👩\ud800"}
