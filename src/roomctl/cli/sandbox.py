"""`roomctl sandbox`: the sandbox: its world, its faults, its log, and the same over HTTP."""

import secrets
from collections.abc import Sequence
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from pathlib import Path

from roomctl.cli.confirm import ask
from roomctl.cli.options import Commands, Takes, argument, flag, option
from roomctl.cli.parsers import at_least
from roomctl.cli.progress import progress
from roomctl.cli.request_body import parse_document, read_input, read_text
from roomctl.cli.session import JSON, REGISTRATIONS, Answer, Session, Text
from roomctl.cli.time_values import moment
from roomctl.errors import BadInput, Partial, RoomctlError, WrongCall
from roomctl.exports.part import doing
from roomctl.profiles.keys import check_key
from roomctl.sandbox import judge as judging
from roomctl.sandbox import snapshots
from roomctl.sandbox.app import build
from roomctl.sandbox.fault_effects import words_of
from roomctl.sandbox.faults import TEMPERAMENTS, effects, parse, read_all
from roomctl.sandbox.gaps import LEVELS, SETTING
from roomctl.sandbox.seed import seed as generate
from roomctl.sandbox.serve import Server
from roomctl.sandbox.serve import lively as coming_and_going
from roomctl.sandbox.store import Store
from roomctl.sandbox.world import example, fill, problems
from roomctl.text.counted import first, numbered
from roomctl.text.times import stamp


class ReadingOptions:
    strict: bool = option("--strict", excludes="--lenient --hostile")
    lenient: bool = option("--lenient", excludes="--hostile")
    hostile: bool = option("--hostile")


READING = Takes("Options", ReadingOptions)
commands = Commands(
    "The sandbox: a simulated service, built into roomctl; its data is kept between runs. With `--sandbox`, a "
    "command uses it; no server is needed."
)
faults = Commands("Faults in the sandbox: lost, slow and broken replies, refusals, changing lists.")


@commands.verb("serve", takes=[READING], exits=[143])
def serve(
    session: Session,
    port: int = option("--port", "N", at_least(0, 65535), default=8400),
    key: str | None = option("--key", "KEY"),
    like: str | None = option("--like", values=tuple(TEMPERAMENTS)),
    lively: bool = flag("--lively"),
) -> None:
    """Serve the sandbox over HTTP on this machine only, for any client, until Ctrl-C."""
    session.given.fault += [f"like={like},ttl=0"] if like is not None else []
    chosen = check_key(key, "--key") if key is not None else "sandbox-" + secrets.token_urlsafe(24)

    session.parting = "\nSANDBOX: stopped"
    store = session.sandbox
    app = build(store, chosen, session.stage, strictness=_reading(session), tell=session.say)
    with Server(app, port) as server, coming_and_going(store) if lively else nullcontext():
        session.say(f"SANDBOX: http://127.0.0.1:{server.port} (Ctrl-C stops it)")
        shown = chosen if key is None else "'the key given with --key'"
        session.say(f"export ROOMCTL_BASE_URL=http://127.0.0.1:{server.port} ROOMCTL_API_KEY={shown}")
        server.serve_forever()


@commands.verb("seed", takes=[READING])
def seed(
    session: Session,
    registrations: int = option("--registrations", "N", at_least(0, 1_000_000), default=REGISTRATIONS),
    number: int = option("--seed", "N", at_least(0), default=1),
    clock: str | None = option("--clock", "WHEN"),
    source: str | None = option("--input", "FILE|-", excludes="--registrations"),
    skeleton: bool = flag("--skeleton"),
) -> Answer:
    """Create a world: people, room sets, rooms, events, recordings. The same options create the same world."""
    if skeleton:
        return Answer(Text(example()))
    frozen = moment(clock, datetime.now(UTC)) if clock is not None else None
    world = _own_world(session, source) if source is not None else None
    store = Store(session.sandbox_file)
    if not store.empty:
        ask(session, ["about to replace the sandbox's world"], done="changed")
    _empty(session, store)
    if world is not None:
        events = fill(store, world, seed=number, now=frozen)
    else:
        again = "the sandbox is empty now: run the same command again"
        with progress(session, "registrations", registrations, resume=again) as counted:
            events = generate(store, registrations=registrations, seed=number, now=frozen, tell=counted.update)
    return Answer([event._asdict() for event in events], "SandboxEvent")


def _reading(session: Session) -> str:
    return next((name for name in LEVELS if f"--{name}" in session.given.typed), "")


def _own_world(session: Session, source: str) -> JSON:
    world = parse_document(text := read_text(session, source), source)
    if isinstance(world, dict) and "room_set" in world:
        from roomctl.cli.events.event_file import require_valid
        from roomctl.events.event_file import read, world_of

        return world_of(require_valid(*read(Path(source), text)))
    if found := problems(world):
        lines = [f"{path}: {message}" if path else message for path, message in found]
        raise BadInput(
            f"{source} is not a world for the sandbox: " + "; ".join(first(lines, 50)),
            hint="`roomctl sandbox seed --skeleton` prints one",
            details={"problems": [{"path": path, "message": message} for path, message in found]},
        )
    return world


@commands.verb("reset", takes=[READING])
def reset(session: Session) -> None:
    """Empty the sandbox, and clear its faults and its log; the next use seeds it again. Snapshots are kept."""
    ask(session, ["about to empty the sandbox"], done="changed")
    with closing(Store(session.sandbox_file)) as store:
        _empty(session, store)
    session.note("the sandbox is empty; the next use seeds it again")


