"""Whether a list is whole, by what its pages say of it and by the rows that came (R30, R32, R48)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from operator import add

from roomctl.contract.evidence import read_badly, records_in
from roomctl.contract.operations import Operation
from roomctl.contract.paging import Blank, Rows, is_record
from roomctl.contract.records import by_id, error_of, event_id
from roomctl.errors import AGAIN, Partial
from roomctl.service.distinct import Distinct, KeyedRows, folded_keys, version
from roomctl.text import JSON

_MINUTE, _DAY = 60.0, 86_400.0
UNPROVEN = "the list may be incomplete"
OTHER_EVENT = "rows say that they belong to another event"


@dataclass(eq=False)
class Proof:
    """What is known of a list: the weightiest `doubt` that it is whole, and `why` it is so.

    `event` and `room` are what its rows are to belong to; `versions`: one row is not to come in two of them. `total`,
    `pages`, `follows` (why a further page is to come) and `codes` (of how a request went) are what the service said.
    `oldest` is the age of a page with rows, `newest` that of any: a service's clock may be wrong, but it is one clock.
    `shrunk`: the total fell from page to page; `stored`: why a page is a copy; `unnamed` counts rows without an id.
    """

    operation: Operation
    event: str
    room: str
    versions: Distinct | None
    doubt: Partial | None = None
    why: str = "not read to its end"
    total: int | None = None
    pages: int = 0
    follows: str = ""
    codes: Mapping[str, str] = field(default_factory=dict)
    oldest: float = -inf
    newest: float = inf
    stored: str = ""
    shrunk: bool = False
    unnamed: int = 0

    @property
    def clock_behind(self) -> float:
        """By how many seconds the service's clock is behind this one, where that is more than answers take."""
        return self.newest if _MINUTE < self.newest < inf else 0.0

    @property
    def stale(self) -> Partial | None:
        """Why the list may be older than what the service holds now."""
        old = "its `Date` header is from another day" if _DAY < self.newest < inf else ""
        why = f"the list may be out of date: {self.stored or old}"
        return Partial(why, hint=AGAIN, details={"row": ""}) if self.stored or old else None

    def add(self, why: str, hint: str, **details: str) -> None:
        """Keep the first of the weightiest doubts: of any row (`row`), of one that `failed`, of what did not come."""
        weighty, before = (bool(details), "row" in details), self.doubt.details if self.doubt else {}
        if self.doubt is None or weighty > (bool(before), "row" in before):
            self.why = why
            self.doubt = Partial(f"{UNPROVEN}: {why}", hint=hint, details=details)

    def weigh(self, number: int, rows: Sequence[JSON], *, begun: bool) -> None:
        """Doubt the list for a page that may not be whole, or has no rows and may mean something else than its end."""
        said = rows if isinstance(rows, Rows) else Rows()
        self.stored = self.stored or said.stored
        if said.age is not None:
            self.newest = min(self.newest, said.age)
            self.oldest = max(self.oldest, said.age) if rows else self.oldest
            if self.oldest - self.newest > _MINUTE:
                self.add("the `Date` headers of its pages say that some are old copies", AGAIN, row="")
        if said.partial:
            self.add(f"page {number} was received, but {said.partial}", AGAIN, row="")
        if said.total is not None:
            self.shrunk = self.shrunk or bool(rows and said.total < (self.total or 0))
            self.total = said.total if rows else max(said.total, self.total or 0)
        if rows:
            self.pages = said.pages or self.pages
            self.follows, self.codes = said.follows, self.codes or said.codes
            return
        if isinstance(rows, Blank) and not rows.ends and (rows.refused or not number):
            was = "was refused with" if rows.refused else "returned"
            hint = (
                "`roomctl doctor --probe` finds out whether this service ends its lists that way; if it does, set "
                f'`end_of_list = ["{rows.answered}"]` in the profile'
            )
            self.add(f"page {number} {was} {rows.said}", AGAIN if rows.aside else hint)
        if said.more:
            self.add(f"page {number} is empty, but {said.more}", AGAIN)
        if self.follows:
            self.add(f"page {number - 1} says that more follows, but page {number} is empty", AGAIN)
        if said.failed if not begun else said.codes.items() - self.codes.items():
            self.add(f"page {number} is empty, and the object around it may be an error", AGAIN)

    def check(self, number: int, rows: list[JSON], keys: list[str], fresh: list[bool]) -> None:
        """Doubt the list for rows of a page that are of another event, with errors, no records, or others than before.

        The decoder of `KeyedRows` leaves a page with rows of another event to the strict one.
        """
        strict = rows if (self.event or self.room) and not isinstance(rows, KeyedRows) else ()
        if self.event and (others := [other for row in strict if (other := event_id(row)) not in ("", self.event)]):
            self.add(f"{OTHER_EVENT}, {others[0]}", AGAIN, row="")
        if self.room and not {*by_id(strict, "socialId")} <= {self.room}:
            self.add("rows say that they belong to another room", AGAIN, row="")
        strictly = self.operation.row_id and not isinstance(rows, KeyedRows)
        whole = [*zip(keys, rows, strict=True)] if strictly else []
        resource = self.operation.resource or ""
        known_by = [(key, row) for key, row in whole if key[0] != "#"]
        bare = [first for (key, _), first in zip(whole, fresh, strict=False) if key[0] == "#"]
        self.unnamed += len(bare)
        if not all(bare):
            why = f"page {number} has rows without an id that are equal in every field, of which only one is kept"
            self.add(why, "", failed="")
        parts = ((key, records_in(row, resource, listed=False)) for key, row in known_by)
        if failed := [key for key, inside in parts if any(error_of(each) for each, _ in inside)]:
            self.add(f"row {failed[0]} was received with an error", AGAIN, failed=failed[0])
        for key, row in known_by:
            if why := read_badly(row, resource):
                self.add(f"row {key} was received, but {why}", AGAIN, failed=key)
                break
        versions = self.versions
        if versions is None:  # page by page: between two of them a row may have changed
            versions, fresh = Distinct(), Distinct().fresh(keys) if not all(fresh) else fresh
            if all(fresh):
                return
        elif any(key[0] == "#" for key in keys) and not all(is_record(row, self.operation) for row in rows):
            self.add(f"page {number} has rows that are not records", AGAIN, row="")
        if not self.operation.row_id:
            return  # a key is all that a row holds
        new = versions.fresh(list(map(add, folded_keys(keys), map(version, rows))))
        if others := [key for key, first, other in zip(keys, fresh, new, strict=True) if other and not first]:
            self.add(f"row {others[0]} was received twice, with different values", AGAIN, row=others[0])
