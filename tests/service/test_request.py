"""Requests made ready: what `--dry-run` and `--curl` show is what would leave, and where it goes (R1, R2, R14, R16)."""

import json
import shutil
import subprocess
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.operations import BY_NAME, REGISTRATION_LIST, ROOMSET_UPDATE, SOCIAL_COPY, SOCIAL_END
from roomctl.errors import BadInput, BadValue, RoomctlError
from roomctl.service.request import curl, prepare
from tests.conftest import Cases, error_of
from tests.servers import A
from tests.service.servers import KEY, ROOM, Server, client, reply

BASE = "https://rooms.example.org"


def test_r16_of_an_id_that_is_not_one_and_of_what_is_missing_no_request_is_made(cases: Cases) -> None:
    cases("no-requests.txt", lambda name, given: error_of(RoomctlError, prepare, BASE, BY_NAME[name], **given).message)


def test_a_body_that_json_cannot_say_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    for body in (float("nan"), float("inf"), {"a": object()}, deep, {"a": 10**5000}, Decimal("0.1")):
        with pytest.raises(BadInput, match="the body cannot be written as JSON"):
            prepare(BASE, ROOMSET_UPDATE, body=body)


def test_half_a_surrogate_pair_is_escaped_in_a_body_and_refused_in_a_query() -> None:
    assert prepare(BASE, ROOMSET_UPDATE, body={"name": "\ud800é"}).body == b'{"name":"\\ud800\\u00e9"}'
    with pytest.raises(BadValue, match="not Unicode"):
        prepare(BASE, REGISTRATION_LIST, query=[("socialEventId", A), ("text", "\ud800")])


@given(st.lists(st.tuples(st.text(min_size=1), st.text()), max_size=4))
def test_a_query_comes_out_as_it_went_in(pairs: list[tuple[str, str]]) -> None:
    from urllib.parse import parse_qsl, urlsplit

    try:
        url = prepare(BASE, SOCIAL_COPY, query=pairs).url
    except BadValue:
        assert any("\ud800" <= character <= "\udfff" for pair in pairs for text in pair for character in text)
    else:
        assert url.isascii() and url.isprintable()
        assert parse_qsl(urlsplit(url).query, keep_blank_values=True) == pairs


NASTY = 'it\'s "quoted" $HOME `id` \\ \n ! *'


@pytest.mark.skipif(not (shutil.which("curl") and shutil.which("sh")), reason="needs curl and a shell")
def test_the_curl_command_sends_the_same_request(serve: Callable[..., Server]) -> None:
    answer = {**ROOM, "socialRoomSetId": A, "name": NASTY}
    server = serve(reply(answer))
    with client(server.url) as service:
        for operation, more in (
            (ROOMSET_UPDATE, {"body": {"socialRoomSetId": A, "name": NASTY, "emoji": "☃"}}),
            (SOCIAL_END, {"path": {"socialId": A}, "query": [("leaveOpenUntil", "a b[1-3]{x,y}&'")]}),
        ):
            prepared = prepare(server.url, operation, **more)
            service.send(operation, **more)
            own = {"PATH": "/usr/bin:/bin", "ROOMCTL_API_KEY": KEY, "no_proxy": "*"}
            command = ["sh", "-c", curl(prepared)]
            done = subprocess.run(command, capture_output=True, env=own, timeout=20, check=True)
            assert json.loads(done.stdout) == answer
            ours, theirs = server.requests[-2:]
            assert ours.split(b"\r\n")[0] == theirs.split(b"\r\n")[0]
            assert ours.partition(b"\r\n\r\n")[2] == theirs.partition(b"\r\n\r\n")[2]
            assert f"X-API-Key: {KEY}".encode() in theirs
