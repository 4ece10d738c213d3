"""The OpenAPI 3.1 document of the service, made from the operations and the models.

Resources stand in it as they are answered (`Social`, open) and as they are sent (`SocialInput`, closed: a field that
nobody named is a mistake). `x-not-shown` quotes the interface, `x-assumption` names what this document adds by itself.
"""

from collections.abc import Iterable
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, models_json_schema

from roomctl.contract.annotations import JSON_SCHEMAS
from roomctl.contract.models import RESOURCES
from roomctl.contract.operations import KEY_HEADER, OPERATIONS, PREFIX, Operation, Param
from roomctl.text import JSON

_LEAST_PAGING = {"page": 0, "size": 1}
_ASSUMPTION = "the interface does not show it; the sandbox works this way"


def document(base_url: str = "http://127.0.0.1:8400") -> dict[str, JSON]:
    paths: dict[str, JSON] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method.lower()] = _operation(operation)
    bodies = _schemas_of((operation.body for operation in OPERATIONS), "Input")
    for operation in OPERATIONS:
        if operation.repeat == "patch":  # its body says by the first field which record it changes
            schema = bodies[f"{operation.body}Input"]
            key = next(iter(schema["properties"]))
            schema["required"] = [key]
            schema["properties"][key]["type"] = "string"
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
        "tags": [{"name": tag} for tag in dict.fromkeys(each.name.partition(".")[0] for each in OPERATIONS)],
        "paths": paths,
        "components": {
            "schemas": _schemas_of((operation.reply for operation in OPERATIONS), "") | bodies,
            "securitySchemes": {"apiKey": {"type": "apiKey", "in": "header", "name": KEY_HEADER}},
        },
    }


def _operation(operation: Operation) -> dict[str, JSON]:
    described: dict[str, JSON] = {
        "operationId": operation.name.replace(".", "_"),
        "tags": [operation.name.partition(".")[0]],
        "summary": operation.summary,
    }
    if operation.not_shown:
        described["description"] = "The interface leaves open: " + " ".join(operation.not_shown)
        described["x-not-shown"] = list(operation.not_shown)
    parameters = [_parameter(param) for param in operation.params]
    parameters += [_parameter(param, assumed=True) for param in operation.assumed]
    if parameters:
        described["parameters"] = parameters
    if operation.body:
        described["requestBody"] = {"required": True, "content": _content(operation.body, "Input")}
    done: dict[str, JSON] = {"description": operation.reply or "done; the body of the reply is not shown"}
    if operation.reply:
        done["content"] = _content(operation.reply, "")
    undocumented = "not documented: error statuses, their conditions and the shape of an error body"
    return described | {"responses": {"200": done, "default": {"description": undocumented}}}


def _parameter(param: Param, *, assumed: bool = False) -> dict[str, JSON]:
    schema, least = dict(JSON_SCHEMAS[param.type]), _LEAST_PAGING.get(param.name)
    if param.default is not None:
        schema["default"] = param.default
    assumption = _ASSUMPTION if assumed else ""
    if least is not None:
        schema["minimum"], assumption = least, f"minimum: {_ASSUMPTION}"
    described = {
        "name": param.name,
        "in": param.where,
        "required": param.required,
        "description": param.meaning + (f"; an assumption: {_ASSUMPTION}" if assumed else ""),
        "schema": schema,
    }
    return described | ({"x-assumption": assumption} if assumption else {})


def _content(type_name: str, suffix: str) -> dict[str, JSON]:
    item = type_name.removesuffix("[]")
    schema = {"$ref": f"#/components/schemas/{item}{suffix}"} if item in RESOURCES else dict(JSON_SCHEMAS[item])
    return {"application/json": {"schema": schema if item == type_name else {"type": "array", "items": schema}}}


class Schemas(GenerateJsonSchema):
    """Pydantic's schemas, without titles and defaults; null is a type beside the other, as clients understand it."""

    def default_schema(self, schema: Any) -> dict[str, JSON]:
        return self.generate_inner(schema["schema"])

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002  (pydantic's signature)
        return False

    def nullable_schema(self, schema: Any) -> dict[str, JSON]:
        inner = self.generate_inner(schema["schema"])
        if "type" not in inner:
            return {"anyOf": [inner, {"type": "null"}]}
        values = {"enum": [*inner["enum"], None]} if "enum" in inner else {}
        return {**inner, "type": [inner["type"], "null"], **values}


def _schemas_of(types: Iterable[str | None], suffix: str) -> dict[str, JSON]:
    names = {name.removesuffix("[]") for name in types if name}
    _, made = models_json_schema(
        [(model, "validation") for name, model in RESOURCES.items() if name in names],
        ref_template="#/components/schemas/{model}" + suffix,
        schema_generator=Schemas,
    )
    schemas = made["$defs"]
    for schema in schemas.values():
        schema.pop("title")
        schema.pop("additionalProperties")
        if suffix:
            schema["additionalProperties"] = False
    return {f"{name}{suffix}": schemas[name] for name in RESOURCES if name in schemas}
