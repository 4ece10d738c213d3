"""What the handlers share: records that must be there, fields applied to them, and pages."""

from typing import Final

from roomctl.contract.fields import fields
from roomctl.sandbox.request import Problem, Request
from roomctl.sandbox.store import Store
from roomctl.text import JSON
from roomctl.text.jsontext import compact

ME: Final = "me"  # the parent of what belongs to the key's user, and the name under which the world keeps who that is
NOUNS: Final = {
    "roomset": "room set",
    "social": "room",
    "invite": "invitation",
    "theme": "theme",
    "transcription": "transcription",
    "playlist": "playlist",
    "config": "entry rules configuration",
    "user": "user",
    "event": "event",
}
"""Kinds of documents, and what people call them."""


def me(store: Store) -> JSON:
    return store.get("user", store.meta(ME) or "") or {}


def record(store: Store, kind: str, key: str) -> JSON:
    """Give a record that a request names. Raises Problem 404 where there is none."""
    found = store.get(kind, key.lower())
    if found is None:
        raise Problem(404, f"no {NOUNS[kind]} {key}")
    return found


def record_to_update(store: Store, kind: str, key: str | None, request: Request) -> JSON:
    """Give the record whose id is in a body; None where a new one is to be made. Raises Problem 404."""
    request.strictness.note("create-or-update")
    if not key:
        return None
    return store.get(kind, key.lower()) if request.strictness.level == "hostile" else record(store, kind, key)


def merge(old: JSON, new: JSON) -> JSON:
    """Apply fields: a value replaces, null clears, what is not named stays."""
    return without_nulls({**old, **new})


def without_nulls(value: JSON) -> JSON:
    """Leave out what is null, at any depth: it is not kept, and so it is never answered."""
    if isinstance(value, dict):
        return {name: without_nulls(item) for name, item in value.items() if item is not None}
    return [without_nulls(item) for item in value if item is not None] if isinstance(value, list) else value


def without(value: JSON, *names: str) -> JSON:
    return {name: item for name, item in value.items() if name not in names}


def lower(value: JSON, *names: str) -> JSON:
    return {name: item.lower() if item and name in names else item for name, item in value.items()}


def page(store: Store, kind: str, parent: str, request: Request) -> list[JSON]:
    """Give the page of records that a list operation asks for. Raises Problem where `sort` names no scalar."""
    params, strictness = request.params, request.strictness
    sort, text = params.get("sort", ""), params.get("text", "")
    if sort:
        name, _, direction = sort.partition(",")
        field = fields(request.operation.resource).get(name)
        if field is None or field.array or field.type[:1].isupper() or direction not in ("", "asc", "desc"):
            raise Problem(
                400, f"must name a top-level field, not {compact(sort)}; `,asc` or `,desc` may follow", at="sort"
            )
        usual = name in ("name", request.operation.row_id) or field.type == "date-time"
        if not usual and strictness.strict("sort-and-text"):
            raise Problem(400, "takes the id, the name and the date-times of the resource", at="sort")
    if (sort or text) and strictness.hostile("sort-and-text"):
        sort = text = ""
    newest = not sort and strictness.hostile("list-order")
    return store.page(kind, parent, page=params["page"], size=params["size"], sort=sort, text=text, newest=newest)
