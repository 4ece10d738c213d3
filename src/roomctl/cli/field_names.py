"""Names of fields in `--fields`, `--sort-by`, `--query` and `--columns`: what is meant by a name, and what no name is.

A field is named by its path, by the heading that it has in a table, with or without its time zone, or by the last part
of its path where only one ends so; case does not matter. In results its key is its path. Before anything is sent a name
is held against the interface, after a read against the rows. A name that is near no field of the interface may be one
that the service has added since: a read is asked, and only then it is refused.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress

from roomctl.cli.parsers import Names
from roomctl.cli.query import NO_FIELDS, lacks_fields, search
from roomctl.cli.session import Answer, Session
from roomctl.contract.fields import fields
from roomctl.contract.records import folded
from roomctl.errors import BadValue, WrongCall
from roomctl.output.columns import RESULTS, Column, at, has, resource_of, seen_keys, sort_rows
from roomctl.text import JSON
from roomctl.text.jsontext import compact
from roomctl.text.suggest import nearest

RESULT = {"input": "string", "status": "string", "error": "string", "reply": ""}
"""The fields of a row of a bulk command; what a reply holds is the service's."""
REPLIES = {"UserResult": "User", "RoomResult": "Social", "InviteResult": "SocialInvite"}
"""What the reply of such a row is, where it is known."""
EVERY = dict.fromkeys(("all", "*"), "leave `--fields` out; `-o json` shows all fields")
"""What people write for all fields, which is no field's name; and what to do instead."""
EVERYDAY = {
    "present": "people persons participants users attendees visitors occupancy",
    "visits": "people persons participants users attendees visitors",
    "name": "title label",
    "host": "owner admin moderator organizer",
    "max": "capacity limit maximum",
    "outcome": "status state result",
    "open": "status state",
    "starts": "begin begins date time when",
    "started": "begin begins date time when",
    "registered": "date time when",
    "ends": "finish finishes until",
    "room-set": "set",
    "e-mail": "mail address",
}
"""Headings, and everyday words for what stands below them."""
CREDENTIALS = frozenset({"guestBearer", "refreshBearer"})


def check_before(session: Session, shows: Sequence[str], *, writes: bool) -> None:
    """Refuse what the interface does not have, as far as that can be told before anything is sent. Raises WrongCall."""
    given = session.given
    if not shows or given.dry_run or given.skeleton:
        return
    if given.expression is not None:
        if writes and given.fields:
            _check_expression(given.expression, shows)
        return
    names = [(option, name) for option, name in _names(session) if not _is_known(shows, name)]
    meant = {
        name: nearest(name, filter(None, (suggest(resource, name) for resource in shows)), least=0) for _, name in names
    }
    if any((meant[name] and not _everyday(shows, name)) or writes or name in EVERY for _, name in names):
        rows = " or ".join(dict.fromkeys(resource_of(each).plural for each in shows))
        found = {name: _everyday(shows, name) or meant[name] for name in meant}
        raise WrongCall(f"{rows} have no field {_listed(names)}", hint=_instead(found, _existing(shows)))


def _is_known(shows: Sequence[str], name: str) -> bool:
    return any(is_field(each, name) or value_named(each, name) for each in shows)


def _everyday(shows: Sequence[str], name: str) -> str:
    """The heading that an everyday word stands for, which may also be a new field; empty where it stands for none."""
    known = _short_names(shows)
    return next((each for each, words in EVERYDAY.items() if each in known and _bare(name) in words.split()), "")


def _listed(names: Sequence[tuple[str, str]]) -> str:
    """Write names with the options that they are from: `"nam" or "presnt" (from `--fields`)`."""
    named = dict[str, dict[str, None]]()
    for option, name in names:
        named.setdefault(option, {})[compact(name)] = None
    return " or ".join(f"{' or '.join(some)} (from `{option}`)" for option, some in named.items())


def _instead(meant: Mapping[str, str], existing: str) -> str:
    """Say what to write instead of some names, by what each probably means."""
    hint = next((EVERY[name] for name in meant if name in EVERY), "")
    near = [f"`{each}`" for each in dict.fromkeys(meant.values()) if each]
    return hint or (
        f"did you mean {' and '.join(', '.join(near).rsplit(', ', 1))}?" if all(meant.values()) else existing
    )


def _check_expression(expression: str, shows: Sequence[str]) -> None:
    """Refuse an expression that makes of a record, or of rows, nothing that has fields. Raises BadValue."""
    found = []
    for record in map(_example, shows):
        with suppress(BadValue):  # not of these values
            found += [search(expression, record), search(expression, [record])]
    if (some := [each for each in found if each not in (None, [])]) and all(map(lacks_fields, some)):
        why = NO_FIELDS.format("--fields", compact(expression))
        raise BadValue(f"{why}; nothing was sent", hint="use only one of them")


