"""`roomctl roomset plan`: what `apply` would do, and nothing of it."""

from roomctl.cli.events.evening import load, look
from roomctl.cli.session import Answer, Session
from roomctl.errors import ExpectationFailed, OutcomeUnknown, Partial, RoomctlError
from roomctl.events.plan import SYMBOLS, Choices
from roomctl.output.values import numbered


def plan_of(
    session: Session, file: str, tz: str | None, results: str | None, choices: Choices, *, check: bool
) -> Answer:
    """Make the plan of a file; with `check`, fail where anything differs. Raises errors.*."""
    evening = load(session, file, tz)
    seen = look(session, evening, choices, results)
    session.doubt = session.doubt or seen.doubt
    steps = [{**each.shown(), "symbol": SYMBOLS[each.action]} for each in seen.steps]
    kept = {
        "plan": 1,
        "file": file,
        "sha256": evening.digest,
        "service": session.settings.base_url,
        "choices": choices._asdict(),
        "tz": tz,
        "steps": steps,
    }
    first, number = seen.steps[0], sum(each.differs for each in seen.steps)
    failure: RoomctlError | None = None
    if first.action == "unknown" and first.id:
        failure = Partial(f"whether room set {evening.name!r} still stands is not known: {first.why}")
    elif first.action == "unknown":
        failure = OutcomeUnknown(f"whether room set {evening.name!r} was made is not known: {first.why}")
    elif check and number and seen.doubt is None:
        hint = f"`roomctl roomset apply {file}`" if any(each.sends for each in seen.steps) else ""
        differ = "differs" if number == 1 else "differ"
        failure = ExpectationFailed(f"{numbered(number, 'steps')} {differ} from the file", hint=hint)
    whole = session.output_format() in ("json", "yaml")
    return Answer(kept if whole else steps, "PlanStep", failure, picture="plan", around=kept)
