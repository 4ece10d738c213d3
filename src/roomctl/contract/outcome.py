"""What a reply means for a write: done, refused or unknown. A record that says neither proves nothing (R45)."""

import json
import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, Literal, NamedTuple
from unicodedata import normalize

from roomctl.contract.fields import INDEXED, fields, skeleton
from roomctl.contract.operations import Operation
from roomctl.contract.records import count, error_of, folded, is_uuid
from roomctl.contract.statements import DEPTH, is_text, is_told, may_say, says, something, text_says
from roomctl.contract.vocabulary import CHANGE, DENIAL, HARMLESS, WRITE
from roomctl.text import JSON
from roomctl.text.times import instant, moment, on_some_clock

Query = Sequence[tuple[str, str]]
Status = Literal["ok", "failed", "unknown", "skipped"]
_KNOWN_BY: Final = ("name", "socialThemeName", "socialRoomSetId")
"""What tells a new record from others, beside its id: its name, and the room set that it is in."""


class Outcome(NamedTuple):
    """What became of one of the things that were asked for in a request: `id` is the new one, `reply` its record."""

    status: Status = "ok"
    error: str = ""
    id: str = ""
    reply: JSON = None


_WRONG: Final = ("error", "errors", "failureReason")
_CONFIRMING: Final = r"(?<!not )(?<!be )(?<!been )\b(saved|stored|created|updated|success(ful|fully)?)\b|[{]"
_QUOTED: Final = r'"[\w.+-]+"'


def denial(record: Mapping[str, JSON], resource: str = "", *, read: bool = False) -> str:
    """Say how a record denies what was asked (R45); empty where it does not.

    What the interface declares is data, but for what went wrong (`error`, `failureReason`), also in a record that it
    holds, and for a state that is none of its values. Of what is only `read`, less denies.
    """
    declared = INDEXED.get(resource, {})
    for name, value in record.items() if not read else ():
        kind = declared.get(name, "")
        single = isinstance(kind, str) and kind in INDEXED  # and yet it may come as a list, or a word
        held = value if isinstance(value, list) and single else [value]
        inner = [each if isinstance(each, dict) else {name: each} for each in held]
        if any(each.get(wrong) and something(each[wrong]) for each in inner for wrong in _WRONG):
            return f"a record whose `{name}` says that it failed"
        state = isinstance(value, str) if single else name == "status" and name in declared and value not in kind
        if state and says({"status": value}, (), DENIAL):
            return f"a record whose `{name}` says that it failed"
    if record.keys() <= declared.keys():
        return ""
    found = says(record, declared, DENIAL[:1] if read else DENIAL, texts=False, depth=0 if read else DEPTH)
    return found.of_record if found else ""


def remarks(record: Mapping[str, JSON], resource: str) -> str:
    """Give what a record says in words, in members that the interface does not have; empty where it says nothing."""
    given = [value for name, value in record.items() if name not in fields(resource) and is_text(name)]
    texts = [each if isinstance(each, str) else json.dumps(each, ensure_ascii=False) for each in given if each]
    return "; ".join(text for text in texts if not HARMLESS.issuperset(re.findall(r"\w+", text.lower())))[:200]


def asides(record: Mapping[str, JSON], resource: str, path: str = "") -> list[tuple[str, JSON]]:
    """Give the members that the interface does not define and that are told after a write, by path: from `path` on.

    Of people that a record names, such as its host, less says how the write went.
    """
    declared = fields(resource)
    found = [each for each in leaves(_undeclared(record, resource), path) if is_told(*each)]
    held = [(name, value if isinstance(value, list) else [value]) for name, value in record.items() if name in declared]
    for name, each in ((name, each) for name, values in held for each in values if isinstance(each, dict)):
        inner = declared[name].item.type
        tells = may_say if inner == "User" else is_told
        if fields(inner) and inner != "Social":  # which is a record of its own
            found += [pair for pair in leaves(_undeclared(each, inner), f"{path}{name}.") if tells(*pair)]
    return found


def _undeclared(record: Mapping[str, JSON], resource: str) -> dict[str, JSON]:
    declared = fields(resource)
    return {name: value for name, value in record.items() if name not in declared}


def leaves(record: Mapping[str, JSON], path: str = "", depth: int = 3 * DEPTH) -> Iterator[tuple[str, JSON]]:
    """Give what stands in an object, in those inside it, and in the objects of arrays, by path."""
    for name, value in record.items():
        yield path + name, value
        for each in (value if isinstance(value, list) else [value]) if depth else ():
            if isinstance(each, dict):
                yield from leaves(each, f"{path}{name}.", depth - 1)


