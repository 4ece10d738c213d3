"""`roomctl roomset lint`: what is wrong with an evening, or looks as if it were."""

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from roomctl.cli.events.evening import read_file
from roomctl.cli.events.export import configs_of, shown_set
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import zone_for
from roomctl.errors import ExpectationFailed, NotAllowed, WrongCall
from roomctl.events.evening import read
from roomctl.events.export import Asked, Exported
from roomctl.events.lint import SEVERITIES, findings, shown
from roomctl.output.values import first, numbered

ENDINGS = (".yaml", ".yml", ".json")


def lint_all(session: Session, names: Sequence[str], tz: str | None, severity: str) -> Answer:
    """Look at files and room sets, and fail where something is as bad as `severity` or worse. Raises errors.*."""
    rows = [row for name in names for row in _of_one(session, name, tz)]
    bad = [row for row in rows if SEVERITIES.index(row["severity"]) >= SEVERITIES.index(severity)]
    if not bad:
        return Answer(rows, "Finding")
    hint = f"`roomctl help lint CODE` explains a finding, for example `roomctl help lint {bad[0]['code']}`"
    count = numbered(len(bad), "errors" if severity == "error" else "findings")
    why = f"{count}{f' of severity {severity} or worse' * (severity != 'error')} in {', '.join(first(names))}"
    return Answer(rows, "Finding", ExpectationFailed(why, hint=hint, details={"problems": rows}))


def _of_one(session: Session, name: str, tz: str | None) -> list[JSON]:
    if Path(name).is_dir() and name.endswith((".", "/", os.sep)):
        raise WrongCall(f"{name} is a folder", hint="name the event files in it, or room sets")
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
    found = findings(evening, problems, session.now(), made.images)
    return [shown(each, evening, str(record.get("name"))) for each in found]
