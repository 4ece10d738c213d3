"""`roomctl roomset lint`: what is wrong with an evening, or looks as if it were."""

import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from roomctl.cli.command_tree import Commands
from roomctl.cli.events.event_file import ZONE, read_file
from roomctl.cli.events.export import configs_of, shown_set
from roomctl.cli.options import argument, option
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import zone_for
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET
from roomctl.errors import ExpectationFailed, NotAllowed, WrongCall
from roomctl.events.event_file import Finding, read
from roomctl.events.export import Asked, Exported
from roomctl.events.lint import SEVERITIES, findings, shown
from roomctl.output.values import first
from roomctl.text.counted import numbered

commands = Commands()
ENDINGS = (".yaml", ".yml", ".json")


@commands.verb("lint", shows=["Finding"], calls=[ROOMSET_LIST, RULES_GET], exits=[8])
def lint(
    session: Session,
    which: list[str] = argument("FILE|SET...", "event files, or room sets by id or exact name"),
    severity: str = option(
        "--severity",
        "exit 8 for findings of this severity or worse",
        default="error",
        values=("error", "warning", "note"),
    ),
    tz: str | None = ZONE,
) -> Answer:
    """Check an event file, or a room set as it is now, for errors and likely mistakes.

    `roomset plan` and `roomset apply` refuse files with errors, but not with warnings, such as a room that starts in
    the past. Each finding has a code: `roomctl help lint CODE` explains it. In the error format `github`, findings
    appear as annotations on the file's lines in a workflow.
    """
    rows = [row for name in which for row in _of_one(session, name, tz)]
    bad = [row for row in rows if SEVERITIES.index(row["severity"]) >= SEVERITIES.index(severity)]
    if not bad:
        return Answer(rows, "Finding")
    hint = f"`roomctl help lint CODE` explains a finding, for example `roomctl help lint {bad[0]['code']}`"
    count = numbered(len(bad), "errors" if severity == "error" else "findings")
    why = f"{count}{f' of severity {severity} or worse' * (severity != 'error')} in {', '.join(first(which))}"
    return Answer(rows, "Finding", ExpectationFailed(why, hint=hint, details={"problems": rows}))


def _of_one(session: Session, name: str, tz: str | None) -> list[JSON]:
    if Path(name).is_dir() and name.endswith((".", "/", os.sep)):
        raise WrongCall(f"{name} is a folder", hint="name the event files in the folder, or room sets")
    if name == "-" or Path(name).suffix.lower() in ENDINGS or Path(name).is_file():
        evening, problems = read_file(session, name, tz)
        try:
            now = session.now()
        except NotAllowed:  # a file needs no profile
            now = datetime.now(UTC)
        return [shown(each, evening) for each in findings(evening, problems, now)]
    record = shown_set(session, name)
    made = Exported(record, configs_of(session, record), Asked(zone_for(session, tz) or ZoneInfo("UTC")))
    evening, problems = read(Path(name), made.yaml())
    problems += [Finding("time", ("rooms",), each) for each in made.unreadable]
    found = findings(evening, problems, session.now(), made.images)
    return [shown(each, evening, str(record.get("name"))) for each in found]
