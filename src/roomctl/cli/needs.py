"""What options need: one list of those that a command line cannot honour, held against it before the command runs."""

import os
import stat
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

from roomctl.cli.options import BULK, JSON, About
from roomctl.cli.parsers import find_operation
from roomctl.cli.session import Session
from roomctl.contract.operations import Operation
from roomctl.errors import LocalFailure, WrongCall
from roomctl.output.writers import ENDINGS


class Call(NamedTuple):
    """A command line: what is said of its command, the options on it with their texts, the command's own values."""

    about: About
    options: Mapping[str, Sequence[JSON]]
    values: Mapping[str, JSON]

    def has(self, *names: str) -> bool:
        return any(name in self.options for name in names)

    @property
    def operation(self) -> Operation | None:
        """The one of `any_of` that its words choose. Raises BadValue."""
        words = self.values.get("words") if self.about.any_of else None
        return find_operation(words)[0] if words else None


class Need(NamedTuple):
    """Options that are refused where their need is not `met`, with what that is and what to do."""

    options: Sequence[str]
    met: Callable[[Call], bool]
    why: str
    hint: str = "leave it out"


def _prints(call: Call) -> bool:
    writes = [each for each in call.about.named or [call.operation] if each and each.writes]
    documented = not writes or any(each.reply is not None for each in writes)
    return documented or call.has("--show", "--dry-run", "--curl", "--skeleton")


def _has_rows(call: Call) -> bool:
    return BULK not in call.about.takes or call.has("--from")


def _is_of_the_file(call: Call) -> bool:
    """Whether `-o` names the form of the file that a command writes, or JSON, which errors take."""
    if not (call.about.exports or call.about.endings):
        return True
    ending = Path(call.options.get("--to", [""])[-1]).suffix.lower()
    written = call.values.get("form") or ENDINGS.get(ending, ending[1:])
    return {*call.options.get("--output", ())} <= {written, "json", "ndjson"}


def _has_time(call: Call) -> bool:
    rooms = {"leave_open_until", "socialRoomSetId"} & call.values.keys()
    return not rooms or call.has("--starts", "--ends", "--leave-open-until")


def _has_several(call: Call) -> bool:
    people = [each for name in ("which", "user", "email") if isinstance(each := call.values.get(name), list | tuple)]
    many = sum(map(len, people)) > 1 or call.has("--from", "--room-set", "--input", "--results")
    return BULK not in call.about.takes or many


SHAPING = ("--output", "--json", "--fields", "--sort-by", "--query", "--no-header")
NEEDS = (
    Need(
        ("--to", "--query", "--fields", "--sort-by"),
        _prints,
        "needs a result, but the service documents no reply to this write, so nothing is printed",
        "add `--show`, which reads back what was written and prints it",
    ),
    Need(
        ("--paginate", "--limit", "--page", "--page-size", "--sort", "--expect"),
        lambda call: not call.about.any_of or (call.operation is not None and call.operation.paged),
        "works only with a paged list",
    ),
    Need(
        ("--resume",),
        lambda call: _has_rows(call) or call.has("--results"),
        "needs the input of the run that was killed",
        "add `--from FILE`, or the `--results FILE` of that run",
    ),
    Need(("--skip-bad",), _has_rows, "works only with the rows of `--from FILE`"),
    Need(
        ("--retry-unknown",),
        lambda call: _has_rows(call) or call.has("--results"),
        "works only with the rows of `--from FILE`, or the results of an earlier run in `--results FILE`",
    ),
    Need(("--keep-going",), _has_several, "works only with several rows"),
    Need(("--map",), lambda call: "headings" not in call.values or call.has("--from"), "needs `--from FILE`"),
    Need(
        ("--max-wait",),
        lambda call: "until_empty" not in call.values or call.has("--until-empty", "--until-closed"),
        "works only with `--until-empty` or `--until-closed`",
        "`--times N` ends a watch",
    ),
    Need(("--tz",), _has_time, "has no effect, because no time is given"),
    Need(("--output",), _is_of_the_file, "does not set this format", "use `--to FILE`: its extension sets the format"),
    Need(
        ("--map",),
        lambda call: "as_map" not in call.values or not call.has(*SHAPING),
        "draws a picture, so output options do not apply",
        "leave out one of the two",
    ),
    Need(
        ("--input",),
        lambda call: call.operation is None or call.operation.body is not None,
        "needs an operation that takes a body",
    ),
)
"""Options, and what each is of no use without."""
FILES = ("--to", "--results", "--from", "--input")
"""Options that name a file; a file of results may replace its own input."""
PLAIN = frozenset((".txt", ".log", ".sh", ".bash", ".zsh", ".fish", ".ps1"))
"""The ends of a name that promise no form."""


