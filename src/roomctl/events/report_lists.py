"""The registrations that a report rests on, with their event and proof: from the service, or from an export."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import event_id, folded
from roomctl.errors import BadInput
from roomctl.exports.attendance import COLUMNS as ATTENDED
from roomctl.exports.cells import written
from roomctl.exports.columns import REGISTRATION
from roomctl.exports.exported import Exported, Row
from roomctl.service.distinct import Distinct, key_of
from roomctl.service.paginator import DRIFTED
from roomctl.service.proof import Proof
from roomctl.text import JSON
from roomctl.text.counted import numbered

_NEEDED = ("registeredDateTime", "confirmed", "source")
_TRUTHS: dict[JSON, bool] = {"true": True, "false": False, 1: True, 0: False}
"""How text formats and SQLite store booleans."""


class Listing(NamedTuple):
    """Registrations, their event, why they may not be all, notes on them, and what a report shows as proof."""

    event: dict[str, JSON]
    rows: Sequence[Row]
    doubts: Sequence[str]
    notes: Sequence[str]
    proof: dict[str, JSON]


def served(event: str, rows: Sequence[Row], proof: Proof, *, host: str, at: datetime) -> Listing:
    """Make a listing of rows that the service listed. Raises Partial where it may have more, and gave none."""
    if proof.doubt and not rows:
        raise proof.doubt
    doubts = [proof.doubt.message] if proof.doubt else []
    shown = {"why": "; ".join(doubts) or f"the list {proof.why}", "service": host, "read": written(at)}
    return Listing(_event(event, rows), rows, doubts, [], {**shown, "sha256": None, "export": None})


def kept(path: Path, event: str) -> Listing:
    """Read a listing from an export. Raises BadInput for one that is damaged, or of another list."""
    exported = Exported(path)
    if exported.format.dates:
        hint = "export it as ndjson, csv, sqlite or parquet"
        raise BadInput(f"a report cannot be made from a workbook, because its times are rounded: `{path}`", hint=hint)
    facts = exported.manifest
    if not (facts or path.stat().st_size):
        raise BadInput(f"`{path}` is empty, and there is no manifest beside it")
    if facts and facts.operation != REGISTRATION_LIST.name:
        raise BadInput(f"not an export of registrations, according to its manifest: `{path}`")
    digest = exported.verify()
    read = [*(_registrations(exported) if exported.tabular else exported.rows())]
    records = [row for row in read if is_record(row, REGISTRATION_LIST)]
    fresh = Distinct().fresh([key_of(row, REGISTRATION_LIST.row_id) for row in records])
    rows = [row for row, is_new in zip(records, fresh, strict=True) if is_new or not row.get("registrationId")]
    asked = facts.filters.get("socialEventId", ()) if facts else ()
    if others := {*map(event_id, records), *map(folded, asked)} - {"", folded(event)}:
        raise BadInput(f"`{path}` holds registrations of another event: {min(others)}")
    doubts, notes = [], []
    if facts is None:
        doubts.append(f"there is no manifest beside `{path.name}`, so it may be incomplete")
    else:
        left_out = f"the export left out {numbered(facts.left_out, 'registrations')}, as requested"
        found = "the export was made with a search text, so it holds only what the service found for that"
        doubts += [] if facts.complete else [facts.why]
        doubts += [left_out] * bool(facts.left_out) + [found] * bool(facts.filters.get("text"))
        notes += [f"the {DRIFTED}"] * facts.drift_seen
    if lost := len(read) - len(records):
        doubts.append(f"{lost} of the rows are not registrations")
    shown = {
        "why": "; ".join(doubts) or (facts.why if facts else ""),
        "service": facts and facts.profile_host,
        "read": facts and facts.finished,
        "sha256": digest,
        "export": path.name,
    }
    return Listing(_event(event, rows), rows, doubts, notes, shown)


def _event(event: str, rows: Sequence[Row]) -> dict[str, JSON]:
    own = next((each for row in rows if type(each := row.get("event")) is dict), {})
    return {**own, "socialEventId": event}


def _registrations(exported: Exported) -> Iterator[Row]:
    """Read rows of cells as the registrations that they were made of. Raises BadInput where a column is missing."""
    facts = exported.manifest
    fixed = {*REGISTRATION, *(ATTENDED if facts is None or facts.label else ())}
    for cells in exported.rows():
        if missing := [name for name in (*_NEEDED, *(() if facts else REGISTRATION)) if name not in cells]:
            hint = "export it without `--columns`" + " and `--rename`, or keep its manifest beside it" * (facts is None)
            raise BadInput(f"`{exported.path}` has no column {missing[0]}, which a report counts", hint=hint)
        row: Row = {"user": {}, "event": {}, "values": []}
        for name, cell in cells.items():
            head, _, inner = name.partition(".")
            value = None if cell == "" else cell
            if inner and head in ("user", "event"):
                row[head][inner] = value
            elif name in fixed:
                row[name] = value
            else:
                row["values"].append({"name": name.removeprefix("values."), "value": value})
        yield {**row, "confirmed": _TRUTHS.get(row["confirmed"], row["confirmed"])}
