"""Transcripts: command lines, and below each all that it says. `pytest --update` writes anew what they say.

`sandbox …` is `roomctl --sandbox …`. Before it may stand `NAME=value` and `tty`, which gives it a terminal; behind it
`<<< 'text'`, its stdin, and `> FILE`; `$(…)` in it is what another one says. `cat`, `ls` and `rm` are as in a shell.
Lines below it that begin with `> ` are its stdin. What is said on stderr begins with `! `, the exit code with `= `.
What stands above the first section is done before each of them.
"""

import re
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

from tests.conftest import Done
from tests.terminals import BAR

GOLDEN = Path(__file__).parent / "golden"
TITLE = re.compile(r"(?m)^## (.*)\n(?=\$ )")
"""The title of a section, with a command below it: a report in Markdown has headings of its own."""
LINE = re.compile(r"^\$ (.*)\n((?:> .*\n)*)(?:(?!= \d+$).*\n)*= \d+\n", re.MULTILINE)
CHANGING = (
    (BAR, ""),
    (r"(?m)^SANDBOX: (?!fault).*\n(  .*\n)*", ""),
    (r"http://(localhost|127\.0\.0\.1(:\d+)?)", "http://SANDBOX"),
    (r"(profile: |the active profile is )(sandbox|environment)( \(from [^)]*\))?", r"\1PROFILE"),
    (r"(`roomctl [^`]*) --sandbox`", r"\1`"),
    (r'"profile":"\w*"', '"profile":"PROFILE"'),
    (r"\b[0-9a-f]{16}\b", "ENTRY"),
    (r" #[0-9a-f]{12}\b", " #SEAL"),
    (r"\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", "NOW"),
    (r"((?:sent|started|finished|repeated|recorded|hand|requested|it) at )[-0-9]+ [:0-9]+ UTC", r"\1NOW"),
    (r'("sent_at":"|  sent: )[^", ]*', r"\1NOW"),
    (r"/\S*/edits/\w+/", "KEPT/"),
    (r'("toolVersion": ?")[^"]*', r"\1VERSION"),
)
"""What differs from run to run, and between this process and a socket, and what stands for it."""


def sections() -> Iterator[tuple[str, str]]:
    """The name of each transcript, with the title of each of its sections."""
    for path in sorted((GOLDEN / "transcripts").glob("*.txt")):
        yield from ((path.stem, title) for title in TITLE.findall(path.read_text(encoding="utf-8")))


def section(text: str, title: str) -> str:
    lines = text.partition(f"## {title}\n")[2]
    return lines[: found.start() - 1] if (found := TITLE.search(lines)) else lines


def said(done: Done, folder: Path) -> str:
    """All that a command said, in a form that does not change."""
    shown, noted = done.stdout, done.stderr
    for pattern, word in CHANGING:
        shown, noted = re.sub(pattern, word, shown), re.sub(pattern, word, noted)
    shown = shown if shown.endswith("\n") or not shown else shown + "\n"
    text = shown + "".join(f"! {line}\n" for line in noted.splitlines()) + f"= {done.status}\n"
    return text.replace(f"{folder}/", "").replace("\x1b", "␛")


class Shell:
    """Runs the lines of a transcript in a folder."""

    def __init__(self, roomctl: Callable[..., Done], variables: dict[str, str], folder: Path) -> None:
        self.roomctl, self.variables, self.folder = roomctl, variables, folder

    def __call__(self, line: str, below: str = "") -> Done:
        line = re.sub(r"\$\(([^)]*)\)", lambda found: " ".join(self(found[1]).stdout.split()), line)
        words, before = shlex.split(line), dict(self.variables)
        into = words.pop(words.index(">") + 1) if ">" in words else ""
        stdin = re.sub("(?m)^> ", "", below) or None
        if "<<<" in words:
            stdin = words.pop(words.index("<<<") + 1)
            stdin = re.sub(r"\\[nrt]", lambda found: {"n": "\n", "r": "\r", "t": "\t"}[found[0][1]], stdin)
        while re.match(r"[A-Z_]+=", words[0]):
            name, _, value = words.pop(0).partition("=")
            self.variables[name] = value
        done = self.run([word for word in words if word not in (">", "<<<")], stdin)
        self.variables.clear()
        self.variables.update(before)
        if into:
            (self.folder / into).write_text(done.stdout, encoding="utf-8")
            (self.folder / into).chmod(0o600)
        return done._replace(stdout="") if into else done

    def run(self, words: list[str], stdin: str | None) -> Done:
        terminal = words[0] == "tty"
        match words[terminal:]:
            case ["roomctl", *args]:
                return self.roomctl(*args, stdin=stdin, terminal=terminal)
            case ["sandbox", *args]:
                return self.roomctl("--sandbox", *args, stdin=stdin, terminal=terminal)
            case ["cat", *names]:
                texts = [(self.folder / name).read_text(encoding="utf-8") for name in names]
                return Done(0, "".join(texts) or stdin or "", "")
            case ["ls", pattern]:
                found = sorted(self.folder.glob(pattern))
                return Done(0, "".join(f"{path.stat().st_mode & 0o777:o} {path.name}\n" for path in found), "")
            case ["rm", name]:
                (self.folder / name).unlink()
            case _:
                raise AssertionError(f"a transcript has no command {words}")
        return Done(0, "", "")

    def replay(self, text: str) -> str:
        """Run each line of a text; give the text with what they say now."""
        return LINE.sub(lambda found: f"$ {found[1]}\n{found[2]}{said(self(found[1], found[2]), self.folder)}", text)
