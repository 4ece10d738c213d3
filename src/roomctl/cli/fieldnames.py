"""Names of fields in `--fields` and `--sort-by`: one that nothing has is refused, with the nearest one that there is.

Before anything is sent a name is held against the interface, after a read against the rows. A name that is near no
field of the interface may be one that the service has added since: a read is asked, and only then it is refused.
"""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from roomctl.cli.meant import nearest
from roomctl.contract.fields import fields
from roomctl.errors import BadValue, WrongCall

if TYPE_CHECKING:
    from roomctl.cli.session import Answer, Session

JSON = Any
RESULT = {"input": "string", "status": "string", "error": "string", "reply": ""}
"""The fields of a row of a bulk command; what a reply holds is the service's."""


def check_before(session: "Session", shows: Sequence[str], *, writes: bool) -> None:
    """Refuse what the interface does not have, as far as that can be told before anything is sent. Raises WrongCall."""
    given = session.given
    if not shows or given.expression is not None or given.dry_run or given.curl or given.skeleton:
        return
    for option, name in _names(session):
        if any(_known(resource, name) for resource in shows):
            continue
        if meant := next(filter(None, (_meant(resource, name) for resource in shows)), ""):
            raise WrongCall(f"no field of {_in_words(shows)}: {option} {name}", hint=f"did you mean `{meant}`?")
        if writes:
            raise WrongCall(f"no field of {_in_words(shows)}: {option} {name}", hint=_all(shows))


def check_after(session: "Session", answer: "Answer") -> None:
    """Refuse what neither the interface nor any of the rows has. Raises BadValue; after a write it is only said."""
    shows = () if session.given.expression is not None else session.shows
    rows = answer.value if isinstance(answer.value, list) else [answer.value]
    if not rows or isinstance(answer.value, str | Iterator) or not all(isinstance(row, dict) for row in rows):
        return
    for option, name in _names(session):
        if any(_known(resource, name) for resource in shows) or any(_has(row, name) for row in rows):
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


def check_columns(resource: str, columns: Sequence[str]) -> None:
    """Refuse a column that is nearly a field; any other name may be that of an answer. Raises WrongCall."""
    for name in columns:
        head = name.partition(".")[0]
        if _known(resource, name):
            continue
        meant = _meant(resource, name) if head in _types(resource) else ""
        if meant or (near := get_close_matches(name, _types(resource), 1, 0.85)):
            raise WrongCall(f"no column of an export: {name}", hint=f"did you mean `{meant or near[0]}`?")


def _names(session: "Session") -> Iterator[tuple[str, str]]:
    given = session.given
    yield from (("--fields", name) for name in given.fields)
    if given.sort_by:
        name, _, direction = given.sort_by.rpartition(",")
        yield "--sort-by", name if direction in ("asc", "desc") else given.sort_by


def _types(resource: str) -> dict[str, str]:
    return RESULT if resource == "Result" else {name: field.type for name, field in fields(resource).items()}


def _known(resource: str, path: str) -> bool:
    """Whether a dotted path leads to a field; what the interface does not describe may hold anything."""
    head, _, rest = path.partition(".")
    types = _types(resource.removesuffix("[]"))
    if head.isdigit() and resource.endswith("[]"):
        return not rest or _known(resource.removesuffix("[]"), rest)
    if not types:
        return resource == ""
    return head in types and (not rest or _known(types[head], rest))


def _meant(resource: str, path: str) -> str:
    """The path with the nearest name in the place of the first wrong one; empty where none is near."""
    types, found = _types(resource), ""
    head, dot, rest = path.partition(".")
    if head.isdigit() and rest:
        found = _meant(resource, rest)
    elif head not in types:
        near = nearest(head, types)
        return near + (dot + rest if near and rest and _known(types[near], rest) else "")
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


def _in_words(shows: Sequence[str]) -> str:
    return " or ".join(shows)


def _all(shows: Sequence[str]) -> str:
    return "its fields: " + ", ".join(dict.fromkeys(name for resource in shows for name in _types(resource)))
