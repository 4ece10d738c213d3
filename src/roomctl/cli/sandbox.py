"""`roomctl sandbox`: the embedded service."""

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from roomctl.cli import faults, judging
from roomctl.cli.lazy import Commands, Context, Example
from roomctl.cli.options import at_least
from roomctl.cli.session import Answer, Session, Text
from roomctl.errors import BadInput, BadValue, WrongCall

if TYPE_CHECKING:
    from pathlib import Path

    from roomctl.sandbox.store import Store

Strict = Annotated[bool, Option("--strict", help="refuse what the interface does not document")]
Lenient = Annotated[bool, Option("--lenient", help="read each gap of the interface kindly: the default")]
Hostile = Annotated[bool, Option("--hostile", help="read each gap as badly as the interface still allows")]
commands = Commands(
    "The sandbox: the whole service, embedded; state is kept between runs. `--sandbox` uses it in process."
)
commands.group("faults", faults.commands)
commands.group("log", judging.commands)
REGISTRATIONS = 250


def opened(session: Session) -> "Store":
    """Open the sandbox's store in the data folder; on its first use it is seeded, and that is said."""
    from roomctl.sandbox.store import Store

    store = Store(_file(session))
    if store.empty:
        from roomctl.sandbox.seed import seed

        summary = seed(store, registrations=REGISTRATIONS)
        session.say("SANDBOX: first use: a small world was made")
        for event in summary.events:
            session.say(f"SANDBOX: event {event.id}  {event.name}  {event.registrations} registrations")
    return store


@commands.verb(
    "serve",
    examples=[
        Example("sandbox serve", 143),
        Example("sandbox serve --port 8400 --key sandbox-test-key", 143),
        Example("sandbox serve --fault drop-after-commit:social.end#1", 143),
        Example("sandbox serve --like spring", 143),
    ],
    exits=[130, 143],
)
def serve(
    ctx: Context,
    port: Annotated[int, Option("--port", parser=at_least(0), metavar="N", help="0: any free port")] = 8400,
    key: Annotated[
        str | None, Option("--key", metavar="KEY", help="a key for tests; never a live one. Else a random one is made")
    ] = None,
    strict: Strict = False,
    lenient: Lenient = False,
    hostile: Hostile = False,
    like: Annotated[
        str | None,
        Option("--like", metavar="NAME", help="answer as services of this framework do: spring"),
    ] = None,
) -> Answer:
    """Serve the sandbox over HTTP on this machine only, for any client, until Ctrl-C.

    Without `--strict`, `--lenient` or `--hostile`, gaps are read as the world was made: `roomctl help gaps`.
    `--like spring` answers as services made with Spring often do: null in fields without a value, 204 behind the last
    page of a list, ids in capitals, and more. It is a set of faults; in process it is `--fault like=spring`.
    """
    import secrets

    from roomctl.profiles.keys import checked_key
    from roomctl.sandbox.faults import TEMPERAMENTS
    from roomctl.sandbox.serve import serve as run

    session: Session = ctx.obj
    reading = _reading(strict, lenient, hostile)
    if port > 65535:
        raise BadValue(f"not a port: {port}", hint="a number from 0 to 65535")
    if like is not None and like not in TEMPERAMENTS:
        raise BadValue(f"`--like` is one of {', '.join(TEMPERAMENTS)}, not {like!r}")
    chosen = checked_key(key, "--key") if key is not None else "sandbox-" + secrets.token_urlsafe(24)

    def ready(bound: int) -> None:
        session.say(f"SANDBOX: http://127.0.0.1:{bound} (Ctrl-C stops it)")
        if key is None:
            session.say(f"SANDBOX: key {chosen}")
        session.say(f"try: ROOMCTL_BASE_URL=http://127.0.0.1:{bound} ROOMCTL_API_KEY=… roomctl roomset list")

    run(
        session.sandbox,
        faults.staged_here(session, *([f"like={like},ttl=0"] if like is not None else [])),
        host="127.0.0.1",
        port=port,
        key=chosen,
        ready=ready,
        say=session.say,
        reading=reading,
    )
    return Answer()


