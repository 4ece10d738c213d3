"""The one place that prints: results on stdout or in `--to FILE`, errors on stderr, and the exit status of a run."""

import io
import os
import sys
from collections.abc import Iterator
from datetime import tzinfo
from pathlib import Path
from typing import Any, TextIO

from roomctl import durable
from roomctl.cli.options import ERROR_FORMATS
from roomctl.cli.session import Answer, Session, Text
from roomctl.cli.sizes import columns, fitting
from roomctl.errors import LocalFailure, OutcomeUnknown, Partial, PipeClosed, RoomctlError


def show(session: Session, answer: Answer | None) -> None:
    """Print what a command returned, then fail as it says, or as the list that it rests on does."""
    if answer is None:
        answer = Answer()
    if isinstance(answer.value, Iterator) and not _streams(session, answer):
        answer = answer._replace(value=list(answer.value))
    if session.given.expression is not None:
        from roomctl.cli.querying import queried

        answer = queried(session, answer)
    if session.given.fields or session.given.sort_by:
        from roomctl.cli.fieldnames import check_after

        check_after(session, answer)
    if answer.value is not None:
        try:
            _put(session, answer)
        except LocalFailure as error:
            if answer.failure is None or answer.failure.exit != OutcomeUnknown.exit:
                raise
            answer.failure.message += f"; {error.message}"
    failure = answer.failure or session.doubt
    if failure is not None:
        raise failure


def _put(session: Session, answer: Answer) -> None:
    if session.given.to is None:
        _print(session, answer)
    else:
        _save(session, answer, Path(session.given.to))


def _streams(session: Session, answer: Answer) -> bool:
    """Whether rows are written as they come."""
    form, given = session.output_format(), session.given
    if given.expression is not None or given.sort_by:
        return False
    return form == "ndjson" or (form == "table" and answer.picture == "occupancy" and not given.fields)


def _print(session: Session, answer: Answer) -> None:
    out = session.streams.stdout
    if out is None or out.closed:
        raise LocalFailure(f"{_done(session)}stdout is not open: the result has nowhere to go", outcome=session.outcome)
    try:
        _write(session, answer, out, terminal=out.isatty())
        out.flush()
        if out.isatty():
            _remember(session, answer)
    except BrokenPipeError:
        _silence(out)
        raise PipeClosed("the reader of the output went away") from None
    except OSError as error:
        _silence(out)
        hint = "" if session.outcome == "applied" else "`--to FILE` writes it to a file elsewhere"
        message = f"{_done(session)}cannot write to stdout: {error.strerror or error}".lower()
        raise LocalFailure(message, hint=hint, outcome=session.outcome) from None


def _done(session: Session) -> str:
    return "the write is done, `roomctl journal list` shows it; " if session.outcome == "applied" else ""


def _remember(session: Session, answer: Answer) -> None:
    """Keep the ids and names that a person has just seen for the shell's completion."""
    from roomctl.cli.recent import remember_all, things
    from roomctl.profiles import cache_folder

    if answer.resource and not isinstance(answer.value, Iterator):
        remember_all(cache_folder(session.environment), things(answer.resource, answer.value))


def _silence(out: TextIO) -> None:
    """Keep the interpreter from flushing a broken stdout once more at its end."""
    if out is sys.stdout:
        os.dup2(os.open(os.devnull, os.O_WRONLY), out.fileno())


def _save(session: Session, answer: Answer, path: Path) -> None:
    """Write a result to a new file that only its owner can read; an existing one is replaced with `--force` only."""
    partial = path.with_name(f".{path.name}.{os.urandom(4).hex()}.new")
    if not session.given.force and os.path.lexists(path):
        raise LocalFailure(f"{path} exists already", hint="`--force` replaces it", outcome=session.outcome)
    try:
        with os.fdopen(durable.create_new(partial), "w", encoding="utf-8", newline="") as out:
            _write(session, answer, out, terminal=False)
            out.flush()
            os.fsync(out.fileno())
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise LocalFailure(
            f"{_done(session)}cannot write {path}: {error.strerror or error}", outcome=session.outcome
        ) from None
    session.note(f"written: {path}")


