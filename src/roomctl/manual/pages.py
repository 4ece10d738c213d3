"""The command tree → a man page for each command, each group and the root."""

import re
from collections.abc import Iterator

from roomctl.errors import exit_meanings
from roomctl.manual import roff
from roomctl.manual.topics import header
from roomctl.manual.tree import Argument, Node, Option

STOPPED = {130, 141, 143}
EVERYWHERE = (
    "Each command has a page of its own, such as roomctl-social-end(1). The options below work with every command,"
    " before it or after it. roomctl(7) says what else holds everywhere: output, files, environment, errors."
)


def pages(node: Node, above: tuple[Node, ...] = ()) -> Iterator[tuple[str, str]]:
    """Make the pages of section 1 of a node and of all below it: file name and source."""
    lines = [*header(name_of(node), 1), *_body(node, above)]
    yield f"{name_of(node)}.1", "\n".join(lines) + "\n"
    for child in node.children:
        yield from pages(child, (*above, node))


def name_of(node: Node) -> str:
    """Name the page of a node: `roomctl-social-end`."""
    return "-".join(("roomctl", *node.path))


def _body(node: Node, above: tuple[Node, ...]) -> Iterator[str]:
    summary = roff.plain(node.summary.replace("`", ""))
    yield from roff.section("NAME", roff.wrapped(f"{roff.literal(name_of(node))} \\- {summary}"))
    yield from roff.section("SYNOPSIS", _synopsis(node))
    yield from roff.section("DESCRIPTION", roff.paragraphs(node.about if node.path else (*node.about, EVERYWHERE)))
    yield from _commands(node)
    yield from roff.section("ARGUMENTS", [line for each in node.arguments for line in _argument(each)])
    yield from _options(node)
    yield from roff.section("CALLS", _calls(node))
    yield from roff.section("NOT DOCUMENTED BY THE SERVICE", roff.paragraphs(_silent(node)))
    yield from roff.section("EXIT STATUS", _exits(node))
    yield from roff.section("EXAMPLES", _examples(node))
    yield from roff.section("SEE ALSO", roff.references(_related(node, above)))


def _synopsis(node: Node) -> list[str]:
    needed = [
        f"{roff.bold(option.names[-1])} {roff.italic(option.placeholder)}" for option in node.options if option.required
    ]
    words = [roff.bold(" ".join(("roomctl", *node.path))), *needed, f"[{roff.italic('options')}]"]
    if node.children:
        words.append(f"{roff.italic('command')} ...")
    words += [_shown(argument) for argument in node.arguments]
    return roff.wrapped(" ".join(words))


def _shown(argument: Argument) -> str:
    word = roff.italic(argument.placeholder)
    return (word if argument.required else f"[{word}]") + ("..." if argument.repeats else "")


def _commands(node: Node) -> Iterator[str]:
    """List what stands below, under the headings of the help."""
    if not node.children:
        return
    yield ".SH COMMANDS"
    heading = ""
    for child in node.children:
        if child.heading != heading:
            heading = child.heading
            yield from (f'.SS "{roff.plain(heading)}"',)
        yield from roff.item(roff.bold(" ".join(child.path)), roff.prose(child.summary))


def _argument(argument: Argument) -> list[str]:
    text = argument.help
    if argument.value.kind == "word" and not all(word in text for word in argument.value.words):
        text = f"{text}. One of {', '.join(argument.value.words)}".removeprefix(". ")
    return roff.item(_shown(argument), roff.prose(_sentence(text)))


def _options(node: Node) -> Iterator[str]:
    sections: dict[str, list[str]] = {"": []}
    for option in node.options:
        sections.setdefault(option.section, []).extend(_option(option))
    yield from roff.section("OPTIONS", sections.pop(""))
    for title, lines in sections.items():
        yield from roff.section(title, lines, level="SS")


def _option(option: Option) -> list[str]:
    text = _sentence(option.help)
    value = option.placeholder
    if len(value) + len(option.names[-1]) > 48:
        text, value = f"{text} One of {', '.join(option.value.words)}.".strip(), "VALUE"
    tag = ", ".join(map(roff.bold, option.names)) + (f" {roff.italic(value)}" if value else "")
    if option.off:
        tag += ", " + ", ".join(map(roff.bold, option.off))
    if option.default:
        text += f" Default: {option.default}."
    if option.required:
        text += " Required."
    return roff.item(tag, roff.prose(text.strip()) or ["\\&"])


def _sentence(text: str) -> str:
    """Make a sentence of an option's help."""
    return text and (text[:1].upper() + text[1:] if re.match(r"[a-z']+[:;]?(\s|$)", text) else text) + "."


def _calls(node: Node) -> list[str]:
    return [
        line
        for call in node.calls
        for line in roff.item(
            roff.bold(f"{call.method} /api/v1{call.path}"),
            roff.prose(f"Operation {call.number}: {call.summary.lower()}."),
        )
    ]


def _silent(node: Node) -> list[str]:
    return list(dict.fromkeys(line for call in node.calls for line in call.not_shown))


def _exits(node: Node) -> list[str]:
    meanings = exit_meanings()
    if not node.exits:
        return [] if node.path else [line for code in sorted(meanings) for line in _exit(code, meanings[code])]
    listed = [line for code in sorted(node.exits) for line in _exit(code, meanings[code])]
    stops = "" if STOPPED & set(node.exits) else "130, 141 and 143 stand for Ctrl-C, a closed pipe and SIGTERM; "
    return [*listed, ".PP", *roff.prose(f"{stops}`roomctl help exit-codes` lists all.")]


def _exit(code: int, meaning: str) -> list[str]:
    return roff.item(roff.bold(str(code)), roff.prose(_sentence(meaning)))


def _examples(node: Node) -> list[str]:
    """Show the node's own examples; of a group, the first one of each of its commands."""
    found = node.examples or tuple(child.examples[0] for child in node.children if child.examples)
    if not node.path:
        found = tuple(
            leaf.examples[0] for child in node.children for leaf in [*child.children, child][:1] if leaf.examples
        )
    lines: list[str] = []
    for each in found:
        command = each if re.match(r"[A-Z_]+=", each) else f"roomctl {each}"
        lines += [*([".PP"] if lines else []), *roff.verbatim(roff.example(command))]
    return lines


def _related(node: Node, above: tuple[Node, ...]) -> Iterator[tuple[str, int]]:
    """Name the pages above, beside and below."""
    beside = above[-1].children if len(above) > 1 else ()
    for each in (*above, *beside, *node.children):
        if each != node:
            yield name_of(each), 1
    if node.path[:1] in ((), ("profile",)):
        yield "roomctl-config", 5
    yield "roomctl", 7
