"""Before a write: which profile it goes to, what it changes, and the question that a person answers.

A question is asked on stderr and answered on stdin, never where nobody is there to answer.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from roomctl.cli.session import Session
from roomctl.contract.records import folded
from roomctl.errors import Declined, NeedsConfirmation
from roomctl.output.columns import shortened
from roomctl.reconcile import Write

NO_UNDO = "the service offers no way to undo this"
RULE = {"property", "operator", "value"}
YES = ("y", "yes")
NO = ("n", "no", "q", "quit")


def confirm(session: Session, card: Sequence[str], *, word: str = "", final: bool = False) -> None:
    """Show what is about to happen and wait for the answer: y/N, or a word; `final` says that it cannot be undone.

    A protected profile always asks for its name. Raises Declined, NeedsConfirmation.
    """
    settings = session.settings
    unnamed = settings.protected and session.given.profile != settings.profile
    service = "" if settings.sandbox else f", service: {settings.base_url}"
    more = "" if session.given.yes else " --yes"
    hint = f"add `--profile {settings.profile}{more}`: the profile is protected" if unnamed else "add `--yes`"
    word = settings.profile if settings.protected else word
    protected = ", protected" * settings.protected
    lines = [*card, f"profile: {settings.profile} ({settings.profile_origin}){protected}{service}"]
    if unnamed and session.given.yes:
        lines.append(f"`--yes` needs `--profile {settings.profile}` too, because the profile is protected")
    ask(session, [*lines, NO_UNDO] if word and final else lines, word, hint)
    session.announced = True


def ask(session: Session, card: Sequence[str], word: str = "", hint: str = "add `--yes`", done: str = "sent") -> None:
    """Show a card and wait for y/N, which `--yes` answers, or a word, else nothing is `done`. Raises as `confirm`."""
    if session.given.yes and not word:
        return
    if session.unattended:
        why = f"confirmation needed, but {session.unattended}; nothing was {done}"
        raise NeedsConfirmation(why, hint="give a file instead of `-`, or " * ("`-`" in why) + hint)
    for line in card:
        session.say(line)
    answer = answer_of(session, f"type `{word}` to continue, `q` to cancel: " if word else "continue? [y/N] ")
    if _bare(answer or "") != _bare(word) if word else answer not in YES:
        agreed = f", because the answer was not `{word}`" if word and answer not in (None, "", *NO) else ""
        raise Declined(f"cancelled{agreed}; nothing was {done}")


def _bare(word: str) -> str:
    """A word as it is compared: `not-done` is `not done`."""
    return word.casefold().replace("-", " ")


def answer_of(session: Session, prompt: str) -> str | None:
    """Read a line in lower case, None at the end of input; with line editing where a terminal is the process's own."""
    stdin, stdout, stderr = session.streams
    assert stdin is not None  # else nobody would be there
    own = (stdin, stdout, stderr) == (sys.stdin, sys.stdout, sys.stderr)
    own = own and all(stream and stream.isatty() for stream in session.streams)
    if own:
        with suppress(ImportError):
            import readline  # noqa: F401  (`input` finds it; without it the terminal edits lines as it can)
    else:
        session.say(prompt, end="")
    answer = ""
    try:
        with suppress(EOFError):
            answer = f"{input(prompt)}\n" if own else stdin.readline()
    finally:  # what follows begins a line: neither Ctrl-C nor a log echoes the end of this one
        if not answer.endswith("\n") or stderr is None or not stderr.isatty():
            session.say("")
    return answer.strip().casefold() if answer else None


def differences(present: Mapping[str, Any], changed: Mapping[str, Any], names: Mapping[str, str] = {}) -> list[str]:
    """A line for each field that changes; of ids, with the `names` that are known."""

    def told(value: Any) -> str:
        name = names.get(folded(value))
        return _text(value) if name is None else f"{name} ({value})"

    return [f"  {name}: {told(present.get(name))} → {told(value)}" for name, value in changed.items()]


def field_lines(given: Mapping[str, Any]) -> list[str]:
    return [f"  {name}: {_text(value)}" for name, value in given.items()]


def write_lines(write: Write) -> list[str]:
    """Say what a write is to do, and with which fields."""
    body = write.body if isinstance(write.body, dict) else {}
    fields = {**(body.get("theme") or {}), **{name: value for name, value in body.items() if name != "theme"}}
    fields = {
        name: f"<{len(value) * 3 // 4} bytes>" if name.endswith("Bytes") else value for name, value in fields.items()
    }
    return [f"about to {write.what}{':' if fields else ''}", *field_lines(fields)]


def _text(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(each, dict) and each.keys() == RULE for each in value):
        from roomctl.output.values import rule, short

        return "; ".join(short(rule(each)) for each in value)
    return shortened(json.dumps(value, ensure_ascii=False))
