"""Text as man(7) source: escaped, in ASCII, in lines of at most 79 characters, the same bytes everywhere."""

import re
import textwrap
from collections.abc import Iterable

ESCAPES = {"\\": "\\e", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga", "'": "\\(aq"}
MARKED = re.compile(r"`([^`]+)`|(?<![\w.,/-])(--?[A-Za-z][\w-]*)")
WORD = r"""(?:"[^"]*"|'[^']*'|\S)+"""
TOGETHER = re.compile(rf"-\S+ (?!-){WORD}|{WORD}")
WIDTH = 79


def plain(text: str, *, hyphen: str = "-") -> str:
    """Escape what roff gives a meaning; what is not ASCII becomes its name."""
    table = {**ESCAPES, "-": hyphen}
    return "".join(table.get(letter, letter if letter.isascii() else f"\\[u{ord(letter):04X}]") for letter in text)


def literal(text: str) -> str:
    """Escape what is typed as it stands: every hyphen is a minus that can be copied."""
    return plain(text, hyphen="\\-")


def bold(text: str) -> str:
    """Set what is typed."""
    return f"\\fB{literal(text)}\\fR"


def italic(text: str) -> str:
    """Set what stands for something else; it may be broken after a bar."""
    return f"\\fI{literal(text)}\\fR".replace("|", "|\\:")


def prose(text: str) -> list[str]:
    """Set a paragraph: backticks and options in bold."""
    parts, at = [], 0
    for match in MARKED.finditer(text):
        parts += [plain(text[at : match.start()]), bold(match[1] or match[2])]
        at = match.end()
    return wrapped("".join([*parts, plain(text[at:])]))


def wrapped(source: str) -> list[str]:
    """Break source into lines, none of which looks like a request."""
    lines = textwrap.wrap(source, WIDTH - 2, break_long_words=False, break_on_hyphens=False)
    return [f"\\&{line}" if line.startswith(".") else line for line in lines]


def paragraphs(texts: Iterable[str]) -> list[str]:
    """Set paragraphs with space between them."""
    lines: list[str] = []
    for text in texts:
        lines += [*([".PP"] if lines else []), *prose(text)]
    return lines


def item(tag: str, body: Iterable[str]) -> list[str]:
    """Set a tagged paragraph; the tag is source."""
    return [".TP", f"\\&{tag}" if tag.startswith((".", "'")) else tag, *body]


def section(title: str, lines: list[str], *, level: str = "SH") -> list[str]:
    """Set a section with its heading; nothing where there is nothing in it."""
    return [f'.{level} "{plain(title)}"' if " " in title else f".{level} {plain(title)}", *lines] if lines else []


def example(command: str) -> list[str]:
    """Set a command line that can be copied, broken before words where it is long."""
    lines, line = [], ""
    for part in TOGETHER.findall(command):
        if line and len(line) + len(part) > 66:
            lines.append(line + " \\")
            line = "   "
        line += (" " if line else "") + part
    return [literal(each) for each in [*lines, line]]


def verbatim(lines: Iterable[str]) -> list[str]:
    """Set lines as they are; they are source already."""
    return [".EX", *(f"\\&{line}" if line.startswith((".", "'")) else line for line in lines), ".EE"]


def references(pages: Iterable[tuple[str, int]]) -> list[str]:
    """Set references to other pages, with commas between them."""
    found = list(pages)
    return [f".BR \\%{literal(name)} ({number}){',' if (name, number) != found[-1] else ''}" for name, number in found]
