"""What an export is asked to do, and what makes two exports the same one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING

from roomctl.contract.operations import Operation
from roomctl.contract.records import folded
from roomctl.errors import BadValue
from roomctl.exports.columns import REGISTRATION, Chosen, Layout, Registrations
from roomctl.exports.formats import Sheet, check_form, format_named
from roomctl.service.distinct import digest

if TYPE_CHECKING:
    from roomctl.exports.attendance import Enrichment
    from roomctl.exports.exported import Earlier


@dataclass(eq=False)
class Job:
    """An export as it was asked for.

    `form`: the name of its format, else told by the file's. `zone` puts moments on its clock (xlsx: UTC without one).
    `key` is who asks: another's rows are another list. `keep_ids` leaves `FILE.ids` for a later `since`.

    What follows: its `format`; `event`, the folded id of the one whose registrations are exported, empty for another
    list; `hashed`: each row's content is to be told from an earlier one; `tabular`: rows become cells, those of a
    table, or of objects that have the columns asked for and no more.
    """

    operation: Operation
    path: Mapping[str, str]
    query: Sequence[tuple[str, str]]
    to: Path
    form: str | None = None
    size: int = 500
    concurrency: int = 1
    verify: bool = False
    force: bool = False
    columns: Sequence[str] = ()
    rename: Mapping[str, str] = field(default_factory=dict)
    zone: tzinfo | None = None
    guard: bool = False
    profile_host: str = ""
    key: str = field(default="", repr=False)
    keep_ids: bool = False
    since: "Earlier | None" = None
    enrich: "Enrichment | None" = None

    def __post_init__(self) -> None:
        self.format = format_named(self.form, self.to)
        self.event = folded(dict(self.query).get("socialEventId"))
        self.hashed = self.keep_ids or self.since is not None
        self.tabular = self.format.tabular or bool(self.columns)
        check_form(self.format, columns=self.columns, rename=self.rename, zone=self.zone, guard=self.guard)
        names = dict.fromkeys((*self.layout().names, *self.rename))
        headings = [self.rename.get(name, name) for name in names]
        if twice := [heading for heading in headings if headings.count(heading) > 1]:
            raise BadValue(f"two columns would have the same heading: `{twice[0]}`")

    def layout(self, found: Sequence[str] = ()) -> Layout:
        """Make the layout: the columns asked for, else those of the resource, those we add and those `found` so far."""
        before, extra = dict.fromkeys(found), self.enrich.columns if self.enrich else ()
        if self.columns:
            return Chosen(self.columns, before)
        if self.operation.resource == "Registration":
            return Registrations((*REGISTRATION, *extra), before)
        return Layout((*filter(None, [self.operation.row_id]), *extra), before)

    @property
    def seal(self) -> str:
        """A digest of all that decides what is in the file: work under one seal is never mixed with another's."""
        rest = (self.size, list(self.columns), dict(self.rename), str(self.zone), self.guard, self.hashed)
        ours = (self.since and self.since.basis, self.enrich and self.enrich.basis)
        asked = (self.operation.name, dict(self.path), list(self.query), self.profile_host, self.format.name)
        return digest([asked, rest, ours, digest(["roomctl export", self.profile_host, self.key])])

    def sheet(self, names: tuple[str, ...]) -> Sheet:
        """Say how cells look under these names; an answer headed as an earlier column gets `values.` before it."""
        headings: dict[str, None] = {}
        for name in names:
            heading = self.rename.get(name, name)
            while heading in headings:
                heading = f"values.{heading}"
            headings[heading] = None
        return Sheet(f"{self.operation.resource}s", names, tuple(headings), self.guard, self.zone)
