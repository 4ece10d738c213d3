"""What a fault does, for each of its words, which stand in `faults.txt`."""

import json
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Final, NamedTuple

from roomctl.contract.operations import INVITE_SEND
from roomctl.contract.paging import ENDS
from roomctl.sandbox.fault_rewrite import Effects, contradict, rewrite
from roomctl.sandbox.request import Problem, RawRequest, Response
from roomctl.sandbox.store import derived_id, encode
from roomctl.text import JSON

Respond = Callable[[RawRequest], Response]
_NO: Final = {"message": "not permitted"}
DENIALS: Final[Mapping[str, JSON]] = {
    "success": {"success": False, **_NO},
    "record": {"success": False, **_NO},
    "nested": {"meta": {"error": "not permitted"}},
    "problem": {"title": "not permitted"},
    "code": {"code": 403, **_NO},
    "error": {"error": "not permitted"},
    "errors": {"errors": [_NO]},
    "text": "not permitted",
    "0": 0,
    "false": False,
}
"""What a service says that refuses with status 200."""
BESIDE: Final = ("record", "nested", "problem")
"""Denials that stand beside what was sent; a `problem` is one by its Content-Type."""
ODD_ROWS: Final[Mapping[str, JSON]] = {"null": None, "text": "x", "number": 7, "error": {"error": "unreadable"}}
"""Rows that are no records."""
TEXT: Final = "text/plain; charset=utf-8"
PAGE: Final = b"<!doctype html><html><body><h1>We will be back soon</h1></body></html>"


class Word(NamedTuple):
    """A word of a fault: its value (a `flag` has none, `[…]` may be left out) and its meaning.

    `tags`: `lists`, it meets only lists; `data`, it changes what a list shows.
    """

    kind: str
    meaning: str
    tags: str = ""


# What the operation is asked, and what it finds


