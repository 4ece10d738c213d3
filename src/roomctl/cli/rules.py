"""`roomctl rules`: entry rules of a room set (operations 14 and 15)."""

from typing import Annotated, Any

from typer import Argument, BadParameter, Option

from roomctl.cli.bodies import filled, skeleton
from roomctl.cli.differences import field_lines
from roomctl.cli.lazy import Commands, Context, Takes
from roomctl.cli.lookup import called, room_set, room_set_id
from roomctl.cli.options import BODY, WRITING, a_name, an_id, at_least, choice
from roomctl.cli.session import Answer, Session
from roomctl.cli.writing import read_back, write
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, RULES_SAVE
from roomctl.contract.records import by_id
from roomctl.contract.rooms import rooms as rooms_in
from roomctl.contract.scalars import ENTRY_FLOW, ENTRY_OPTION
from roomctl.errors import NotFound

commands = Commands("Entry rules: how people enter the rooms of a set.")
SetName = Annotated[str, Argument(metavar="SET", help="a room set's id, or its exact name")]


def whole_number(text: str) -> int:
    """Take a whole number, also below 0."""
    if not (text.removeprefix("-").isascii() and text.removeprefix("-").isdigit()) or len(text) > 10:
        raise BadParameter(f"{text!r} is not a whole number")
    return int(text)


def rule_fields(
    name: Annotated[
        str | None, Option("--name", parser=a_name, metavar="TEXT", help="the configuration's name")
    ] = None,
    configurationId: Annotated[
        str | None, Option("--configuration", parser=an_id, metavar="ID", help="the configuration to update")
    ] = None,
    entryOption: Annotated[str | None, choice("--entry-option", values=ENTRY_OPTION, text="how people enter")] = None,
    entryFlow: Annotated[
        str | None, choice("--entry-flow", values=ENTRY_FLOW, text="in which order places fill")
    ] = None,
    groupSpawnSize: Annotated[
        int | None, Option("--group-spawn-size", parser=at_least(0), metavar="N", help="bounds not documented")
    ] = None,
    groupFormerCount: Annotated[
        int | None, Option("--group-former-count", parser=at_least(0), metavar="N", help="bounds not documented")
    ] = None,
    startingPointX: Annotated[
        int | None,
        Option("--starting-point-x", parser=whole_number, metavar="N", help="where people start; unit not documented"),
    ] = None,
    startingPointY: Annotated[
        int | None,
        Option("--starting-point-y", parser=whole_number, metavar="N", help="where people start; unit not documented"),
    ] = None,
) -> None:
    """Fields of an entry configuration that an administrator sets."""


RULE_FIELDS = Takes("Fields", rule_fields, body="EntryConfig")


def rule(text: str) -> str:
    """Take `property,operator,value`; commas after the second belong to the value."""
    if text.count(",") < 2:
        raise BadParameter(f"{text!r} is not of the form property,operator,value")
    return text


@commands.verb(
    "save",
    shows=["EntryConfig"],
    calls=[RULES_SAVE, ROOMSET_LIST],
    takes=[RULE_FIELDS, BODY, WRITING],
    examples=[
        'rules save "Autumn Summit" --name Doors --rule emailAddress,ENDS_WITH,@example.org --yes',
        'rules save "Autumn Summit" --input rules.yaml --yes',
    ],
)
def save(
    ctx: Context,
    which: SetName,
    rules: Annotated[
        list[str] | None,
        Option("--rule", parser=rule, metavar="PROPERTY,OPERATOR,VALUE", help="a rule; may be repeated"),
    ] = None,
    show: Annotated[bool, Option("--show", help="read the configuration back and print it")] = False,
) -> Answer:
    """Save the entry rules of a room set.

    The service's reply is not documented: nothing is printed, unless --show reads back what the set's rooms name.
    What decides between creating and updating is not documented either: a configuration's id in the body is taken to
    mean an update.
    """
    session: Session = ctx.obj
    if (shown := skeleton(session, "EntryConfig")) is not None:
        return shown
    also: dict[str, Any] = {"rules": [_rule(text) for text in rules]} if rules else {}
    sent = filled(session, "EntryConfig", also)
    key = room_set_id(session, which)
    card = [f"about to save entry rules of room set {called(which, key)}:", *field_lines(sent)]
    answer = write(
        session,
        RULES_SAVE,
        query=[("socialRoomSetId", key)],
        body=sent,
        card=card,
        what=f"save rules of set {called(which, key)}",
    )
    if answer.value is not None:
        return answer
    session.note(f"saved: entry rules of room set {called(which, key)}; the service's reply is not documented")
    if not show:
        return Answer()
    return read_back(lambda: _read(session, key, sent.get("configurationId")).value, sent, "EntryConfig")


def _rule(text: str) -> dict[str, str]:
    return dict(zip(("property", "operator", "value"), text.split(",", 2), strict=True))


@commands.verb(
    "get",
    shows=["EntryConfig"],
    calls=[RULES_GET, ROOMSET_LIST],
    examples=['rules get "Autumn Summit"', 'rules get "Autumn Summit" -o yaml'],
)
def get(
    ctx: Context,
    which: SetName,
    config: Annotated[
        str | None,
        Argument(parser=an_id, metavar="[CONFIG]", help="a configuration's id; else those of the set's rooms"),
    ] = None,
) -> Answer:
    """Show the entry rules of a room set: one configuration, or all that the set's rooms name."""
    session: Session = ctx.obj
    return _read(session, room_set_id(session, which), config)


def _read(session: Session, key: str, config: str | None) -> Answer:
    if config is not None:
        return Answer(_one(session, key, config), "EntryConfig")
    named = list(by_id(rooms_in(room_set(session, key)), "configurationId"))
    if not named:
        raise NotFound(
            f"no room of set {key} names an entry configuration",
            hint=f"give its id: `roomctl rules get {key} CONFIG`",
        )
    found = [_one(session, key, each) for each in named]
    return Answer(found[0] if len(found) == 1 else found, "EntryConfig")


def _one(session: Session, key: str, config: str) -> Any:
    query = [("socialRoomSetId", key), ("configurationId", config)]
    return session.read(RULES_GET, query=query, what=f"show entry configuration {config}").value
