"""Every form of output: what it holds, and that it reads back."""

import io
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from roomctl.exports.stats import statistics
from roomctl.output.look import Look, Shown
from roomctl.output.writers import FORMATS, write
from roomctl.text.jsontext import compact
from tests.output.drawing import drawn

KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
EVENT = {"socialEventId": KEY, "name": "Summit"}
ROWS: list[Any] = [
    {
        "registrationId": KEY,
        "confirmed": True,
        "user": {"name": 'Ada "L"', "emailAddress": "ada@example.org"},
        "event": EVENT,
        "values": [{"name": "Diet", "value": "a,b"}],
        "newField": [1],
    },
    {"registrationId": "second", "confirmed": None, "user": None, "source": "C:\\temp\na\tb\r\x1b"},
]


def written(value: Any, form: str, resource: str = "", **more: Any) -> str:
    return drawn(value, resource, **{"format": form, "terminal": False, "zone": None, **more})


def test_an_explanation_is_a_card_in_a_pipe_too_and_tabs_only_where_they_are_asked_for() -> None:
    told = {"command": "roomctl x", "calls": [{"number": 7, "curl": "curl " + "x" * 100}], "exit_codes": {"0": "done"}}
    assert written(told, "table", "Explanation") == (
        "command     roomctl x\ncalls\n  0\n    number  7\n"
        f"    curl    curl {'x' * 100}\nexit_codes\n  0         done\n"
    )
    asked = written(told, "table", "Explanation", fields=("command", "exit_codes"))
    assert asked == 'command\texit_codes\nroomctl x\t{"0":"done"}\n'
    assert written(told, "tsv", "Explanation").startswith("command\tcalls\texit_codes\nroomctl x\t[{")


def test_tsv_writes_tab_newline_return_and_backslash_as_escapes_r21() -> None:
    fields = ("registrationId", "source", "values")
    assert written(ROWS, "tsv", "Registration", fields=fields) == (
        "registrationId\tsource\tvalues\n"
        f'{KEY}\t\t[{{"name":"Diet","value":"a,b"}}]\n'
        "second\tC:\\\\temp\\na\\tb\\r\\x1b\t\n"
    )


def test_json_of_a_list_is_one_array_and_of_a_record_one_object_r25() -> None:
    assert written([], "json") == "[]\n"
    assert written([{"a": 1}, {"b": [2]}], "json") == (
        '[\n  {\n    "a": 1\n  },\n  {\n    "b": [\n      2\n    ]\n  }\n]\n'
    )
    assert written({"é\x1b": "\u202e"}, "json") == '{\n  "é\\u001b": "\\u202e"\n}\n'
    assert json.loads(written(ROWS, "json", "Registration")) == ROWS


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


def test_an_empty_list_is_no_table_at_all() -> None:
    assert written([], "table", "Social") == written([], "table", "Social", terminal=True) == ""
    assert written([], "csv", "Playlist") == "name,playlistId,type,qty,duration,available\n"
    assert written([], "csv") == written([], "ids", "Social") == ""
    assert written([], "csv", "Playlist", header=False) == ""
    assert written([], "yaml") == "[]\n"


@pytest.mark.parametrize("form", FORMATS)
def test_nothing_writes_nothing(form: str) -> None:
    assert written(None, form) == ""


def test_chosen_fields_are_chosen_in_every_form() -> None:
    more: dict[str, Any] = {"fields": ("event.name", "values.0.name", "nope")}
    assert written(ROWS[0], "json", **more) == (
        '{\n  "event.name": "Summit",\n  "values.0.name": "Diet",\n  "nope": null\n}\n'
    )
    assert json.loads(written(ROWS, "json", **more)) == [
        {"event.name": "Summit", "values.0.name": "Diet", "nope": None},
        {"event.name": None, "values.0.name": None, "nope": None},
    ]
    assert written(ROWS[:1], "ndjson", **more) == '{"event.name":"Summit","values.0.name":"Diet","nope":null}\n'
    assert written(ROWS[:1], "csv", **more) == "event.name,values.0.name,nope\nSummit,Diet,\n"
    assert written(ROWS[:1], "tsv", **more) == "event.name\tvalues.0.name\tnope\nSummit\tDiet\t\n"
    assert written(ROWS[:1], "table", **more) == "event.name\tvalues.0.name\tnope\nSummit\tDiet\t\n"
    assert written(ROWS[:1], "yaml", **more) == "- event.name: Summit\n  values.0.name: Diet\n  nope: null\n"
    assert written(ROWS[:1], "ids", **more) == "Summit\tDiet\t\n"


