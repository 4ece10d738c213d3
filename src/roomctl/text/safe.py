"""Untrusted text made harmless: two walls between what others wrote and the terminal (R20, R21, R24, R27).

`safe` is for what people read, `visible` for data cells, `Wall` the sink behind both. An escape shows the character
that stood there: `\\x1b`, `\\u202e`, `\\U000e0041`. A backslash in the text stays as it is, so what a person reads is
not unambiguous; tsv and csv (`exact`), which double backslashes, yaml, json and ndjson are.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, TextIO

from roomctl.text import JSON

# Cc, Cs, Zl, Zp and Cf, except ZWNJ (U+200C) and ZWJ (U+200D), which scripts and emoji need; two noncharacters.
_INVISIBLE = (
    "\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
_CONTROLS = {"": "\x00-\x1f", "\n": "\x00-\x09\x0b-\x1f", "\n\t": "\x00-\x08\x0b-\x1f"}
_ESCAPE = r"[nrt]|x[0-9a-f]{2}|u[0-9a-f]{4}|U000[0-9a-f]{5}"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_COLOUR = r"[39][0-7]|10[0-7]|4[0-7]|[34]9|[34]8;5;\d{1,3}|[34]8;2;\d{1,3};\d{1,3};\d{1,3}"
_MARKDOWN = r"[\\`*_\[\]<>|~#&$]|(?<=:)/(?=/)|(?<![^\W_])@(?=\w)|!(?=\[)"


# Patterns are made when first needed: most output is printable, and compiling them costs as much as a small import.
@cache
def unsafe(spared: Literal["", "\n", "\n\t"]) -> re.Pattern[str]:
    """Make the pattern of runs of characters that are escaped, all but the `spared` ones."""
    return re.compile(f"[{_CONTROLS[spared]}{_INVISIBLE}]+")


@cache
def _command() -> re.Pattern[str]:
    # GitHub takes `::name` where a line begins, blanks skipped; Azure and GitHub take `##[` and `##vso[` anywhere.
    # A colour before it is skipped too: what shows a log may take the colours out first.
    return re.compile(
        r"^(?P<blank>(?:[^\S\n]|\x1b\[[\d;]*m)*):(?=:[A-Za-z])|#(?=#(?:vso)?\[)", re.MULTILINE | re.IGNORECASE
    )


@cache
def _sgr() -> re.Pattern[str]:
    # A colour, bold, dim, underline, reverse, or the end of them; nothing that hides text or moves the cursor.
    return re.compile(rf"\x1b\[(?:[01247]|22|24|27|{_COLOUR})(?:;(?:[1247]|{_COLOUR}))*m", re.ASCII)


def safe(text: str, *, cell: bool = False) -> str:
    """Make text fit to be read by people and a CI's log: visible escapes (in a `cell` for all), commands broken."""
    if not text.isprintable():
        text = unsafe("" if cell else "\n\t").sub(escape, text)
    return break_commands(text) if "::" in text or "##" in text else text


def visible(text: str) -> str:
    """Write each character that would not show, newline and tab included, as its escape (R21)."""
    return text if text.isprintable() else unsafe("").sub(escape, text)


def exact(text: str, spared: Literal["", "\n\t"] = "") -> str:
    """Write a text as `visible` does; a backslash before what would then look like an escape is doubled."""
    if "\\" in text:
        text = re.sub(rf"\\+(?={_ESCAPE}|{unsafe(spared).pattern})", lambda match: match[0] * 2, text)
    return text if text.isprintable() else unsafe(spared).sub(escape, text)


def escape_csv(cell: str, value: JSON) -> str:
    """Write a cell of csv: a text so that escapes can be told from what stood there; nested values stay JSON."""
    return exact(cell) if type(value) is str else visible(cell)


def unescape(text: str, *, doubled: bool = False) -> str:
    """Undo `exact`; with `doubled`, undo `visible` where every backslash was doubled before."""

    def plain(match: re.Match[str]) -> str:
        slashes, code = match[1], match[2] or ""
        kept = "\\" * (len(slashes) // 2) if code or doubled else slashes
        if code and len(slashes) % 2:
            code = {"n": "\n", "r": "\r", "t": "\t"}.get(code) or chr(int(code[1:], 16))
        return kept + code

    return re.sub(rf"(\\+)({_ESCAPE})?", plain, text) if "\\" in text else text


def markdown(text: str) -> str:
    """Make text that shows something that Markdown shows as it is: no link, image, HTML or mention, no new cell.

    A text that is an address, and nothing else, becomes code.
    """
    if re.fullmatch(r"(?ai)https?://[\w.:/%?=&,+-]+", text):
        return f"`{text}`"
    return re.sub(_MARKDOWN, lambda match: "&#64;<!-- -->" if match[0] == "@" else "\\" + match[0], text)


def break_commands(text: str) -> str:
    """Break what a CI would take for a command in its log: `::error::x` becomes `\\x3a:error::x` (R24)."""
    return _command().sub(lambda match: "\\x23" if match["blank"] is None else match["blank"] + "\\x3a", text)


def escape(match: re.Match[str]) -> str:
    return "".join(map(_escaped, match[0]))


@cache
def _escaped(character: str) -> str:
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character) or f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_escape(match: re.Match[str]) -> str:
    return json.dumps(match[0])[1:-1]


@dataclass(eq=False)
class Wall:
    """A text sink that lets through printable text, newlines, and, where `color` says so, roomctl's own SGR sequences.

    `tabs` lets tabs through. `human` breaks commands to a CI at the beginning of a line once more. `escape` writes
    what may not pass, and what the stream's encoding cannot express.
    """

    out: TextIO
    color: bool = False
    tabs: bool = False
    human: bool = False
    escape: Callable[[re.Match[str]], str] = escape

    def write(self, text: str) -> int:
        bare = text.replace("\n", "").replace("\t", "") if self.tabs else text.replace("\n", "")
        if not bare.isprintable():
            text = self._checked(text)
        if self.human and ("::" in text or "##" in text):
            text = break_commands(text)
        encoding = getattr(self.out, "encoding", None) or "utf-8"
        if encoding.lower().replace("_", "-") not in ("utf-8", "utf8"):
            text = re.sub(
                r"[^\x00-\x7f]", lambda match: match[0] if expresses(encoding, match[0]) else self.escape(match), text
            )
        self.out.write(text)
        return len(text)

    def flush(self) -> None:
        self.out.flush()

    def _checked(self, text: str) -> str:
        """Escape all but the sequences of colours, where these may pass."""
        pattern = unsafe("\n\t" if self.tabs else "\n")
        if not self.color or "\x1b" not in text:
            return pattern.sub(self.escape, text)
        parts, end = [], 0
        for match in _sgr().finditer(text):
            parts += [pattern.sub(self.escape, text[end : match.start()]), match[0]]
            end = match.end()
        return "".join([*parts, pattern.sub(self.escape, text[end:])])


def expresses(encoding: str | None, text: str) -> bool:
    """Whether a stream of this encoding can write the text."""
    try:
        text.encode(encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
