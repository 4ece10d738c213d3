"""`roomctl explain COMMAND…`: what a command line would do, in words; it is read, never run."""

from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Annotated, Any

from typer import Argument

from roomctl.cli.helptext import exits_of, not_documented
from roomctl.cli.lazy import HELP, Commands, Context
from roomctl.cli.options import Given
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import KEY_HEADER, PREFIX, RULES_GET, Operation, Repeat
from roomctl.contract.records import UUID, is_uuid
from roomctl.errors import RoomctlError, WrongCall
from roomctl.text.suggest import did_you_mean

JSON = Any
commands = Commands()
PRESENTATION = ("output", "fields", "expression", "no_header", "error_format", "quiet", "profile", "sandbox")
REPEATED: Mapping[Repeat, str] = {
    "read": "repeated after any passing failure, up to 5 attempts",
    "patch": "repeated while it was certainly not applied, up to 4 attempts; after a lost answer only when reading"
    " shows that nothing has changed, and then once",
    "create": "repeated while it was certainly not applied: 4 attempts where nothing was sent, 3 after a 429; never"
    " after a lost answer",
    "end": "repeated while it was certainly not applied: 4 attempts where nothing was sent, 3 after a 429; after a"
    " lost answer only when the room is seen open twice, and then once",
}
UNDO: Mapping[Repeat, str] = {
    "read": "there is nothing to undo",
    "patch": "send the earlier values again, where you kept them: the service keeps none",
    "create": "the service has no operation that deletes: what was made stays",
    "end": "the service offers no way to open a room again; `roomctl social copy` makes a new one like it",
}
SAVED = "an update with the earlier values puts them back, where you kept them; what was created stays"
LOST: Mapping[Repeat, str] = {
    "read": "it is asked again; at the end exit 5",
    "patch": "my room sets are read: when they show what was sent, it is done; when they show what stood before, it is"
    " sent once more; else exit 7",
    "create": "exit 7, never sent again; what is new since is listed as a candidate, never guessed",
    "end": "my room sets are read: a room that is seen closed is ended; with `--leave-open-until` an open room proves"
    " nothing: exit 7",
}
SAVED_LOST = (
    "the configuration is read back where its id is known, and is done when it shows what was sent; else exit 7"
)
ANY = "any operation: name one, as in `roomctl explain api social.end`"
UNSEEN = "exit 7, never sent again: the service has no operation that shows it"


@commands.verb(
    "explain",
    raw=True,
    examples=["explain social end ID", "explain social end ID --leave-open-until +15m -o json", "explain roomset list"],
)
def explain(
    ctx: Context,
    words: Annotated[list[str], Argument(metavar="COMMAND...", help="a command, with or without what follows it")],
) -> Answer:
    """Explain a command: what it calls, the same with curl, what is repeated, what a lost answer means.

    Nothing is sent and nothing is looked up. Where an id is not given, its name stands in braces.
    """
    session: Session = ctx.obj
    name, command, rest = _resolve(ctx, words)
    ids = _ids_in(session, ctx, name, command, rest)
    operations = _operations(name, command, rest)
    calls = [_call(_base(session), call, ids) for call in operations]
    main = next((call for call in operations if call.writes), operations[0] if operations else None)
    about = {
        "command": f"roomctl {name}",
        "what": " ".join((command.help or "").split("\n\n")[0].split()),
        "calls": calls or (ANY if name == "api" else "no operation of the service: it works on this machine"),
        **(_in_words(main) if main is not None else {}),
        "asks": _asks(operations),
        "not_documented": not_documented(operations),
        "exit_codes": {str(code): meaning for code, meaning in exits_of(command.about.exits)},
    }
    return Answer({name: value for name, value in about.items() if value not in ("", [])}, "Explanation")


