"""`roomctl sandbox faults`: what goes wrong in the sandbox, until it has ended or is cleared."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.options import argument, option
from roomctl.cli.request_body import read_input
from roomctl.cli.session import Answer, Session
from roomctl.errors import WrongCall
from roomctl.sandbox.faults import CONDITIONS, EFFECTS, TEMPERAMENTS, parse, read_all

commands = Commands("Faults in the sandbox: lost answers, refusals, slow and broken replies, changing lists.")


@commands.verb("list")
def list_(session: Session) -> Answer:
    """List the active faults, in the order in which they are tried, and how often each matched and was applied."""
    stage = session.open_stage()
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
    stage.close()
    return Answer(rows, "SandboxFault")


@commands.verb("add")
def add(
    session: Session,
    faults: list[str] | None = argument("[FAULT]...", "effects:operation#which", default=None),
    source: str | None = option("--from", "faults from YAML or JSON: a list, or `seed` and `faults`", "FILE|-"),
) -> Answer:
    """Add faults: the next commands with --sandbox and a sandbox that is being served apply them at once.

    A fault is an effect, a colon, the operation (its name, read, write, *, or a /path), and # with the number of the
    request: drop-after-commit:social.end#1 loses the answer to the first request that ends a room. Separate effects and
    conditions with commas; `sandbox faults words` lists them. If several faults match, the first is applied, and `like`
    in addition. A fault ends after `times` requests, after `ttl` seconds, or else after an hour.
    """
    found = [parse(text) for text in faults or ()]
    if source is not None:
        found += read_all(read_input(session, source))
    if not found:
        raise WrongCall("give faults, or `--from FILE`", hint="`roomctl sandbox faults words` lists them")
    stage = session.open_stage()
    stage.add(found)
    stage.close()
    for each in found:
        session.note(f"SANDBOX: fault: {each}")
    return Answer()


@commands.verb("clear")
def clear(session: Session) -> Answer:
    """Remove all faults."""
    stage = session.open_stage()
    count = stage.clear()
    stage.close()
    session.note(f"SANDBOX: faults cleared: {count}")
    return Answer()


@commands.verb("words")
def words(session: Session) -> Answer:  # noqa: ARG001  (a command's first parameter)
    """List the words of a fault: its effects, its conditions, and what `like` stands for."""
    found = [("effect", name, word.kind, word.meaning) for name, word in EFFECTS.items()]
    found += [("condition", name, word.kind, word.meaning) for name, word in CONDITIONS.items()]
    found += [("temperament", f"like={name}", "flag", "  ".join(each)) for name, each in TEMPERAMENTS.items()]
    rows = [{"word": name, "is": what, "value": kind, "meaning": meaning} for what, name, kind, meaning in found]
    return Answer(rows, "FaultWord")
