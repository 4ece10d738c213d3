"""`roomctl sandbox seed`, `reset`, `snapshot`, `restore`: the world of the sandbox."""

from datetime import UTC, datetime
from pathlib import Path

from roomctl.cli.command_tree import Commands
from roomctl.cli.confirm import ask
from roomctl.cli.options import argument, flag, option
from roomctl.cli.parsers import at_least
from roomctl.cli.progress import progress
from roomctl.cli.request_body import parse_document, read_text
from roomctl.cli.session import JSON, REGISTRATIONS, Answer, Session, Text
from roomctl.cli.time_values import moment
from roomctl.errors import BadInput, BadValue, WrongCall
from roomctl.output.values import first, numbered
from roomctl.sandbox import snapshots
from roomctl.sandbox.gaps import SETTING
from roomctl.sandbox.seed import seed as generate
from roomctl.sandbox.store import Store
from roomctl.sandbox.world import example, fill, problems

STRICT = flag("--strict", "refuse what the interface does not document")
LENIENT = flag("--lenient", "fill each gap of the interface in a lenient way: the default")
HOSTILE = flag("--hostile", "fill each gap in the worst way that the interface allows")
commands = Commands()


@commands.verb("seed")
def seed(
    session: Session,
    registrations: int | None = option(
        "--registrations", "registrations of the main event, up to 1,000,000; default: 250", "N", at_least(0)
    ),
    number: int = option("--seed", "a different number creates a different world", "N", at_least(0), default=1),
    clock: str | None = option("--clock", "set the sandbox's clock to this time and stop it", "WHEN"),
    source: str | None = option("--input", "a world of your own, or an event file, as JSON or YAML", "FILE|-"),
    skeleton: bool = flag("--skeleton", "print a world in the form that --input takes, as a template"),
    strict: bool = STRICT,
    lenient: bool = LENIENT,
    hostile: bool = HOSTILE,
) -> Answer:
    """Create a world: people, room sets, rooms, events, recordings. The same options create the same world.

    If `--input` is an event file, as written by `roomset export`, the world has the room set of that file, and the
    people it invites.

    This replaces everything in the sandbox, its faults and its log. Prints the events, because the service has no
    operation that lists their ids.
    """
    if skeleton:
        return Answer(Text(example()))
    if source is not None and registrations is not None:
        raise WrongCall("`--input` and `--registrations` cannot be used together: the file says who registered")
    if registrations is not None and registrations > 1_000_000:
        raise BadValue(f"too many registrations: {registrations}", hint="up to 1,000,000")
    frozen = moment(clock, datetime.now(UTC)) if clock is not None else None
    world = _own_world(session, source) if source is not None else None
    reading = reading_option(strict, lenient, hostile)
    store = Store(session.sandbox_file)
    if not store.empty and not session.given.yes:
        ask(session, ["about to replace the sandbox's world"], done="changed")
    _empty(session, store, reading)
    if world is not None:
        summary = fill(store, world, seed=number, now=frozen)
    else:
        count = REGISTRATIONS if registrations is None else registrations
        again = "the sandbox is empty now: run the same command again"
        with progress(session, "registrations", count, resume=again) as counted:
            summary = generate(store, registrations=count, seed=number, now=frozen, tell=counted.update)
    return Answer([event._asdict() for event in summary.events], "SandboxEvent")


def reading_option(strict: bool, lenient: bool, hostile: bool) -> str:
    """Say how the gaps are to be read; empty where nothing was said. Raises WrongCall."""
    named = [name for name, given in (("strict", strict), ("lenient", lenient), ("hostile", hostile)) if given]
    if len(named) > 1:
        raise WrongCall(f"`--{named[0]}` and `--{named[1]}` cannot be used together", hint="leave one of them out")
    return "".join(named)


def _own_world(session: Session, source: str) -> JSON:
    """Read a world, or an event file as one, and list all that is wrong with it. Raises BadInput."""
    world = parse_document(text := read_text(session, source), source)
    if isinstance(world, dict) and "room_set" in world:
        from roomctl.cli.events.evening import usable
        from roomctl.events.evening import read
        from roomctl.events.world import world_of

        return world_of(usable(*read(Path(source), text)))
    if found := problems(world):
        lines = [f"{path}: {message}" if path else message for path, message in found]
        raise BadInput(
            f"{source} is not a world for the sandbox: " + "; ".join(first(lines, 50)),
            hint="`roomctl sandbox seed --skeleton` prints one",
            details={"problems": [{"path": path, "message": message} for path, message in found]},
        )
    return world


@commands.verb("reset")
def reset(session: Session, strict: bool = STRICT, lenient: bool = LENIENT, hostile: bool = HOSTILE) -> Answer:
    """Empty the sandbox, its faults and its log; the next use seeds it again. Snapshots stay."""
    reading = reading_option(strict, lenient, hostile)
    if not session.given.yes:
        ask(session, ["about to empty the sandbox"], done="changed")
    store = Store(session.sandbox_file)
    _empty(session, store, reading)
    store.close()
    session.note("the sandbox is empty; the next use seeds it again")
    return Answer()


@commands.verb("snapshot")
def snapshot(
    session: Session, name: str | None = argument("[NAME]", "letters, digits, `.`, `_`, `-`; 64 at most", default=None)
) -> Answer:
    """Save the sandbox's world under a name; without a name, list the snapshots.

    Each snapshot is a file in the folder `snapshots` of the data folder. This works while the sandbox is being served.
    """
    store = session.sandbox_file
    if name is None:
        return Answer([each._asdict() for each in snapshots.snapshots(store)], "SandboxSnapshot")
    if snapshots.exists(store, name) and not session.given.yes:
        ask(session, [f"about to replace the snapshot {name}"], done="changed")
    session.sandbox.close()
    return Answer(snapshots.save(store, name)._asdict(), "SandboxSnapshot")


@commands.verb("restore")
def restore(session: Session, name: str = argument("NAME", "the snapshot's name")) -> Answer:
    """Replace the sandbox's world with a snapshot.

    This works while the sandbox is being served: the next request finds the restored world. Active faults and the log
    are cleared; faults of `sandbox serve --fault` stay.
    """
    store = session.sandbox_file
    if not session.given.yes and snapshots.exists(store, name):
        ask(session, ["about to replace the sandbox's world"], done="changed")
    with progress(session) as restoring:
        restoring.update(0, f"restoring {name}")
        restored = snapshots.restore(store, name)
    _begin_anew(session)
    return Answer(restored._asdict(), "SandboxSnapshot")


def _empty(session: Session, store: Store, reading: str) -> None:
    """Empty a store, end its faults, and keep how its gaps are to be read."""
    store.reset()
    if reading:
        store.set_meta(SETTING, reading)
    _begin_anew(session)


def _begin_anew(session: Session) -> None:
    """End the faults and empty the log, for another world: a list that had changed would not be as it was kept.

    What `serve --fault` said stays with the sandbox that is served.
    """
    stage = session.open_stage()
    ended = sum(map(stage.is_active, stage.faults()))
    stage.clear()
    stage.forget()
    stage.close()
    if ended:
        session.note(f"SANDBOX: removed {numbered(ended, 'faults')}")