@commands.verb("snapshot")
def snapshot(session: Session, name: str | None = argument("[NAME]")) -> Answer:
    """Save the sandbox's world under a name; without a name, list the snapshots."""
    store = session.sandbox_file
    if name is None:
        return Answer(snapshots.snapshots(store), "SandboxSnapshot")
    if snapshots.exists(store, name):
        ask(session, [f"about to replace the snapshot {name}"], done="changed")
    session.sandbox.close()
    return Answer(snapshots.save(store, name), "SandboxSnapshot", done=f"saved snapshot {name}")


@commands.verb("restore")
def restore(session: Session, name: str = argument("NAME")) -> Answer:
    """Replace the sandbox's world with a snapshot."""
    store = session.sandbox_file
    if snapshots.exists(store, name):
        ask(session, ["about to replace the sandbox's world"], done="changed")
    with progress(session) as restoring:
        restoring.update(0, f"restoring {name}")
        restored = snapshots.restore(store, name)
    _begin_anew(session)
    return Answer(restored, "SandboxSnapshot", done=f"restored snapshot {name}")


def _empty(session: Session, store: Store) -> None:
    store.reset()
    if reading := _reading(session):
        store.set_meta(SETTING, reading)
    _begin_anew(session)


def _begin_anew(session: Session) -> None:
    """End the faults and empty the log, for another world; those of `serve --fault` stay with what is served."""
    with closing(session.open_stage()) as stage:
        ended = sum(map(stage.is_active, stage.faults()))
        stage.clear()
        stage.forget()
    if ended:
        session.note(f"SANDBOX: removed {numbered(ended, 'faults')}")


@faults.verb("list")
def list_(session: Session) -> Answer:
    """List the active faults, in the order in which they are tried, and how often each matched and was applied."""
    with closing(session.open_stage()) as stage:
        rows = [
            {
                "id": each.number,
                "fault": str(each.fault),
                "state": "active" if stage.is_active(each) else "ended",
                "matched": each.seen,
                "applied": each.fired,
                "match": dict(each.fault.match),
                "effects": dict(each.fault.fault),
            }
            for each in stage.faults()
        ]
    return Answer(rows, "SandboxFault")


@faults.verb("add")
def add(
    session: Session, words: list[str] | None = argument("[FAULT]..."), source: str | None = option("--from", "FILE|-")
) -> None:
    """Add faults: later commands with --sandbox, and a running sandbox server, apply them immediately."""
    found = [parse(text) for text in words or ()]
    if source is not None:
        found += read_all(read_input(session, source))
    if not found:
        raise WrongCall("give faults, or `--from FILE`", hint="`roomctl sandbox faults words` lists them")
    with closing(session.open_stage()) as stage:
        stage.add(found)
    for each in found:
        session.note(f"SANDBOX: fault {each}")


@faults.verb("clear")
def clear(session: Session) -> None:
    """Remove all faults."""
    with closing(session.open_stage()) as stage:
        session.note(f"SANDBOX: faults cleared: {stage.clear()}")


@faults.verb("words")
def words_(session: Session) -> Answer:  # noqa: ARG001  (a command's first parameter)
    """List the words that make up a fault: effects, conditions, and what `like` stands for."""
    found = [("effect", name, word.kind, word.meaning) for name, word in effects().items()]
    found += [("condition", name, word.kind, word.meaning) for name, word in words_of("conditions").items()]
    found += [("preset", f"like={name}", "flag", "  ".join(each)) for name, each in TEMPERAMENTS.items()]
    rows = [{"word": name, "kind": what, "value": kind, "meaning": meaning} for what, name, kind, meaning in found]
    return Answer(rows, "FaultWord")


commands.members["faults"] = faults


@commands.verb("log", exits=[6])
def log(
    session: Session,
    judge: bool = flag("--judge"),
    junit: str | None = option("--junit", "FILE", needs="--judge"),
    after: int = option("--after", "N", at_least(0), default=0),
    clear: bool = flag("--clear", "--judge --after"),
) -> Answer:
    """Show every request to the sandbox: its time, operation and status, whether it took effect, and the
    fault applied.
    """
    with closing(session.open_stage()) as stage:
        if clear:
            session.note(f"SANDBOX: removed {numbered(stage.forget(), 'requests')} from the log")
            return Answer()
        entries = stage.log(after)
    if not judge:
        rows = [entry | {name: stamp(entry[name]) for name in ("at", "answered")} for entry in entries]
        return Answer(rows, "SandboxRequest")
    mistakes = judging.judge(entries)
    if junit is not None:
        with doing("write", Path(junit)):
            Path(junit).write_text(judging.junit(judging.cases(mistakes), "roomctl sandbox log"), encoding="utf-8")
    if not entries:
        hint = "check that this is the sandbox you used: `roomctl help files` shows its folder"
        return Answer([], "Mistake", Partial("there were no requests to judge", hint=hint))
    session.note(f"SANDBOX: {numbered(len(entries), 'requests')} judged, {numbered(len(mistakes), 'mistakes')}")
    return Answer([each._asdict() for each in mistakes], "Mistake", verdict([each.rule for each in mistakes]))


def verdict(kinds: Sequence[str], who: str = "client") -> RoomctlError | None:
    """Make the failure that mistakes of some kinds are, with what to do about each kind; None where there are none."""
    if not kinds:
        return None
    advice = [judging.ADVICE[each] for each in dict.fromkeys(kinds)]
    return Partial(f"the {who} made {numbered(len(kinds), 'mistakes')}", hint="; ".join(advice))
