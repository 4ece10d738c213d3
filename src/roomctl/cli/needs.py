"""Options that a command line cannot honour are refused before the command runs."""

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from shlex import quote

from roomctl.cli.options import COMMON, About
from roomctl.cli.session import Session
from roomctl.errors import BadInput, LocalFailure, WrongCall
from roomctl.output.writers import ENDINGS

SHAPING = ("--to", "--query", "--fields", "--sort-by", "--output")
"""Options that say what of a result is printed, and how."""
INPUTS = ("--results", "--from", "--input")
"""Options that name a file beside `--to`."""
NARROWING = {
    "--text", "--page", "--room", "--room-set", "--open", "--empty", "--severity", "--after", "--since", "--query",
    "--field", "--raw-field",
}  # fmt: skip
"""Options that leave rows out; `--query` may be an expression or a parameter."""
PRINTING = frozenset(("--show", "--dry-run", "--curl", "--skeleton"))
"""Options with which a write prints something, whatever its reply."""
PLAIN = frozenset((".txt", ".log", ".sh", ".bash", ".zsh", ".fish", ".ps1"))
"""The ends of a name that promise no form."""


def check(session: Session, about: About) -> None:
    """Refuse options that would be dropped, or of which one would undo another, and a result that cannot be written.

    Nothing was sent by then. Raises WrongCall, BadValue, LocalFailure.
    """
    given, stdout, params = session.given, session.streams.stdout, session.context.command.params
    typed = {name: texts for name, texts in given.typed.items() if name != "--query" or given.expression is not None}
    fields = {name for each in about.takes if each.body for name in each.options.__annotations__}
    for option in params:
        if (name := option.opts[-1]) not in typed:
            continue
        if option.name not in fields and any(str(text).isspace() or text == "" for text in typed[name]):
            raise WrongCall(f"the value of `{name}` is empty", hint="leave the option out, or give it a value")
        if others := [each for each in option.excludes if each in typed]:
            raise WrongCall(f"`{name}` and `{others[0]}` cannot be used together", hint="leave one of them out")
        if option.needs and not typed.keys() & option.needs:
            needs = " or ".join(f"`{each.opts[-1]}`" for each in params if each.opts[-1] in option.needs)
            raise WrongCall(f"`{name}` needs {needs}", hint=f"add {needs}, or leave out `{name}`")
    common = {name for each in COMMON for name in each.options.__annotations__}
    own = [each.opts[-1] for each in params if each.opts[-1] in typed and each.name not in common]
    session.narrowed = not NARROWING.isdisjoint(given.typed)
    if given.skeleton and (others := [name for name in own if name != "--skeleton"]):
        raise WrongCall(f"`--skeleton` prints an empty body, so it does not take `{others[0]}`", hint="leave one out")
    session.output_format()
    if shaping := [name for name in SHAPING if name in typed]:
        _check_shape(session, about, shaping)
    if given.results is not None:
        _check_results(given.results)
    if given.to is not None:
        _check_file(session, about, given.to)
    elif stdout is None or stdout.closed:
        raise LocalFailure("stdout is not open, so the result cannot be written; nothing was sent")
    if given.fields or given.sort_by:
        from roomctl.cli.field_names import check_before

        check_before(session, about.shows, writes=about.writes)


def _check_shape(session: Session, about: About, shaping: Sequence[str]) -> None:
    """Refuse options that shape a result where there is none, or where its file shapes it. Raises WrongCall."""
    given, writes = session.given, [each for each in about.named if each.writes]
    if writes and all(each.reply is None for each in writes) and not given.typed.keys() & PRINTING:
        for name in (each for each in shaping if each != "--output"):
            why = "the service documents no reply to this write, so nothing is printed"
            hint = "add `--show`, which reads back what was written and prints it"
            raise WrongCall(f"`{name}` needs a result, but {why}", hint=hint)
    if about.exports or about.endings:
        file = Path(given.to or "FILE")
        written = session.context.params.get("form") or ENDINGS.get(file.suffix.lower(), file.suffix[1:].lower())
        if given.output not in (None, written, "json", "ndjson"):  # which are also a form of errors
            endings = about.endings or (".csv", ".tsv")
            fit = next((each for each in endings if ENDINGS.get(each) == given.output), endings[0])
            why = "`--output` does not set the format of this file: the extension of `--to` does"
            raise WrongCall(why, hint=f"leave out `-o`, and use `--to {quote(str(file.with_suffix(fit)))}`")


def _check_results(name: str) -> None:
    """Refuse a result file whose name promises another format than CSV. Raises WrongCall."""
    from roomctl.exports.formats import FORMAT_OF

    path = Path(name)
    if (ending := path.suffix.lower()) in {*FORMAT_OF, *ENDINGS, ".xls"} - {".csv"}:
        why = f"the results are always written as CSV, but {name} ends in {ending}"
        raise WrongCall(why, hint=f"use `--results {quote(str(path.with_suffix('.csv')))}`")


def _check_file(session: Session, about: About, to: str) -> None:
    """Refuse a file that would not be what its name says, or take the place of another. Raises WrongCall.

    What exports looks at its file by itself: one that was killed at its very end goes on with it.
    """
    from roomctl.exports.formats import FORMAT_OF

    if to == "-":
        hint = "" if about.exports or about.endings else "leave out `--to` to write the result to stdout"
        raise WrongCall("`--to` names no file", hint=hint)
    for name, texts in session.given.typed.items():
        if name in INPUTS and texts[-1] != "-" and Path(texts[-1]).resolve() == Path(to).resolve():
            raise WrongCall(f"`--to` and `{name}` name the same file", hint="name two files")
    ending, lists = Path(to).suffix.lower(), any(takes.exports for takes in about.takes)
    if os.path.lexists(to) and not stat.S_ISREG(os.lstat(to).st_mode):
        what, inside = ("a folder", Path(to) / "result") if Path(to).is_dir() else ("not a file", Path("result"))
        own = Path(to).is_dir() or about.exports or about.endings
        hint = f"name a file, such as `--to {inside}{(*about.endings, '.csv')[0]}`"
        raise WrongCall(f"{to} is {what}", hint=hint if own else "redirect stdout to a pipe or a device: `> …`")
    known = {*(FORMAT_OF if about.exports or lists else ()), *(ENDINGS if not about.exports else ())}
    if about.endings and ending not in about.endings:
        hint = f"use `--to {Path(to).stem}{about.endings[0]}`"
        endings = " or ".join(", ".join(about.endings).rsplit(", ", 1))
        raise WrongCall(f"{to} does not end in {endings}", hint=hint)
    if not about.endings and ending[1:2].isalpha() and ending not in known | PLAIN:
        exports = f"; `roomctl help output` says which lists can be exported as {ending}" * (ending in FORMAT_OF)
        fits = ", ".join(sorted(known if about.exports else known | {".txt"}))
        hint = f"use one of {fits}{'' if about.exports else ', or no extension'}{exports}"
        raise WrongCall(f"cannot write {to}: {ending} is not a supported format", hint=hint)
    if not Path(to).parent.is_dir():
        why = f"no such folder: {Path(to).parent}; nothing was sent"
        raise BadInput(why, hint="create it, or choose another folder")
    if os.path.lexists(to) and not (session.given.force or about.exports):
        people = any("--email" in each.opts for each in session.context.command.params)
        reads = people and session.given.typed.keys().isdisjoint((*INPUTS, "--user", "--email"))
        raise WrongCall(f"{to} already exists", hint=f"`--from {to}` reads it" if reads else "`--force` replaces it")