def refuses(remark: str) -> bool:
    """Whether words beside a record deny what was asked, or say that it is not done yet, or was there before."""
    denies = bool(text_says(remark, DENIAL)) and not re.search(_CONFIRMING, remark.lower())
    return denies or bool(text_says(remark, ("put off",)))


def shown(record: JSON, name: str) -> JSON:
    """Give a field of what may be a record; None where it has none.

    The id of a room's theme may stand in the theme: where that has another than the room says, both are given.
    """
    value = record.get(name) if isinstance(record, dict) else None
    if name != "themeId" or not record or (worn := shown(record.get("theme"), "socialThemeId")) is None:
        return value
    return worn if value is None or folded(value) == folded(worn) else [value, worn]


def unshown(record: JSON, sent: Mapping[str, JSON]) -> dict[str, JSON]:
    """Give the fields that were sent and that a record does not show; what was cleared it may not."""
    return {name: value for name, value in sent.items() if value is not None and shown(record, name) is None}


def differing(record: Mapping[str, JSON], sent: JSON, *, null: bool = False) -> list[str]:
    """Name the fields that were sent and that a record shows with another value; what was cleared it may not show.

    `null`: a field that is there without a value is another, too: an answer to what was sent says so of itself.
    """
    given = sent if isinstance(sent, dict) else {}
    there = record if null else ()
    told = [name for name, value in given.items() if value is None or name in there or shown(record, name) is not None]
    return [name for name in told if not shows(shown(record, name), given[name])]


def remade(record: Mapping[str, JSON], sent: JSON) -> list[str]:
    """Name the fields that were sent and that a new record has with another value, not only in another form."""

    def alike(one: JSON, other: JSON) -> bool:  # as a text, as a moment without its zone, not shown
        return one is None or respelt(one, other) or on_some_clock(one, moment(other))

    told = {name: shown(record, name) for name in differing(record, sent, null=True)}
    return [name for name, each in told.items() if each is None or not shows(each, sent[name], alike)]


def uploading(theme: JSON) -> JSON:
    """Give what a theme says of an upload of its images that is not finished; None where it says of none."""
    upload = shown(theme, "uploadStatus")
    begun = isinstance(upload, dict) and upload.keys() & {"progress", "startedDateTime"}
    return upload if begun and not (upload.get("endedDateTime") or count(upload.get("progress")) == 100) else None


def images(theme: Mapping[str, JSON], body: Mapping[str, JSON]) -> dict[str, str]:
    """Name the images that were sent, by the fields in which their theme has no address of them, once they are up."""
    shows = (value for name, value in theme.items() if name.endswith("URI"))
    some = any(map(something, shows))  # any may be the whole image's
    names = {re.sub("(Bytes|Id)$", "URI", name) for name in body if name.startswith("image")}
    places = ["previewImageURI" if name == "imageURI" else name for name in names if name != "imageURI" or not some]
    return {} if uploading(theme) else {name: "an image" for name in places if not something(shown(theme, name))}


def asked(
    operation: Operation, path: Mapping[str, str], query: Query, body: JSON, standing: Mapping[str, JSON] = {}
) -> dict[str, JSON]:
    """Give the fields that the record of a reply is asked to have; the body of operation 10 holds its record.

    A copy is to be in the room set of its original. Of query parameters that are not documented those count that name
    the record.
    """
    record = shown(body, "theme") if operation.body == "CustomTheme" else body
    fields = dict(record) if isinstance(record, dict) else {}
    given = {**dict(query), **path}
    if operation.open_query:
        known = {"socialRoomSetId": original(operation, query, standing).get("socialRoomSetId"), **given}
        fields |= {name: known[name] for name in _KNOWN_BY if known.get(name) and name != operation.identity}
    for param in operation.params:
        name = param.name if param.name == operation.identity and not operation.creates else param.field
        if name and param.name in given:
            fields[name] = given[param.name]
    return fields