def _shift_rows(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    response, page, size = respond(request), request.page, request.size
    shift = int(effects.get("rows-deleted", 0)) - int(effects.get("rows-inserted", 0))
    if page is None or response.status != 200 or not shift:
        return response
    first = page * size + shift
    found: list[JSON] = []
    for number in range(max(0, first) // size, (first + size - 1) // size + 1):
        found += (response if number == page else respond(request.with_query(page=number))).json()
    row_id = (request.operation and request.operation.row_id) or "id"
    new = [
        {row_id: derived_id("inserted", request.path, number), "name": f"New row {number + 1}"}
        for number in range(page * size, min(-shift, (page + 1) * size))
    ]
    start = max(0, first) % size
    return response.with_body(encode([*new, *found[start : start + size - len(new)]]))


def _change_page(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    if request.page is None:
        return respond(request)
    if "clamp-size" in effects:
        request = request.with_query(size=min(request.size, int(effects["clamp-size"])))
    if "ignore-page" in effects:
        request = request.with_query(page=0)
    if "repeat-page" in effects:
        request = request.with_query(page=max(0, (request.page or 0) - 1))
    response = respond(request)
    return response.with_body(b"[]") if "empty-page" in effects and response.status == 200 else response


def _refuse_invitations(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    records = _sent(request) if request.operation is INVITE_SEND else None
    records, number = records if isinstance(records, list) else [], int(effects["invite-errors"])
    refused, rest = records[:number], records[number:]
    response = respond(request._replace(body=encode(rest)) if refused else request)
    if response.status != 200 or not refused:
        return response
    errors = [{**record, "error": "this person cannot be invited"} for record in refused]
    return response.with_body(encode([*errors, *response.json()]))


def _sent(request: RawRequest) -> JSON:
    try:
        return json.loads(request.body)
    except ValueError:
        return None


def _change_record(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    response, row_id = respond(request), request.operation and request.operation.row_id
    value = response.json()
    record = value[0] if isinstance(value, list) and value else value
    if not row_id or not isinstance(record, dict):
        return response
    if "other-id" in effects:
        record[row_id] = derived_id("another", record.get(row_id))
    if "other-name" in effects:
        record |= {name: f"not {record[name]}" for name in ("name", "socialThemeName") if record.get(name)}
    return response.with_body(encode(value))


def _spoil_row(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    response = respond(request)
    rows = response.json()
    if request.operation is None or response.empty_list is not False or not isinstance(rows, list):
        return response
    if "row-twice" in effects:
        rows.append(contradict(request.operation.reply or "", rows[0]))
    if "odd-row" in effects:
        rows.append(ODD_ROWS[str(effects["odd-row"])])
    if "other-event" in effects and "event" in rows[-1]:
        rows[-1]["event"]["socialEventId"] = derived_id("another", rows[-1]["event"]["socialEventId"])
    return response.with_body(encode(rows))


def _rewrite(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    response = respond(request)
    value = response.json()
    if value is None or request.operation is None:
        return response
    return response.with_body(encode(rewrite(request.operation.reply or "", value, effects)))


# How that is put


def _deny(effects: Effects, request: RawRequest, response: Response) -> Response:
    if response.status != 200:
        return response
    denial = DENIALS[word := str(effects["denied"])]
    if word in BESIDE:
        operation = request.operation
        path = {param.name: request.path.rpartition("/")[2] for param in operation.path_params} if operation else {}
        sent = _sent(request)
        denial = {**dict(request.query), **path, **(sent if isinstance(sent, dict) else {}), **denial}
    kind = "application/problem+json" if word == "problem" else "application/json"
    return response.with_body(encode(denial), kind)


def _end_list(effects: Effects, request: RawRequest, response: Response) -> Response:
    word = str(effects["end-of-list"])
    if request.page is None or not response.empty_list:
        return response
    if word.isdigit():
        return Problem(int(word), "there is no such page").response()
    return Response(200).with_body(b"null" if word == "null" else b"")


def _wrap_list(effects: Effects, request: RawRequest, response: Response) -> Response:
    if request.page is None or response.empty_list is None:
        return response
    if "list-field" not in effects:
        return response.with_headers({"X-Total-Count": str(effects["list-total"])})
    name = "content" if effects["list-field"] is True else effects["list-field"]
    more: dict[str, JSON] = {"number": request.page, "size": request.size}
    more |= {"first": request.page == 0, "empty": response.empty_list}
    more |= {"totalElements": effects["list-total"]} if "list-total" in effects else {}
    return response.with_body(b'{"%s":%s,%s' % (str(name).encode(), response.body, encode(more)[1:]))


def _head_list(heads: Mapping[str, str], _: Effects, request: RawRequest, response: Response) -> Response:
    return response if request.page is None or response.empty_list is None else response.with_headers(heads)


def _replace_status(effects: Effects, request: RawRequest, response: Response) -> Response:  # noqa: ARG001  (as the others)
    headers = {"Retry-After": str(effects["retry-after"])} if "retry-after" in effects else {}
    return Problem(int(effects["status"]), "a fault injected by the sandbox", headers=headers).response()


_DOES: Final[Mapping[str, Callable[..., Response]]] = {
    **dict.fromkeys(("rows-inserted", "rows-deleted"), _shift_rows),
    **dict.fromkeys(("clamp-size", "ignore-page", "repeat-page", "empty-page"), _change_page),
    **dict.fromkeys(("row-twice", "odd-row", "other-event"), _spoil_row),
    "invite-errors": _refuse_invitations,
    **dict.fromkeys(("other-id", "other-name"), _change_record),
    **dict.fromkeys(("without", "nulls", "uppercase-ids", "date-offset", "unknown-fields", "unknown-values"), _rewrite),
    "empty-body": lambda _, __, response: response.with_body(b"") if response.status == 200 else response,
    "denied": _deny,
    "end-of-list": _end_list,
    **dict.fromkeys(("list-field", "list-total"), _wrap_list),
    "stale": partial(_head_list, {"Age": "86400", "X-Cache": "STALE"}),
    "warned": partial(_head_list, {"Warning": '299 - "partial results"'}),
    **dict.fromkeys(("status", "retry-after"), _replace_status),
    "body": lambda effects, _, response: response.with_body(str(effects["body"]).encode(), TEXT),
    "html": lambda _, __, response: response.with_body(PAGE, "text/html"),
    "key-revoked": lambda _, __, ___: Problem(401, "the key was revoked").response(),
}
"""What does each word of `results` and `replies`; of the latter, `after-commit` only says that all was done."""


@cache
def words_of(section: str) -> Mapping[str, Word]:
    """Read the words of `results`, `replies`, `delivery` (which is the app's) or the `conditions`."""
    tables = {"odd_rows": ODD_ROWS, "denials": DENIALS, "ends": ENDS}
    text = Path(__file__).with_name("faults.txt").read_text(encoding="utf-8")
    text = text.format_map({name: "|".join(table) for name, table in tables.items()})
    lines = text.partition(f"\n[{section}]\n")[2].partition("\n\n")[0].splitlines()
    split = ([*map(str.strip, line.split(" | ")), ""][:4] for line in lines)
    return {name: Word(kind, meaning, tags) for name, kind, meaning, tags in split}


def functions(section: str, effects: Effects) -> list[Callable[..., Response]]:
    """Give the functions that have these effects, in the order of their words, each once."""
    return list(dict.fromkeys(_DOES[name] for name in words_of(section) if name in effects and name in _DOES))
