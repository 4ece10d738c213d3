"""`roomctl describe`: the whole tool as one document, for programs that write commands, forms or documentation."""

from roomctl import __version__
from roomctl.cli.help import environment, errors, exit_codes
from roomctl.cli.help_text import examples_of
from roomctl.cli.options import Commands
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.fields import resources
from roomctl.contract.operations import OPERATIONS, PREFIX, Operation
from roomctl.docs.tree import Parameter, Row, tree
from roomctl.output.writers import FORMATS

SCHEMA = 1  # grows when a key changes meaning or goes away; a new key or a new value does not change it

commands = Commands()


@commands.verb("describe")
def describe(session: Session) -> Answer:
    """Describe the whole tool: commands, options, operations, fields, exit codes, errors, environment."""
    whole, *rows = tree(session.context.find_root().command)
    common = [option.names for option in whole.options]
    return Answer(
        {
            "schema": SCHEMA,
            "name": "roomctl",
            "version": __version__,
            "summary": whole.paragraphs[0],
            "options": [_parameter(option) for option in whole.options],
            "commands": [_command(row, common) for row in rows if not row.below],
            "operations": [_operation(operation) for operation in OPERATIONS],
            "resources": {name: [each._asdict() for each in fields.values()] for name, fields in resources().items()},
            "formats": list(FORMATS),
            "exit_codes": exit_codes(session).value,
            "errors": errors(session).value,
            "environment": environment(session).value,
        },
        "Body",
    )


def _command(row: Row, common: list[tuple[str, ...]]) -> dict[str, JSON]:
    about = row.about
    return {
        "command": row.words,
        "summary": row.summary,
        "about": list(row.paragraphs),
        "arguments": [_parameter(each) for each in row.arguments],
        "options": [_parameter(each) for each in row.options if each.names not in common],
        "operations": [call.name for call in about.calls],
        "writes": about.writes,
        "shows": list(about.shows),
        "exit_codes": list(about.exits),
        "examples": [each.line for each in examples_of(row.words)],
    }


def _parameter(each: Parameter) -> dict[str, JSON]:
    """Describe an option, or an argument, which has no name."""
    kind, words = each.value
    shared = {
        "placeholder": each.placeholder,
        "choices": list(words) if kind == "word" else [],
        "repeats": each.repeats,
        "required": each.required,
    }
    if not each.names:
        return {**shared, "takes": kind, "of": words[0] if kind in ("id", "name") else "", "help": each.help}
    named = {"names": list(each.names), "off": list(each.off), "takes": kind}
    return {**named, **shared, "default": each.default, "section": each.section, "help": each.help}


def _operation(operation: Operation) -> dict[str, JSON]:
    names = ("number", "name", "summary", "method", "body", "reply", "paged", "repeat")
    parameters = [
        {"name": each.name, "in": each.where, "type": each.type, "required": each.required} for each in operation.params
    ]
    return {name: getattr(operation, name) for name in names} | {
        "path": PREFIX + operation.path,
        "parameters": parameters,
        "id": operation.row_id,
        "seen_in": operation.readback,
        "not_documented": list(operation.not_shown),
    }
