"""Faults that change what an answer says: other pages, refused invitations, another id, what is not documented."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from roomctl.contract.operations import INVITE_SEND
from roomctl.sandbox.exchange import Answer, Asking
from roomctl.sandbox.faults import Value
from roomctl.sandbox.rewriting import RECORDS, rewritten
from roomctl.sandbox.store import derived_id, encoded

JSON = Any
Ask = Callable[[Asking], Awaitable[Answer]]
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
