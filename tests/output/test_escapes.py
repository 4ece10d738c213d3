"""The escape corpus: every nasty string through every form, on a terminal and through a pipe."""

import io
import re
import unicodedata
from collections.abc import Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.errors import Refused
from roomctl.exports.stats import statistics
from roomctl.output.errors import error_github, error_json, error_text
from roomctl.output.live import Window, draw_live, write_changes
from roomctl.output.look import Look, Shown
from roomctl.output.pictures import draw
from roomctl.output.writers import FORMATS, write

NASTY = [
    *("\x1b[2J", "\x1b]0;t\x07", "\x1b]8;;http://e/\x1b\\x\x1b]8;;\x1b\\", "\x1b]9;x\x07", "\x1b]52;c;eA==\x07"),
    *("\x1b[8m", "\x1b[31m", "\x1b[0m", "\x1bc", "\x1b", "\x1b[", "\x1b[6n", "\x1bP1$r\x1b\\", "\x1b[?1049h"),
    *("\x9b31m", "\x9b", "\x9d0;t\x9c", "\x90x\x9c", "\x85", "\x8d", "safe\rEVIL", "a\x00b", "\x7f", "\x08\x08"),
    *("\x07", "\x0b", "\x0c", "\x0e", "\x0f", "\x05", "\u202e", "\u202d", "\u202a\u202c", "\u2066x\u2069", "\u200e"),
    *("\u200f", "\u061c", "\u2028", "\u2029", "\ufeff", "\xad", "\u200b", "\u2060", "\ufff9x\ufffb", "\U000e0041"),
    *("\U000e0001", "\U000e007f", "\ud800", "\udfff", "\udc80", "a" + "\u0301" * 1000, "x" * 1000),
    *("大会議室", "👩\u200d👩\u200d👧", "🏳\ufe0f\u200d🌈", "[bold]x", "[/foo]", "[link=http://e/]x", ":skull:", "[/]"),
    *("::set-output name=x::y", "##[error]x", "##vso[task.complete]", "=1+1", "+cmd|' /C calc'!A0", "-2+3"),
    *("@SUM(1)", "\t=1", "\xa0=1", '"ok"\n=1', "＝1", "../../etc/passwd", "a\\x1bb", "\\", '"', "'", ",", "\n", "\r\n"),
    *("\t", "", " ", "%0A", "{{x}}", "$(id)", "`id`", "<script>", "&amp;", "no", "1e3", "- a: b", "a: b #c"),
]
AROUND = ["{}", "a {} b", "\n{}", "\x1b[1m{}\n::error::{}", "{}\u202e"]
CORPUS = [frame.format(*[nasty] * frame.count("{}")) for nasty in NASTY for frame in AROUND]
INVISIBLE = {"Cc", "Cs", "Zl", "Zp", "Cf"}
SGR = re.compile(r"\x1b\[(?:0|1|2|31|32|35|36)m")
ZONE = ZoneInfo("Europe/Berlin")


def records(text: str) -> list[Any]:
    """Every place in which a text of others can stand: values, keys, nested ones, ids, times, states."""
    room = {"socialId": text, "name": text, "isOpen": text, "startDateTime": text, "socialMeta": {text: text}}
    named = {"userId": text, "name": text, "emailAddress": text}
    return [
        {**room, "user": named, "status": text, "values": [{"name": text, "value": text}], "error": text},
        {text: text, "x": [text, {text: [text]}], "input": text, "reply": named, "socials": [room]},
        text,
    ]


def made_by_others(text: str, *, color: bool, tabs: bool) -> list[str]:
    """Find the characters in an output that would not show, other than newlines and roomctl's own sequences."""
    bare = set(SGR.sub("", text) if color else text)
    allowed = "\n\u200c\u200d" + ("\t" if tabs else "")
    return sorted(hex(ord(each)) for each in bare if unicodedata.category(each) in INVISIBLE and each not in allowed)


def outputs(value: Any, resource: str) -> Iterator[tuple[str, Look]]:
    looks = [Look(form, zone=ZONE) for form in FORMATS]
    looks += [Look("table", terminal=True, zone=ZONE, width=width) for width in (40, 120)]
    looks += [Look("table", terminal=True, color=True), Look("table", terminal=True, accessible=True)]
    for look in looks:
        out = io.StringIO()
        write(Shown(value, resource), look, out)
        yield out.getvalue(), look


