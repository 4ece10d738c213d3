"""The OpenAPI 3.1 document of the service, made from the operations and the shapes. Imports no pydantic.

Resources stand in it twice: as they are answered (`Social`, open, because the service may answer more than the
interface names) and as they are sent (`SocialInput`, closed, because a field that nobody named is a mistake).
What the interface does not show is quoted in `x-not-shown`; what this document adds by itself is named in
`x-assumption`.
"""

from collections.abc import Iterable
from typing import Any

from roomctl.contract.fields import Field, fields
from roomctl.contract.operations import KEY_HEADER, OPERATIONS, PREFIX, Operation, Param
from roomctl.contract.shapes import SHAPES

JSON = Any

_SCALARS: dict[str, dict[str, JSON]] = {
    "string": {"type": "string"},
    "boolean": {"type": "boolean"},
    "integer": {"type": "integer", "format": "int64"},
    "uuid": {"type": "string", "format": "uuid"},
    "date-time": {"type": "string", "format": "date-time"},
    "byte": {"type": "string", "format": "byte", "contentEncoding": "base64"},
}
"""Formats carry the bounds: with `pattern` or `maximum` beside them, clients made from the document fail to load it."""

_NULL: dict[str, JSON] = {"type": "null"}
_NOTES = {
    "platform": "two values, which the interface writes as PLATFORM_A and PLATFORM_B",
    "guestBearer": "a bearer credential: roomctl removes it where the reply is decoded",
    "refreshBearer": "a bearer credential: roomctl removes it where the reply is decoded",
}
_LEAST_PAGING = {"page": 0, "size": 1}
_ASSUMPTION = "the interface does not show it; the sandbox works this way"


def document(base_url: str = "http://127.0.0.1:8400") -> dict[str, JSON]:
    """Describe the service at a base address as an OpenAPI 3.1 document, ready for JSON."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Virtual Room Session Service",
            "version": PREFIX.rpartition("v")[2],
            "description": "Creating and managing virtual social events. Which fields are required, error statuses and "
            "bodies, rate limits and size limits are not shown by the interface. Integers are bounded by 64 bits.",
        },
        "servers": [{"url": base_url.rstrip("/") + PREFIX}],
        "security": [{"apiKey": []}],
        "tags": [{"name": tag} for tag in dict.fromkeys(_tag(operation) for operation in OPERATIONS)],
        "paths": _paths(),
        "components": {
            "schemas": _answered() | _sent(),
            "securitySchemes": {"apiKey": {"type": "apiKey", "in": "header", "name": KEY_HEADER}},
        },
    }


def _paths() -> dict[str, JSON]:
    paths: dict[str, JSON] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    return paths


def _operation(operation: Operation) -> dict[str, JSON]:
    described: dict[str, JSON] = {
        "operationId": operation.name.replace(".", "_"),
        "tags": [_tag(operation)],
        "summary": operation.summary,
    }
    if operation.not_shown:
        described["description"] = "The interface leaves open: " + " ".join(operation.not_shown)
        described["x-not-shown"] = list(operation.not_shown)
    assumed = operation.assumed
    if parameters := [*map(_parameter, operation.params), *map(_assumed, assumed)]:
        described["parameters"] = parameters
    if operation.body:
        content = _content(operation.body, "Input")
        described["requestBody"] = {"required": True, "content": content}
    return described | {"responses": _responses(operation)}


def _tag(operation: Operation) -> str:
    return operation.name.partition(".")[0]


def _parameter(param: Param) -> dict[str, JSON]:
    schema = dict(_SCALARS[param.type])
    if param.default is not None:
        schema["default"] = param.default
    described = {
        "name": param.name,
        "in": param.where,
        "required": param.required,
        "description": param.meaning,
        "schema": schema,
    }
    if param.name in _LEAST_PAGING:
        schema["minimum"] = _LEAST_PAGING[param.name]
        described["x-assumption"] = f"minimum: {_ASSUMPTION}"
    return described


def _assumed(param: Param) -> dict[str, JSON]:
    described = _parameter(param)
    return described | {
        "description": f"{param.meaning}; an assumption: {_ASSUMPTION}",
        "x-assumption": _ASSUMPTION,
    }


def _responses(operation: Operation) -> dict[str, JSON]:
    done: dict[str, JSON] = {"description": operation.reply or "done; the response body is not shown"}
    if operation.reply:
        done["content"] = _content(operation.reply, "")
    return {
        "200": done,
        "default": {"description": "not documented: error statuses, their conditions and the shape of an error body"},
    }


def _content(type_name: str, suffix: str) -> dict[str, JSON]:
    return {"application/json": {"schema": _schema(Field("", type_name), suffix)}}


def _schema(field: Field, suffix: str) -> dict[str, JSON]:
    if field.array:
        return {"type": "array", "items": _schema(field.item, suffix)}
    if field.type in SHAPES:
        return {"$ref": f"#/components/schemas/{field.type}{suffix}"}
    return {"type": "string", "enum": list(field.values)} if field.values else dict(_SCALARS[field.type])


def _nullable(field: Field, suffix: str) -> dict[str, JSON]:
    schema = _schema(field, suffix)
    if "$ref" in schema:
        return {"anyOf": [schema, _NULL]}
    schema["type"] = [schema["type"], "null"]
    if field.values:
        schema["enum"].append(None)
    if field.name in _NOTES:
        schema["description"] = _NOTES[field.name]
    return schema


def _answered() -> dict[str, JSON]:
    names = _reachable(operation.reply for operation in OPERATIONS)
    return {name: _resource(name, "") for name in SHAPES if name in names}


def _sent() -> dict[str, JSON]:
    names = _reachable(operation.body for operation in OPERATIONS)
    schemas = {f"{name}Input": _resource(name, "Input") for name in SHAPES if name in names}
    for operation in OPERATIONS:
        if operation.repeat == "patch":  # its body says by the first field which record it changes
            schema, key = schemas[f"{operation.body}Input"], next(iter(fields(operation.body or "")))
            schema["required"] = [key]
            schema["properties"][key] = _schema(fields(operation.body or "")[key], "Input")
    return schemas


def _resource(name: str, suffix: str) -> dict[str, JSON]:
    properties = {field.name: _nullable(field, suffix) for field in fields(name).values()}
    described = {"type": "object", "description": SHAPES[name].__doc__, "properties": properties}
    return described | ({"additionalProperties": False} if suffix else {})


def _reachable(types: Iterable[str | None]) -> set[str]:
    found: set[str] = set()
    ahead = [name.removesuffix("[]") for name in types if name]
    while ahead:
        name = ahead.pop()
        if name in SHAPES and name not in found:
            found.add(name)
            ahead += [field.item.type for field in fields(name).values()]
    return found