def _example(kind: str) -> JSON:
    """Make a value of a type: of a resource each field; what the interface does not describe may have fields."""
    made = {name: _example(each) for name, each in _types(kind).items()} if _types(kind) or not kind else "x"
    return [made] if kind.endswith("[]") else made


def sort_before_query(session: Session, answer: Answer) -> tuple[Answer, bool]:
    """Sort rows before `--query` takes some of them; False where they do not have the field that was named."""
    rows, (name, _) = answer.value, _direction(session.given.sort_by or "")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return answer, False
    if not (any(has(row, name) for row in rows) or value_named(answer.resource, name)):
        return answer, False
    return answer._replace(value=_sorted(session, answer.resource, rows)), True


def _sorted(session: Session, resource: str, rows: Sequence[JSON]) -> list[JSON]:
    name, descending = _direction(session.given.sort_by or "")
    read = None if any(has(row, name) for row in rows) else value_named(resource, name, session.names)
    return sort_rows(rows, read or (lambda row: at(row, name)), descending=descending)


def arranged(session: Session, answer: Answer, *, in_order: bool = False) -> Answer:
    """Sort the rows of an answer, and give each the computed fields that were asked for; the others are taken by path.

    Raises BadValue for a name that neither the interface nor any of the rows has; after a write that is only said.
    """
    given, value = session.given, answer.value
    if isinstance(value, Iterator):
        given.fields = _keys_for(answer.resource, given.fields)
        return answer._replace(value=(_with_fields(row, answer.resource, given.fields, session.names) for row in value))
    rows = value if isinstance(value, list) else [value]
    if not rows or not all(isinstance(row, dict) for row in rows):
        return answer
    shows = () if given.expression is not None or given.dry_run or given.skeleton else session.about.shows
    names = [
        (option, name)
        for option, name in _names(session)
        if not (in_order and option == "--sort-by")
        and not (any(is_field(each, name) for each in shows) or value_named(answer.resource, name))
        and not any(has(row, name) for row in rows)
    ]
    if names:
        shown = shows or [answer.resource]
        near = [*_short_names(shown), *seen_keys(rows)]
        meant = {name: _everyday(shown, name) or nearest(name, near) for _, name in names}
        _refuse(session, f"no row has a field {_listed(names)}", _instead(meant, _existing(shown, rows)))
    if given.sort_by and not in_order:
        rows = _sorted(session, answer.resource, rows)
    given.fields = _keys_for(answer.resource, given.fields, rows)
    rows = [_with_fields(row, answer.resource, given.fields, session.names) for row in rows]
    return answer._replace(value=rows if isinstance(value, list) else rows[0])


def check_query(session: Session, resource: str, names: Sequence[str], value: JSON) -> None:
    """Refuse names in `--query` that neither the result, at any depth, nor the interface has. Raises BadValue."""
    known = {*_keys(value), *(part for path in _paths(resource) for part in path.split("."))}
    for name in dict.fromkeys(names) if value else ():
        if name not in known:
            meant = path_named(resource, name) or nearest(name, known)
            hint = (
                f"did you mean `{meant}`? " * bool(meant)
                + "put text in single quotes, as in `name=='Hall'`; "
                * (f'"{name}"' in (session.given.expression or ""))
                + "`--query` uses the field names that `-o json` shows"
            )
            _refuse(session, f"no row has a field {compact(name)} (from `--query`)", hint)


def _refuse(session: Session, why: str, hint: str) -> None:
    if not session.written:
        raise BadValue(why, hint=hint)
    session.note(f"{why}; {hint}" if hint else why)


def _keys(value: JSON) -> Iterator[str]:
    """Give the keys of a value, at any depth."""
    if isinstance(value, dict):
        yield from value
        value = list(value.values())
    for each in value if isinstance(value, list) else ():
        yield from _keys(each)


def _short_names(shows: Sequence[str]) -> list[str]:
    return [*dict.fromkeys(each.short_name for shown in shows for each in resource_of(shown).columns)]


def _existing(shows: Sequence[str], rows: Sequence[JSON] = ()) -> str:
    return f"use one of {', '.join(_short_names(shows) or seen_keys(rows))}; `-o json` shows all fields"


def _with_fields(row: JSON, resource: str, wanted: Sequence[str], names: Mapping[str, str]) -> JSON:
    if not isinstance(row, dict):
        return row
    read = {name: value_named(resource, name, names) for name in wanted if not has(row, name)}
    return {**row, **{name: value(row) for name, value in read.items() if value}}


def _keys_for(resource: str, names: Sequence[str], rows: Sequence[JSON] = ()) -> Names:
    """The keys that fields have in a result: their paths; what is computed, or a name in an id's place, its heading."""

    def key(name: str) -> str:
        if is_field(resource, name) or any(has(row, name) for row in rows):
            return name
        column = _headed(resource, name)
        shown = column is not None and (column.of is not None or column.kind == "named")
        return column.heading if column is not None and shown else path_named(resource, name) or name

    return Names(dict.fromkeys(map(key, names)))


