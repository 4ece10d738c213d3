"""The body of a write: a file, `--set` and options, checked against the interface before anything is sent."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from roomctl.cli.given import Said, contradiction
from roomctl.cli.lookup import known
from roomctl.cli.options import About
from roomctl.cli.session import JSON, Answer, Session
from roomctl.contract.fields import fields
from roomctl.contract.fields import skeleton as skeleton_of
from roomctl.contract.operations import Operation
from roomctl.contract.records import folded, is_uuid
from roomctl.contract.scalars import kind_of
from roomctl.errors import BadInput, LocalFailure, WrongCall
from roomctl.files import unreadable
from roomctl.output.columns import at
from roomctl.text.counted import first


def skeleton(about: About) -> Answer:
    """Make what `--skeleton` prints: the body of the command's operation, else the fields that it takes, to fill in."""
    operation = about.named[0]
    whole = operation.body if operation.body and fields(operation.body) else about.takes[0].body
    made = skeleton_of(whole)
    if isinstance(made, dict):
        made = {name: field for name, field in made.items() if name not in operation.assigns}
    return Answer(made, "Body")


def check_new(operation: Operation, value: JSON) -> None:
    """Refuse ids by which a record that is created would name itself. Raises BadInput naming them all."""
    records = [each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict)]
    named = [name for name in operation.assigns if any(at(record, name) is not None for record in records)]
    if named:
        raise BadInput(
            f"the body creates a record but sets its own {', '.join(named)}; nothing was sent",
            hint="remove them from the body, because the service sets them; `--skeleton` shows what may be set",
        )


def same_id(session: Session, key: str, given: JSON) -> None:
    """Refuse a body that names another record than the command line. Raises WrongCall."""
    if given is not None and folded(given) != key:
        raise WrongCall(f"the body names {given}, the command {known(session, key)}; nothing was sent")


def required_body(session: Session, type_name: str, also: Mapping[str, JSON] | None = None) -> JSON:
    """Make a body that says something. Raises WrongCall where no field is given, BadInput."""
    if not (value := body(session, type_name, also)):
        raise WrongCall(
            "nothing to send: give at least one field",
            hint="give options such as `--name`, `--set a=b` or `--input FILE`; `--skeleton` prints all fields",
        )
    return value


def body(session: Session, type_name: str, also: Mapping[str, JSON] | None = None) -> JSON:
    """Make a body: the file of `--input`, over it `--set`, over it the options; checked. Raises BadInput."""
    return overlay(session, type_name, from_input(session), also)


def from_input(session: Session) -> dict[str, JSON]:
    """Read the object of `--input`; an empty one without it. Raises BadInput."""
    given = session.given
    value = read_input(session, given.input) if given.input is not None else {}
    if not isinstance(value, dict):
        raise BadInput(f"`--input` holds {kind_of(value)}, not an object", hint="`--skeleton` prints one to fill in")
    return value


def overlay(session: Session, type_name: str, base: Mapping[str, JSON], also: Mapping[str, JSON] | None = None) -> JSON:
    """Put `--set` and the options over an object, and check the whole. Raises BadInput, WrongCall."""
    given = session.given
    pairs = [(item, *item.split("=", 1)) for item in given.set_]
    asked = [(key.split("."), Said(parse_value(type_name, key, text), "--set", item)) for item, key, text in pairs]
    typed = {name: field for name, field in {**given.body, **(also or {})}.items() if field is not None}
    asked += [([name], given.said.get(name, Said(None, name))._replace(value=field)) for name, field in typed.items()]
    return check_body(session, type_name, set_values(base, asked))


def set_values(base: Mapping[str, JSON], asked: Sequence[tuple[Sequence[str], Said]]) -> JSON:
    """Put values at their places in an object. Raises WrongCall where one would take the place of another."""
    value = dict(base)
    for (*parents, last), said in asked:
        inner = value
        for parent in parents:
            inner = inner.setdefault(parent, {})
            if not isinstance(inner, dict):
                raise WrongCall(f"{said}: {parent} is not an object")
        inner[last] = said.value
    for place, said in asked:
        if not _holds(value, place, said.value):
            near = [other for at, other in asked if all(one == two for one, two in zip(at, place, strict=False))]
            raise contradiction(said, near[-1])
    return value


