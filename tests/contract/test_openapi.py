"""The published document is valid, says what the table says, and validators made by others agree with our check."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import assume, given
from hypothesis import strategies as st
from openapi_core import OpenAPI
from openapi_core.exceptions import OpenAPIError
from openapi_core.testing import MockRequest, MockResponse
from openapi_spec_validator import OpenAPIV31SpecValidator

from roomctl.contract.fields import resources
from roomctl.contract.openapi import document
from roomctl.contract.operations import BY_NAME, KEY_HEADER, OPERATIONS, PREFIX, Operation
from roomctl.contract.validation import check
from tests.conftest import Run

JSON = Any
Values = Callable[[str], st.SearchStrategy[JSON]]

BASE = "http://127.0.0.1:8400"
ID = "3f0c1d2e-0000-4000-8000-00000000000a"
GOOD = {"uuid": ID, "string": "x", "integer": "1", "date-time": "2026-12-01T18:00:00Z"}
WITH_BODY = [operation.name for operation in OPERATIONS if operation.body]
WITH_RESOURCE = [name for name in WITH_BODY if name != "roomset.create"]
WITH_REPLY = [operation.name for operation in OPERATIONS if operation.reply]


@pytest.fixture(scope="module")
def published() -> OpenAPI:
    return OpenAPI.from_dict(document(BASE))


def request(
    operation: Operation,
    *,
    change: dict[str, str | None] | None = None,
    body: JSON = None,
    headers: dict[str, str] | None = None,
) -> MockRequest:
    """Make a request with a good value for every parameter, and then the changes (None leaves one out)."""
    values = {param.name: GOOD[param.type] for param in operation.params} | (change or {})
    path = operation.path
    for param in operation.path_params:
        path = path.replace(f"{{{param.name}}}", str(values.pop(param.name)))
    more: JSON = {"headers": {KEY_HEADER: "test-key-0"} if headers is None else headers}
    more["args"] = {name: value for name, value in values.items() if value is not None}
    data = b"" if body is None else json.dumps(body).encode()
    how = operation.method.lower()
    return MockRequest(BASE, how, PREFIX + path, data=data, content_type="application/json", **more)


def good_body(operation: Operation) -> JSON:
    if operation.body is None:
        return None
    one = {"uuid[]": ID, "RoomSet": {"socialRoomSetId": ID}}.get(operation.body, {})
    return [one] if operation.body.endswith("[]") else one


def accepts(published: OpenAPI, asked: MockRequest) -> bool:
    try:
        published.validate_request(asked)
    except (OpenAPIError, UnicodeEncodeError):  # the latter is how the validator meets base64 with an é in it
        return False
    return True


def test_the_document_is_valid_openapi_3_1() -> None:
    assert list(OpenAPIV31SpecValidator(document()).iter_errors()) == []


def described() -> dict[str, tuple[str, str, Any]]:
    """The operations of the document by their names in the table: method, path, and what is said of them."""
    paths = document()["paths"].items()
    rows = [(method.upper(), path, row) for path, methods in paths for method, row in methods.items()]
    return {row["operationId"].replace("_", ".", 1): (method, path, row) for method, path, row in rows}


def test_the_operations_are_those_of_the_table_under_names_that_generators_accept() -> None:
    table = {operation.name: (operation.method, operation.path) for operation in OPERATIONS}
    assert {name: each[:2] for name, each in described().items()} == table
    assert [*described()] == [*table]


def test_every_resource_is_described_as_answered_or_as_sent() -> None:
    schemas = document()["components"]["schemas"]
    assert {name.removesuffix("Input") for name in schemas} == resources().keys()
    assert {name for name, schema in schemas.items() if schema.get("additionalProperties") is False} == {
        name for name in schemas if name.endswith("Input")
    }


def test_what_the_interface_does_not_show_is_quoted() -> None:
    quoted = {name: tuple(row["x-not-shown"]) for name, (_, _, row) in described().items() if "x-not-shown" in row}
    assert quoted == {operation.name: operation.not_shown for operation in OPERATIONS if operation.not_shown}
    assert described()["social.create"][2]["description"] == "The interface leaves open: Query parameters: not shown."


def test_what_the_document_adds_by_itself_is_marked_as_an_assumption() -> None:
    params = [(name, param) for name, (_, _, row) in described().items() for param in row.get("parameters", ())]
    marked = {(name, param["name"]): param["required"] for name, param in params if "x-assumption" in param}
    paged = [(operation.name, param) for operation in OPERATIONS if operation.paged for param in ("page", "size")]
    assert marked == dict.fromkeys([("social.copy", "socialId"), *paged], False)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_request_is_accepted_only_with_its_key_and_good_parameters(published: OpenAPI, operation: Operation) -> None:
    body = good_body(operation)
    published.validate_request(request(operation, body=body))
    assert not accepts(published, request(operation, body=body, headers={}))
    assert not operation.body or not accepts(published, request(operation, body={"zzz": 1}))
    for param in operation.params:
        malformed = request(operation, change={param.name: "2026-02-30"}, body=body)
        assert accepts(published, malformed) == (param.type == "string"), param
        if param.required and param.where == "query":
            assert not accepts(published, request(operation, change={param.name: None}, body=body)), param


def as_body(operation: Operation, record: JSON) -> JSON:
    if operation.name == "roomset.update":
        return {"socialRoomSetId": ID} | {name: value for name, value in record.items() if value is not None}
    return [record] if (operation.body or "").endswith("[]") else record


@given(data=st.data())
def test_what_passes_our_check_the_document_accepts(published: OpenAPI, fits: Values, data: st.DataObject) -> None:
    operation = BY_NAME[data.draw(st.sampled_from(WITH_RESOURCE))]
    body = as_body(operation, data.draw(fits((operation.body or "").removesuffix("[]"))))
    assert check(operation.body or "", body, allow_placeholders=True) == []
    published.validate_request(request(operation, body=body))


@given(data=st.data())
def test_what_our_check_refuses_the_document_refuses(published: OpenAPI, misfits: Values, data: st.DataObject) -> None:
    operation = BY_NAME[data.draw(st.sampled_from(WITH_RESOURCE))]
    record = data.draw(misfits((operation.body or "").removesuffix("[]")))
    assume("\ud800" not in [*record.values()])  # JSON Schema has no word for half of a surrogate pair
    body = as_body(operation, record)
    assert check(operation.body or "", body) != []
    assert not accepts(published, request(operation, body=body))


@pytest.mark.parametrize("name", WITH_REPLY)
def test_a_reply_may_hold_more_than_the_interface_names_but_no_other_type(published: OpenAPI, name: str) -> None:
    operation = BY_NAME[name]
    asked = request(operation, body=good_body(operation))

    def understands(record: JSON) -> bool:
        reply = [record] if operation.many else record
        try:
            published.validate_response(asked, MockResponse(json.dumps(reply).encode()))
        except OpenAPIError:
            return False
        return True

    key = operation.row_id or ""
    assert [*map(understands, ({}, {"later": 1}, {key: None}, {key: {}}))] == [True, True, True, False]


def test_the_document_is_printed_as_json_and_as_yaml(roomctl: Run) -> None:
    assert roomctl("api", "--openapi").json == document()
    assert yaml.safe_load(roomctl("api", "--openapi", "-o", "yaml").stdout) == document()