def value_named(resource: str, name: str, names: Mapping[str, str] = {}) -> Callable[[JSON], JSON] | None:
    """What reads the field of a row that a short name stands for; None where it stands for none.

    By its heading the name of a thing is asked for, where it is among the `names` by id; by its path the id.
    """
    column, path = _headed(resource, name), path_named(resource, name)
    if column is not None and column.of is not None:
        return column.of
    if column is not None and column.kind == "named":
        return lambda row: names.get(folded(found := at(row, path)), found)
    return (lambda row: at(row, path)) if path else None


def path_named(resource: str, name: str) -> str:
    """The path of the field that a short name stands for: a heading, or the last part of a path; else empty."""
    column, last = _headed(resource, name), name.casefold()
    if column is not None and column.path:
        return column.path
    for paths in ([each.path for each in resource_of(resource).columns], _paths(resource)):
        whole = [path for path in paths if path.casefold() == last]
        if found := whole or [path for path in paths if path.rpartition(".")[2].casefold() == last]:
            return found[0] if len(found) == 1 else ""
    return ""


def full_path(resource: str, name: str) -> str:
    """The path of a field that is named by that or by a short name; any other name as it is."""
    return name if is_field(resource, name) else path_named(resource, name) or name


def _headed(resource: str, name: str) -> Column | None:
    named = {_bare(each.heading): each for each in resource_of(resource).columns if each.heading}
    return named.get(_bare(name))


def _bare(heading: str) -> str:
    return re.sub(r" \(.*\)$|[-_ ]", "", heading).casefold()


def _paths(resource: str) -> list[str]:
    types = {name: kind for name, kind in _types(resource).items() if name not in CREDENTIALS}
    return [*types, *(f"{head}.{each}" for head, kind in types.items() for each in _types(kind))]


def suggest(resource: str, name: str, least: float = 0.65) -> str:
    """The field that was probably meant by a name that is none: its path, or its heading; empty where none is near."""
    known = {last: path for path in reversed(_paths(resource)) for last in (path.rpartition(".")[2], path)}
    known |= {each: short for short in _short_names([resource]) for each in (_bare(short), short)}
    return known.get(nearest(name, known, least=least), "")


def _direction(sort_by: str) -> tuple[str, bool]:
    """Read `field` or `field,desc`: the name, and whether the highest comes first."""
    name, _, direction = sort_by.rpartition(",")
    if name and (direction not in ("asc", "desc") or "," in name):
        hint = f"write `--sort-by {name.partition(',')[0].removeprefix('-')},desc`"
        raise WrongCall("`--sort-by` takes one field, optionally followed by `,asc` or `,desc`", hint=hint)
    return (name, direction == "desc") if name else (sort_by, False)


def check_columns(resource: str, columns: Sequence[str], also: Sequence[str] = ()) -> None:
    """Refuse a column that is nearly a field; any other name may be that of an answer, as `values.NAME` always is.

    In a field that has fields, a name need be less near. `also` are columns that we add. Raises WrongCall.
    """
    for name in columns:
        if name in also or name.startswith("values."):
            continue
        if name in CREDENTIALS:
            why = "credentials are removed from every reply, and no option shows them"
            raise WrongCall(f"exports have no column `{name}`: {why}")
        head, _, rest = name.partition(".")
        kind = _types(resource).get(head, "") if rest else ""
        meant = suggest(kind, rest) if fields(kind) else ""
        near = f"{head}.{full_path(kind, meant)}" if meant else suggest(resource, name, least=0.8)
        if near and not is_field(resource, name):
            hint = f"did you mean `{near}`? Or write `values.{name}` if a question has this name"
            raise WrongCall(f"exports have no column `{name}`", hint=hint)


def _names(session: Session) -> Iterator[tuple[str, str]]:
    given = session.given
    yield from (("--fields", name) for name in given.fields)
    if given.sort_by:
        yield "--sort-by", _direction(given.sort_by)[0]


def _types(resource: str) -> dict[str, str]:
    """The fields of a resource, or of an array of it, with their types; none of anything else."""
    if resource in RESULTS:
        return {**RESULT, "reply": REPLIES.get(resource.replace("RoomInvite", "Invite"), "")}
    return {name: field.type for name, field in fields(resource).items()}


def is_field(resource: str, path: str) -> bool:
    """Whether a dotted path leads to a field; what the interface does not describe may hold anything."""
    head, _, rest = path.partition(".")
    if head.isdigit() and resource.endswith("[]"):
        return not rest or is_field(resource.removesuffix("[]"), rest)
    kind = _types(resource).get(head)
    return kind == "" or (kind is not None and (not rest or is_field(kind, rest)))