def _holds(value: JSON, place: Sequence[str], asked: JSON) -> bool:
    """Whether an object says what was asked for, whatever was put into it since."""
    for part in place:
        value = value.get(part) if isinstance(value, dict) else None
    if isinstance(asked, dict) and isinstance(value, dict):
        return all(_holds(value, [name], each) for name, each in asked.items())
    same_id = is_uuid(asked) and str(value).lower() == asked.lower()
    return bool(same_id) or repr(value) == repr(asked)


def check_body(session: Session, type_name: str, value: JSON) -> JSON:
    """Check a body against the interface and give it back. Raises BadInput naming every problem."""
    from roomctl.contract.validation import check

    problems = check(type_name, value, allow_unknown=session.given.allow_unknown)
    if problems:
        rest, helps = check(type_name, value, allow_unknown=True), "; `--allow-unknown` sends unknown fields and values"
        lines = [f"`{problem.path}` {problem.message}" if problem.path else problem.message for problem in problems]
        raise BadInput(
            f"the body cannot be sent: {'; '.join(first(lines))}",
            hint=f"`--skeleton` prints a body to fill in{helps * (len(rest) < len(problems))}",
            details={"problems": [problem._asdict() for problem in problems]},
        )
    return value


def read_input(session: Session, name: str) -> JSON:
    """Read JSON or YAML from a file, or from stdin for `-`. Raises BadInput, LocalFailure."""
    return parse_document(read_text(session, name), name)


def read_text(session: Session, name: str) -> str:
    try:
        return read_bytes(session, name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = f"{name} is not UTF-8 text: byte {error.start}"
        raise BadInput(why, hint="give a text file, saved as UTF-8") from None


def read_bytes(session: Session, name: str, most: int = 64) -> bytes:
    """Read a file, or stdin for `-`, of at most so many MiB. Raises BadInput, LocalFailure."""
    bound = most * 1024 * 1024
    if name == "-":
        if session.streams.stdin is None or session.streams.stdin.closed:
            raise BadInput("stdin is closed, and `-` reads from it")
        session.stdin_read, text = True, session.streams.stdin.read(bound + 1)
        if len(text) > bound:
            raise BadInput(f"stdin is larger than {most} MiB")
        return text.encode("utf-8", "surrogateescape")
    try:
        with Path(name).open("rb") as file:
            data = file.read(bound + 1)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise unreadable(Path(name), error) from None
    except (OSError, ValueError) as error:
        raise LocalFailure(f"cannot read {name}: {str(getattr(error, 'strerror', None) or error).lower()}") from None
    if len(data) > bound:
        raise BadInput(f"{name} is larger than {most} MiB")
    return data


def parse_document(text: str, name: str) -> JSON:
    """Parse JSON, or YAML where it is not JSON; YAML dates and words such as `no` stay text. Raises BadInput."""
    from roomctl.text.document import NotADocument, parse

    try:
        return parse(text)
    except NotADocument as error:
        raise BadInput(error.about(name), hint=error.hint) from None


def parse_value(type_name: str, key: str, text: str) -> JSON:
    """Give the text of `--set key=text` the type of its field: number, boolean, null, JSON for objects, else text."""
    kind = "string"
    at: str | None = type_name.removesuffix("[]")
    for part in key.split("."):
        field = fields(at).get(part) if at else None
        kind = field.type if field else ("string" if at else kind)
        at = kind.removesuffix("[]") if kind[:1].isupper() else None
    if text == "null":
        return None
    if kind == "boolean" and text in {"true", "false"}:
        return text == "true"
    if kind == "integer" and re.fullmatch(r"-?\d{1,4000}", text, re.ASCII):
        return int(text)
    if (kind.endswith("[]") or kind[:1].isupper()) and text[:1] in "[{":
        return parse_document(text, "the value of `--set`")
    return text.split(",") if kind.endswith("[]") else text
