"""`roomctl doctor`: whether this machine is ready; with `--probe`, how the service's lists end and are wrapped."""

import json
import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from shutil import disk_usage, which
from sysconfig import get_path
from typing import Any, NamedTuple

from roomctl.cli.confirm import ask
from roomctl.cli.lists import first_page
from roomctl.cli.options import Commands, flag
from roomctl.cli.session import Answer, Session, same_service
from roomctl.cli.time_values import zone_named
from roomctl.contract.operations import RECORDING_LIST, ROOMSET_LIST, Operation
from roomctl.contract.paging import Blank, Wrapped
from roomctl.contract.records import by_id
from roomctl.errors import BadConfig, BadValue, NotAllowed, NotFound, Partial, RoomctlError, Unintelligible
from roomctl.profiles.configfile import profiles_of, read
from roomctl.profiles.profile import RESERVED, validate
from roomctl.profiles.settings import Settings, resolve
from roomctl.sandbox.store import damage as damage_of
from roomctl.service.distinct import folded_keys, keys_of
from roomctl.service.proof import UNPROVEN
from roomctl.text.counted import numbered

commands = Commands()
EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
LEAST_SPACE = 100 * 1024 * 1024
MOST_PAGES = 15


@commands.verb("doctor", calls=[ROOMSET_LIST, RECORDING_LIST])
def doctor(session: Session, probe: bool = flag("--probe")) -> Answer:
    """Check this machine: config, profiles, key, folders, clock, journal, sandbox; say what to do about each
    problem.
    """
    if probe:
        return _probe(session)
    findings = list(_machine(session))
    for check in CHECKS:
        name = check.__name__.strip("_").replace("_", " ")
        try:
            findings += check(session)
        except RoomctlError as error:  # one that cannot look is a failed one
            findings.append(Finding(name, "fail", error.message, error.hint))
        except OSError as error:
            findings.append(Finding(name, "fail", f"{error.strerror or error}".lower()))
    failed = dict.fromkeys(each.check for each in findings if each.state == "fail")
    why = f"{numbered(len(failed), 'checks')} failed: {', '.join(failed)}"
    failure = BadConfig(why, hint="follow the advice given for each failed check") if failed else None
    rows = [{**each._asdict(), "next": same_service(each.next, session.argv)} for each in findings]
    return Answer(rows, "Diagnosis", failure, picture="checklist")


class Finding(NamedTuple):
    """What a check has found: `state` is ok, warn or fail; `next` is what to do, empty where there is nothing to do."""

    check: str
    state: str
    what: str
    next: str = ""


def _machine(session: Session) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{'.'.join(map(str, sys.version_info[:3]))} on {sys.platform}")
    now = datetime.now(UTC)
    if now < EARLIEST:
        yield Finding("clock", "fail", f"{now:%Y-%m-%d %H:%M} UTC is wrong", "set this machine's clock")
    else:
        yield Finding("clock", "ok", f"{now:%Y-%m-%d %H:%M} UTC")
    try:
        zone_named(session.environment.get("TZ", "").lstrip(":") or None)
    except BadValue as error:
        yield Finding("time zone", "warn", f"TZ: {error.message}; times in tables may be wrong", error.hint)
    if which("roomctl", path=session.environment.get("PATH", "")) is None:
        yield Finding("command", "warn", "`roomctl` is not on PATH", f"add {get_path('scripts')} to PATH")


def _config(session: Session) -> Iterator[Finding]:
    path = session.environment.config_file
    if not path.exists():
        yield Finding("config", "ok", f"{path} does not exist yet", "`roomctl profile add` creates it")
        return
    profiles = profiles_of(read(path), path)
    yield Finding("config", "ok", f"{path}, which only you can read")
    for name, values in profiles.items():
        if name in RESERVED:
            continue
        try:
            if isinstance(values, dict):
                validate(values, f"profile {name} in {path}")
            settings = resolve(session.environment, profile=name)
        except RoomctlError as error:
            yield Finding("profile", "fail", error.message, error.hint or "fix it in the config file")
        else:
            yield _with_key(name, settings)


