"""Faults that change what an answer says: other pages, refused invitations, another id, what is not documented."""

import json
from collections.abc import Awaitable, Callable, Mapping
from datetime import datetime
from typing import Any, Final

from roomctl.contract.fields import Field, fields
from roomctl.contract.operations import INVITE_SEND
from roomctl.sandbox.exchange import Answer, Asking
from roomctl.sandbox.faults import Value
from roomctl.sandbox.store import derived_id, encoded

JSON = Any
Ask = Callable[[Asking], Awaitable[Answer]]
NEW = "SOMETHING_NEW"
REFUSED = "this person cannot be invited"


async def twisted(ask: Ask, asked: Asking, effects: Mapping[str, Value]) -> Answer:
    """Let the sandbox answer a request, as these effects change the request and the answer."""
    answer = await _asked(ask, asked, effects)
    changed = effects.keys() & RECORDS
    if answer.status != 200 or asked.operation is None or not (changed or "other-id" in effects):
        return answer
    value = answer.value()
    if "other-id" in effects:
        _give_another_id(asked, value)
    if changed:
        value = rewritten(asked.operation.reply or "", value, effects)
    return answer if value is None else answer.holding(encoded(value))


async def _asked(ask: Ask, asked: Asking, effects: Mapping[str, Value]) -> Answer:
    if "invite-errors" in effects and asked.name == INVITE_SEND.name:
        return await _invited(ask, asked, int(effects["invite-errors"]))
    if asked.page is None:
        return await ask(asked)
    if "empty-page" in effects:
        answer = await ask(asked)
        return answer.holding(b"[]") if answer.status == 200 else answer
    if "clamp-size" in effects:
        asked = asked.asking(size=min(asked.size, int(effects["clamp-size"])))
    if "ignore-page" in effects:
        asked = asked.asking(page=0)
    if "repeat-page" in effects:
        asked = asked.asking(page=max(0, (asked.page or 0) - 1))
    shift = int(effects.get("rows-deleted", 0)) - int(effects.get("rows-inserted", 0))
    return await (_shifted(ask, asked, shift) if shift else ask(asked))


async def _shifted(ask: Ask, asked: Asking, shift: int) -> Answer:
    """A page of a list whose first rows are gone (`shift` of them), or that has new ones before them (`-shift`)."""
    page, size = asked.page or 0, asked.size
    first, answer = page * size + shift, await ask(asked)
    if answer.status != 200:
        return answer
    found: list[JSON] = []
    for number in range(max(0, first) // size, (first + size - 1) // size + 1):
        found += (answer if number == page else await ask(asked.asking(page=number))).value()
    new = [_new(asked, number) for number in range(page * size, min(-shift, (page + 1) * size))]
    start = max(0, first) % size
    return answer.holding(encoded([*new, *found[start : start + size - len(new)]]))


def _new(asked: Asking, number: int) -> JSON:
    row_id = (asked.operation and asked.operation.row_id) or "id"
    return {row_id: derived_id("inserted", asked.path, number), "name": f"New row {number + 1}"}


async def _invited(ask: Ask, asked: Asking, count: int) -> Answer:
    """Invite without the first so many records, which are answered with an error."""
    try:
        records = json.loads(asked.body)
    except ValueError:
        return await ask(asked)
    answer = await ask(asked._replace(body=encoded(records[count:])))
    if answer.status != 200:
        return answer
    refused = [{**record, "error": REFUSED} for record in records[:count]]
    return answer.holding(encoded([*refused, *answer.value()]))


def _give_another_id(asked: Asking, value: JSON) -> None:
    record = value[0] if isinstance(value, list) and value else value
    row_id = asked.operation and asked.operation.row_id
    if row_id and isinstance(record, dict):
        record[row_id] = derived_id("another", record.get(row_id))


RECORDS: Final = frozenset({"without", "nulls", "uppercase-ids", "date-offset", "unknown-fields", "unknown-values"})
"""Effects that change each record of an answer."""


def rewritten(type_name: str, value: JSON, effects: Mapping[str, Value]) -> JSON:
    """Write records of a type, and those inside them, as these effects of RECORDS have it."""
    known = fields(type_name)
    if isinstance(value, list):
        return [rewritten(type_name, each, effects) for each in value]
    if not isinstance(value, dict) or not known:
        return value
    left_out = str(effects.get("without", "")).split("+")
    record = {**dict.fromkeys(known), **value} if "nulls" in effects else value
    if (unknown := effects.get("unknown-values")) is not None:
        named = [each.name for each in known.values() if each.type == "enum"]
        record = record | {name: NEW for name in named if unknown is True or name in str(unknown).split("+")}
    made = {name: _value(known.get(name), item, effects) for name, item in record.items() if name not in left_out}
    return made | ({"somethingNew": {"text": "new", "numbers": [1, 2.5, None]}} if "unknown-fields" in effects else {})


def _value(field: Field | None, value: JSON, effects: Mapping[str, Value]) -> JSON:
    kind = field.item.type if field else ""
    if isinstance(value, list) and kind in ("uuid", "date-time"):
        return [_value(field, each, effects) for each in value]
    if kind == "uuid" and "uppercase-ids" in effects and isinstance(value, str):
        return value.upper()
    if kind == "date-time" and "date-offset" in effects and isinstance(value, str):
        return _elsewhere(value, "+00:00" if effects["date-offset"] is True else str(effects["date-offset"]))
    return rewritten(kind, value, effects)


def _elsewhere(text: str, offset: str) -> str:
    """Write a moment with milliseconds and an offset, with a colon in it or without; what is none stays."""
    try:
        there = datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").tzinfo
        found = datetime.fromisoformat(text).astimezone(there).isoformat(timespec="milliseconds")
    except (ValueError, OverflowError):
        return text
    return found if ":" in offset else found[:-3] + found[-2:]
