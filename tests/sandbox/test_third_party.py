"""Others' tools against the published document: a client that we did not write, and a validator of our requests."""

from importlib import import_module
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from roomctl.contract.openapi import document
from roomctl.contract.operations import BY_NAME
from tests.conftest import Run
from tests.servers import Recorder
from tests.test_wire import COMMANDS, DOT


def test_a_client_driven_by_the_document_lists_room_sets_and_ends_a_room(served: Any) -> None:
    client = import_module("requests_openapi").Client()  # imported when it is needed, for that takes time
    client.load_spec(document(served.url))
    client.requestor.headers["X-API-Key"] = served.key
    sets = client.roomset_list(size=2).json()
    assert [each["name"] for each in sets] == ["Autumn Summit", "Team Socials"]
    room = sets[0]["socials"][0]
    ended = client.social_end(socialId=room["socialId"])
    assert (ended.status_code, ended.json()["isOpen"]) == (200, False)
    client.requestor.close()


BASE = "http://127.0.0.1:8400"


@pytest.fixture(scope="module")
def published() -> Any:
    return import_module("openapi_core").OpenAPI.from_dict(document(BASE))


@pytest.mark.parametrize(("name", "recorder"), [(name, name) for name in COMMANDS], indirect=["recorder"], ids=COMMANDS)
def test_what_is_sent_is_valid(name: str, recorder: Recorder, roomctl: Run, tmp_path: Any, published: Any) -> None:
    (tmp_path / "dot.gif").write_bytes(DOT)
    assert roomctl(*COMMANDS[name]).status == 0
    method = BY_NAME[name].method.encode()
    sent = [request for request in recorder.requests if request.startswith(method + b" ")][-1]
    published.validate_request(as_request(sent))


def as_request(raw: bytes) -> Any:
    head, body = raw.split(b"\r\n\r\n", 1)
    first, *lines = head.decode().split("\r\n")
    method, target, _ = first.split(" ")
    headers = dict(line.split(": ", 1) for line in lines)
    parts = urlsplit(target)
    return import_module("openapi_core.testing").MockRequest(
        BASE, method.lower(), parts.path, args=dict(parse_qsl(parts.query)), headers=headers,
        data=body or None, content_type=headers.get("Content-Type", ""),
    )  # fmt: skip
