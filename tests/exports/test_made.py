"""A page is made ready as it would be kept, or is not answered (R29)."""

import io
import json
from typing import Any

import pytest

from roomctl import __version__
from roomctl.exports import made
from roomctl.service.wire import marks_of
from tests.exports.paged import identifier

ID = identifier(1)
ROW = {"registrationId": ID, "source": "web"}
ANSWERS = {
    "csv": f"{ID},,,web{',' * 13}\n",
    "ndjson": f'{{"registrationId":"{ID}","source":"web"}}\n',
    "json": f',\n{{"registrationId":"{ID}","source":"web"}}',
}


def asked(rows: Any) -> bytes:
    body = json.dumps(rows, separators=(",", ":")).encode()
    return made.SIZES.pack(2, len(marks_of(body)), len(body)) + b"[]" + marks_of(body) + body


def served(form: str, pages: bytes, version: str = __version__) -> bytes:
    answers = io.BytesIO()
    made.serve(io.BytesIO(json.dumps([version, form, False, "registrationId"]).encode() + b"\n" + pages), answers)
    return answers.getvalue()


@pytest.mark.parametrize("form", ANSWERS)
def test_pages_are_answered_until_there_are_no_more(form: str) -> None:
    keys, row = json.dumps([ID]).encode(), ANSWERS[form].encode()
    answer = made.SIZES.pack(len(keys), 4, len(row)) + keys + b"null" + row
    pages = asked([ROW]) + asked([]) + asked([[1]]) + asked([ROW])
    assert served(form, pages + asked([ROW])[:5]) == made.READY + answer + made.READY * 2 + answer


def test_a_page_with_another_column_is_not_answered() -> None:
    assert served("csv", asked([{**ROW, "values": [{"name": "New", "value": "x"}]}])) == made.READY * 2


def test_another_version_is_not_served() -> None:
    assert served("csv", asked([ROW]), "0.0.1") == b""
