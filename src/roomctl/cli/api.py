"""`roomctl api`: any operation, by name or by method and path."""

import json
import re

from roomctl.cli.confirm import field_lines
from roomctl.cli.given import Said
from roomctl.cli.lists import listed
from roomctl.cli.lookup import rooms_by_id
from roomctl.cli.mutation import preview, write
from roomctl.cli.needs import check
from roomctl.cli.options import LISTING, QUERY, WRITING, About, Commands, argument, flag, option
from roomctl.cli.parsers import find_operation, pair
from roomctl.cli.request_body import read_input, read_text, set_values
from roomctl.cli.session import JSON, Answer, Query, Session
from roomctl.cli.social.end import card as end_card
from roomctl.contract.operations import OPERATIONS, PREFIX, Operation
from roomctl.errors import WrongCall
from roomctl.reconcile import Write
from roomctl.text.jsontext import compact

PAGING = {"page": "page", "size": "page_size"}  # the parameters of a list's pages, and the options that set them
PAGED = ("--paginate", "--limit", "--page", "--page-size", "--sort", "--expect")
_KEY = re.compile(r"([^\[\]]+)((?:\[[^\[\]]+\])*)(\[\])?")
commands = Commands()


@commands.verb("api", any_of=OPERATIONS, takes=[*LISTING, QUERY, WRITING])
def api(
    session: Session,
    words: list[str] | None = argument("OPERATION | METHOD PATH", default=None),
    raw_field: list[str] | None = option("-f --raw-field", "key=value", pair),
    field: list[str] | None = option("-F --field", "key=value", pair),
    source: str | None = option("--input", "FILE|-"),
    paginate: bool = flag("--paginate"),
    openapi: bool = flag("--openapi"),
) -> Answer:
    """Call any API operation; without an argument, list the operations."""
    if openapi:
        from roomctl.contract.openapi import document

        if words:
            why = "`--openapi` prints the whole API, but an operation was named"
            raise WrongCall(why, hint="use only one of the two")
        return Answer(document(), "Body")
    operation, path = find_operation(words) if words else (None, {})
    unfit = [] if operation and operation.paged else [*PAGED]
    unfit += [] if operation and operation.body else ["--input"]
    if wrong := [name for name in unfit if name in session.given.typed]:
        where = operation.name if operation else "the list of operations"
        raise WrongCall(f"`{wrong[0]}` does not apply to {where}; nothing was sent", hint="leave it out")
    if operation is None:
        rows = [
            {
                "number": each.number,
                "operation": each.name,
                "method": each.method,
                "path": PREFIX + each.path,
                "summary": each.summary,
                "parameters": " ".join(param.name if param.required else f"[{param.name}]" for param in each.params)
                or None,
                "body": each.body,
            }
            for each in OPERATIONS
        ]
        return Answer(rows, "Operation")
    fields: list[tuple[str, Said]] = []
    for name, items in (("-f", raw_field), ("-F", field)):
        for item in items or ():
            key, _, text = item.partition("=")
            fields.append((key, Said(_parse_value(session, text) if name == "-F" else text, name, item)))
    body: JSON = read_input(session, source) if source is not None else None
    query, in_body = _place_fields(session, operation, path, fields, paginate)
    body = _add_to_body(operation, body, in_body) if in_body else body
    named = {*path, *(key for key, _ in query)}
    if missing := [param.name for param in operation.params if param.required and param.name not in named]:
        hint = "add " + " ".join(f"`-f {name}=VALUE`" for name in missing)
        raise WrongCall(f"{operation.name} needs {', '.join(missing)}", hint=hint)
    if operation.writes:
        return _send(session, operation, path, query, body)
    return _read(session, operation, path, query, paginate)


def _with_article(operation: Operation) -> str:
    words = re.sub(r"\b(?=(room|custom|transcription)\b)", "a ", operation.in_words)
    return re.sub(r"\b(?=(entry|audio)\b)", "an ", words)


def _parse_value(session: Session, text: str) -> JSON:
    if text.startswith("@"):
        return read_text(session, text[1:])
    whole = re.fullmatch(r"-?(0|[1-9][0-9]{0,3999})", text)
    return int(text) if whole else {"true": True, "false": False, "null": None}.get(text, text)