def test_ids_are_those_of_the_resource_one_a_line() -> None:
    assert written(ROWS, "ids", "Registration") == f"{KEY}\nsecond\n"
    assert written([{"CTAItemId": 7, "id": 8}, {"name": "no id"}], "ids", "CTAItem") == "7\n"
    results = [{"input": KEY, "status": "ok", "reply": {"socialInviteId": "new"}}, {"input": "b", "status": "failed"}]
    assert written(results, "ids", "Result") == f"{KEY}\n"
    assert written(results, "ids", "InviteResult") == "new\n"
    assert written([{"id": 1, "name": "a"}, {"name": "b"}, {"c": 1}], "ids", "Profile") == "1\nb\n"
    assert written({"socialId": "a\nb\\"}, "ids", "Social") == "a\\nb\\\\\n"
    assert written(["x", "y"], "ids") == "x\ny\n"


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "ids"])
def test_bytes_are_shown_by_their_size_in_every_form(form: str) -> None:
    record = {"name": "x", "imageBytes": "QUJD" * 1000, "theme": {"imageFarBytes": "QUJD"}}
    for value in (record, [record]):
        for more in ({}, {"fields": ("imageBytes", "theme")}, {"terminal": True}):
            text = written(value, form, **more)
            assert "QUJD" not in text
            assert "<3000 bytes>" in text.replace("\\<", "<").replace("\\>", ">")
            assert "<3 bytes>" in text.replace("\\<", "<").replace("\\>", ">")
    assert "QUJD" not in written([record], "ids", fields=("theme",))


@pytest.mark.parametrize("resource", ["Request", "Body"])
def test_a_request_is_json_unless_another_form_is_asked_for(resource: str) -> None:
    for terminal in (True, False):
        assert written({"method": "POST"}, "table", resource, terminal=terminal) == '{\n  "method": "POST"\n}\n'
    assert written({"method": "POST"}, "yaml", resource) == "method: POST\n"


@pytest.mark.parametrize(
    ("value", "texts"),
    [
        ("a\nb", {"json": '"a\\nb"\n', "csv": "a\\nb\n", "tsv": "a\\nb\n", "table": "a\\nb\n", "yaml": '"a\\nb"\n'}),
        (7, {"json": "7\n", "csv": "7\n", "tsv": "7\n", "table": "7\n", "yaml": "7\n", "ndjson": "7\n", "ids": "7\n"}),
        (True, {"json": "true\n", "tsv": "true\n"}),
    ],
)
def test_a_scalar_stands_alone(value: Any, texts: dict[str, str]) -> None:
    assert {form: written(value, form) for form in texts} == texts
    assert written(value, "table", terminal=True) == texts["tsv"]


def test_a_row_that_is_no_object_is_kept_whole() -> None:
    assert written([7, [1], {"name": "x"}, None], "csv", "Playlist") == (
        "name,playlistId,type,qty,duration,available\n7,,,,,\n[1],,,,,\nx,,,,,\n,,,,,\n"
    )
    assert written([7, {"a": 1}], "json", fields=("a",)) == '[\n  7,\n  {\n    "a": 1\n  }\n]\n'
    assert written(["a", "b"], "csv") == "a\nb\n"


def test_a_command_to_a_ci_is_broken_in_what_people_read_and_data_stays_data_r24() -> None:
    rows = [{"name": "::set-output name=x::y"}, {"name": "##[error]x"}, {"name": " ::add-mask::, x"}]
    assert written(rows, "tsv", header=False) == ("\\x3a:set-output name=x::y\n\\x23#[error]x\n \\x3a:add-mask::, x\n")
    assert written(rows, "table", terminal=True, header=False) == (
        "\\x3a:set-output name=x::y\n\\x23#[error]x\n \\x3a:add-mask::, x\n"
    )
    assert written(rows, "csv", header=False) == '"::set-output name=x::y"\n##[error]x\n" ::add-mask::, x"\n'
    assert json.loads(written(rows, "json")) == yaml.safe_load(written(rows, "yaml")) == rows
    assert not re.search(r"(?m)^\s*::", written(rows, "csv") + written(rows, "json") + written(rows, "yaml"))


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


