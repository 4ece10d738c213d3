"""Waiting until something is processed (operations 12 and 13)."""

import time
from datetime import UTC, datetime, timedelta

from roomctl.cli.lists import with_id
from roomctl.cli.lookup import record_id
from roomctl.cli.options import option
from roomctl.cli.progress import progress
from roomctl.cli.session import Answer, Session
from roomctl.cli.time_values import seconds
from roomctl.contract.evidence import beside, doubted, invalid
from roomctl.contract.operations import TRANSCRIPTION_PROCESS, Operation
from roomctl.contract.scalars import PROCESSING_STATUS
from roomctl.contract.statements import says
from roomctl.contract.vocabulary import DENIAL
from roomctl.errors import AGAIN, NotYet, Partial
from roomctl.output.values import short, titled
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.times import moment

_TIMES = (("startDateTime", "endDateTime"), ("processingStartDateTime", "processingEndDateTime"))
SKEW = timedelta(hours=1)  # how far the service's clock may be behind this one
MAX_WAIT = option("--max-wait", "TIME", seconds, default=7200.0, show_default="2h")
INTERVAL = option("--interval", "TIME", seconds, default=30.0, show_default="30s")


def _status(value: JSON) -> str:
    """Give a status as the service defines it, or what is in its place; empty where nothing is."""
    written = value if isinstance(value, str) else compact(value) if value else ""
    return written.upper() if written.upper() in PROCESSING_STATUS else written


def _is_from_before(session: Session, key: str, record: JSON) -> bool:
    """Whether processing ended long before this machine asked for it again: a list may lag."""
    ended = moment(record.get("processingEndDateTime"))
    entries = [each for each in session.journal.entries() if each.operation == TRANSCRIPTION_PROCESS.name]
    sent = [when for each in entries if key in (each.made, each.about) and (when := moment(each.sent)) is not None]
    behind = session.now() - datetime.now(UTC) - SKEW  # the service's clock, which is known of the sandbox
    return ended is not None and bool(sent) and ended < max(sent) + behind


def wait(session: Session, operation: Operation, which: str, *, max_wait: float, interval: float) -> Answer:
    """Look until a record's status is COMPLETE, or says that it failed, which is a Partial. Raises NotYet, NotFound."""
    resource, start = operation.resource, time.monotonic()
    key = record_id(session, operation, which)
    with progress(session, total=int(max_wait), resume="run the same command again to keep waiting") as counted:
        while True:
            record = with_id(session, operation, key)
            who, status = titled(record, resource), _status(record.get("status"))
            failed = status == "FAILED" or says({"status": status}, (), (*DENIAL, "partial")) is not None
            old = status == "COMPLETE" and _is_from_before(session, key, record)
            if (failed or status == "COMPLETE") and session.stale is None and not old:
                done = f"{who} has the status {status}"
                for begin, end in _TIMES:
                    begun, ended = moment(record.get(begin)), moment(record.get(end))
                    if begun and ended and ended < begun:
                        before = f"is before its `{begin}`, {record[begin]}"
                        session.note(f"warning: the `{end}` of {who}, {record[end]}, {before}")
                gone = invalid(record, resource)
                why = f"a record whose `{gone}` says that it is deleted or not valid" if gone else ""
                over = moment(record.get("processingEndDateTime")) if status == "COMPLETE" else None
                if over and not datetime.fromtimestamp(0, UTC) < over < session.now() + timedelta(days=1):
                    why = why or f"a record that says that processing ended at {record['processingEndDateTime']}"
                why = why or doubted(record, resource) or beside(record, resource)
                said = f"{done}, but that was read from {why}" if why else done
                hint = "waiting longer will not help; ask the service's operator" if failed else AGAIN
                failure = Partial(said, hint=hint) if failed or why else None
                return Answer(record, resource, failure, done=done)
            now = f"{who} is still {short(status)}" if status else f"the status of {who} is not shown"
            now = f"{who} is still shown as it was before it was sent for processing" if old else now
            now = session.stale.message if session.stale else now
            left = start + max_wait - time.monotonic()
            if left <= 0:
                raise NotYet(f"{now} after {max_wait:g} s", hint="run the same command again")
            if (shown := status or "not shown") != counted.detail:
                session.note(f"{now.replace(' still ', ' ')}; checking every {interval:g} s")
            counted.update(0, shown)
            time.sleep(min(interval, left))