def _read(session: Session, operation: Operation, path: dict[str, str], query: Query, paginate: bool) -> Answer:
    paged = [*dict.fromkeys((*query, *_paging(session)))]
    if session.given.dry_run:
        return preview(session, Write(operation, path, paged))
    if paginate or (operation.many and session.given.page is None and session.given.limit is not None):
        return listed(session, operation, path=path, query=query)
    check(session, About((operation,)))
    value = session.read(operation, path=path, query=paged)
    if operation.paged and not any(name == "page" for name, _ in paged):
        session.note("this is the first page: `--paginate` reads the whole list")
    if operation.paged and isinstance(value, list):
        from roomctl.service.paginator import doubt_of_page

        session.doubt = doubt_of_page(operation, dict(paged), value)
    return Answer(value, operation.resource)


def _send(session: Session, operation: Operation, path: dict[str, str], query: Query, body: JSON) -> Answer:
    from roomctl.service.request import prepare

    check(session, About((operation,)))
    if body is None and operation.body:
        body = [] if operation.body.endswith("[]") else {}
    prepare(session.settings.base_url, operation, path=path, query=query, body=body)  # what is wrong is said first
    lines = field_lines({**dict(query), **(body if isinstance(body, dict) else {})})
    card, word = [f"about to call {operation.method} {operation.path.format_map(path)}", *lines], ""
    if operation.repeat == "end":
        key, word = path[operation.row_id or ""].lower(), "end"
        asks = session.settings.asks and not session.given.dry_run and not session.unattended
        card += end_card([key], rooms_by_id(session) if asks else {})[1:]
    return write(session, Write(operation, path, query, body, _with_article(operation)), card, word)


def _place_fields(
    session: Session, operation: Operation, path: dict[str, str], fields: list[tuple[str, Said]], paginate: bool
) -> tuple[list[tuple[str, str]], list[tuple[str, Said]]]:
    """Put fields into the path and the query, and give that and what is left for the body. Raises WrongCall."""
    query = [*session.given.parameters]
    said = [(key, Said(value, "PATH", value)) for key, value in path.items()]
    said += [(key, Said(value, "--query", f"{key}={value}")) for key, value in query]
    said += [(key, Said(value, f"--{'page-size' if key == 'size' else key}", value)) for key, value in _paging(session)]
    said += [("page", Said(None, "--paginate"))] if paginate else []
    in_query, in_body = operation.body is None and operation.open_query, list[tuple[str, Said]]()
    for key, field in fields:
        if not in_query and key not in {param.name for param in operation.params}:
            in_body.append((key, field))
            continue
        if field.value is None:
            raise WrongCall(f"{field}: a parameter cannot be null", hint="leave it out, or give it as text with `-f`")
        text = field.value if isinstance(field.value, str) else json.dumps(field.value)
        said.append((key, field._replace(value=text)))
        if key in {param.name for param in operation.path_params}:
            path[key] = text
        elif key in PAGING and operation.paged and text.isdecimal() and len(text) < 10:
            setattr(session.given, PAGING[key], int(text))
        else:
            query = [*(pair for pair in query if pair[0] != key), (key, text)]
    set_values({}, [([key], each) for key, each in said])  # which refuses what contradicts
    return query, in_body


def _paging(session: Session) -> list[tuple[str, str]]:
    given = session.given
    asked = (("page", given.page), ("size", given.page_size), ("sort", given.sort), ("text", given.text))
    return [(name, str(value)) for name, value in asked if value is not None]


def _add_to_body(operation: Operation, body: JSON, fields: list[tuple[str, Said]]) -> JSON:
    key = fields[0][0]
    if operation.body is None:
        names = ", ".join(param.name for param in operation.params) or "none"
        raise WrongCall(f"{operation.name} takes no field {compact(key)}", hint=f"use one of its parameters: {names}")
    if operation.body.endswith("[]") or (body is not None and not isinstance(body, dict)):
        raise WrongCall(f"the body of {operation.name} is an array", hint="give the array with `--input FILE`")
    asked: dict[str, tuple[list[str], Said]] = {}
    for number, (key, said) in enumerate(fields):
        found = _KEY.fullmatch(key)
        if not found:
            raise WrongCall(f"{said} has no valid key", hint="write `key=…`, `key[inner]=…` or `key[]=…`")
        place = [found[1], *re.findall(r"[^\[\]]+", found[2])]
        if found[3]:
            before = asked.get(key, (place, said._replace(value=[])))[1]
            asked[key] = place, before._replace(value=[*before.value, said.value])
        else:
            asked[f"{number}"] = place, said
    return set_values(body or {}, list(asked.values()))
