"""Pages decoded no further than needed make the very same export (R7, R25, R29)."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.operations import RECORDING_LIST
from roomctl.errors import Partial
from roomctl.exports import manifest
from tests.exports.paged import PagedService, RawService, exported, fails, identifier, registration

SECRETS = {"guestBearer": "SECRET-1", "refreshBearer": {"a": ["SECRET-2"]}}
USUAL = [
    registration(0, **SECRETS),
    registration(1, user=None, event=None, values=None, unknown={"a": [1.10, "é", {}]}),
    registration(2, values=[{"name": "Diet", "value": "none"}, {"name": "New", "value": True}]),
    registration(3, user={"name": 'a "b", c', "further": 1}, values=[]),
    {"registrationId": identifier(4)},
]
ROW = b'{"registrationId":"r",%b}'


@pytest.fixture(autouse=True)
def none_in_full() -> None:
    RawService.full = 0


def both(rows: list[Any], folder: Path, name: str, **options: Any) -> tuple[bytes, bytes]:
    """Export with pages as bytes, and with pages decoded by the client; give both files."""
    files = []
    for kind, service in (("raw", RawService(rows)), ("plain", PagedService(rows))):
        service.copy = RawService(rows).copy
        to = folder / f"{kind}.{name}"
        try:
            exported(service, to, format=name, force=True, **options)
        except Partial:
            assert not manifest.read(manifest.path_of(to)).complete
        files.append(to.read_bytes())
    raw, plain = (manifest.read(manifest.path_of(folder / f"{kind}.{name}")).document() for kind in ("raw", "plain"))
    assert raw | {"file": "", "sha256": ""} == plain | {"file": "", "sha256": ""}
    return files[0], files[1]


ORDERED = [{"name": "Diet", "value": "vegan"}, {"name": "Size", "value": "M"}]
KEY = "abcdef01-0000-4000-8000-000000000000"
ONE = {"size": 1}
TWO_CASES = [registration(1, registrationId=KEY), registration(1, registrationId=KEY.upper(), source="x")]
ODD_IDS = [b'{"registrationId":{"a":1},"n":0}', b'{"registrationId":{"a":1},"n":1}', b'{"registrationId":["x"]}']
UNUSUAL = [
        b'"source":1.5', b'"source":["x"]', b'"user":{"name":5}', b'"values":[{"name":"n","value":3}]',
        b'"user":{"error":"away"}', b'"values":[{"value":"x"}]', b'"values":{}', b'"user":"x"', b'"source":"\\ud800"',
        b'"values":[{"name":"n","error":"away"}]', b'"deep":' + b"[" * 40 + b"]" * 40, b'"registrationId":""',
        b'"registrationId":"00000000-0000-4000-8000-000000000000"',
]  # fmt: skip
SHOWN = ["\u202e", "\x7f", "\u2028", "\\u202e", "\\n", "\\t", 'a\\"b']
PAGES: dict[str, tuple[str, list[Any], dict[str, Any], int]] = {
    "usual": ("csv excel-csv tsv xlsx sqlite", USUAL, {}, 0),
    "columns that are chosen": ("csv", USUAL, {"columns": ["source"]}, 0),
    "ids that are kept": ("csv", USUAL, {"keep_ids": True}, 0),
    "answers in another order": ("csv", [registration(n, values=ORDERED[:: 1 - 2 * n]) for n in (0, 1)], ONE, 0),
    "one id in two cases, R48": ("csv ndjson", TWO_CASES, {}, 1),
    "a row that is deleted": ("csv ndjson", [*USUAL, ROW % b'"deleted":"true"'], {}, 1),
    "ids that are no text": ("ndjson", [*ODD_IDS, {"registrationId": '"x"'}], ONE, 3),
    **{f"{each!r} in a cell": ("csv tsv", [ROW % f'"source":"{each}"'.encode(), USUAL[0]], {}, 0) for each in SHOWN},
    **{f"unusual for a table: {each[:40]!r}": ("csv", [*USUAL, ROW % each], {}, 1) for each in UNUSUAL},
}
"""Rows, by what is special about them: formats, options, and how many pages are decoded in full."""


@pytest.mark.parametrize("pages", PAGES)
def test_pages_make_the_same_file_decoded_no_further_than_needed(pages: str, tmp_path: Path) -> None:
    formats, rows, options, full = PAGES[pages]
    for name in formats.split():
        RawService.full = 0
        raw, plain = both(rows, tmp_path, name, **options)
        assert (raw, RawService.full) == (plain, full), name


@pytest.mark.parametrize("name", ["ndjson", "json"])
def test_usual_pages_keep_their_rows_as_they_came_but_for_bearers_r7(name: str, tmp_path: Path) -> None:
    raw, plain = both(USUAL, tmp_path, name)
    assert RawService.full == 0
    read = json.loads if name == "json" else lambda data: [json.loads(line) for line in data.splitlines()]
    assert read(raw) == read(plain)
    assert b"SECRET" not in raw
    assert b"earer" not in raw
    assert b'"unknown":{"a":[1.1,"' in raw


CAME_TWICE = [ROW.replace(b'"r"', b'"%d"' % number) % b'"n":[1.10,"\xc3\xa9"]' for number in (0, 1, 2, 1, 3)]
LINES = {
    "rows that came before": (CAME_TWICE, "".join(f'{{"registrationId":"{n}","n":[1.10,"é"]}}\n' for n in range(4))),
    "a bearer that stands in a row twice, R7": (
        [ROW % b'"guestBearer":"SECRET","source":"web","guestBearer":"a bearer"'],
        '{"registrationId":"r","source":"web"}\n',
    ),
    "what does not show, R25": ([ROW % '"a":"\u202e\x7fé"'.encode()], '{"registrationId":"r","a":"\\u202e\\u007fé"}\n'),
    **{
        f"{each[:20]}": ([ROW % each.encode()], (ROW % each.encode()).decode() + "\n")
        for each in (f'"n":[1.10,1E+2,0.00001,{"9" * 5_000}]', '"Größe":"é"')
    },
}


@pytest.mark.parametrize("rows", LINES)
def test_lines_keep_what_came_in_its_writing(rows: str, tmp_path: Path) -> None:
    came, lines = LINES[rows]
    exported(RawService(came), tmp_path / "r.ndjson", size=3)
    assert ((tmp_path / "r.ndjson").read_text(), RawService.full) == (lines, 0)


@pytest.mark.parametrize(
    "row",
    [
        ROW % b'"user":{"guestBearer":"SECRET"}', ROW % b'"user":{"\\u0062earer":"SECRET"}',
        ROW % b'"a":[{"MyBEARERs":"SECRET"}]', ROW % b'"source":"the bearer of this"', ROW % b'"a":{\n"b":1}',
        ROW % b'"user":{"error":"away"}',
        ROW % b'"a":{\t"b":1}', ROW % b'"a":[\r]', ROW % b'"a":"\\ud800"', ROW % (b'"a":' + b"[" * 40 + b"]" * 40),
        b'{"registrationId":7}', b'{"registrationId":""}', b'{"registrationId":["x","y"]}', b'{"source":"no id"}',
        b'"odd"',
    ],
)  # fmt: skip
def test_a_page_that_is_unusual_for_lines_is_decoded_in_full(row: bytes, tmp_path: Path) -> None:
    raw, plain = both([*USUAL, row], tmp_path, "ndjson")
    assert [json.loads(line) for line in raw.splitlines()] == [json.loads(line) for line in plain.splitlines()]
    assert RawService.full == 1
    assert b"SECRET" not in raw


@pytest.mark.parametrize(
    "values",
    [
        [{"name": "n", "value": "x" * 32_768}],
        [{"name": "n", "value": "x" * 20_000}, {"name": "n", "value": "x" * 20_000}],
        [{"name": "n", "value": 'say "hi", ' * 4_000}],
        [{"name": "n", "value": "\\" * 40_000}],
        [{"name": "n", "value": '\\"' * 20_000}],
    ],
)
def test_a_cell_too_long_for_a_workbook_is_seen_r29(values: list[Any], tmp_path: Path) -> None:
    raw, plain = both([registration(0), registration(1, values=values)], tmp_path, "xlsx")
    assert raw == plain
    flagged = json.loads((tmp_path / "raw.xlsx.flagged.ndjson").read_bytes())
    assert (flagged["why"], flagged["row"]["values"]) == ("a cell is longer than 32767 characters", values)


@pytest.mark.parametrize("name", ["csv", "ndjson"])
def test_the_manifest_says_of_the_event_only_what_is_text(name: str, tmp_path: Path) -> None:
    both([registration(0, event={"socialEventId": identifier(999_999), "name": True})], tmp_path, name)
    event = manifest.read(manifest.path_of(tmp_path / f"raw.{name}")).event
    shown = dict.fromkeys(("socialEventId", "name", "startDateTime", "endDateTime"))
    assert event == {**shown, "socialEventId": identifier(999_999)}


def test_lists_of_other_resources_are_lines_as_they_came(tmp_path: Path) -> None:
    rows = [{"socialRecordingId": identifier(number), "participants": [{"userId": "u"}]} for number in range(25)]
    exported(RawService(rows), tmp_path / "r.ndjson", RECORDING_LIST, query=[])
    assert [json.loads(line) for line in (tmp_path / "r.ndjson").read_bytes().splitlines()] == rows
    exported(RawService(rows), tmp_path / "r.csv", RECORDING_LIST, query=[])
    assert (tmp_path / "r.csv").read_text().splitlines()[1] == f'{identifier(0)},"[{{""userId"":""u""}}]"'


scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=4) | st.just("bearer")
names = st.sampled_from(["name", "emailAddress", "guestBearer", "x"])
fields = st.dictionaries(names, scalars | st.lists(scalars, max_size=2), max_size=3)
answer = st.fixed_dictionaries({"name": st.sampled_from("abc")}, optional={"value": scalars})
odd: dict[str, Any] = {"user": fields | st.none(), "event": fields, "source": scalars, "refreshBearer": scalars}
odd["values"] = st.none() | st.lists(answer, max_size=3)
odd_rows = st.fixed_dictionaries({"registrationId": st.integers(0, 9).map(identifier)}, optional=odd)


@given(st.lists(odd_rows | scalars, max_size=6), st.sampled_from(["csv", "tsv", "ndjson"]))
def test_any_pages_make_the_same_export(tmp_path_factory: pytest.TempPathFactory, rows: list[Any], name: str) -> None:
    raw, plain = both(rows, tmp_path_factory.mktemp("quick"), name, size=3)
    if name == "ndjson":
        assert [json.loads(line) for line in raw.splitlines()] == [json.loads(line) for line in plain.splitlines()]
    else:
        assert raw == plain


@pytest.mark.parametrize("end", [b'","skipped":"\xff"', b'","skipped":"\xc3', b'\xc3","\xbc":1,"x":"'])
def test_invalid_text_is_seen_in_a_page_of_many_pieces_too(end: bytes, tmp_path: Path) -> None:
    long = ",é".encode() * 50_000
    exported(RawService([ROW % (b'"a":"' + long + b'"')]), tmp_path / "whole.ndjson")
    assert long in (tmp_path / "whole.ndjson").read_bytes()
    for name in ("csv", "ndjson"):
        fails(UnicodeDecodeError, None, RawService([ROW % (b'"a":"' + long + end)]), tmp_path / "r", format=name)