def _with_key(name: str, settings: Settings) -> Finding:
    """Say where the key of a profile comes from, and whether it is there; no program is run for that."""
    try:
        if not settings.key.runs:
            settings.key.read(lambda _: None)
    except NotAllowed as error:
        return Finding("profile", "warn", f"{name}: {settings.base_url}; {error.message}", error.hint)
    return Finding("profile", "ok", f"{name}: {settings.base_url}, key from {settings.origins['api_key']}")


def _active_profile(session: Session) -> Iterator[Finding]:
    given = session.given
    try:
        settings = resolve(session.environment, profile=given.profile, sandbox=given.sandbox)
    except NotAllowed as error:
        yield Finding("active profile", "warn", error.message, error.hint)
        return
    yield Finding("active profile", "ok", f"{settings.profile} ({settings.profile_origin}): {settings.base_url}")
    for line in settings.notes:
        yield Finding("settings", "warn", line)
    notes: list[str] = []
    try:
        settings.key.read(notes.append)
    except RoomctlError as error:
        yield Finding("key", "fail", error.message, error.hint)
        return
    origin = settings.origins["api_key"]
    good = f"set, {'built in' if origin == 'built-in' else f'from {origin}'}; `roomctl profile check` tests it"
    yield Finding("key", "warn" if notes else "ok", notes[0] if notes else good)


def _folders(session: Session) -> Iterator[Finding]:
    for kind in ("data", "state", "cache"):
        path, name = session.environment.folder(kind), f"{kind} folder"
        nearest = next(each for each in (path, *path.parents) if each.exists())
        if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
            hint = f"run `chmod u+rwx {nearest}`, or name another folder in ROOMCTL_{kind.upper()}"
            yield Finding(name, "fail", f"cannot be written: {nearest}", hint)
        elif disk_usage(nearest).free < LEAST_SPACE:
            yield Finding(name, "warn", f"less than 100 MB are free at {nearest}", "free some space")
        else:
            yield Finding(name, "ok", f"{path}" if nearest == path else f"{path}, created when needed")


def _journal(session: Session) -> Iterator[Finding]:
    journal = session.journal
    pending, damage = journal.open_entries(), journal.book().damage
    if damage:
        hidden = "" if all(each.torn for each in damage) else " and may hide writes of unknown outcome"
        what = f"{numbered(len(damage), 'lines')} cannot be used{hidden}"
        yield Finding("journal", "warn", what, "`roomctl journal list` names them")
    if pending:
        what = f"{numbered(len(pending), 'writes')} of unknown outcome"
        profiles = sorted({each.profile for each in pending})
        ways = ", ".join(f"`roomctl journal verify --profile {name}`" for name in profiles)
        yield Finding("journal", "warn", what, f"look for their effects: {ways}")
    elif not damage:
        yield Finding("journal", "ok", f"{numbered(len(journal.entries()), 'writes')}, every outcome is known")


def _sandbox(session: Session) -> Iterator[Finding]:
    path = session.sandbox_file
    if damage := damage_of(path):
        hint = f"run `rm {path}`: the file is created again when needed"
        yield Finding("sandbox", "fail", f"{path} is damaged: {damage}", hint)
    else:
        yield Finding("sandbox", "ok", "intact" if path.exists() else "not used yet")


CHECKS = (_config, _active_profile, _folders, _journal, _sandbox)


