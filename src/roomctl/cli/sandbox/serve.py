"""`roomctl sandbox serve`: the sandbox over HTTP."""

import secrets

from roomctl.cli.command_tree import Commands
from roomctl.cli.options import flag, option
from roomctl.cli.parsers import at_least
from roomctl.cli.sandbox.world import HOSTILE, LENIENT, STRICT, reading_option
from roomctl.cli.session import Answer, Session
from roomctl.errors import BadValue
from roomctl.profiles.keys import check_key
from roomctl.sandbox.faults import TEMPERAMENTS
from roomctl.sandbox.lively import lively as coming_and_going
from roomctl.sandbox.serve import serve as run

commands = Commands()


@commands.verb("serve", exits=[130, 143])
def serve(
    session: Session,
    port: int = option("--port", "the port; 0: any free one", "N", at_least(0), default=8400),
    key: str | None = option("--key", "a key for tests, never a live one; default: a random key", "KEY"),
    strict: bool = STRICT,
    lenient: bool = LENIENT,
    hostile: bool = HOSTILE,
    like: str | None = option("--like", "answer as services built with this framework do: spring", "NAME"),
    lively: bool = flag("--lively", "let people come and go, in the same way for the same world"),
) -> Answer:
    """Serve the sandbox over HTTP on this machine only, for any client, until Ctrl-C.

    Without `--strict`, `--lenient` or `--hostile`, gaps are filled as when the world was created: see `roomctl help
    gaps`. `--like spring` answers as services built with Spring often do: null in fields without a value, 204 past the
    last page of a list, ids in capitals, and more. It is a set of faults; with --sandbox use `--fault like=spring`.
    """
    reading = reading_option(strict, lenient, hostile)
    if port > 65535:
        raise BadValue(f"{port} is not a port", hint="give a number from 0 to 65535")
    if like is not None and like not in TEMPERAMENTS:
        raise BadValue(f"`--like` is one of {', '.join(TEMPERAMENTS)}, not {like!r}")
    session.given.fault += [f"like={like},ttl=0"] if like is not None else []
    chosen = check_key(key, "--key") if key is not None else "sandbox-" + secrets.token_urlsafe(24)

    def ready(bound: int) -> None:
        session.say(f"SANDBOX: http://127.0.0.1:{bound} (Ctrl-C stops it)")
        if key is None:
            session.say(f"SANDBOX: key {chosen}")
        session.say(f"try: ROOMCTL_BASE_URL=http://127.0.0.1:{bound} ROOMCTL_API_KEY=… roomctl roomset list")

    store, stage = session.sandbox, session.stage
    people = coming_and_going(store) if lively else None
    run(store, stage, port=port, key=chosen, ready=ready, say=session.say, strictness=reading, people=people)
    return Answer()
