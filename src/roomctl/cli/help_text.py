"""The help of a command, a group and the root, as it is printed by `--help`."""

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from typer._click._textwrap import TextWrapper

from roomctl.cli.options import COMMON, meaning_of
from roomctl.output.columns import FILE_ONLY, resource_of
from roomctl.output.look import fold_command

EXAMPLES = Path(__file__).with_name("examples.txt")
"""Every command's examples, each with the exit code that it gives where that is not 0."""
MORE = Path(__file__).with_name("commands.txt")
"""What the help says of a command below its first paragraph, which is the docstring of its function."""

SHAPING = "-o FORMAT, --fields a,b.c, --sort-by FIELD, --query EXPR, "  # not of what writes a file of its own
EVERYWHERE = f"{SHAPING}--to FILE, --profile NAME, --sandbox, --yes, -q, -v"
SIGNALS = 128
"""From here on, exit codes say what stopped a command: any command can be stopped."""
OFTEN = (
    ("roomctl demo", "try the main tasks in the sandbox: no key, no network"),
    ("roomctl roomset tree", "show which rooms are open, and how many people are in them"),
    ('roomctl social end "Main Stage"', "end a room, after showing it and asking for confirmation"),
    ("roomctl registration export EVENT --to regs.csv", "export all of an event's registrations to a file"),
)
OF_THE_ROOT = [
    ("-h, --help", "show this help; after a command, help for that command"),
    ("--version", "print the version"),
]


def help_of(command: Any, ctx: Any) -> str:
    TextWrapper.wordsep_re = TextWrapper.wordsep_simple_re  # so that no option is broken at its hyphen
    TextWrapper._handle_long_word = _whole_word  # type: ignore[method-assign, assignment]  # it has no setting for this
    formatter, group = ctx.make_formatter(), hasattr(command, "members")
    formatter.write_usage(_path(ctx), "COMMAND [OPTIONS]" if group else usage(command))
    formatter.write_paragraph()
    with formatter.indentation():
        _write_prose(formatter, paragraphs(command, _path(ctx).removeprefix("roomctl ")))
    for title, rows in (_members(command) if group else _parameters(command, ctx)).items():
        with formatter.section(title):
            formatter.write_dl(rows)
    if group and ctx.parent is None:
        with formatter.section("Common tasks"):
            for line, purpose in OFTEN:
                formatter.write(f"  {line}\n")
                with formatter.indentation():
                    formatter.write_text(purpose)
        with formatter.section("Options"):
            formatter.write_dl(OF_THE_ROOT)
    elif group:
        about = f"`{_path(ctx)} COMMAND --help` explains a command: options, what it calls, exit codes, examples."
        formatter.write_paragraph()
        formatter.write_text(about)
    formatter.write_paragraph()
    file_only = not group and (command.about.exports or command.about.endings)
    common = EVERYWHERE.removeprefix(SHAPING) if file_only else EVERYWHERE
    formatter.write_text(f"Common options: {common} and more; see `roomctl help options`.")
    if not group:
        if command.about.shows and not command.about.writes:
            formatter.write_paragraph()
            names = [each.short_name for each in resource_of(command.about.shows[0]).columns if each.rank < FILE_ONLY]
            columns = f"Columns, as accepted by `--fields` and `--sort-by`: {', '.join(names)}."
            also = "Both also accept the field names that `-o json` shows; `--query` accepts only those."
            formatter.write_text(f"{columns} {also}")
        _write_about(formatter, command.about, _path(ctx).removeprefix("roomctl "))
    return "".join(formatter.buffer).rstrip("\n")


def paragraphs(command: Any, path: str) -> list[str]:
    """Give what is said of a command or group, whose words are the `path`."""
    more = MORE.read_text(encoding="utf-8").partition(f"[{path}]\n")[2].partition("\n\n[")[0]
    return [" ".join(part.split()) for part in f"{command.help}\n\n{more}".strip().split("\n\n")]


def _write_prose(formatter: Any, parts: Sequence[str]) -> None:
    """Write paragraphs with blank lines between them, and points directly below what they belong to."""
    for number, (is_point, some) in enumerate(groupby(parts, lambda part: part.startswith("- "))):
        if is_point:
            formatter.write_dl([("-", part[2:]) for part in some], col_spacing=1)
            continue
        if number:
            formatter.write_paragraph()
        formatter.write_text("\n\n".join(some))