def _resolve(ctx: Context, words: list[str]) -> tuple[str, Any, list[str]]:
    """The command that the words begin with, its name, and the words after it. Raises UsageError, WrongCall."""
    root = ctx.find_root()
    tree: Any = root.command
    if words[0].isdigit():
        hint = f"`roomctl explain api {words[0]}` explains the operation, `roomctl help exit-codes` the exit code"
        raise WrongCall(f"a number is no command: {words[0]}", hint=hint)
    _, command, rest = tree.resolve_command(root, list(words))
    name, parent = words[0], root
    while hasattr(command, "members"):
        if not rest:
            raise WrongCall(f"{name} is a group of commands", hint=f"name one of {', '.join(command.members)}")
        parent = type(ctx)(command, info_name=name.rpartition(" ")[2], parent=parent)
        name = f"{name} {rest[0]}"
        _, command, rest = command.resolve_command(parent, rest)
    return name, command, rest


def _operations(name: str, command: Any, rest: Sequence[str]) -> tuple[Operation, ...]:
    """The operations that a command calls; of `api`, the one that is named. Raises BadValue."""
    if name != "api":
        return tuple(command.about.calls)
    from roomctl.cli.api import find

    words = list(takewhile(lambda word: not word.startswith("-"), rest))
    return (find(words)[0],) if words else ()


def _ids_in(session: Session, ctx: Context, name: str, command: Any, rest: list[str]) -> list[str]:
    """Read what follows the command as it would be read, and give the ids in it. Raises UsageError."""
    _check_options(command, rest)
    outer, session.given = session.given, Given()
    try:
        inner = command.make_context(name, list(rest), parent=ctx.find_root(), resilient_parsing=True)
        for option in PRESENTATION:
            if value := getattr(session.given, option):
                setattr(outer, option, value)
    finally:
        session.given = outer
    values = [
        each for value in inner.params.values() for each in (value if isinstance(value, list | tuple) else [value])
    ]
    texts = [each for each in values if isinstance(each, str) and (is_uuid(each) or each.startswith("/"))]
    return [key.lower() for each in texts for key in UUID.findall(each)]


def _check_options(command: Any, rest: list[str]) -> None:
    """Refuse an option that the command does not have; reading for an explanation passes over what is wrong."""
    known = {name for param in command.every_param() for name in (*param.opts, *param.secondary_opts)} | set(HELP)
    for word in rest[: rest.index("--") if "--" in rest else None]:
        name = word.partition("=")[0]
        if name.startswith("--") and name not in known:
            hint = did_you_mean(name, known, "") or "its `--help` lists its options"
            raise WrongCall(f"no such option: {name}", hint=hint)


def _base(session: Session) -> str:
    try:
        return session.settings.base_url
    except RoomctlError:
        return "{base_url}"


def _call(base: str, call: Operation, ids: list[str]) -> dict[str, JSON]:
    named = [param.name for param in (*call.path_params, *call.query_params) if param.required]
    known = dict(zip(named, ids, strict=False))
    path = PREFIX + call.path
    for name, value in known.items():
        path = path.replace("{" + name + "}", value)
    asked = [f"{name}={known.get(name, '{' + name + '}')}" for name in named if "{" + name + "}" not in call.path]
    url = base + path + ("?" + "&".join(asked) if asked else "")
    body = " --header 'Content-Type: application/json' --data @body.json" if call.body else ""
    return {
        "operation": call.name,
        "number": call.number,
        "request": f"{call.method} {path}",
        "curl": f"curl --globoff --request {call.method} '{url}' --header \"{KEY_HEADER}: $ROOMCTL_API_KEY\"{body}",
    }


def _in_words(call: Operation) -> dict[str, str]:
    """What may be repeated, undone and known after a lost answer."""
    unseen = call.repeat == "create" and call.readback is None
    lost = SAVED_LOST if call.seen_in is RULES_GET else UNSEEN if unseen else LOST[call.repeat]
    undo = SAVED if call.saves else UNDO[call.repeat]
    return {"repeat": REPEATED[call.repeat], "undo": undo, "lost_answer": lost}


def _asks(operations: Sequence[Operation]) -> str:
    writes = [call for call in operations if call.writes]
    if any(call.repeat == "end" for call in writes):
        return "for the word `end`, unless `--yes` stands there"
    if any(call.repeat == "patch" or call.many or call.saves for call in writes):
        return "before it changes what stands, unless `--yes` stands there"
    return "nothing, except on a protected profile" if writes else "nothing"
