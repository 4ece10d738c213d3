"""The help of a command, a group and the root, as it is printed by `--help`."""

import re
from collections.abc import Iterable
from typing import Any

EVERYWHERE = "-o FORMAT, --fields a,b.c, --query EXPR, --to FILE, --profile NAME, --sandbox, --yes, -q, -v"
OFTEN = (
    ("roomctl demo", "everything once, on the embedded service; no key, no network"),
    ("roomctl roomset tree", "which rooms are open, and who is in them"),
    ('roomctl social end "Main Stage"', "close a room, after showing what it is"),
    ("roomctl registration export EVENT --to regs.csv", "everybody who registered, proven whole"),
)
STOPPED = "130, 141, 143: Ctrl-C, a closed pipe, SIGTERM"


def help_of(command: Any, ctx: Any) -> str:
    """Write the help of whatever was asked about."""
    formatter = ctx.make_formatter()
    formatter.write_usage(path_of(ctx), _usage(command))
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(_prose(command.help or ""))
    if hasattr(command, "members"):
        _members(command, formatter)
        if ctx.parent is None:
            _of_root(formatter)
        else:
            _of_group(formatter, ctx)
    else:
        _of_command(command, ctx, formatter)
    return "".join(formatter.buffer).rstrip("\n")


def path_of(ctx: Any) -> str:
    """The words that lead to a command; Click's own way would make every option of the groups above."""
    return " ".join([path_of(ctx.parent), ctx.info_name]) if ctx.parent else ctx.info_name


def _usage(command: Any) -> str:
    if hasattr(command, "members"):
        return "COMMAND [ID] [OPTIONS]"
    named = [param for param in command.params if param.param_type_name == "argument"]
    options = [param for param in command.params if param.param_type_name == "option" and param.required]
    needed = [f"{param.opts[-1]} {param.metavar or 'TEXT'}" for param in options]
    return " ".join([*map(_argument, named), *needed, "[OPTIONS]"])


def _argument(param: Any) -> str:
    word = param.metavar or "TEXT"
    dots = "..." if param.nargs == -1 and not word.endswith("...") else ""
    return word + dots if param.required or word.startswith("[") else f"[{word}]{dots}"


def _prose(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.strip().split("\n\n"))


def _members(group: Any, formatter: Any) -> None:
    sections: dict[str, list[tuple[str, str]]] = {}
    for name, member in group.members.items():
        sections.setdefault(member.heading, []).append((name, member.line))
    width = max(map(len, group.members))
    for heading, rows in sections.items():
        with formatter.section(heading):
            formatter.write_dl([(name.ljust(width), line) for name, line in rows])


def _of_root(formatter: Any) -> None:
    with formatter.section("Often wanted"):
        for line, purpose in OFTEN:
            formatter.write(f"  {line}\n")
            with formatter.indentation():
                formatter.write_text(purpose)
    with formatter.section("Options"):
        formatter.write_dl([("-h, --help", "this help; after a command, its own"), ("--version", "the version")])
    _everywhere(formatter)


def _of_group(formatter: Any, ctx: Any) -> None:
    formatter.write_paragraph()
    formatter.write_text(
        f"`{path_of(ctx)} COMMAND --help` explains a command: options, what it calls, exit codes, examples."
    )
    _everywhere(formatter)


def _everywhere(formatter: Any) -> None:
    formatter.write_paragraph()
    formatter.write_text(f"Common options: {EVERYWHERE} … `roomctl help options` explains them all.")


def _of_command(command: Any, ctx: Any, formatter: Any) -> None:
    for title, records in _sections(command, ctx).items():
        with formatter.section(title):
            formatter.write_dl(records)
    _everywhere(formatter)
    if command.about.calls:
        with formatter.section("Calls"):
            formatter.write_dl(
                [
                    (f"{call.method} /api/v1{call.path}", f"{call.number}. {call.summary}")
                    for call in command.about.calls
                ],
                col_max=44,
            )
    _lines(formatter, "The service does not document", not_documented(command.about.calls))
    with formatter.section("Exit codes"):
        formatter.write_dl([(str(code), meaning) for code, meaning in exits_of(command.about.exits)])
        formatter.write_text(STOPPED)
    with formatter.section("Examples"):
        for line in map(command_line, command.about.examples):
            formatter.write(f"  {line}\n")


def _sections(command: Any, ctx: Any) -> dict[str, list[tuple[str, str]]]:
    """Give arguments, the command's own options, then the bundles that it takes, each with its records."""
    sections: dict[str, list[tuple[str, str]]] = {"Arguments": [], "Options": []}
    for param in command.params:
        own = "Arguments" if param.param_type_name == "argument" else "Options"
        record = param.get_help_record(ctx)
        if record is not None:
            name, text = (
                record[0].replace("<str>", "TEXT"),
                re.sub(r"\[default: \((.*)\)\]", r"[default: \1]", record[1]),
            )
            sections.setdefault(getattr(param, "rich_help_panel", None) or own, []).append((name, text))
    return {title: records for title, records in sections.items() if records}


def _lines(formatter: Any, title: str, lines: Iterable[str]) -> None:
    if found := list(lines):
        with formatter.section(title):
            for line in found:
                formatter.write_text(line)


def not_documented(calls: Iterable[Any]) -> list[str]:
    """What the interface does not show about operations, each line once, without what it does show beside it."""
    lines = (re.split("[;.] ", line.removesuffix(": not shown."))[-1] for call in calls for line in call.not_shown)
    return list(dict.fromkeys(line[:1].lower() + line[1:] for line in lines))


def exits_of(codes: Iterable[int]) -> list[tuple[int, str]]:
    """The exit codes of a command below 130, each with its meaning."""
    from roomctl.errors import exit_meanings

    meanings = exit_meanings()
    return [(code, meanings[code]) for code in sorted(codes) if code < 130]


def command_line(example: Any) -> str:
    """An example as it is typed: `roomctl …`, or with variables before it."""
    line: str = example.line
    before, equals, _ = line.partition("=")
    return line if equals and before.isupper() else f"roomctl {line}"
