"""`roomctl roomset plan`: what `apply` would do, and nothing of it."""

from typing import Annotated, Any

from typer import Argument, Option

from roomctl.cli.lazy import Context
from roomctl.cli.session import Answer, Session
from roomctl.errors import ExpectationFailed, OutcomeUnknown, RoomctlError

JSON = Any
EventFile = Annotated[str, Argument(metavar="FILE", help="an event file, YAML or JSON")]
Zone = Annotated[
    str | None, Option("--tz", metavar="ZONE", help="the zone of times without one, where the file names none")
]
Unseen = Annotated[
    bool, Option("--send-unseen", help="send what the service does not show, though it may be there already")
]
RetryUnknown = Annotated[
    bool, Option("--retry-unknown", help="send steps again whose outcome is unknown; they may take effect twice")
]
Results = Annotated[
    str | None, Option("--results", metavar="FILE", help="what became of each step; an earlier one is read first")
]


def plan(
    ctx: Context,
    file: EventFile,
    check: Annotated[bool, Option("--check", help="exit 8 where anything differs")] = False,
    tz: Zone = None,
    results: Results = None,
    send_unseen: Unseen = False,
    retry_unknown: RetryUnknown = False,
) -> Answer:
    """Show what `roomset apply` would do to bring a room set to what a file says. Nothing is sent but reads.

    `+` is created, `~` changed, `=` the same; `!` cannot be done, for the service has no operation that changes a room;
    `?` is not shown by the service: invitations, playlists, themes that no room wears, entry rules that no room names,
    images. These do not count for --check.

    `--to plan.json` keeps the plan: `roomset apply --plan plan.json` does that and nothing else.
    """
    from roomctl.cli.events.evening import load, look
    from roomctl.events.plan import Choices
    from roomctl.events.steps import DIFFERS, SYMBOLS

    session: Session = ctx.obj
    evening = load(session, file, tz)
    choices = Choices(send_unseen, retry_unknown)
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
    unsettled = next((each for each in seen.steps if each.key == f"room set {evening.name}"), None)
    failure: RoomctlError | None = None
    if unsettled is not None and unsettled.action == "unknown":
        failure = OutcomeUnknown(f"whether room set {evening.name!r} was made is not known: {unsettled.why}")
    elif check and seen.differs:
        number = sum(each.action in DIFFERS for each in seen.steps)
        failure = ExpectationFailed(f"{number} steps differ from the file", hint=f"`roomctl roomset apply {file}`")
    whole = session.output_format() in ("json", "yaml")
    return Answer(kept if whole else steps, "PlanStep", failure, picture="plan", around=kept)
