"""The one place that prints: results on stdout or in `--to FILE`, errors on stderr, and the exit code of a run."""

import os
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from roomctl import files
from roomctl.cli.query import NO_FIELDS, are_rows_of, lacks_fields, names_in, search
from roomctl.cli.session import Answer, Session, Text
from roomctl.cli.terminal import columns, fitting, look_of, redrawn, size_of
from roomctl.errors import BadValue, LocalFailure, OutcomeUnknown, Partial, PipeClosed, RoomctlError
from roomctl.output.columns import RESULTS, resource_of
from roomctl.output.look import Shown
from roomctl.output.writers import write
from roomctl.profiles.profile import SETTINGS
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact

_WORST_FIRST = {"skipped": 1, "ok": 2}
_LISTED = 20  # rows of a result that a person reads through


def show(session: Session, answer: Answer) -> None:
    """Print what a command returned, then fail as it says, or as the list that it rests on does.

    The ids and names of what was shown or read are kept where a person looks on, the names of what was written always.
    """
    if isinstance(answer.value, Iterator):
        answer = _gathered(session, answer)
    watched = any(stream and not stream.closed and stream.isatty() for stream in session.streams)
    if watched or session.written:
        from roomctl.cli.completion_cache import remember

        event = session.context and session.context.params.get("event")
        shown = [] if isinstance(answer.value, Iterator) else [(answer.resource, answer.value)]
        shown += [("RoomSet", session.mine.sets if session.mine else []), ("Event", {"socialEventId": event})]
        what = next((each.name for each in session.about.named if each.writes), "")
        shown += [("JournalEntry", {"id": session.written or None, "operation": what})] * watched
        remember(session.environment.folder("cache"), shown, unnamed=watched)
    in_order = False
    if session.given.expression is not None:
        if session.given.sort_by:
            from roomctl.cli.field_names import sort_before_query

            answer, in_order = sort_before_query(session, answer)
        answer = _apply_query(session, answer, session.given.expression, in_order=in_order)
    if session.given.fields or (session.given.sort_by and not in_order):
        from roomctl.cli.field_names import arranged

        answer = arranged(session, answer, in_order=in_order)
    if answer.value is not None:
        try:
            if session.given.to is None:
                _print(session, answer)
            else:
                _save(session, answer, Path(session.given.to))
        except LocalFailure as error:
            if answer.failure is None or answer.failure.exit != OutcomeUnknown.exit:
                raise
            answer.failure.message += f"; {error.message}"
    if (failure := answer.failure or session.doubt) is not None:
        raise failure
    if answer.last:
        session.note(answer.last)


def _gathered(session: Session, answer: Answer) -> Answer:
    from roomctl.cli.progress import progress

    form, given, rows = session.output_format(), session.given, []
    coming = form == "ndjson" or (form == "table" and answer.picture == "occupancy" and not given.fields)
    if coming and given.expression is None and not given.sort_by:
        return answer
    with progress(session, resource_of(answer.resource).plural, session.given.limit or session.given.expect) as counted:
        for row in answer.value:
            rows.append(row)
            counted.update(len(rows))
    return answer._replace(value=rows)


def _apply_query(session: Session, answer: Answer, expression: str, *, in_order: bool) -> Answer:
    """Apply the expression to an answer; what comes keeps its name only where it is the result's rows."""
    from roomctl.cli.field_names import check_query
    from roomctl.cli.list_notes import plainly

    if answer.value is None or isinstance(answer.value, Text):
        return answer
    value = list(answer.value) if isinstance(answer.value, Iterator) else answer.value
    value = plainly(session, answer.resource, value)
    check_query(session, answer.resource, names_in(expression), value)
    try:
        found = search(expression, value)
        name = "--fields" if session.given.fields else "--sort-by" if session.given.sort_by and not in_order else ""
        if name and lacks_fields(found):
            raise BadValue(NO_FIELDS.format(name, compact(expression)))
    except BadValue as error:
        if session.written:
            raise _failed(session, error.message) from None
        raise
    if found is None:
        if isinstance(value, list) and expression.isidentifier():
            session.note(f"the result is a list: `[].{expression}` gives the field of each row")
        return answer._replace(value=Text("null"), resource="", picture="")
    same = are_rows_of(found, value)
    return answer._replace(
        value=found,
        resource=answer.resource if same else "",
        picture=answer.picture if same and type(found) is type(value) else "",
    )


def _print(session: Session, answer: Answer) -> None:
    out = session.streams.stdout
    if out is None or out.closed:
        raise _failed(session, "stdout is not open, so the result cannot be written")
    try:
        _write(session, answer, out, terminal=out.isatty())
        out.flush()
        for each in session.later:
            session.note(each)
    except BrokenPipeError:
        _silence(out)
        raise PipeClosed("the reader of the output closed the pipe") from None
    except OSError as error:
        _silence(out)
        failure = _failed(session, f"cannot write to stdout: {error.strerror or error}".lower())
        failure.hint = "" if session.written else "`--to FILE` writes the result to a file elsewhere"
        raise failure from None


def _failed(session: Session, why: str) -> LocalFailure:
    done = "the write was done, `roomctl journal list` shows it; " if session.written else ""
    return LocalFailure(f"{done}{why}", outcome=session.outcome)


