"""`roomctl describe`: the whole tool as one document, for programs that write commands, forms or documentation."""

from typing import Any

from roomctl import __version__
from roomctl.cli import help as topics
from roomctl.cli.lazy import Commands, Context
from roomctl.cli.session import Answer
from roomctl.contract.fields import Field, resources
from roomctl.contract.operations import OPERATIONS, PREFIX, Operation, Param
from roomctl.docs.tree import Parameter, Row, tree
from roomctl.output.writers import FORMATS

JSON = Any
SCHEMA = 1
"""Grows when a key changes its meaning or goes away; a new key or a new value does not change it."""

commands = Commands()


@commands.verb("describe", examples=["describe -o json", "describe --query 'commands[].command' -o ids"])
def describe(ctx: Context) -> Answer:
    """Describe the whole tool: commands, options, operations, fields, exit codes, errors, environment.

    The document has a version, `schema`: it grows when a key changes its meaning or goes away. New keys may come at
    any time. Without -o it is JSON.
    """
    whole, *rows = tree(ctx.find_root().command)
    common = [option.names for option in whole.options]
    return Answer(
        {
            "schema": SCHEMA,
            "name": "roomctl",
            "version": __version__,
            "summary": whole.paragraphs[0],
            "options": [_option(option) for option in whole.options],
            "commands": [_command(row, common) for row in rows if not row.below],
            "operations": [_operation(operation) for operation in OPERATIONS],
            "resources": {name: [_field(each) for each in fields.values()] for name, fields in resources().items()},
            "formats": list(FORMATS),
            "exit_codes": topics.exit_codes(ctx.obj).value,
            "errors": topics.errors(ctx.obj).value,
            "environment": topics.environment(ctx.obj).value,
        },
        "Body",
    )


def _command(row: Row, common: list[tuple[str, ...]]) -> dict[str, JSON]:
    about = row.about
    return {
        "command": row.words,
        "summary": row.summary,
        "about": list(row.paragraphs),
        "arguments": [_argument(each) for each in row.arguments],
        "options": [_option(each) for each in row.options if each.names not in common],
        "operations": [call.name for call in about.calls],
        "writes": about.writes,
        "shows": list(about.shows),
        "exit_codes": list(about.exits),
        "examples": [example.line for example in about.examples],
    }


def _option(option: Parameter) -> dict[str, JSON]:
    named = {"names": list(option.names), "off": list(option.off), "takes": option.value.kind}
    about = {"default": option.default, "section": option.section, "help": option.help}
    return {**named, **_shared(option), **about}


def _argument(argument: Parameter) -> dict[str, JSON]:
    thing = argument.value.words[0] if argument.value.kind in ("id", "name") else ""
    return {**_shared(argument), "takes": argument.value.kind, "of": thing, "help": argument.help}


def _shared(parameter: Parameter) -> dict[str, JSON]:
    return {
        "placeholder": parameter.placeholder,
        "choices": list(parameter.value.words) if parameter.value.kind == "word" else [],
        "repeats": parameter.repeats,
        "required": parameter.required,
    }


def _operation(operation: Operation) -> dict[str, JSON]:
    return {
        "number": operation.number,
        "name": operation.name,
        "summary": operation.summary,
        "method": operation.method,
        "path": PREFIX + operation.path,
        "parameters": [_parameter(param) for param in operation.params],
        "body": operation.body,
        "reply": operation.reply,
        "id": operation.row_id,
        "paged": operation.paged,
        "repeat": operation.repeat,
        "seen_in": operation.readback,
        "not_documented": list(operation.not_shown),
    }


def _parameter(param: Param) -> dict[str, JSON]:
    return {"name": param.name, "in": param.where, "type": param.type, "required": param.required}


def _field(field: Field) -> dict[str, JSON]:
    return {"name": field.name, "type": field.type, "values": list(field.values)}
