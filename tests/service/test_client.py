"""The client as others use it: replies, pages, headers (R17, R30)."""

from collections.abc import Callable

import pytest

from roomctl.contract.operations import INVITE_SEND, ROOMSET_LIST, ROOMSET_UPDATE, SOCIAL_CREATE
from roomctl.contract.paging import Blank
from roomctl.errors import OutcomeUnknown, Unintelligible, WrongCall
from roomctl.exports.quick import line_decoder
from roomctl.service.client import Client
from tests.servers import A, B
from tests.service.servers import ROOM, Server, client, reply, response, say

Serve = Callable[..., Server]
quickly = line_decoder("socialId")  # decodes a page as exports do


@pytest.mark.parametrize("field", ["content", "items", "data", "roomSets"])
def test_a_wrapped_list_is_refused_and_the_profile_key_unwraps_it_r30(field: str, serve: Serve) -> None:
    """Also where a page is decoded quickly, and where it is an array all the same."""
    wrapped = {field: [ROOM], "totalElements": 1}
    server = serve(*[reply(wrapped)] * 2, reply([ROOM]), reply({field: None}), reply({"error": "no", field: []}))
    single = serve(*[reply({"socialRoomSetId": A, field: [ROOM]})] * 2)  # a record's own array is no list
    with client(single.url, list_field=field) as service, pytest.raises(Unintelligible, match="a single record"):
        service.page(ROOMSET_LIST, page=0, size=1)
    with client(server.url) as service, pytest.raises(Unintelligible) as caught:
        service.page(ROOMSET_LIST, page=0, size=1)
    assert f"its `{field}` field has the rows" in caught.value.message
    assert caught.value.hint == f'`list_field = "{field}"` in the profile unwraps it'
    assert caught.value.details["wrapper"] == field
    with client(server.url, list_field=field) as service:
        assert service.page(ROOMSET_LIST, page=0, size=1, decode=quickly) == [ROOM]
        assert service.page(ROOMSET_LIST, page=0, size=1) == [ROOM]
        blank = service.page(ROOMSET_LIST, page=0, size=1)
        assert isinstance(blank, Blank) and blank.answered == "null"
        with pytest.raises(Unintelligible, match="`error` says that it failed"):
            service.page(ROOMSET_LIST, page=0, size=1)
    refused = serve(reply({field: [], "message": "1 invitation could not be delivered"}))
    with client(refused.url, list_field=field) as service, pytest.raises(OutcomeUnknown, match="says that it failed"):
        service.send(INVITE_SEND, path={"socialId": A}, body=[{}])


KEYS = ['a"b"c"d"e', '"quoted"', '""""""""', "back\\slash", '\\"\\"\\"\\"\\', "\\" * 9, "k" * 16, A]


@pytest.mark.parametrize("around", ["{}", "é{}", 'the key "{}" is {}', "\\{}\\"])
@pytest.mark.parametrize("key", KEYS)
def test_r6_a_reply_to_a_write_has_the_key_taken_out_whatever_it_is(key: str, around: str, serve: Serve) -> None:
    told = around.format(key, key)
    made = {"socialId": B, "name": told, told: [{"deep": told.upper()}]}
    server = serve(reply(made), reply([{"name": told}], headers=["Date: Sat, 21 Nov 2026 08:00:00 GMT"]))
    with Client(server.url, key) as service:
        shown = service.send(SOCIAL_CREATE, body={}).value
        page = service.send(INVITE_SEND, path={"socialId": A}, body=[{}]).value
    assert page.made is not None and key.lower() not in page[0]["name"].lower()
    names, texts = [*shown], [shown["name"], *(each["deep"] for each in [*shown.values()][-1])]
    assert not [text for text in (*names, *texts) if key.lower() in text.lower()]


def test_an_idempotency_key_is_new_for_each_write_and_kept_for_its_repeats(serve: Serve) -> None:
    import re

    server = serve(reply(b"", 429), reply(ROOM), reply(ROOM), reply([]))
    with client(server.url, idempotency_header="Idempotency-Key") as service:
        service.send(SOCIAL_CREATE, body={})
        service.send(SOCIAL_CREATE, body={})
        service.send(ROOMSET_LIST)
    found = [re.findall(rb"Idempotency-Key: ([0-9a-f-]{36})\r\n", request) for request in server.requests]
    assert found[0] == found[1] != found[2]
    assert [len(each) for each in found] == [1, 1, 1, 0]


@pytest.mark.parametrize("status", [201, 202, 204, 299])
def test_r42_where_no_reply_is_shown_only_the_documented_status_confirms(status: int, serve: Serve) -> None:
    with client(serve(reply(b"", status)).url) as service, pytest.raises(OutcomeUnknown) as caught:
        service.send(ROOMSET_UPDATE, body={})
    assert caught.value.message.endswith(f"HTTP {status}, the service documents 200 for success")


@pytest.mark.parametrize("body", [b"[NaN]", b'[{"a":1,"a":2}]', b"{}", b"<html>", b"[" * 101 + b"]" * 101])
def test_what_its_decoder_leaves_is_decoded_strictly_r28(body: bytes, serve: Serve) -> None:
    with client(serve(say(response(body))).url) as service, pytest.raises(Unintelligible):
        service.page(ROOMSET_LIST, page=0, size=20, decode=lambda *_: None)


def test_what_its_decoder_leaves_has_no_bearer_fields_r7(serve: Serve) -> None:
    with client(serve(reply([{"name": "Ada", "guestBearer": "s"}])).url) as service:
        assert service.page(ROOMSET_LIST, page=0, size=20, decode=lambda *_: None) == [{"name": "Ada"}]


def test_an_operation_with_a_body_is_not_sent_without_one(serve: Serve) -> None:
    server = serve(reply(ROOM))
    with client(server.url) as service, pytest.raises(WrongCall, match=r"social\.create needs a body: Social"):
        service.send(SOCIAL_CREATE)
    assert server.connections == 0


def test_a_rate_holds_for_repeats_too(serve: Serve) -> None:
    from roomctl.service.policy import Clock

    sleeps: list[float] = []
    clock = Clock(monotonic=lambda: 0.0, sleep=sleeps.append, uniform=lambda _, high: high)
    with client(serve(reply(b"", 503), reply([])).url, rate=2.0, clock=clock) as service:
        service.send(ROOMSET_LIST)
        service.send(ROOMSET_LIST)
    assert sleeps == [0.5, 0.5, 1.0]
