"""Values as text cells: nothing dropped silently, nothing that a terminal or a spreadsheet would act on (R21, R26)."""

import re
from collections.abc import Sequence
from typing import Any

from roomctl.exports.exact import compact

JSON = Any

# Cc, Cs, Zl, Zp and Cf, except ZWNJ (U+200C) and ZWJ (U+200D), which scripts and emoji need; two noncharacters. Tab
# and line breaks are apart: JSON and workbooks keep some of them.
HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0001\U000e0020-\U000e007f"
)
UNSAFE = re.compile(f"[\t\n\r{HIDDEN}]")
_PLAIN = bytes(range(0x20, 0x7F)) + b"\n"
_SHORT = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
_FORMULA = re.compile(r"'*[\s\x00-\x20\x7f-\xa0\u200b-\u200d\u2060\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]")
_ANY_FORMULA = re.compile(f"^{_FORMULA.pattern}", re.MULTILINE)
_WORDS: dict[JSON, str] = {None: "", True: "true", False: "false"}
_WORDS_ONLY = frozenset({bool, type(None)})
_WORDED = _WORDS_ONLY | {str}
_PHONE = re.compile(r"\+[0-9][0-9 ().]*", re.ASCII)


def visible(text: str) -> str:
    """Write each character that would not show, newline and tab included, as its escape (R21)."""
    return UNSAFE.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    code = ord(character)
    if code < 0x100:
        return _SHORT.get(character) or f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def shows(data: bytes) -> bool:
    """Whether UTF-8 text, its newlines aside, has only characters that show. Quick: it reads only what is not ASCII."""
    rest = data.translate(None, _PLAIN)
    return not rest or not UNSAFE.search(rest.decode())


def text(value: JSON) -> str:
    """Write a JSON value as the text of a cell: strings as they are, null as nothing, nested values as compact JSON."""
    if type(value) is str:
        return value
    if value is None:
        return ""
    if type(value) is bool:
        return "true" if value else "false"
    return compact(value)


def texts(column: Sequence[JSON]) -> tuple[Sequence[str], str]:
    """Write a column as texts, and all of them in one; a column that holds nothing else is given back as it is."""
    try:
        return column, "".join(column)
    except TypeError:
        kinds = set(map(type, column))
        if kinds <= _WORDS_ONLY:
            cells = [*map(_WORDS.__getitem__, column)]
        elif kinds <= _WORDED:
            cells = [cell if type(cell) is str else _WORDS[cell] for cell in column]
        else:
            cells = [cell if type(cell) is str else text(cell) for cell in column]
        return cells, "".join(cells)


def plain(text: str) -> bool:
    """Whether a text has only characters that show."""
    return text.isprintable() or not UNSAFE.search(text)


def guard(cell: str) -> str:
    """Put `'` before a cell that a spreadsheet would run as a formula; `+49 30 1234` is spared (R26)."""
    return "'" + cell if _runs(cell) else cell


def guarded(cells: Sequence[str], source: Sequence[JSON]) -> Sequence[str]:
    """Guard those of a column's cells that were strings: a number is left alone, a spreadsheet reads it as one.

    No cell may hold a line break.
    """
    if not _ANY_FORMULA.search("\n".join(cells)):
        return cells
    return [guard(cell) if type(value) is str else cell for cell, value in zip(cells, source, strict=True)]


def unguard(cell: str) -> str:
    """Undo `guard`: for each text, `unguard(guard(text))` is that text."""
    return cell[1:] if cell[:1] == "'" and _runs(cell[1:]) else cell


def _runs(cell: str) -> bool:
    return _FORMULA.match(cell) is not None and not _PHONE.fullmatch(cell)
