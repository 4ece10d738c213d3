"""Names of fields in `--fields` and `--sort-by`: one that nothing has is refused, with the nearest one that there is.

Before anything is sent a name is held against the interface, after a read against the rows. A name that is near no
field of the interface may be one that the service has added since: a read is asked, and only then it is refused.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from roomctl.contract.fields import fields
from roomctl.errors import BadValue, WrongCall
from roomctl.text.suggest import nearest

if TYPE_CHECKING:
    from roomctl.cli.session import Answer, Session

JSON = Any
RESULT = {"input": "string", "status": "string", "error": "string", "reply": ""}
"""The fields of a row of a bulk command; what a reply holds is the service's."""

CREDENTIALS = frozenset({"guestBearer", "refreshBearer"})


def check_before(session: "Session", shows: Sequence[str], *, writes: bool) -> None:
    """Refuse what the interface does not have, as far as that can be told before anything is sent. Raises WrongCall."""
    given = session.given
    if not shows or given.expression is not None or given.dry_run or given.curl or given.skeleton:
        return
    for option, name in _names(session):
        if any(is_field(resource, name) for resource in shows):
            continue
        meant = next(filter(None, (_meant(resource, name) for resource in shows)), "")
        if meant or writes:
            known = ", ".join(dict.fromkeys(each for resource in shows for each in _types(resource)))
            hint = f"did you mean `{meant}`?" if meant else f"its fields: {known}"
            raise WrongCall(f"no field of {' or '.join(shows)}: {option} {name}", hint=hint)


def check_after(session: "Session", answer: "Answer") -> None:
    """Refuse what neither the interface nor any of the rows has. Raises BadValue; after a write it is only said."""
    shows = () if session.given.expression is not None else session.about.shows
    rows = answer.value if isinstance(answer.value, list) else [answer.value]
    if not rows or isinstance(answer.value, str | Iterator) or not all(isinstance(row, dict) for row in rows):
        return
    for option, name in _names(session):
        if any(is_field(resource, name) for resource in shows) or any(_has(row, name) for row in rows):
            continue
        near = nearest(name, {str(key): None for row in rows for key in row})
        said = f"nothing that came has this field: {option} {name}"
        if session.outcome == "applied":
            session.note(said)
        else:
            columns = _columns(shows, rows)
            meant = _column(columns, name) or near
            others = f"there are {', '.join(path for path, _ in columns)}; `-o json` shows all"
            raise BadValue(said, hint=f"did you mean `{meant}`?" if meant else others)


def _columns(shows: Sequence[str], rows: Sequence[JSON]) -> list[tuple[str, str]]:
    """The columns of csv and tsv, each with its heading on a terminal."""
    from roomctl.output.columns import COLUMNS, seen_keys

    known = [(each.path, each.heading) for name in shows for each in COLUMNS.get(name, ()) if each.path]
    return known or [(name, name) for name in seen_keys(rows)]


def _column(columns: Sequence[tuple[str, str]], name: str) -> str:
    """The field that a table shows under this heading, or whose last part is named so; empty where none is."""
    bare = name.replace("-", "").casefold()
    headed = [path for path, heading in columns if bare == heading.replace("-", "").casefold()]
    last = {path.rpartition(".")[2]: path for path, _ in columns}
    return headed[0] if headed else last.get(nearest(name, last), "")


def check_columns(resource: str, columns: Sequence[str], also: Sequence[str] = ()) -> None:
    """Refuse a column that no row can have, or that is nearly a field; any other name may be that of an answer.

    `values.NAME` is always an answer, `also` are columns that we add. Raises WrongCall.
    """
    for name in columns:
        wrong = f"no column of an export: {name}"
        if name in also or name.startswith("values."):
            continue
        if is_field(resource, name):
            if name in CREDENTIALS:
                raise WrongCall(wrong, hint="credentials are removed from what the service sends; no option shows them")
            continue
        if name.partition(".")[0] in _types(resource):
            if meant := _meant(resource, name) or _beyond(resource, name):
                raise WrongCall(wrong, hint=f"did you mean `{meant}`?")
        elif meant := _near_column(resource, name):
            raise WrongCall(wrong, hint=f"did you mean `{meant}`? `values.{name}` is an answer of that name")


def _near_column(resource: str, name: str) -> str:
    """The path of the field that begins so or is nearly named so, with or without what it is a part of."""
    types = {name: kind for name, kind in _types(resource).items() if name not in CREDENTIALS}
    inner = [f"{head}.{each}" for head, kind in types.items() if not kind.endswith("[]") for each in _types(kind)]
    paths: dict[str, str] = {}
    for path in (*types, *inner):
        for spelt in (path, path.rpartition(".")[2]):
            paths.setdefault(spelt.casefold(), path)
    return paths.get(nearest(name, paths, least=0.85), "")


def _beyond(resource: str, path: str) -> str:
    """The field without fields of its own that a path goes beyond; empty where it does not."""
    head, _, rest = path.partition(".")
    types = _types(resource)
    if not rest or head not in types:
        return ""
    within = _types(types[head])
    found = _beyond(types[head], rest) if within else ""
    return f"{head}.{found}" if found else "" if within else head


def _names(session: "Session") -> Iterator[tuple[str, str]]:
    given = session.given
    yield from (("--fields", name) for name in given.fields)
    if given.sort_by:
        name, _, direction = given.sort_by.rpartition(",")
        yield "--sort-by", name if direction in ("asc", "desc") else given.sort_by


def _types(resource: str) -> dict[str, str]:
    return RESULT if resource == "Result" else {name: field.type for name, field in fields(resource).items()}


def is_field(resource: str, path: str) -> bool:
    """Whether a dotted path leads to a field; what the interface does not describe may hold anything."""
    head, _, rest = path.partition(".")
    types = _types(resource.removesuffix("[]"))
    if head.isdigit() and resource.endswith("[]"):
        return not rest or is_field(resource.removesuffix("[]"), rest)
    if not types:
        return resource == ""
    return head in types and (not rest or is_field(types[head], rest))


def _meant(resource: str, path: str) -> str:
    """The path with the nearest name in the place of the first wrong one; empty where none is near."""
    types, found = _types(resource), ""
    head, dot, rest = path.partition(".")
    if head.isdigit() and rest:
        found = _meant(resource, rest)
    elif head not in types:
        near = nearest(head, types)
        return near + (dot + rest if near and rest and is_field(types[near], rest) else "")
    elif rest:
        found = _meant(types[head].removesuffix("[]"), rest)
    return f"{head}.{found}" if found else ""


def _has(row: JSON, path: str) -> bool:
    """Whether something stands at a path of a row, also null."""
    if isinstance(row, list):
        head, _, rest = path.partition(".")
        if head.isdigit():
            return int(head) < len(row) and (not rest or _has(row[int(head)], rest))
        return any(_has(each, path) for each in row)
    if not isinstance(row, dict):
        return False
    head, dot, rest = path.partition(".")
    return path in row or (bool(dot) and head in row and _has(row[head], rest))