def _write(session: Session, answer: Answer, out: TextIO, *, terminal: bool) -> None:
    if isinstance(answer.value, Text):
        out.write(answer.value if answer.value.endswith("\n") else answer.value + "\n")
        return
    form, value = session.output_format(), answer.value
    if value == [] and form == "table" and session.doubt is None:
        from roomctl.output.columns import empty_sentence

        session.note(empty_sentence(answer.resource))
    from roomctl.output.look import Shown
    from roomctl.output.writers import write

    shown, look = Shown(value, answer.resource, answer.around), _look(session, form, out, terminal)
    if isinstance(value, Iterator) and form == "table":
        _watch(session, value, look, out)
        return
    if answer.picture:
        from roomctl.output.pictures import draw, is_drawn

        if is_drawn(answer.picture, look):
            draw(answer.picture, shown, look, out)
            return
    if without := write(shown, look, out):
        why = f"{without} of the rows have no id, and `-o ids` leaves them out"
        session.doubt = session.doubt or Partial(why, hint="`-o json` shows them", outcome=session.outcome)


def _watch(session: Session, looks: Iterator[Any], look: Any, out: TextIO) -> None:
    """Show what changes while it changes: in place where a terminal can, else line by line."""
    from roomctl.output.live import Window, draw_live, write_changes

    if not look.terminal or look.accessible or session.environment.get("TERM") == "dumb":
        write_changes(looks, look, out)
        return

    def window() -> Window:
        return Window(look._replace(width=_width(session)), _height(session), session.lines_aside)

    draw_live(looks, window, out)


def _look(session: Session, form: str, out: TextIO, terminal: bool) -> Any:
    from roomctl.output.look import Look

    environment = session.environment
    return Look(
        format=form,
        fields=session.given.fields,
        header=not session.given.no_header,
        terminal=terminal,
        color=terminal and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb",
        width=_width(session) if terminal else 80,
        accessible=environment.flag("ROOMCTL_ACCESSIBLE"),
        zone=_zone(session) if terminal else None,
        sort_by=session.given.sort_by or "",
        depth=_depth(session),
        encoding=getattr(out, "encoding", None) or "utf-8",
    )


def _depth(session: Session) -> int:
    if session.environment.get("COLORTERM") in ("truecolor", "24bit"):
        return 2**24
    return 256 if "256color" in session.environment.get("TERM", "") else 0


def _width(session: Session) -> int:
    return columns(session.environment, session.streams.stdout) or 80


def _height(session: Session) -> int:
    try:
        return os.get_terminal_size(session.streams.stdout.fileno()).lines or 24 if session.streams.stdout else 24
    except (OSError, ValueError, io.UnsupportedOperation):
        return 24


def _zone(session: Session) -> tzinfo | None:
    from datetime import UTC, datetime
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(session.environment["TZ"])
    except (KeyError, ValueError, OSError):
        return datetime.now(UTC).astimezone().tzinfo


def report(session: Session, error: RoomctlError) -> int:
    """Say on stderr what failed, in the form asked for, and give the exit status."""
    from roomctl.output.errors import error_github, error_json, error_text

    err = session.streams.stderr
    if err is None or err.closed or isinstance(error, PipeClosed):
        return error.exit
    if error.hint and session.context is not None:
        from roomctl.cli.meant import apt

        error.hint = apt(error, session.context)
    settings = session.__dict__.get("settings")
    line = f"{settings.profile} ({settings.profile_origin})" if settings else ""
    form = _error_format(session)
    if form == "json":
        text = error_json(error, profile=settings.profile if settings else "")
    elif form == "github":
        text = error_github(error)
    else:
        text = fitting(session.environment, err, error_text(error, profile_line=line))
    try:
        err.write(session.cleared() + text.rstrip("\n") + "\n")
        err.flush()
    except OSError:
        _silence(err)
    return error.exit


def _error_format(session: Session) -> str:
    given = session.given
    if given.error_format in ERROR_FORMATS:
        return str(given.error_format)
    try:
        form = session.output_format()
    except RoomctlError:  # what cannot be said in the form asked for is said in words
        form = given.output or "text"
    return "json" if form in ("json", "ndjson") else "text"
