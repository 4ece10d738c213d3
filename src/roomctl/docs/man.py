"""The help of every command, and the topics of `roomctl help` → man pages, the same bytes everywhere."""

import re
import textwrap
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from roomctl import __version__
from roomctl.cli.help import TOPICS
from roomctl.cli.main import help_of
from roomctl.cli.session import Text
from roomctl.docs.tree import Row
from roomctl.profiles.environment import FOLDERS, Environment
from roomctl.profiles.profile import SETTINGS

EDITION = "2026-01-01"
"""The date in the pages' footer. The format demands one; it is fixed, so that the same tree makes the same bytes."""
ESCAPES = {"-": "\\-", "\\": "\\e", "^": "\\(ha", "~": "\\(ti", "`": "\\(ga", "'": "\\(aq", "…": "..."}
BOLD = re.compile(r"`([^`]+)`|(?<![\w.,/-])(--?[A-Za-z][\w-]*)")
SESSION: Any = SimpleNamespace(environment=Environment({xdg: f"/~/{below}" for _, xdg, below in FOLDERS.values()}))
PLACES = "Paths are those on Linux; `roomctl help files` shows those of your machine."


class Page:
    """A man page in the making; it takes what the help writes, as Typer's own formatter does."""

    indentation = nullcontext
    width = 55
    """Of what is not filled: with its margin it fits a terminal of 60 columns."""

    def __init__(self, name: str, section: int, summary: str) -> None:
        title = f'{literal(name.upper())} {section} {EDITION} "roomctl {__version__}" "roomctl manual"'
        self.buffer = ['.\\" made from the command tree', f".TH {title}", ".nh", ".ad l", ".SH NAME"]
        self.buffer += prose(f"`{name}` - {summary.replace('`', '')}")

    def write_usage(self, prog: str, args: str) -> None:
        self.buffer += [".SH SYNOPSIS", *prose(f"`{prog}` {args}"), ".SH DESCRIPTION"]

    def write_paragraph(self) -> None:
        """Leave a space: every text does."""

    def write_text(self, text: str) -> None:
        for part in text.split("\n\n"):
            self.buffer += [*([] if self.buffer[-1].startswith((".SH", ".EE")) else [".PP"]), *prose(part)]

    def write_dl(self, rows: Iterable[tuple[str, str]], **_: int) -> None:
        for term, meaning in rows:
            self.buffer += [".TP", "\\\n".join(prose(term)), *(prose(meaning) or ["\\&"])]

    def write(self, text: str) -> None:
        """Write lines that can be copied as they are."""
        self.buffer += [] if self.buffer[-1].startswith(".SH") else [".PP"]
        self.buffer += [".EX", *map(literal, textwrap.dedent(text).splitlines()), ".EE"]

    @contextmanager
    def section(self, title: str) -> Iterator[None]:
        self.buffer.append(f'.SH "{plain(title.upper())}"')
        yield

    def text(self, *references: str) -> str:
        """Give the page's source, with references such as `roomctl(7)` at its end."""
        with self.section("See also"):
            self.write_text(re.sub(r"([\w-]+)\(", r"`\1`(", ", ".join(references)))
        return "\n".join([*self.buffer, ""])


def pages(rows: list[Row]) -> Iterator[tuple[str, str]]:
    for row in rows:
        page = Page(_name(row.path), 1, row.summary)
        help_of(row.path, formatter=page)
        above = [row.path[:length] for length in range(len(row.path))]
        near = [f"{_name(path)}(1)" for path in (*above, *((*row.path, word) for word, _ in row.below))]
        config = ["roomctl-config(5)"] if row.path[:1] in ((), ("profile",)) else []
        yield f"{_name(row.path)}.1", page.text(*near, *config, "roomctl(7)")
    page = Page("roomctl", 7, "conventions shared by all roomctl commands")
    with page.section("Description"):
        page.write_text(f"What `roomctl help` explains: {', '.join(TOPICS)}. {PLACES}")
    for name, topic in TOPICS.items():
        with page.section(name.replace("-", " ")):
            page.write_text(f"{topic.about} {topic.first}".rstrip())
            found = topic.answer(SESSION).value
            if isinstance(found, Text):
                page.write(found)
            else:
                page.write_dl(map(_described, found))
    yield "roomctl.7", page.text("roomctl(1)", "roomctl-config(5)")
    page = Page("roomctl-config", 5, "the profiles of roomctl: config.toml")
    page.write_usage("~/.config/roomctl/config.toml", "")
    text, example = Path(__file__).with_name("config.txt").read_text(encoding="utf-8").split("\n\n\n")
    page.write_text(text)
    with page.section("Fields of a profile"):
        for name, each in SETTINGS.items():
            page.write_dl([_described({"name": name, "meaning": each.meaning, "environment": each.variable})])
    with page.section("Example"):
        page.write(example)
    yield "roomctl-config.5", page.text("roomctl(1)", "roomctl-profile(1)", "roomctl(7)")


def _name(path: tuple[str, ...]) -> str:
    return "-".join(("roomctl", *path))


def _described(row: dict[str, Any]) -> tuple[str, str]:
    if "takes" in row:  # an option, in sentences
        texts = (text[:1].upper() + text[1:] + "." for text in (row["meaning"], row["repeated"]) if text)
        return f"`{row['option']}` {row['takes']}", " ".join(texts)
    (_, term), *rest = ((key, str(value).replace("/~", "~").rstrip(".")) for key, value in row.items())
    shown = (pair for pair in rest if pair[1] not in ("", "None", "False"))
    return f"`{term}`", "; ".join(value if key == "meaning" else f"{key}: {value}" for key, value in shown)


def plain(text: str) -> str:
    """Escape what roff gives a meaning: no word is broken at its hyphen; what is not ASCII becomes its name."""
    return "".join(ESCAPES.get(each, each if each.isascii() else f"\\[u{ord(each):04X}]") for each in text)


def literal(text: str) -> str:
    """Escape what is typed as it stands: no line is a request."""
    return ("\\&" if text.startswith(".") else "") + plain(text)


def prose(text: str) -> list[str]:
    """Set a paragraph: backticks and options in bold, in lines none of which looks like a request."""
    text = " ".join(text.split())
    parts, at = [], 0
    for match in BOLD.finditer(text):
        parts += [plain(text[at : match.start()]), f"\\fB{literal(match[1] or match[2])}\\fR"]
        at = match.end()
    lines = textwrap.wrap("".join([*parts, plain(text[at:])]), 77, break_long_words=False, break_on_hyphens=False)
    return [f"\\&{line}" if line.startswith(".") else line for line in lines]
