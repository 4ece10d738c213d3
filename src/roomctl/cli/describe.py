"""`roomctl describe`: the whole tool as one document, for programs that write commands, forms or documentation."""

from typing import Any

from roomctl.cli.lazy import Commands, Context
from roomctl.cli.session import Answer
from roomctl.contract.operations import OPERATIONS, PREFIX, Operation, Param

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
    from roomctl.docs.tree import tree

    whole, *rows = tree(ctx.find_root().command)
    common = [option.names for option in whole.options]
    return Answer(
        {
            "schema": SCHEMA,
            "name": "roomctl",
            "version": _version(),
            "summary": whole.paragraphs[0],
            "options": [_option(option) for option in whole.options],
            "commands": [_command(row, common) for row in rows if not row.below],
            "operations": [_operation(operation) for operation in OPERATIONS],
            "resources": _resources(),
            "formats": _formats(),
            **_tables(ctx.obj),
        },
        "Body",
    )


def _version() -> str:
    from roomctl import __version__

    return __version__


def _command(row: Any, common: list[tuple[str, ...]]) -> dict[str, JSON]:
    return {
        "command": row.words,
        "summary": row.summary,
        "about": list(row.paragraphs),
        "arguments": [_argument(each) for each in row.arguments],
        "options": [_option(each) for each in row.options if each.names not in common],
        "operations": [call.name for call in row.about.calls],
        "writes": row.about.writes,
        "shows": list(row.about.shows),
        "exit_codes": list(row.about.exits),
        "examples": [example.line for example in row.about.examples],
    }


def _option(option: Any) -> dict[str, JSON]:
    return {
        "names": list(option.names),
        "off": list(option.off),
        "takes": option.value.kind,
        "placeholder": option.placeholder,
        "choices": list(option.value.words) if option.value.kind == "word" else [],
        "repeats": option.repeats,
        "required": option.required,
        "default": option.default,
        "section": option.section,
        "help": option.help,
    }


def _argument(argument: Any) -> dict[str, JSON]:
    return {
        "placeholder": argument.placeholder,
        "takes": argument.value.kind,
        "choices": list(argument.value.words) if argument.value.kind == "word" else [],
        "of": argument.value.words[0] if argument.value.kind in ("id", "name") else "",
        "repeats": argument.repeats,
        "required": argument.required,
        "help": argument.help,
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


def _resources() -> dict[str, JSON]:
    from roomctl.contract.fields import resources

    return {
        name: [{"name": each.name, "type": each.type, "values": list(each.values)} for each in fields.values()]
        for name, fields in resources().items()
    }


def _formats() -> list[str]:
    from roomctl.output.writers import FORMATS

    return list(FORMATS)


def _tables(session: Any) -> dict[str, JSON]:
    """What `roomctl help` tells as tables."""
    from roomctl.cli import topics

    return {
        "exit_codes": topics.exit_codes(session).value,
        "errors": topics.errors(session).value,
        "environment": topics.environment(session).value,
    }