def _silence(out: TextIO) -> None:
    """Keep the interpreter from flushing a broken stdout once more at its end."""
    if out is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _save(session: Session, answer: Answer, path: Path) -> None:
    """Write a result to a new file that only its owner can read; an existing one is replaced with `--force` only."""
    partial = path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")
    if not session.given.force and os.path.lexists(path):
        raise LocalFailure(f"{path} already exists", hint="`--force` replaces it", outcome=session.outcome)
    try:
        with os.fdopen(files.create_new(partial), "w", encoding="utf-8", newline="") as out:
            _write(session, answer, out, terminal=False)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise _failed(session, f"cannot write {path}: {str(error.strerror or error).lower()}") from None
    session.note(f"wrote {path}")


def _write(session: Session, answer: Answer, out: TextIO, *, terminal: bool) -> None:
    if isinstance(answer.value, Text):
        out.write(answer.value if answer.value.endswith("\n") else answer.value + "\n")
        return
    form, value, given = session.output_format(), answer.value, session.given
    if answer.done and terminal and form == "table" and not (given.output or given.fields or given.expression):
        if answer.failure is None:
            out.write(f"{fitting(session.environment, out, answer.done)}\n")
        return
    if answer.done and answer.failure is None:
        session.note(answer.done)
    if terminal and form == "table":
        value = _to_read(session, answer.resource, value)
        if not value and answer.value:
            return
    if value == [] and form == "table" and session.doubt is None and answer.failure is None and not answer.done:
        page = session.given.page
        where = f"page {page} has no" if page else "no matching" if session.narrowed else "no"
        session.note(f"{where} {resource_of(answer.resource).plural}")
    shown = Shown(value, answer.resource, answer.around, session.names)
    look = look_of(session.environment, given, form, out, terminal=terminal)
    if session.context is not None and session.context.command_path == "roomctl help" and not given.output:
        look = look._replace(terminal=True)  # a page to read, whatever it is piped into
    if isinstance(value, Iterator) and form == "table":
        _watch(session, value, look, out)
        return
    if without := write(shown, look, out, picture=answer.picture):
        why = f"`-o ids` leaves out {numbered(without, 'rows')} without an id"
        session.doubt = session.doubt or Partial(why, hint="`-o json` shows these rows", outcome=session.outcome)


def _to_read(session: Session, resource: str, value: Any) -> Any:
    """Give what a person reads: results the worst first, of many only those of which something is to be said."""
    if resource == "Setting":
        unset = {name: each.unset for name, each in SETTINGS.items()}
        told = ({**row, "value": unset.get(row["setting"])} if row["value"] in (None, []) else row for row in value)
        return [row for row in told if row["value"] not in (None, "")]
    given = session.given
    if resource not in (*RESULTS, "Rehearsed") or given.sort_by:
        return value
    if resource == "Rehearsed":
        left, why = [row for row in value if row["mistakes"] or row is value[0]], "they have no mistakes"
    else:
        value = sorted(value, key=lambda row: _WORST_FIRST.get(row["status"], 0))
        left, why = [row for row in value if row["status"] not in _WORST_FIRST], "they are ok or skipped"
    if len(value) <= _LISTED or len(left) == len(value) or given.output or given.fields or given.expression:
        return value
    session.note(f"{numbered(len(value) - len(left), 'rows')} not listed because {why}: `-o table` shows every row")
    return left


def _watch(session: Session, looks: Iterator[Any], look: Any, out: TextIO) -> None:
    from roomctl.output.live import live_view, write_changes

    if not redrawn(session.environment, out):
        write_changes(looks, look, out)
        return

    def size() -> tuple[int, int]:
        return columns(session.environment, out) or 80, size_of(out).lines or 24

    first = [*islice(looks, 1)]  # which may fail, before the view begins
    try:
        with live_view(look, out, size) as (draw, above):
            session.above = above if redrawn(session.environment, session.streams.stderr) else None
            for sets in chain(first, looks):
                draw(sets)
    finally:
        session.above = None


def report(session: Session, error: RoomctlError, group_help: str = "") -> int:
    """Say on stderr what failed, in the form asked for, for people below a group's help; give the exit code."""
    from roomctl.output.errors import error_github, error_json, error_text

    err = session.streams.stderr
    if err is None or err.closed or isinstance(error, PipeClosed):
        return error.exit
    settings = session.__dict__.get("settings")
    if error.hint:
        from roomctl.cli.usage_errors import useful_hint

        error.hint = useful_hint(error, session, settings)
    if session.context is not None and not session.about.writes:
        error.message = error.message.replace("; nothing was sent", "")
    line = f"{settings.profile} ({settings.profile_origin})" if settings else ""
    form = _error_format(session, terminal=err.isatty())
    if form == "json":
        text = error_json(error, profile=settings.profile if settings else "")
    elif form == "github":
        text = error_github(error)
    else:
        if group_help:
            error.hint = ""
        text = group_help + error_text(error, profile_line=line)
        text = fitting(session.environment, err, text) if err.isatty() else text
    try:
        err.write(text.rstrip("\n") + "\n")
        err.flush()
    except OSError:
        _silence(err)
    return error.exit


def _error_format(session: Session, *, terminal: bool) -> str:
    given = session.given
    if given.error_format:
        return given.error_format
    try:
        form = session.output_format()
    except RoomctlError:  # what cannot be said in the form asked for is said in words
        form = given.output or "text"
    if terminal and given.to is not None and given.output is None:
        form = "text"  # only the file has the form that its name asks for
    return "json" if form in ("json", "ndjson") else "text"