def pictures(text: str) -> Iterator[tuple[str, Shown]]:
    """Every picture with a text of others wherever one can stand in it."""
    yield "tree", Shown(records(text))
    yield "registrations", Shown(statistics([{"source": text, "registeredDateTime": text}]))
    times = ("2026-11-21T08:00:00Z", "2026-11-21T08:30:00Z")
    visits = [visit(text, *times), visit(text, times[1], None), visit(text, text, text), text]
    item = {"name": text, "type": text, "text": text, "url": text, "buttonSize": text}
    yield "map", Shown([{**item, "x": 1, "y": 2}, {**item, "x": text, "y": text}, text])
    colors = [{"field": "colorPrimary", "value": text}]
    layers = [{"field": "imageBytes", "format": text, "width": 1, "height": 1, "bytes": 1}]
    yield "theme", Shown({"theme": {"socialThemeName": text, "type": text}, "colors": colors, "layers": layers})
    finding = {"check": text, "state": text, "what": text, "next": text}
    yield "checklist", Shown([finding])
    yield "cards", Shown([{"id": text, text: "quote"}])
    yield "timeline", Shown(visits, around={"name": text, "status": text, "startDateTime": text})


def visit(text: str, start: str, end: str | None) -> dict[str, Any]:
    user = {"name": text, "emailAddress": text}
    return {"userId": text + start, "user": user, "startDateTime": start, "endDateTime": end}


def test_the_corpus_is_large_enough() -> None:
    assert len(set(CORPUS)) >= 400


@pytest.mark.parametrize("resource", ["Social", "Result", ""])
def test_no_form_writes_a_control_byte_that_roomctl_did_not_make_r20_r21(resource: str) -> None:
    wrong = []
    for text in CORPUS:
        rows = records(text)
        for value in (rows, rows[0], text):
            for output, look in outputs(value, resource):
                tabs = look.format in ("tsv", "ids") or (look.format == "table" and not look.terminal)
                if found := made_by_others(output, color=look.color, tabs=tabs):
                    wrong.append((text[:40], look, found))
    assert wrong == []


@pytest.mark.parametrize("look", [Look("table", terminal=True, color=True), Look("table", accessible=True)])
def test_no_picture_does_either_r20_r21_r24(look: Look) -> None:
    wrong = []
    for text in CORPUS:
        for name, shown in pictures(text):
            out = io.StringIO()
            draw(name, shown, look, out)
            found: Any = made_by_others(out.getvalue(), color=look.color, tabs=False)
            found += re.findall(r"(?im)^\s*::[a-z].*|##(?:vso)?\[.*", SGR.sub("", out.getvalue()))
            if found:
                wrong.append((text[:40], name, found))
    assert wrong == []


def test_no_live_picture_does_either_r20_r21_r24() -> None:
    wrong = []
    for text in CORPUS:
        looks = [
            {"at": text, "name": text, "socials": [{"socialId": text, "name": name}]} for name in (text, "x", text)
        ]
        out, lines = io.StringIO(), io.StringIO()
        draw_live(looks, lambda: Window(Look("table", terminal=True, color=True), 24, 0), out)
        write_changes(looks, Look("table"), lines)
        drawn = re.sub(r"\x1b\[(?:\?25[lh]|[KJ]|\d+A)|\r", "", out.getvalue())
        found: Any = made_by_others(drawn, color=True, tabs=False) + made_by_others(
            lines.getvalue(), color=False, tabs=False
        )
        found += re.findall(r"(?im)^\s*::[a-z].*|##(?:vso)?\[.*", SGR.sub("", drawn) + lines.getvalue())
        if found:
            wrong.append((text[:40], found))
    assert wrong == []


def test_no_failure_does_either_r20_r21() -> None:
    wrong = []
    for text in CORPUS:
        error = Refused(text, hint=text, service=text, request=text, details={text: text})
        texts = [error_text(error, profile_line=text), error_json(error, profile=text), error_github(error)]
        for output in texts:
            if found := made_by_others(output, color=True, tabs=True):
                wrong.append((text[:40], output[:80], found))
    assert wrong == []


@pytest.mark.parametrize("form", ["table", "tsv", "ids"])
def test_no_line_that_people_read_is_a_command_to_a_ci_r24(form: str) -> None:
    wrong = []
    for text in CORPUS:
        for terminal in (True, False):
            out = io.StringIO()
            write(Shown(records(text), ""), Look(form, terminal=terminal, width=50), out)
            wrong += re.findall(r"(?im)^\s*::[a-z].*|##(?:vso)?\[.*", out.getvalue())
    assert wrong == []


def test_a_text_of_a_megabyte_is_no_trouble() -> None:
    for output, look in outputs([{"name": "\x1b[2J" + "x" * 1_048_576}], "Social"):
        tabs = look.format in ("tsv", "ids") or (look.format == "table" and not look.terminal)
        assert made_by_others(output, color=look.color, tabs=tabs) == []