def _whole_word(_: Any, words: list[str], line: list[str], *__: int) -> None:
    """Leave a word that is wider than its column whole, on a line of its own."""
    if not line:
        line.append(words.pop())


def _path(ctx: Any) -> str:
    """The words that lead to a command; Click's own way would make every option of the groups above."""
    return " ".join([_path(ctx.parent), ctx.info_name]) if ctx.parent else ctx.info_name


def usage(command: Any) -> str:
    words = []
    for param in command.params:
        word = param.metavar or "TEXT"
        if param.param_type_name == "argument":
            dots = "..." if param.nargs == -1 and not word.endswith(("...", "PATH")) else ""
            words.append(word + dots if param.required or word.startswith("[") else f"[{word}]{dots}")
    options = [each for each in command.params if each.param_type_name == "option" and each.required]
    words += [f"{each.opts[-1]} {each.metavar or 'TEXT'}" for each in options]
    words += ["--to FILE"] if command.about.exports or command.about.endings else []
    return " ".join(sorted([*words, "[OPTIONS]"], key=lambda word: word.startswith("-- ")))


def _members(group: Any) -> dict[str, list[tuple[str, str]]]:
    sections: dict[str, list[tuple[str, str]]] = {}
    width = max(map(len, group.members))
    for name, member in group.members.items():
        sections.setdefault(getattr(member, "heading", "Commands"), []).append((name.ljust(width), group.line(name)))
    return sections


def _parameters(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for param in command.params:
        param.help = meaning_of(param)
        own = "Arguments" if param.param_type_name == "argument" else "Options"
        if (record := param.get_help_record(ctx)) is not None:
            text = re.sub(r"\[default: \((.*)\)\]", r"[default: \1]", record[1])
            title = getattr(param, "rich_help_panel", None) or own
            sections.setdefault(title, []).append((record[0].replace("<str>", "TEXT"), text))
    common = {takes.title for takes in COMMON}
    return {title: records for title, records in sections.items() if records and title not in common}


def _write_about(formatter: Any, about: Any, path: str) -> None:
    """Write how a command can end, what it calls, what is not documented of that, and examples."""
    formatter.write_paragraph()
    codes = " ".join(str(code) for code in about.exits if code < SIGNALS)
    formatter.write_text(
        f"Exit codes: {codes}; any command can also end with 130, 141 or 143. `roomctl help exit-codes` explains them."
    )
    if about.calls:
        calls = [(f"{each.method} /api/v1{each.path}", f"{each.number}. {each.summary}") for each in about.calls]
        with formatter.section("Calls"):
            formatter.write_dl(calls, col_max=44)
    if lines := not_documented(about.calls):
        with formatter.section("The service does not document"):
            for line in lines:
                formatter.write_text(line)
    with formatter.section("Examples"):
        for line in map(command_line, examples_of(path)):
            formatter.write(f"{fold_command(line, formatter.width, '  ')}\n")


def not_documented(calls: Sequence[Any]) -> list[str]:
    """What the interface does not show about operations, each line once, with their numbers where there are several."""
    numbers: dict[str, list[str]] = {}
    for call, line in ((each, line) for each in calls for line in each.not_shown):
        what = re.split("[;.] ", line.removesuffix(": not shown."))[-1].replace("response body", "the reply")
        what = re.sub(r"\b[a-z]+[A-Z]\w+", r"`\g<0>`", what)
        numbers.setdefault(what[:1].lower() + what[1:], []).append(str(call.number))
    whose = {what: f" (operation{'s' * (len(of) > 1)} {' and '.join(of)})" for what, of in numbers.items()}
    return [what + own * (len(calls) > 1) for what, own in whose.items()]


class Example(NamedTuple):
    """A command line to learn from, without `roomctl`, and the exit code that it gives in the sandbox."""

    line: str
    status: int = 0


def examples_of(path: str) -> list[Example]:
    """Give the examples of a command: those that begin with it, or run it at their end."""
    lines = (line.partition("  # ") for line in EXAMPLES.read_text(encoding="utf-8").splitlines())
    calls = re.compile(rf"(?:[A-Z]+=\S+ roomctl |.* (?:\||&&) roomctl )?{path}(?: (?!.*(?:\||&&) roomctl )|$)")
    return [Example(line, int(status or 0)) for line, _, status in lines if calls.match(line)]


def command_line(example: Example) -> str:
    """An example as it is typed: `roomctl …`, or with variables before it."""
    before, equals, _ = example.line.partition("=")
    return example.line if equals and before.isupper() else f"roomctl {example.line}"
