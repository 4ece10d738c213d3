"""`roomctl help TOPIC`: what holds for every command, made from tables; `roomctl help COMMAND`: its `--help`."""

import tomllib
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from roomctl.cli.command_tree import options_of
from roomctl.cli.main import ROOT, help_of, root
from roomctl.cli.options import COMMON, Commands, argument, first_sentence, meaning_of
from roomctl.cli.session import Answer, Session, Text
from roomctl.cli.terminal import columns
from roomctl.errors import EXIT_MEANINGS, BadValue, WrongCall, every_failure
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean, nearest

commands = Commands()


def exit_codes(_: Session) -> Answer:
    return Answer([{"exit": code, "meaning": meaning} for code, meaning in EXIT_MEANINGS.items()], "ExitCode")


def errors(_: Session) -> Answer:
    rows = [
        {"code": kind.code, "exit": kind.exit, "meaning": meaning, "retryable": kind.retryable}
        for kind in sorted(every_failure(), key=lambda kind: (kind.exit, kind.code))
        for said in [(kind.__doc__ or "").strip().splitlines()[0].rstrip(".")]
        for meaning in [said[:1].lower() + said[1:]]
    ]
    return Answer(rows, "ErrorCode")


def environment(_: Session) -> Answer:
    from roomctl.profiles.profile import ENVIRONMENT

    return Answer([row._asdict() for row in ENVIRONMENT], "Variable")


def files(session: Session) -> Answer:
    where = session.environment
    rows = [
        ("config", where.config_file, "profiles and their keys; readable only by you"),
        ("data", where.folder("data"), "the sandbox"),
        ("state", where.folder("state"), "the journal; `edits`: text from `roomset edit` that was not sent"),
        ("cache", where.folder("cache"), "names and ids for shell completion"),
    ]
    return Answer([{"what": what, "path": str(path), "holds": holds} for what, path, holds in rows], "FilePlace")


def gaps(_: Session) -> Answer:
    from roomctl.sandbox.gaps import all_gaps

    rows = [
        {"id": name, "quote": gap.get("quote") or "nothing", "lenient": gap["lenient"]}
        | {level: gap.get(level) or "as by default" for level in ("strict", "hostile")}
        | {"why": gap["why"]}
        for name, gap in all_gaps().items()
    ]
    return Answer(rows, "Gap", picture="cards")


def replies(_: Session) -> Answer:
    from roomctl.contract.vocabulary import WORDS

    rows = [{"meaning": meaning, "words": ", ".join(sorted(words))} for meaning, words in WORDS.items()]
    return Answer(rows, picture="cards")


def options(_: Session) -> Answer:
    from roomctl.docs.tree import tree

    refused, every = "giving two different values is an error", "all values are used"
    common = [option for bundle in COMMON for option in options_of(bundle)]
    rows = []
    for each in common:
        repeated = every if each.multiple else "" if each.is_flag else refused
        repeated = "the last value is used" if each.last_wins and not each.is_flag else repeated
        rows.append((", ".join(each.opts), each.metavar or "", meaning_of(each), repeated))
    known = {name for each in common for name in each.opts if name != "--query"}
    several = dict.fromkeys(each.names[-1] for row in tree(root()) for each in row.options if each.repeats)
    others = ", ".join(each + " key=value" * (each == "--query") for each in several if each not in known)
    rows.append(("command options", "", others, f"{every}; two different values for one key are an error"))
    rows.append(("any other option", "", "", refused))
    names = "option", "takes", "meaning", "repeated"
    return Answer([dict(zip(names, row, strict=True)) for row in rows], "CommonOption")


def _defined(name: str, _: Session) -> Answer:
    """Read the lines of a file: what is defined, a colon, and its meaning; the first names the two."""
    from roomctl.exports.formats import FORMAT_OF

    text = (
        Path(__file__).with_name(f"{name}.txt").read_text(encoding="utf-8").replace("{EXPORTS}", ", ".join(FORMAT_OF))
    )
    names, *rows = (line.split(": ", 1) for line in text.splitlines())
    return Answer([dict(zip(names, row, strict=True)) for row in rows], "Word")


def lint(_: Session, code: str = "") -> Answer:
    from roomctl.events.lint import codes

    if code and code not in codes():
        near = did_you_mean(code, codes(), "") or f"use one of {', '.join(codes())}"
        raise BadValue(f"no such code: {compact(code)}", hint=near)
    rows = [{"code": each, **codes()[each]} for each in ([code] if code else codes())]
    return Answer(rows[0] if code else rows, "LintCode")


def lint_codes() -> tuple[str, ...]:
    from roomctl.events.lint import codes

    return tuple(codes())


def event_files(_: Session) -> Answer:
    return Answer(Text(Path(__file__).with_name("event-files.yaml").read_text(encoding="utf-8").rstrip("\n")))


class Topic(NamedTuple):
    """What a topic is about, the answer that explains it, and what to know before reading that, in sentences."""

    about: str
    answer: Callable[[Session], Answer]
    first: str = ""


ANSWERS: Mapping[str, Callable[[Session], Answer]] = {
    "options": options,
    "exit-codes": exit_codes,
    "environment": environment,
    "replies": replies,
    "files": files,
    "errors": errors,
    "gaps": gaps,
    "event-files": event_files,
    "lint": lint,
}
"""What explains a topic; any other one has a file of its name."""
_TEXTS = tomllib.loads(Path(__file__).with_name("topics.toml").read_text(encoding="utf-8"))
TOPICS = {name: Topic(answer=ANSWERS.get(name, partial(_defined, name)), **each) for name, each in _TEXTS.items()}
WORDS = ", ".join(TOPICS)
OTHER_WORDS = {"answers": "replies"}


@commands.verb("help")
def topic(session: Session, words: list[str] | None = argument("[TOPIC|COMMAND]...", text=WORDS)) -> Answer:
    """Explain a topic, or show help for a command; without either, list the topics."""
    if not words:
        return Answer([{"topic": name, "about": first_sentence(each.about)} for name, each in TOPICS.items()], "Topic")
    if len(words) == 1 and (name := OTHER_WORDS.get(word := words[0].casefold(), word)) in TOPICS:
        if TOPICS[name].first:
            session.note(TOPICS[name].first)
        return TOPICS[name].answer(session)
    if len(words) == 2 and words[0].casefold() == "lint":
        return lint(session, words[1])

    if words[0] not in ROOT.members and (near := nearest(words[0], TOPICS)):
        asked = " ".join(words)
        raise WrongCall(f"there is no topic or command `{asked}`", hint=f"did you mean `roomctl help {near}`?")
    width = min(columns(session.environment, session.streams.stdout) or 80, 80)
    return Answer(Text(help_of(words, width=width)))