def original(operation: Operation, query: Query, standing: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Give the record that a request copies, as it stood before; empty where it copies none, or that was not shown."""
    ids = [folded(value) for _, value in query] if operation.creates and operation.body is None else []
    return next((standing[key] for key in ids if key in standing), {})


def settings(record: Mapping[str, JSON], resource: str) -> dict[str, JSON]:
    """Give what people set of a record, without ids, and how many `rooms` it shows: what a copy is to have too."""
    rooms = record.get("socials")
    found = {name: record[name] for name in skeleton(resource) if name in record and not is_uuid(record[name])}
    return found | ({"rooms": sum(map(bool, rooms))} if isinstance(rooms, list) else {})


def unlike(operation: Operation, record: Mapping[str, JSON], asked: Mapping[str, JSON], *, listed: bool = False) -> str:
    """Say why a record is not the one of which these fields were asked (R45, R46); empty where nothing says so.

    A new record is another where its name or its room set is another; what a service made of the rest is its own, and
    of one that a list shows (`listed`), by the id that was answered, its name and what it says in words too.
    """
    read, resource, key = not operation.writes, operation.resource or operation.body or "", operation.identity
    if why := denial(record, resource, read=read) or (
        (read and _incomplete(record, resource))
        or (_failing(record, asked, resource) if read or operation.body else "")
    ):
        return why
    wanted, found = "" if operation.creates else folded(asked.get(key)), folded(record.get(key))
    if wanted and found not in (wanted, ""):
        return f"a different {key} from the one requested"
    if (wanted and not found) or (operation.writes and not is_uuid(found)):
        return f"a record without its {key}"
    if operation.writes and record.keys() - INDEXED.get(resource, {}).keys():
        doubt = says(record, fields(resource), WRITE if operation.creates else CHANGE, texts=False)
        said = "" if listed or doubt else remarks(record, resource)
        if doubt or (said and (operation.readback or refuses(said))):
            return doubt.of_record if doubt else f"the service says: {said}"
    if wanted and operation.reply and not operation.saves:
        return ""
    new = operation.reply and not wanted
    names = differing(record, asked, null=not new)
    if new:
        known_by = _KNOWN_BY[-1:] if listed else _KNOWN_BY
        names = [name for name in names if name in known_by and not respelt(record[name], asked[name])]
    return f"a record with a different {' and '.join(names)} from the one requested" if names else ""


def _failing(record: Mapping[str, JSON], asked: Mapping[str, JSON], resource: str) -> str:
    """Say that of an array that was sent a member came back that denies what was asked; empty where none did."""
    for name in (name for name, sent in asked.items() if isinstance(sent, list) and name in fields(resource)):
        of, shown = fields(resource)[name].item.type, record.get(name)
        if isinstance(shown, list) and any(_denies(each, fields(of)) for each in shown):
            return f"a record whose `{name}` says that it failed"
    return ""


def _denies(item: JSON, known: Container[str]) -> bool:
    """Whether something that was sent in an array came back with a word that it was not taken."""
    return isinstance(item, dict) and says(item, known, ("gone", *WRITE, "passed over")) is not None


def _incomplete(record: Mapping[str, JSON], resource: str) -> str:
    """Say that a record holds records of which some are errors, or none; empty where it does not."""
    for name, field in fields(resource).items():
        inner = record.get(name) if field.array and fields(field.type) else None
        if isinstance(inner, list) and not all(isinstance(each, dict) and not error_of(each) for each in inner):
            return f"a record whose `{name}` is incomplete"
    return ""


def respelt(one: JSON, other: JSON) -> bool:
    """Whether two values are one text but for case, blanks and the form of its characters."""
    return plain(one) == plain(other)


def plain(value: JSON) -> str:
    """Give a text without what a service may change in a name: case, blanks and the form of its characters."""
    return " ".join(normalize("NFKC", str(value)).split()).casefold()


def compared(name: str) -> str:
    """Give an address or an id in the one form in which people are compared.

    It has no case, its characters are composed, and an address has no quotes that it does not need, nor Punycode.
    """
    local, at, host = normalize("NFC", name.casefold()).rpartition("@")
    if "xn--" in host:
        with suppress(UnicodeError):
            host = host.encode().decode("idna")
    return f"{local[1:-1] if re.fullmatch(_QUOTED, local) else local}{at}{host}"


def shows(record: JSON, sent: JSON, alike: Callable[[JSON, JSON], bool] = lambda _record, _sent: False) -> bool:
    """Whether a record shows every field that was sent, at any depth; a field that was cleared may be absent or empty.

    Ids may come back in another case (R48), moments in another form; `alike` says what else is the same value.
    """
    if sent is None:
        return record in (None, "", [], {})
    if isinstance(sent, dict):
        return isinstance(record, dict) and all(shows(record.get(name), value, alike) for name, value in sent.items())
    if isinstance(sent, list):
        same = isinstance(record, list) and len(record) == len(sent)
        pairs = [*zip(record, sent, strict=True)] if same else []
        taken = not any(isinstance(want, dict) and _denies(have, want) for have, want in pairs)
        return same and taken and all(shows(have, want, alike) for have, want in pairs)
    if is_uuid(sent):
        return folded(record) == folded(sent)
    same = record == sent or ((when := moment(sent)) is not None and when == instant(record))
    return bool(same and isinstance(record, bool) is isinstance(sent, bool)) or alike(record, sent)
