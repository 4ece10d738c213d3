"""People in an input file: by id or by address, a row for each."""

from collections.abc import Sequence
from hashlib import sha256

from roomctl.bulk.reading import Shape
from roomctl.bulk.table import Row, RowIndex, Table
from roomctl.contract.records import folded, is_uuid
from roomctl.text import JSON


def fault_of_id(text: str) -> str:
    return "" if is_uuid(text) else "not an id"


def fault_of_address(text: str) -> str:
    """Say what is wrong with an e-mail address: a name, @, a host, no spaces; empty where nothing is."""
    name, _, host = text.rpartition("@")
    plain = name and host and text.isprintable() and not any(each.isspace() or each in ",;" for each in text)
    return "" if plain and "." not in (host[0], host[-1]) and "@" not in name else "not an e-mail address"


def plain_address(text: str) -> str:
    """Take the address out of `Ada Lovelace <ada@example.org>`, or `mailto:ada@example.org`; others as they are."""
    name, bracket, address = text.strip().rpartition("<")
    plain = address[:-1].strip() if bracket and address.endswith(">") and "<" not in name else text.strip()
    return plain[7:] if plain[:7].lower() == "mailto:" else plain


PEOPLE = Shape(
    ("invitedUserId", "emailAddress"),
    {"invitedUserId": fault_of_id, "emailAddress": fault_of_address, "socialId": fault_of_id},
    plain_address,
    alias="emailAddress",
    instead=dict.fromkeys(("mail", "mailaddress", "emailadresse", "mailadresse"), "emailAddress"),
)

IN_ROOMS = PEOPLE._replace(room="socialId")
"""People of several rooms: a row names its room in `socialId`, or is of each of them."""


def in_rooms(table: Table, rooms: Sequence[str]) -> Table:
    """Make a row of each person for each of some rooms; a row that names its room is of that one only.

    Lines stay unique. The hash is that of input and rooms: for other rooms, an unfinished run is another one.
    """
    names = [*map(IN_ROOMS.named, table.header)]
    at = names.index("socialId") if "socialId" in names else len(names)
    step = max((row.line for row in (*table.rows, *table.bad)), default=0)
    table = without_others(table, rooms, "not a room of the room set")
    rows = [row for row in table.rows if row.room]
    named = RowIndex(rows)
    for row in (each for each in table.rows if not each.room):
        for number, room in enumerate(rooms):
            cells = (*row.cells[:at], room, *row.cells[at + 1 :])
            each = row._replace(line=row.line + number * step, cells=cells, room=room)
            rows += [] if named.line(each) else [each]
    return table._replace(
        sha256=sha256(" ".join((table.sha256, *rooms)).encode()).hexdigest(),
        written=table.sha256,
        header=table.header if at < len(names) else (*table.header, "socialId"),
        rows=tuple(sorted(rows, key=lambda row: row.line)),
        rooms=tuple(rooms),
    )


def without_others(table: Table, rooms: Sequence[str], why: str) -> Table:
    """Call rows bad whose `socialId` names another room than these, unless they were sent."""
    kept, bad, problems = list[Row](), [*table.bad], [*table.problems]
    for row in table.rows:
        room = folded(row.columns.get("socialId"))
        if row.sent or room in ("", *rooms):
            kept.append(row)
        else:
            bad.append(row)
            problems.append(table.problem(row.line, f"{why}: {room}", "socialId"))
    return table._replace(rows=tuple(kept), bad=tuple(bad), problems=tuple(problems))


def names_of(row: Row) -> tuple[str, ...]:
    """Give the id and the address by which a row names its person, or the one of them that it has."""
    return tuple(filter(None, map(row.columns.get, PEOPLE.columns))) or (row.key,)


def invitation(row: Row) -> JSON:
    if key := row.columns.get("invitedUserId"):
        return {"invitedUserId": key}
    return {"invitedUser": {"emailAddress": row.columns["emailAddress"]}}
