"""`roomctl doctor`: whether this machine is ready; with `--probe`, what the service shows of what is not documented."""

import os
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, NamedTuple

from typer import Option

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.parsers import an_id
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, ROOMSET_LIST, USER_GET
from roomctl.errors import BadConfig, NotAllowed, RoomctlError, WrongCall
from roomctl.output.values import numbered
from roomctl.profiles.settings import resolve

commands = Commands()
LIBRARIES = ("typer", "rich", "httpx", "pydantic", "msgspec", "PyYAML", "tomlkit", "uvicorn", "jmespath")
EARLIEST = datetime(2025, 1, 1, tzinfo=UTC)
AHEAD = timedelta(minutes=5)
LITTLE = 100 * 1024 * 1024


@commands.verb(
    "doctor",
    calls=[ROOMSET_LIST, RECORDING_LIST, REGISTRATION_LIST, USER_GET],
    examples=["doctor", "doctor -o json --query \"[?state!='ok']\"", "doctor --probe --yes"],
    never=[6],
)
def doctor(
    ctx: Context,
    probe: Annotated[bool, Option("--probe", help="ask the service, with reads only, and keep what it shows")] = False,
    event: Annotated[
        str | None, Option("--event", parser=an_id, metavar="EVENT", help="with --probe: a long list to page through")
    ] = None,
) -> Answer:
    """Check this machine: config, profiles, key, folders, clock, journal, sandbox; each with the next step.

    Nothing is sent, and exit 2 says that something has to be mended. With --probe a handful of reads finds out what
    the service does where it is not documented: the largest page, the number of the first one, how a list ends and
    whether it is wrapped, the form of an error, the names that `--sort` takes. What was seen is kept for each service
    in the state folder, and lists ask for no larger pages than it gives; lines that the profile needs are printed.
    """
    session: Session = ctx.obj
    if event is not None and not probe:
        raise WrongCall("`--event` is for `--probe`: nothing was asked", hint="add `--probe`")
    if probe:
        from roomctl.cli.probing import probed

        return Answer(probed(session, event), "Probe")
    found = list(findings(session))
    failed = [each for each in found if each.state == "fail"]
    names = ", ".join(dict.fromkeys(each.check for each in failed))
    failure = BadConfig(f"to be mended: {names}", hint="each says how, in `next`") if failed else None
    return Answer([each._asdict() for each in found], "Finding", failure, picture="checklist")


class Finding(NamedTuple):
    """What a check has seen: `state` is ok, warn or fail; `next` is what to do, empty where there is nothing to do."""

    check: str
    state: str
    what: str
    next: str = ""


def findings(session: Session) -> Iterator[Finding]:
    """Run every check; one that cannot look is a failed one."""
    for check in CHECKS:
        try:
            yield from check(session)
        except RoomctlError as error:
            yield Finding(check.__name__.strip("_"), "fail", error.message, error.hint)
        except OSError as error:
            yield Finding(check.__name__.strip("_"), "fail", f"{error.strerror or error}".lower())


def _python(_: Session) -> Iterator[Finding]:
    yield Finding("python", "ok", f"{'.'.join(map(str, sys.version_info[:3]))} on {sys.platform}")


def _libraries(_: Session) -> Iterator[Finding]:
    from importlib.metadata import PackageNotFoundError, version

    found, missing = {}, []
    for name in LIBRARIES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            missing.append(name)
    listed = ", ".join(f"{name} {number}" for name, number in found.items())
    if missing:
        yield Finding("libraries", "fail", f"missing: {', '.join(missing)}", f"`pip install {' '.join(missing)}`")
    elif not found["typer"].startswith("0.28"):
        yield Finding("libraries", "warn", listed, 'a slower start: `pip install "typer<0.29"`')
    else:
        yield Finding("libraries", "ok", listed)


def _config(session: Session) -> Iterator[Finding]:
    from roomctl.profiles.configfile import profiles_of, read
    from roomctl.profiles.profile import RESERVED

    path = session.environment.config_file
    if not path.exists():
        yield Finding("config", "ok", f"{path} is not there yet", "`roomctl profile add` makes it")
        return
    found = profiles_of(read(path), path)
    yield Finding("config", "ok", f"{path}, which only you can read")
    for name, values in found.items():
        if name not in RESERVED:
            yield _profile(session, name, values, f"profile {name} in {path}")


def _profile(session: Session, name: str, values: object, where: str) -> Finding:
    """Check all that a profile says, and that it can be used."""
    from roomctl.profiles.profile import validate

    try:
        if isinstance(values, dict):
            validate(values, where)
        settings = resolve(session.environment, profile=name)
    except RoomctlError as error:
        return Finding("profile", "fail", error.message, error.hint or "mend it in the config file")
    return Finding("profile", "ok", f"{name}: {settings.base_url}, key from {settings.origins['api_key']}")


