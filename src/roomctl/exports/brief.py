"""Registrations in brief: columns of what is counted of them, with the answers by question.

Of usual lines only that is decoded. Any other line is decoded in full: the result is the same, later.
"""

from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.contract.paging import is_record
from roomctl.contract.records import event_id
from roomctl.exports.columns import REGISTRATION, Misfit, Registrations, join_values, named_values
from roomctl.exports.jsonrows import decode, encode_lines
from roomctl.exports.quick import UNUSUAL, array, column, decode_once, quick_types, table
from roomctl.exports.stats import COLUMNS

JSON = Any
Columns = dict[str, Sequence[JSON]]
USER = ("userId", "emailAddress", "name", "firstName", "middleName", "lastName", "mobilePhone")
_BRIEF = (*COLUMNS, *(f"user.{name}" for name in USER))


class Page(NamedTuple):
    """Columns, those of the user as `user.name`, and the answers to each question; None where there is none.

    Several answers of one person to one question are one. The `values` of so many rows were `unreadable`; so many
    others were `misfits`.
    """

    columns: Columns
    answers: Columns
    unreadable: int = 0
    misfits: int = 0


def of_raw(rows: Sequence[Any]) -> Page:
    """Make a page of rows that are lines of JSON, or the texts of their members. Raises ValueError for no JSON."""
    import msgspec

    types, layout = quick_types(), Registrations(_BRIEF)
    lines = rows if rows and type(rows[0]) is bytes else ()
    try:
        rows = [*map(types.member.decode, lines)] or rows
        ids = types.ids.decode(array(rows, REGISTRATION[0]))
        if not ids or "" in ids or not set().union(*rows).isdisjoint(UNUSUAL):
            raise ValueError("a row may be no record")
        fixed = [types.cells.decode(array(rows, name)) for name in COLUMNS if name != "event"]
        fixed.append(decode_once(column(rows, "event"), partial(msgspec.json.decode, type=dict[str, Any] | None)))
        users = [user or types.no_user for user in types.users.decode(array(rows, "user"))]
        fixed += [[*map(attrgetter(name), users)] for name in USER]
        columns = table(layout, [each or () for each in types.values.decode(array(rows, "values"))], fixed)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return of_rows([*map(decode, lines or encode_lines(rows).splitlines())])
    return Page(dict(zip(_BRIEF, columns, strict=False)), dict(zip(layout.found, columns[len(_BRIEF) :], strict=True)))


def of_rows(rows: Sequence[JSON]) -> Page:
    """Make a page of rows that were decoded in full; those that are no records are left out and counted."""
    objects = [row for row in rows if is_record(row, REGISTRATION_LIST)]
    users = [user if type(user := row.get("user")) is dict else {} for row in objects]
    answers: list[dict[str, JSON]] = []
    unreadable = 0
    for row in objects:
        try:
            answers.append(join_values(named_values(row.get("values"))))
        except Misfit:
            answers.append({})
            unreadable += 1
    columns: Columns = {name: [row.get(name) for row in objects] for name in COLUMNS}
    columns |= {f"user.{name}": [user.get(name) for user in users] for name in USER}
    columns["event"] = [
        event if type(event := row.get("event")) is dict else {"socialEventId": event_id(row)} for row in objects
    ]
    questions = dict.fromkeys(chain(*answers))
    by_question: Columns = {each: [given.get(each) for given in answers] for each in questions}
    return Page(columns, by_question, unreadable, len(rows) - len(objects))
