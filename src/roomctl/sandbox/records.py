"""What the operations share: the key's user, records that must be there, and fields applied to a record."""

from typing import Any, Final

from roomctl.contract.fields import fields
from roomctl.contract.operations import Operation
from roomctl.sandbox.asked import Asked
from roomctl.sandbox.problem import Problem
from roomctl.sandbox.readings import Reading
from roomctl.sandbox.store import Store

JSON = Any
ME: Final = "me"
"""The parent of what belongs to the key's user, and the name under which the world keeps who that is."""


def me(store: Store) -> JSON:
    """Give the user that the sandbox's key acts for."""
    return store.get("user", store.meta(ME) or "") or {}


def merged(old: JSON, new: JSON) -> JSON:
    """Apply fields: a value replaces, null clears, what is not named stays."""
    made: JSON = without_nulls({**old, **new})
    return made


def without_nulls(value: JSON) -> JSON:
    """Leave out what is null, at any depth: it is not kept, and so it is never answered."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value if item is not None] if isinstance(value, list) else value


def without(value: JSON, *names: str) -> JSON:
    """Leave fields out."""
    return {name: item for name, item in value.items() if name not in names}


def lowered(value: JSON, *names: str) -> JSON:
    """Write ids as the store keeps them."""
    return {name: item.lower() if item and name in names else item for name, item in value.items()}


def the(store: Store, kind: str, key: str) -> JSON:
    """Give a record that a request names. Raises Problem 404 where there is none."""
    found = store.get(kind, key.lower())
    if found is None:
        raise Problem(404, f"no {KINDS[kind]} {key}")
    return found


def identified(store: Store, kind: str, key: str | None, reading: Reading) -> JSON:
    """Give the record whose id is in a body; None where a new one is to be made. Raises Problem 404."""
    reading.meets("create-or-update")
    if not key:
        return None
    if reading.name == "hostile":
        return store.get(kind, key.lower())
    return the(store, kind, key)


KINDS: Final = {
    "roomset": "room set",
    "social": "room",
    "theme": "theme",
    "transcription": "transcription",
    "user": "user",
    "event": "event",
    "playlist": "playlist",
    "config": "entry configuration",
}


def page(store: Store, operation: Operation, kind: str, parent: str, asked: Asked) -> list[JSON]:
    """Give the page of records that a list operation asks for. Raises Problem where `sort` names no scalar."""
    given = asked.given
    sort, text, newest = given.get("sort", ""), given.get("text", ""), False
    if sort:
        _sortable(operation, sort, asked)
    if (sort or text) and asked.reading.hostile("sort-and-text"):
        sort = text = ""
    if not sort:
        newest = asked.reading.hostile("list-order")
    return store.page(kind, parent, page=given["page"], size=given["size"], sort=sort, text=text, newest=newest)


def _sortable(operation: Operation, sort: str, asked: Asked) -> None:
    name, _, direction = sort.partition(",")
    field = fields(operation.resource).get(name)
    if field is None or field.array or field.type[:1].isupper() or direction not in ("", "asc", "desc"):
        raise Problem(400, "names no top-level scalar of the resource, with `,asc` or `,desc` behind it", at="sort")
    usual = name in ("name", operation.row_id) or field.type == "date-time"
    if not usual and asked.reading.strict("sort-and-text"):
        raise Problem(400, "takes the id, the name and the date-times of the resource", at="sort")