def _active(session: Session) -> Iterator[Finding]:
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
        settings.api_key(notes.append)
    except RoomctlError as error:
        yield Finding("key", "fail", error.message, error.hint)
        return
    usable = f"can be used, from {settings.origins['api_key']}; `roomctl profile check` asks the service"
    yield Finding("key", "warn" if notes else "ok", notes[0] if notes else usable)


def _folders(session: Session) -> Iterator[Finding]:
    yield _folder("data", session.environment.folder("data"))
    yield _folder("state", session.environment.folder("state"))
    yield _folder("cache", session.environment.folder("cache"))


def _folder(name: str, path: Path) -> Finding:
    from shutil import disk_usage

    there = next(each for each in (path, *path.parents) if each.exists())
    if not (there.is_dir() and os.access(there, os.W_OK | os.X_OK)):
        hint = f"`chmod u+rwx`, or ROOMCTL_{name.upper()}"
        return Finding(f"{name} folder", "fail", f"cannot be written: {there}", hint)
    if disk_usage(there).free < LITTLE:
        return Finding(f"{name} folder", "warn", f"less than 100 MB are free at {there}", "make room")
    return Finding(f"{name} folder", "ok", f"{path}" if there == path else f"{path}, made when it is needed")


def _clock(session: Session) -> Iterator[Finding]:
    from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

    now = datetime.now(UTC)
    told = f"{now:%Y-%m-%d %H:%M} UTC"
    if now < EARLIEST:
        yield Finding("clock", "fail", f"it is not {told}", "set this machine's clock")
    elif latest := _ahead(session, now):
        yield Finding("clock", "warn", f"{told}, and the journal has an entry of {latest}", "set this machine's clock")
    else:
        yield Finding("clock", "ok", told)
    try:
        ZoneInfo("Europe/Berlin")
    except ZoneInfoNotFoundError:
        yield Finding("time zones", "fail", "this system knows none", "`pip install tzdata`")
    else:
        yield Finding("time zones", "ok", "known")


def _ahead(session: Session, now: datetime) -> str:
    try:
        times = [entry.planned for entry in session.journal.entries()[:20]]
        return next((time for time in times if datetime.fromisoformat(time) > now + AHEAD), "")
    except (RoomctlError, ValueError):
        return ""


def _encoding(session: Session) -> Iterator[Finding]:
    found = (getattr(session.streams.stdout, "encoding", None) or "utf-8").lower().replace("_", "-")
    if found in ("utf-8", "utf8"):
        yield Finding("encoding", "ok", "UTF-8")
    else:
        yield Finding("encoding", "warn", f"{found}: some names are written as escapes", "`export PYTHONUTF8=1`")


def _terminal(session: Session) -> Iterator[Finding]:
    out, environment = session.streams.stdout, session.environment
    if out is None or not out.isatty():
        yield Finding("terminal", "ok", "none: tables are tab-separated, nothing is asked")
        return
    plain = environment.get("NO_COLOR") or environment.get("TERM") == "dumb"
    yield Finding("terminal", "ok", f"{environment.get('TERM') or 'TERM is not set'}, {'no ' if plain else ''}colours")


def _completion(session: Session) -> Iterator[Finding]:
    from shutil import which

    if which("roomctl", path=session.environment.get("PATH", "")) is None:
        yield Finding("command", "warn", "`roomctl` is not on PATH", "add the folder of the command to PATH")
    seen = session.environment.folder("cache") / "completion" / "ids"
    if seen.exists():
        yield Finding("completion", "ok", f"Tab knows {numbered(len(seen.read_bytes().splitlines()), 'names and ids')}")
    else:
        yield Finding("completion", "ok", "no ids are known to Tab yet", "`roomctl completion --help` sets it up")


def _journal(session: Session) -> Iterator[Finding]:
    journal = session.journal
    pending, damage = journal.open_entries(), journal.damage()
    if damage:
        told = f"{numbered(len(damage), 'lines')} cannot be used"
        yield Finding("journal", "warn", told, "`roomctl journal list` names them")
    if pending:
        told = f"{numbered(len(pending), 'writes')} without a known outcome"
        yield Finding("journal", "warn", told, "`roomctl journal verify` reads what can be read back")
    elif not damage:
        yield Finding("journal", "ok", f"{numbered(len(journal.entries()), 'writes')}, every outcome is known")


def _sandbox(session: Session) -> Iterator[Finding]:
    from roomctl.sandbox.database import damage as damage_of

    path = session.environment.folder("data") / "sandbox.db"
    if fault := damage_of(path):
        hint = f"`rm {path}`: it is made again when it is used"
        yield Finding("sandbox", "fail", f"{path} is damaged: {fault}", hint)
    else:
        yield Finding("sandbox", "ok", "whole" if path.exists() else "not used yet")


CHECKS: tuple[Callable[[Session], Iterator[Finding]], ...] = (
    _python,
    _libraries,
    _config,
    _active,
    _folders,
    _clock,
    _encoding,
    _terminal,
    _completion,
    _journal,
    _sandbox,
)
