"""Rows as cells: which columns a row has, in which order, and which rows do not fit (R29)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from roomctl.exports.cells import text
from roomctl.text import JSON

Cells = list[JSON]

REGISTRATION = (
    *("registrationId", "registeredDateTime", "confirmed", "source"),
    *("user.userId", "user.name", "user.firstName", "user.middleName", "user.lastName", "user.emailAddress"),
    *("user.emailVerified", "user.mobilePhone", "user.timeZone"),
    *("event.socialEventId", "event.name", "event.startDateTime", "event.endDateTime"),
)
"""The columns of a registration (product.md, section 6); after them one for each `values[].name`, as first seen."""

_NOTHING: Mapping[str, JSON] = {}
TOP = tuple(name for name in REGISTRATION if "." not in name)
USER = tuple(name[5:] for name in REGISTRATION if name.startswith("user."))
EVENT = tuple(name[6:] for name in REGISTRATION if name.startswith("event."))


class Misfit(Exception):
    """A row that has no place in a table; the message says why."""


@dataclass(eq=False)
class Layout:
    """The columns of an export: `fixed` ones, and those found in rows so far, as first seen; nested ones are dotted."""

    fixed: Sequence[str] = ()
    found: dict[str, None] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns. One that was found under the name of a fixed column is told apart by `values.`."""
        return (*self.fixed, *(f"values.{name}" if name in self.fixed else name for name in self.found))

    def cells(self, row: JSON) -> Cells:
        """Give the cells of a row, as many as there are columns at that moment. Raises Misfit."""
        pairs = list(flat(row))
        fields = dict(pairs)
        if len(fields) < len(pairs):
            raise Misfit("two of its fields have the same dotted name")
        self.found.update((name, None) for name in fields if name not in self.fixed)
        return [*map(fields.get, self.fixed), *map(fields.get, self.found)]

    def columns(self, rows: Sequence[Cells]) -> list[Sequence[JSON]]:
        """Turn rows of cells into columns; a row that was made before a column was found gets null there."""
        width = len(self.names)
        return [*zip(*(cells + [None] * (width - len(cells)) for cells in rows), strict=True)]


@dataclass(eq=False)
class Registrations(Layout):
    """Registrations: fixed columns, `extra` ones put on the row by us, one for each name among their `values`."""

    fixed: Sequence[str] = REGISTRATION

    def cells(self, row: JSON) -> Cells:
        try:
            user, event = row.get("user"), row.get("event")
            user = _NOTHING if user is None else user
            event = _NOTHING if event is None else event
            cells = [*map(row.get, TOP), *map(user.get, USER), *map(event.get, EVENT)]
        except AttributeError:
            raise Misfit("`user` or `event` is not an object") from None
        cells.extend(map(row.get, self.fixed[len(REGISTRATION) :]))
        self.add_values(named_values(row.get("values")), cells)
        return cells

    def add_values(self, values: Sequence[tuple[str, JSON]], cells: Cells) -> None:
        answers = join_values(values)
        self.found.update(dict.fromkeys(answers))
        cells.extend(map(answers.get, self.found))


class Chosen(Layout):
    """The columns asked for: dotted paths into the row, or names of its `values`.

    `found` are those with any value, and the other names of `values`.
    """

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.fixed)

    def cells(self, row: JSON) -> Cells:
        answers = join_values(named_values(row["values"])) if "values" in row else {}
        cells = [_chosen(row, answers, column) for column in self.fixed]
        self.found.update((name, None) for name, cell in zip(self.fixed, cells, strict=True) if cell is not None)
        self.found.update((name, None) for name in answers if name not in self.fixed)
        return cells


def named_values(values: JSON) -> list[tuple[str, JSON]]:
    """Give the names and values of a registration's `values`; raise Misfit where they are not such a list."""
    if values is None:
        return []
    if type(values) is not list:
        raise Misfit("`values` is not an array")
    try:
        pairs = [(item["name"], item.get("value")) for item in values]
    except (AttributeError, KeyError, TypeError):
        raise Misfit("one of `values` is not an object with a name") from None
    if any(type(name) is not str for name, _ in pairs):
        raise Misfit("the name of one of `values` is not a string")
    return pairs


def join_values(values: Sequence[tuple[str, JSON]]) -> dict[str, JSON]:
    """Give named values by name; several of one name as one text."""
    answers: dict[str, JSON] = {}
    for name, value in values:
        known = answers.get(name)
        answers[name] = value if known is None else f"{text(known)} | {text(value)}"
    return answers


def _chosen(row: dict[str, JSON], answers: dict[str, JSON], column: str) -> JSON:
    if column in row:
        return row[column]
    if column in answers:
        return answers[column]
    head, _, rest = column.partition(".")
    if head == "values":
        return answers.get(rest)
    inner = row.get(head)
    while rest and inner is not None:
        if type(inner) is not dict:
            raise Misfit(f"`{head}` is not an object")
        head, _, rest = rest.partition(".")
        inner = inner.get(head)
    return inner


def flat(row: dict[str, JSON], prefix: str = "") -> Iterator[tuple[str, JSON]]:
    """Give a row's fields under dotted names; arrays, and objects without fields, as they are."""
    for name, value in row.items():
        if type(value) is dict and value:
            yield from flat(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value