def _probe(session: Session) -> Answer:
    """Read two lists to their ends, after asking; give what was seen, and the lines of a profile that say it."""
    settings, wrappers = session.settings, set[str]()
    ask(session, [f"about to send some twenty read requests to {settings.base_url}; they change nothing"])
    lists = [_read_to_end(session, operation, wrappers) for operation in (ROOMSET_LIST, RECORDING_LIST)]
    answered = dict.fromkeys(end for _, end in lists if end)
    if not answered and not any(rows for rows, _ in lists):
        first_page(session, RECORDING_LIST)  # raises what keeps the lists from being read
    field = session.client.list_field
    ends = [*dict.fromkeys((*settings.end_of_list, *(each for each in answered if each != "[]")))]
    lines: dict[str, Any] = {"list_field": field} if field != settings.list_field else {}
    lines |= {"end_of_list": ends} if len(ends) > len(settings.end_of_list) else {}
    for name, value in lines.items():
        if settings.profile in RESERVED:
            text = value if name == "list_field" else ",".join(value)
            session.note(f"to apply this, set ROOMCTL_{name.upper()}={text} in the environment")
        else:
            session.note(f"add to profile {settings.profile}: {name} = {json.dumps(value)}")
    if answered and not any(rows for rows, _ in lists):
        session.note("the lists have no rows, so what follows a last page was not seen")
    if not answered:
        session.note("no list was seen to end, so none can be proven complete with this service")
    elif not lines and session.doubt is None:
        session.note("nothing to add to the profile")
    added = [f"{name} = {json.dumps(value)}" for name, value in lines.items()]
    beyond = [*answered] or "not found"
    seen = {"base_url": settings.base_url, "list_field": field, "past_last_page": beyond, "add_to_profile": added}
    return Answer(seen, "Probe")


def _read_to_end(session: Session, operation: Operation, wrappers: set[str]) -> tuple[int, str]:
    """Read a list until a page has no rows; give how many the page before had, and what that page was instead.

    The latter is empty where it proves no end: a refusal does so only behind a page that was not full.
    """
    usual = next(int(param.default or 0) for param in operation.params if param.name == "size")
    before, seen = 0, set[str]()
    for number in range(MOST_PAGES):
        try:
            rows = _page(session, operation, number, wrappers)
        except NotFound:  # so may an empty list be answered
            return 0, ""
        if not rows:
            break
        before, known = len(rows), len(seen)
        if not by_id(rows, operation.identity):
            why = f"the rows have no {operation.row_id}, so roomctl cannot read this service's lists"
            raise Unintelligible(f"{operation.in_words}: {why}", hint="ask the service's operator where the ids are")
        seen |= {*folded_keys(keys_of(rows, operation.row_id))}
        if len(seen) == known:
            why = f"page {number} only repeats rows of earlier pages; the service seems to ignore `page`"
            session.doubt = Partial(f"{UNPROVEN} ({operation.in_words}): {why}")
            break
    else:
        session.note(f"the end of a list was not found ({operation.in_words}): it has {MOST_PAGES} pages or more")
    if rows:
        return before, ""
    if before and _page(session, operation, number + 1, wrappers):
        session.doubt = Partial(f"{UNPROVEN}: page {number} was empty, but page {number + 1} has rows")
        return before, ""
    if not isinstance(rows, Blank):
        return before, "[]"
    if before and not (rows.partial or rows.aside or (rows.refused and before >= usual)):
        return before, rows.answered
    if before:
        why = "was refused after a full page, so more rows may follow" if rows.refused else f"was {rows.said}"
        session.note(f"the end of a list was not found ({operation.in_words}): page {number} {why}")
    return before, ""


def _page(session: Session, operation: Operation, number: int, wrappers: set[str]) -> list[Any]:
    """Read a page; from one that is an object on, the client takes the rows out of its member (one of `wrappers`)."""
    client = session.client
    try:
        rows = client.page(operation, page=number, size=None)
    except Unintelligible as error:
        if not (wrapper := error.details.get("wrapper")):
            raise
        if wrappers:
            why = f"one list is in the field `{wrappers.pop()}` of an object, another in `{wrapper}`"
            raise Unintelligible(why, hint="tell the service's operator: no `list_field` reads both") from None
        client.list_field = wrapper
        rows = client.page(operation, page=number, size=None)
    if isinstance(rows, Wrapped) and client.list_field:
        wrappers.add(client.list_field)
    return rows
