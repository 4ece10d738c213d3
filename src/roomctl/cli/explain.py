"""`roomctl explain COMMAND…`: what a command line would do, in words; it is read, never run."""

import re
import shlex
import tomllib
from collections.abc import Collection, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

from roomctl.cli.command_tree import build
from roomctl.cli.help_text import not_documented
from roomctl.cli.main import ROOT
from roomctl.cli.options import CALLING, EVERY_EXIT, GUARD_OPTIONS, Commands, argument
from roomctl.cli.parsers import find_operation
from roomctl.cli.session import JSON, Answer, Session
from roomctl.cli.time_values import future, wire, zone_for
from roomctl.contract.operations import KEY_HEADER, PREFIX, ROOMSET_LIST, RULES_GET, Operation
from roomctl.contract.records import UUID, is_uuid
from roomctl.errors import EXIT_MEANINGS, ExpectationFailed, NotAllowed, RoomctlError

commands = Commands()
WORDS = Path(__file__).with_name("explain.toml")
PRESENTATION = ("output", "fields", "expression", "no_header", "error_format", "quiet", "profile", "sandbox")
FOUND = ("ID|NAME", "SET")
"""The placeholders of what may be a name of a room or a room set."""
USUAL = {*EVERY_EXIT, *CALLING}


@commands.verb("explain", raw=True)
def explain(session: Session, words: list[str] = argument("COMMAND...")) -> Answer:
    """Explain a command: what it calls, the equivalent curl command, what is retried, and what a lost reply means."""
    context = _parse(session, words)
    name, command = context.command_path.removeprefix("roomctl "), context.command
    ids = [key.lower() for word in words for key in UUID.findall(word)]
    which = [each.name for each in command.params if (each.metavar or "").strip("[].") in FOUND]
    given = [context.params.get(each) or () for each in which]
    texts = [text for each in given for text in ([each] if isinstance(each, str) else each)]
    names = [text for text in texts if not is_uuid(text)]
    operations = command.about.calls
    if name == "api" and context.params["words"]:
        operations = (find_operation(context.params["words"])[0],)
    try:
        base_url = session.settings.base_url
        protected = session.settings.profile if session.settings.protected else ""
    except RoomctlError:
        base_url, protected = "{base_url}", ""
    asked, typed = _optional(session, context), context.obj.given.typed.keys()
    guards = sorted(GUARD_OPTIONS & typed)
    main = next((each for each in operations if each.writes), *operations[:1] or (None,))
    words_of = tomllib.loads(WORDS.read_text(encoding="utf-8"))
    said, why = words_of["said"], words_of["why"].get(name, {})
    calls = [
        _call(base_url, call, ids, asked, why.get(call.name, "" if call is main else said["sometimes"]))
        for call in sorted(operations, key=lambda each: each.writes)
        if not (names and call is ROOMSET_LIST)
    ]
    if names:  # what it may read later is this list too
        finds = f"finds the id of {', '.join(names)}; your rooms and room sets are read first"
        calls.insert(0, _call(base_url, ROOMSET_LIST, ids, {}, finds))
    can_guard = GUARD_OPTIONS.intersection(option for param in command.params for option in param.opts)
    eight = words_of["exit_8"].get(name, words_of["exit_8"]["guard" if can_guard else "profile"])
    meanings = EXIT_MEANINGS | {ExpectationFailed.exit: eight}
    about = {
        "command": f"roomctl {name}",
        "what": " ".join(command.help.split()),
        "calls": calls or said["any" if name == "api" else "of_entry" if command.about.any_of else "none"],
        **({"body": said["body"]} if any(call.body for call in operations) else {}),
        **_in_words(words_of, operations, typed, name, protected),
        "guards": said["guarded"].format(", ".join(map("`{}`".format, guards))) if guards else "",
        "not_documented": not_documented(operations),
        "exit_codes": {str(code): meanings[code] for code in command.about.exits if code not in USUAL},
        "other_exit_codes": " ".join(str(code) for code in command.about.exits if code in USUAL),
    }
    return Answer({name: value for name, value in about.items() if value not in ("", [], {})}, "Explanation")


