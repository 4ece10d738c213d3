"""What a fault does: the words of its effects, in the order in which they are applied, nearest to the operation first.

RESULTS change what the operation is asked and what it finds, REPLIES how that is put; DELIVERY is the app's.
"""

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, NamedTuple

from roomctl.contract.operations import INVITE_SEND
from roomctl.contract.paging import ENDS
from roomctl.sandbox.fault_rewrite import Effects, contradict, rewrite
from roomctl.sandbox.messages import RawRequest, Response
from roomctl.sandbox.request import Problem
from roomctl.sandbox.store import derived_id, encode

JSON = Any
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
    """A word of a fault: its value (a `flag` has none, `[…]` may be left out), its meaning, what does it."""

    kind: str
    meaning: str
    apply: Callable[..., Response] | None = None


# What the operation is asked, and what it finds


def _shift_rows(effects: Effects, respond: Respond, request: RawRequest) -> Response:
    """A page of a list whose first rows are gone, or that has new ones before them."""
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
    """Invite without the first so many records, which are answered with an error."""
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
    """Answer with another record than that of the request, told by its id or its name; of a list that is the first."""
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
    """A page with an odd row: its first once again with other values, no record at all, or that of another event."""
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


# fmt: off
RESULTS: Final[Mapping[str, Word]] = {
    "rows-inserted": Word("integer", "from now on the list starts with N new rows", _shift_rows),
    "rows-deleted": Word("integer", "from now on the first N rows of the list are gone", _shift_rows),
    "clamp-size": Word("integer", "pages have at most N rows, whatever the `size`", _change_page),
    "ignore-page": Word("flag", "every page is the first one", _change_page),
    "repeat-page": Word("flag", "the previous page is sent again", _change_page),
    "empty-page": Word("flag", "the page is empty although it has rows: a gap in the list", _change_page),
    "row-twice": Word("flag", "a page's first row appears twice, with different values", _spoil_row),
    "odd-row": Word("|".join(ODD_ROWS), "a page with rows has one more row that is not a record", _spoil_row),
    "other-event": Word("flag", "a page's last registration says that it belongs to another event", _spoil_row),
    "invite-errors": Word("integer", "the first N people in an invite request get an error and are not invited",
                          _refuse_invitations),
    "other-id": Word("flag", "the reply has an id that is not the record's", _change_record),
    "other-name": Word("flag", "the reply has a name that is not the record's", _change_record),
    "without": Word("fields", "records lack these fields, at any depth: `isOpen`, `invitedUser+invitedUserId`",
                    _rewrite),
    "nulls": Word("flag", "records have null in every field that has no value", _rewrite),
    "uppercase-ids": Word("flag", "ids are in capitals", _rewrite),
    "date-offset": Word("[offset]", "date-times have milliseconds and this offset, `+00:00` where none is given",
                        _rewrite),
    "unknown-fields": Word("flag", "every record has a field that the API does not define", _rewrite),
    "unknown-values": Word("[fields]", "every enumeration, or each one named, has an unknown value", _rewrite),
}
# fmt: on

# How that is put


def _deny(effects: Effects, request: RawRequest, response: Response) -> Response:
    """Refuse with status 200; beside the ids and fields that were sent, where that is wanted."""
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


# fmt: off
REPLIES: Final[Mapping[str, Word]] = {
    "empty-body": Word("flag", "the operation is done; the reply is 200 without a body",
                       lambda _, __, response: response.with_body(b"") if response.status == 200 else response),
    "denied": Word("|".join(DENIALS), "reply 200 with a refusal; nothing is done unless `after-commit` is given",
                   _deny),
    "end-of-list": Word("|".join(ENDS), "the reply for a page without rows; `empty`: 200 without a body", _end_list),
    "list-field": Word("[name]", "the rows of a list are in a field of an object, `content` or the one named",
                       _wrap_list),
    "list-total": Word("integer", "the list is said to have N rows: in the object of `list-field`, else in a header",
                       _wrap_list),
    "stale": Word("flag", "a list has the headers of a copy that a cache has kept for a day: Age, X-Cache",
                  partial(_head_list, {"Age": "86400", "X-Cache": "STALE"})),
    "warned": Word("flag", "a list has the header `Warning: 299`, which says that its results are partial",
                   partial(_head_list, {"Warning": '299 - "partial results"'})),
    "status": Word("integer", "reply with this status; nothing is done unless `after-commit` is given",
                   _replace_status),
    "retry-after": Word("integer", "with `status`: the header Retry-After, in seconds", _replace_status),
    "after-commit": Word("flag", "with `status` or `denied`: the operation is done all the same"),
    "body": Word("text", "this text as the body; with `status`, or instead of the usual reply",
                 lambda effects, _, response: response.with_body(str(effects["body"]).encode(), TEXT)),
    "html": Word("flag", "reply with an HTML page; the operation is done, unless there is a `status`",
                 lambda _, __, response: response.with_body(PAGE, "text/html")),
    "key-revoked": Word("integer", "from this page on, the key is refused everywhere with 401",
                        lambda _, __, ___: Problem(401, "the key was revoked").response()),
}
# fmt: on
DELIVERY: Final[Mapping[str, Word]] = {
    "latency": Word("seconds", "the operation is done; the reply is delayed by this time"),
    "slow-drip": Word("seconds", "the operation is done; its reply comes one byte at a time, with this delay"),
    "truncated": Word("flag", "the operation is done; the connection ends after half of the reply"),
    "wrong-length": Word("integer", "Content-Length is wrong by N bytes, too many or (negative) too few"),
    "drop-before-commit": Word("flag", "nothing is done; the connection ends without a reply"),
    "drop-after-commit": Word("flag", "the operation is done; the connection ends without a reply"),
    "reset": Word("flag", "the operation is done; the connection is reset without a reply"),
}


def functions(words: Mapping[str, Word], effects: Effects) -> list[Callable[..., Response]]:
    """Give what does the effects, in the order of their words, each once."""
    return list(dict.fromkeys(word.apply for name, word in words.items() if name in effects and word.apply))
