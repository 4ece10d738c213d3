"""The escape corpus: every nasty string through every form, on a terminal and through a pipe.

Where a form shows rows, many strings stand in one document: what must not be there is looked for in all of it.
"""

import io
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from roomctl.errors import Refused
from roomctl.exports.stats import statistics
from roomctl.output.errors import error_github, error_json, error_text
from roomctl.output.live import live_view, write_changes
from roomctl.output.look import Look, Shown
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
COMMAND = re.compile(r"(?im)^\s*::[a-z].*|##(?:vso)?\[.*")
ZONE = ZoneInfo("Europe/Berlin")
MANY = 10
LARGE = [Look("table", terminal=True, zone=ZONE, width=width, color=width > 40) for width in (40, 400)]
TERMINALS = [*LARGE, Look("table", terminal=True, accessible=True)]
LOOKS = [*(Look(form, zone=ZONE) for form in FORMATS), *TERMINALS]


def corpus(many: int) -> Iterator[tuple[str, ...]]:
    return (tuple(CORPUS[start : start + many]) for start in range(0, len(CORPUS), many))


def record(text: str) -> dict[str, Any]:
    """Every place in which a text of others can stand: values, keys, nested ones, ids, times, states."""
    room = {"socialId": text, "name": text, "isOpen": text, "startDateTime": text, "socialMeta": {text: text}}
    named = {"userId": text, "name": text, "emailAddress": text}
    values = {"values": [{"name": text, "value": text}], "x": [text, {text: [text]}]}
    result = {"status": text, "error": text, "input": text, "reply": named}
    return {**room, "user": named, "socials": [room], **values, **result, "socialRoomSetId": text}


def made_by_others(text: str, *, color: bool, tabs: bool) -> list[str]:
    """Find the characters in an output that would not show, other than newlines and roomctl's own sequences."""
    bare = set(SGR.sub("", text) if color else text)
    allowed = "\n\u200c\u200d" + ("\t" if tabs else "")
    return sorted(hex(ord(each)) for each in bare if unicodedata.category(each) in INVISIBLE and each not in allowed)


def wrong(output: str, look: Look, *, tabs: bool = False, human: bool = False) -> list[str]:
    """Find what others made; in what people read, commands to a CI too."""
    found = made_by_others(output, color=look.color, tabs=tabs)
    return found + (COMMAND.findall(SGR.sub("", output)) if human else [])


def wrong_forms(value: Any, resource: str) -> Iterator[Any]:
    for look in LOOKS:
        out = io.StringIO()
        write(Shown(value, resource), look, out)
        tabs = look.format in ("tsv", "ids") or (look.format == "table" and not look.terminal)
        if found := wrong(out.getvalue(), look, tabs=tabs, human=look.format in ("table", "tsv", "ids")):
            yield look, found


DOCUMENTS: dict[str, tuple[int, Callable[[tuple[str, ...]], tuple[Any, str]]]] = {
    "a list of rooms": (MANY, lambda texts: ([*map(record, texts), *texts], "Social")),
    "results": (MANY, lambda texts: ([*map(record, texts)], "StepResult")),
    "a record of records": (MANY, lambda texts: ({text: record(text) for text in texts}, "Social")),
    "a free-form row": (2, lambda texts: ([{text: text, "id": text} for text in texts], "")),
    "a text": (1, lambda texts: (texts[0], "")),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_no_form_writes_a_control_byte_that_roomctl_did_not_make_r20_r21_r24(name: str) -> None:
    many, document = DOCUMENTS[name]
    assert [(texts, each) for texts in corpus(many) for each in wrong_forms(*document(texts))] == []


def pictures(texts: tuple[str, ...]) -> Iterator[tuple[str, Shown]]:
    """Every picture with a text of others wherever one can stand in it."""
    yield "tree", Shown([record(text) for text in texts])
    yield "registrations", Shown(statistics([{"source": text, "registeredDateTime": text} for text in texts]))
    items = [dict.fromkeys(["name", "type", "text", "url", "buttonSize"], text) for text in texts]
    yield "map", Shown([*items, *({**item, "x": 1, "y": 2} for item in items), *texts])
    yield "checklist", Shown([{"check": text, "state": text, "what": text, "next": text} for text in texts])
    yield "cards", Shown([{"id": text, text: "quote"} for text in texts])
    for text in texts:
        layers = [{"field": "imageBytes", "format": text, "width": 1, "height": 1, "bytes": 1}]
        named = {"socialThemeName": text, "type": text}
        colors = [{"field": "colorPrimary", "value": text}]
        yield "theme", Shown({"theme": named, "colors": colors, "layers": layers})
        yield "timeline", Shown([], around={"name": text, "status": text, "startDateTime": text})
    times = ("2026-11-21T08:00:00Z", "2026-11-21T08:30:00Z")
    stays: list[tuple[str, str | None]] = [times, (times[1], None)]
    yield "timeline", Shown([*(visit(text, *stay) for text in texts for stay in [*stays, (text, text)]), *texts])


def visit(text: str, start: str, end: str | None) -> dict[str, Any]:
    user = {"name": text, "emailAddress": text}
    return {"userId": text + start, "user": user, "startDateTime": start, "endDateTime": end}


@pytest.mark.parametrize(
    "look", [Look("table", terminal=True, color=True), Look("table", terminal=True, accessible=True)]
)
def test_no_picture_does_either_r20_r21_r24(look: Look) -> None:
    found = []
    for texts in corpus(MANY):
        for name, shown in pictures(texts):
            out = io.StringIO()
            write(shown, look, out, picture=name)
            found += [(texts, name, each) for each in wrong(out.getvalue(), look, human=True)]
    assert found == []


def test_no_live_picture_does_either_r20_r21_r24() -> None:
    found = []
    look = Look("table", terminal=True, color=True)
    for texts in corpus(MANY):
        named = [{"socialId": text, "name": text} for text in texts]
        renamed = [{"socialId": text, "name": "x"} for text in texts]
        looks: list[Any] = [{"at": text, "name": text, "socials": []} for text in texts]
        looks += [{"at": texts[0], "name": "x", "socials": rooms} for rooms in (named, renamed, named)]
        out, lines = io.StringIO(), io.StringIO()
        with live_view(look, out, lambda: (80, 10_000)) as (show, _):
            for each in looks:
                show([each])
        write_changes(([each] for each in looks), look, lines)
        write_changes([looks], look, lines)
        drawn = re.sub(r"\x1b\[(?:\?25[lh]|2?K|1A)|\r", "", out.getvalue())
        found += wrong(drawn, look, human=True) + wrong(lines.getvalue(), Look("table"), human=True)
    assert found == []


def test_no_failure_does_either_r20_r21() -> None:
    found = []
    for text in CORPUS:
        error = Refused(text, hint=text, service=text, request=text, details={text: text})
        for output in (error_text(error, profile_line=text), error_json(error, profile=text), error_github(error)):
            found += wrong(output, Look("json"), tabs=True)
    assert found == []


def test_a_text_of_a_megabyte_is_no_trouble() -> None:
    assert list(wrong_forms([{"name": "\x1b[2J" + "x" * 1_048_576}], "Social")) == []
