"""`roomctl roomset plan`: what `apply` would do, and nothing of it."""

from roomctl.cli.command_tree import Commands
from roomctl.cli.events.event_file import ZONE, load, look
from roomctl.cli.options import argument, flag, option
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET
from roomctl.errors import ExpectationFailed, OutcomeUnknown, Partial, RoomctlError
from roomctl.events.plan import SYMBOLS, Choices, sealed
from roomctl.text.counted import numbered

commands = Commands()


@commands.verb("plan", shows=["PlanStep"], calls=[ROOMSET_LIST, RULES_GET], exits=[7, 8])
def plan(
    session: Session,
    file: str = argument("FILE|-", "an event file, YAML or JSON"),
    check: bool = flag("--check", "exit 8 if anything differs"),
    tz: str | None = ZONE,
    results: str | None = option("--results", "read the results of an earlier apply from this file", "FILE"),
    send_unseen: bool = flag("--send-unseen", "plan to send invitations, playlists etc., even if they may exist"),
    retry_unknown: bool = flag("--retry-unknown", "plan to resend writes of unknown outcome"),
) -> Answer:
    """Show what `roomset apply` would do to make a room set match a file. It sends no writes.

    `+` means create, `~` change, `=` no change, `!` not possible (the service has no operation that changes a room),
    and `?` not shown by the service: invitations, playlists, images, themes that no room uses, entry rules that no room
    names, fields missing from every room. With --check, `?` counts as a difference only if the outcome of an earlier
    run is unknown.

    `--to plan.json` saves the plan; `roomset apply --plan plan.json` does exactly what it says.
    """
    evening, choices = load(session, file, tz), Choices(send_unseen, retry_unknown)
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
        failure = Partial(f"it is not known whether room set {evening.name!r} still exists: {first.why}")
    elif first.action == "unknown":
        failure = OutcomeUnknown(f"it is not known whether room set {evening.name!r} was created: {first.why}")
    elif check and number and seen.doubt is None:
        hint = f"`roomctl roomset apply {file}`" if any(each.sends for each in seen.steps) else ""
        differ = "differs" if number == 1 else "differ"
        failure = ExpectationFailed(f"{numbered(number, 'steps')} {differ} from the file", hint=hint)
    whole = session.output_format() in ("json", "yaml")
    return Answer(sealed(kept) if whole else steps, "PlanStep", failure, picture="plan", around=kept)