TEXTS = st.text(st.characters()).map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=10
)
NAMES = ("name", "playlistId", "type", "qty", "duration", "available")


def cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else compact(value)


@given(st.lists(VALUES, max_size=5))
def test_json_ndjson_and_yaml_read_back_the_same(rows: list[Any]) -> None:
    if not any("Bytes" in compact(row) for row in rows):
        assert json.loads(written(rows, "json")) == rows
        assert [json.loads(line) for line in written(rows, "ndjson").split("\n")[:-1]] == rows
        assert yaml.safe_load(written(rows, "yaml")) == rows


BEGINS = {"startDateTime": "2026-11-21T08:00:00Z"}
REGISTRATIONS = [
    {"registeredDateTime": "2026-11-20T09:00:00Z", "source": "WEB", "confirmed": True, "event": BEGINS},
    {"registeredDateTime": "2026-11-18T09:00:00Z", "event": BEGINS},
    {"source": "PARTNER", "confirmed": False},
]
COUNTS = [
    *("by,value,registrations,share", "all,,3,1.0", "confirmed,true,1,0.3333"),
    *("day,2026-11-18,1,0.3333", "day,2026-11-19,0,0.0", "day,2026-11-20,1,0.3333", "day,,1,0.3333"),
    *("source,WEB,1,0.3333", "source,,1,0.3333", "source,PARTNER,1,0.3333", "timeToEvent,after it began,0,0.0"),
    *("timeToEvent,on the last day,1,0.3333", "timeToEvent,in the last week,1,0.3333"),
    *("timeToEvent,in the last month,0,0.0", "timeToEvent,earlier,0,0.0", "timeToEvent,,1,0.3333"),
]


def test_registrations_in_numbers_have_a_row_for_each_count_and_chosen_fields_are_those_of_the_whole() -> None:
    counts = statistics(REGISTRATIONS)
    assert written(counts, "csv", "RegistrationStats").splitlines() == COUNTS
    assert written(counts, "tsv", "RegistrationStats").replace("\t", ",").splitlines() == COUNTS
    assert written(counts, "table", "RegistrationStats") == written(counts, "tsv", "RegistrationStats")
    assert "| source | WEB | 1 | 0.3333 |" in written(counts, "md", "RegistrationStats")
    assert written(counts, "tsv", "RegistrationStats", fields=("registrations",)) == "registrations\n3\n"
    assert written(counts, "json", "RegistrationStats").startswith('{\n  "registrations": 3,')
    assert written(statistics([]), "csv", "RegistrationStats").splitlines()[1] == "all,,0,"


@pytest.mark.parametrize(
    ("value", "more", "lines"),
    [
        ([{"name": "Rain", "qty": 3}], {}, ["| name | qty |", "| --- | ---: |", "| Rain | 3 |"]),
        ({"a": {"x": 1}}, {}, ["| field | value |", "| --- | --- |", '| a | {"x":1} |']),
        (["a", 1], {"header": False}, ["| a |", "| 1 |"]),
        ([], {"fields": ("name",)}, ["| name |", "| --- |"]),
        (["a\nb\x1b[2J"], {"header": False}, ["| a\\\\nb\\\\x1b\\[2J |"]),
        (["@admin", "ada@example.org"], {"header": False}, ["| &#64;<!-- -->admin |", "| ada@example.org |"]),
        (["http://e/x"], {"header": False}, ["| http:\\//e/x |"]),
    ],
)
def test_markdown_is_a_table(value: Any, more: Any, lines: list[str]) -> None:
    assert written(value, "md", **more).splitlines() == lines


@pytest.mark.parametrize(
    "text",
    ["a|b", "[x](http://e)", "![x](http://e/t.png)", "<script>alert(1)</script>", "&amp;", "`id`", "**b** _i_ ~s~"],
)
def test_in_markdown_what_others_wrote_stays_in_its_cell_and_text(text: str) -> None:
    (row,) = written([{"name": text}], "md", header=False).splitlines()
    assert len(re.findall(r"(?<!\\)\|", row)) == 2
    assert re.sub(r"\\(.)", r"\1", row) == f"| {text} |"
    assert not re.search(r"(?<!\\)[\[<`*_~&]", row)