def check(session: Session, about: About) -> None:
    """Refuse options that would be dropped, or of which one would undo another, and a result that cannot be written.

    Nothing was sent by then. Raises WrongCall, BadValue, LocalFailure.
    """
    given, to, stdout = session.given, session.given.to, session.streams.stdout
    typed = {name: texts for name, texts in given.typed.items() if name != "--query" or given.expression is not None}
    call = Call(about, typed, session.context.params)
    for need in NEEDS:
        named = [name for name in need.options if name in typed]
        if named and not need.met(call):
            raise WrongCall(f"`{named[0]}` {need.why}; nothing was sent", hint=need.hint)
    for option in session.context.command.params:
        if option.opts[-1] in typed and (others := [name for name in option.excludes if name in typed]):
            raise WrongCall(
                f"`{option.opts[-1]}` and `{others[0]}` cannot be used together", hint="leave one of them out"
            )
    for one, other in combinations((name for name in FILES if name in typed), 2):
        names = {typed[one][-1], typed[other][-1]}
        if "--to" in (one, other) and "-" not in names and len({Path(name).resolve() for name in names}) == 1:
            raise WrongCall(f"`{one}` and `{other}` name the same file; nothing was sent", hint="name two files")
    session.output_format()
    if to is not None:
        _check_file(to, about, force=given.force)
    elif stdout is None or stdout.closed:
        raise LocalFailure("stdout is not open, so the result cannot be written; nothing was sent")
    if given.fields or given.sort_by or given.sort:
        from roomctl.cli.field_names import check_before

        check_before(session, about.shows, writes=about.writes)


def _check_file(to: str, about: About, *, force: bool) -> None:
    """Refuse a file that would not be what its name says, or take the place of another. Raises WrongCall.

    What exports looks at its file by itself: one that was killed at its very end goes on with it.
    """
    from roomctl.exports.formats import FORMAT_OF

    if to in ("", "-"):
        hint = "" if about.exports or about.endings else "leave out `--to` to write the result to stdout"
        raise WrongCall("`--to` names no file", hint=hint)
    ending, lists = Path(to).suffix.lower(), any(takes.exports for takes in about.takes)
    known = {*(FORMAT_OF if about.exports or lists else ()), *(ENDINGS if not about.exports else ())}
    if about.endings and ending not in about.endings:
        hint = f"`--to {Path(to).stem}{about.endings[0]}`"
        endings = " or ".join(", ".join(about.endings).rsplit(", ", 1))
        raise WrongCall(f"`{to}` does not end in {endings}; nothing was sent", hint=hint)
    exports = f"; `roomctl help output` says which lists can be exported as {ending}" * (ending in FORMAT_OF)
    if not about.endings and ending[1:2].isalpha() and ending not in known | PLAIN:
        raise WrongCall(
            f"cannot write {to}: {ending} is not a supported format",
            hint=f"use one of {', '.join(sorted(known | {'.txt'}))}, or no extension{exports}",
        )
    if os.path.lexists(to):
        if not stat.S_ISREG(os.lstat(to).st_mode):
            hint = "redirect stdout to a pipe or a device: `> …`"
            raise WrongCall(f"{to} is not a file; nothing was sent", hint=hint)
        if not (force or about.exports):
            raise WrongCall(f"{to} already exists; nothing was sent", hint="`--force` replaces it")