@commands.verb(
    "seed",
    examples=[
        "sandbox seed --yes",
        "sandbox seed --registrations 2000 --seed 7 --clock 2026-11-21T08:00:00Z --yes",
        "sandbox seed --skeleton > world.yaml && roomctl sandbox seed --input world.yaml --yes",
    ],
)
def seed(
    ctx: Context,
    registrations: Annotated[
        int | None,
        Option("--registrations", parser=at_least(0), metavar="N", help="of the main event: 250, up to 1,000,000"),
    ] = None,
    number: Annotated[int, Option("--seed", parser=at_least(0), metavar="N", help="another number, another world")] = 1,
    clock: Annotated[
        str | None,
        Option("--clock", metavar="WHEN", help="stop the sandbox's clock at this moment, to rehearse for it"),
    ] = None,
    source: Annotated[
        str | None, Option("--input", metavar="FILE|-", help="a world of your own, as JSON or YAML")
    ] = None,
    skeleton: Annotated[
        bool, Option("--skeleton", help="print a world as --input takes it, to begin yours from")
    ] = False,
    strict: Strict = False,
    lenient: Lenient = False,
    hostile: Hostile = False,
) -> Answer:
    """Make a world: people, room sets, rooms, events, recordings. The same numbers make the same world.

    What was in the sandbox before is gone, its faults and its log too. Prints the events, whose ids the service itself
    has no operation to list.
    """
    from datetime import UTC, datetime

    from roomctl.cli.times import moment
    from roomctl.sandbox import exampleworld, ownworld
    from roomctl.sandbox.seed import seed as fill
    from roomctl.sandbox.store import Store

    session: Session = ctx.obj
    if skeleton:
        return Answer(Text(exampleworld.EXAMPLE))
    if source is not None and registrations is not None:
        raise WrongCall("`--input` and `--registrations` exclude each other: the file says who registered")
    if registrations is not None and registrations > 1_000_000:
        raise BadValue(f"too many registrations: {registrations}", hint="up to 1,000,000")
    frozen = moment(clock, datetime.now(UTC)) if clock is not None else None
    world = _own(session, source) if source is not None else None
    reading = _reading(strict, lenient, hostile)
    store = Store(_file(session))
    if not store.empty:
        _confirm(session, "about to replace the sandbox's world")
        store.reset()
    faults.begin_anew(session)
    if world is not None:
        summary = ownworld.fill(store, world, seed=number, now=frozen)
    else:
        count = REGISTRATIONS if registrations is None else registrations
        summary = fill(store, registrations=count, seed=number, now=frozen)
    _keep(store, reading)
    return Answer([event._asdict() for event in summary.events], "SandboxEvent")


def _reading(strict: bool, lenient: bool, hostile: bool) -> str:
    """Say how the gaps are to be read; empty where nothing was said. Raises WrongCall."""
    named = [name for name, given in (("strict", strict), ("lenient", lenient), ("hostile", hostile)) if given]
    if len(named) > 1:
        raise WrongCall(f"`--{named[0]}` and `--{named[1]}` exclude each other")
    return "".join(named)


def _keep(store: "Store", reading: str) -> None:
    from roomctl.sandbox.readings import KEPT

    if reading:
        store.set_meta(KEPT, reading)


def _own(session: Session, source: str) -> Any:
    """Read a world, and list all that is wrong with it. Raises BadInput."""
    from roomctl.cli.bodies import read_input
    from roomctl.sandbox.ownworld import problems

    world = read_input(session, source)
    if found := problems(world):
        lines = [f"{each.path}: {each.message}" if each.path else each.message for each in found]
        more = f"; and {len(lines) - 50} more" if len(lines) > 50 else ""
        raise BadInput(
            f"{source} is not a world of the sandbox: " + "; ".join(lines[:50]) + more,
            hint="`roomctl sandbox seed --skeleton` prints one",
            details={"problems": [each._asdict() for each in found]},
        )
    return world


@commands.verb("reset", examples=["sandbox reset --yes", "sandbox reset --yes -q"])
def reset(ctx: Context, strict: Strict = False, lenient: Lenient = False, hostile: Hostile = False) -> Answer:
    """Empty the sandbox, its faults and its log too; its next use seeds it again. Snapshots stay."""
    from roomctl.sandbox.store import Store

    session: Session = ctx.obj
    reading = _reading(strict, lenient, hostile)
    _confirm(session, "about to empty the sandbox")
    store = Store(_file(session))
    store.reset()
    _keep(store, reading)
    store.close()
    faults.begin_anew(session)
    session.note("the sandbox is empty; its next use seeds it again")
    return Answer()


@commands.verb(
    "snapshot",
    examples=["sandbox snapshot before-the-show", "sandbox snapshot"],
)
def snapshot(
    ctx: Context,
    name: Annotated[str | None, Argument(metavar="[NAME]", help="letters, digits, `.`, `_`, `-`; 64 at most")] = None,
) -> Answer:
    """Keep the sandbox's world as it is now under a name; without a name, list what is kept.

    Each is a file in the folder `snapshots` of the data folder. It can be taken while the sandbox is served.
    """
    from roomctl.sandbox import snapshots

    session: Session = ctx.obj
    if name is None:
        return Answer([each._asdict() for each in snapshots.snapshots(_file(session))], "SandboxSnapshot")
    if snapshots.exists(_file(session), name):
        _confirm(session, f"about to replace the snapshot {name}")
    opened(session).close()
    return Answer(snapshots.save(_file(session), name)._asdict(), "SandboxSnapshot")


@commands.verb("restore", examples=["sandbox restore rehearsal --yes", "sandbox restore rehearsal --yes -q"])
def restore(ctx: Context, name: Annotated[str, Argument(metavar="NAME", help="of the snapshot")]) -> Answer:
    """Put a snapshot in place of the sandbox's world. Asks first where changes are in no snapshot.

    It can be done while the sandbox is served: the next request finds the restored world. The faults that stand end
    with the world before, and the log begins anew; faults of `sandbox serve --fault` stay.
    """
    from roomctl.sandbox import snapshots

    session: Session = ctx.obj
    if snapshots.exists(_file(session), name) and snapshots.unsaved(_file(session)):
        _confirm(session, "about to lose what was changed in the sandbox: no snapshot holds it")
    restored = snapshots.restore(_file(session), name)
    faults.begin_anew(session)
    return Answer(restored._asdict(), "SandboxSnapshot")


def _file(session: Session) -> "Path":
    from roomctl.profiles import data_folder

    return data_folder(session.environment) / "sandbox.db"


def _confirm(session: Session, what: str) -> None:
    from roomctl.cli.confirm import ask

    if not session.given.yes:
        ask(session, [what])