def _parse(session: Session, words: list[str]) -> Any:
    """Parse a command line as it would be parsed, but let anything be missing. Raises UsageError, WrongCall."""
    argv, quoted = session.argv, words[0]
    with suppress(ValueError):  # an open quote
        if " " in quoted:  # the command is one argument
            argv = tuple(part for each in argv for part in (shlex.split(each) if each == quoted else [each]))
            words = [*shlex.split(quoted), *words[1:]]
    parsed = Session(session.environment, session.streams, argv)
    words = words[len(words) > 1 and words[0] == "roomctl" :]
    own = build("roomctl", ROOT)  # whose commands are changed below
    context: Any = own.make_context("roomctl", words, obj=parsed)
    while hasattr(context.command, "members"):
        if not (rest := [*context._protected_args, *context.args]):
            context.fail("Missing command.")
        word, command, rest = context.command.resolve_command(context, rest)
        holes = {"[OPTIONS]"}  # the words of a usage line, which stand for what is not given
        for param in command.params:
            param.required = False
            holes.update(re.findall("[A-Z]+", param.metavar or "") if param.param_type_name == "argument" else ())
        rest = [each for before, each in pairwise(["", *rest]) if each not in holes or before.startswith("-")]
        context = command.make_context(word, rest, parent=context)
    vars(session.given).update({name: value for name in PRESENTATION if (value := getattr(parsed.given, name))})
    return context


def _optional(session: Session, context: Any) -> dict[str, str]:
    """Give the query parameters that may be left out, as far as the command line gives them, as they are sent."""
    given, params = context.obj.given, context.params
    asked = {"text": given.text, "sort": given.sort}
    if until := params.get("leave_open_until"):
        asked["leaveOpenUntil"] = "{leaveOpenUntil}"
        with suppress(NotAllowed):  # it depends on the clock and the zone of a profile
            asked["leaveOpenUntil"] = wire(future(until, session.now(), zone_for(session, params.get("tz"))))
    return {name: quote(value, ":{}") for name, value in asked.items() if value is not None}


def _call(base: str, call: Operation, ids: list[str], optional: dict[str, str], why: str) -> dict[str, JSON]:
    named = [param.name for param in (*call.path_params, *call.query_params) if param.required]
    named += [param.name for param in call.assumed]
    known = dict(zip(named, ids, strict=False))
    path = PREFIX + call.path
    for name, value in known.items():
        path = path.replace("{" + name + "}", value)
    asked = [f"{name}={known.get(name, '{' + name + '}')}" for name in named if "{" + name + "}" not in call.path]
    asked += [f"{each.name}={optional[each.name]}" for each in call.query_params if each.name in optional]
    url = base + path + ("?" + "&".join(asked) if asked else "")
    body = " --header 'Content-Type: application/json' --data @body.json" if call.body else ""
    return {
        "operation": call.name,
        "number": call.number,
        "request": f"{call.method} {path}",
        **({"why": why} if why else {}),
        "curl": f"curl --globoff --request {call.method} '{url}' --header \"{KEY_HEADER}: $ROOMCTL_API_KEY\"{body}",
    }


def _in_words(
    words: dict[str, Any], operations: Sequence[Operation], typed: Collection[str], name: str, protected: str
) -> dict[str, JSON]:
    """What may be repeated, undone and known after a lost reply, of the first operation that writes, else reads.

    `typed` are the options given; `name` is the command's, of which `api` asks before any write; `protected` is the
    name of a profile that is.
    """
    if not operations:
        return {}
    call = next((each for each in operations if each.writes), operations[0])
    kinds = [call.repeat] + (["saves"] if call.saves else [])
    if call.seen_in is RULES_GET:
        kinds.append("saves_seen")
    elif call.repeat == "create" and call.seen_in is None:
        kinds.append("create_unseen")
    said = dict[str, JSON]()
    for kind in kinds:
        said |= words[kind]
    asks = "nothing, except on a protected profile" if call.writes else "nothing"
    if any(each.repeat == "end" for each in operations):
        asks = "for the word `end`, unless `--yes` is given"
    elif word := words["asked_word"].get(name):
        asks = f"for the word `{word}`, unless `--yes` is given"
    elif any(each.writes and (each.repeat == "patch" or each.many or each.saves) for each in operations):
        what = "it invites people" if call.many else "it changes what exists"
        asks = f"for a yes before {what}, unless `--yes` is given"
    elif name == "api" and call.writes:
        asks = "for a yes before it sends the request, unless `--yes` is given"
    if protected and call.writes:
        asks = (
            f"for the word `{protected}`: profile {protected} is protected; `--yes` needs `--profile {protected}` too"
        )
    if asks.startswith("for ") and (spared := next((name for name in words["unasked"] if name in typed), "")):
        asks = words["unasked"][spared]
    return {**said, "asks": asks}
