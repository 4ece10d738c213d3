"""`roomctl rules`: entry rules of a room set (operations 14 and 15)."""

import time
from typing import Any

from roomctl import reconcile
from roomctl.cli.confirm import differences, field_lines
from roomctl.cli.lookup import SET, entry_rules, id_of, known, named_rooms, record_of, rooms_unseen
from roomctl.cli.mutation import read_back, write
from roomctl.cli.options import BODY, WRITING, Commands, argument, field_options, flag, option
from roomctl.cli.parsers import an_id, in_form
from roomctl.cli.request_body import required_body
from roomctl.cli.session import Answer, Session
from roomctl.contract.operations import ROOMSET_LIST, RULES_GET, RULES_SAVE
from roomctl.contract.outcome import settings, shows
from roomctl.contract.records import by_id, find, folded
from roomctl.contract.rooms import rooms as rooms_in
from roomctl.contract.scalars import ENTRY_OPTION, RULES
from roomctl.errors import NotAllowed, NotFound, Partial, Refused, Temporary, WrongCall
from roomctl.output.values import titled
from roomctl.reconcile import Write
from roomctl.text.jsontext import compact
from roomctl.text.suggest import nearest

commands = Commands("Entry rules: who may enter the rooms of a set, and how.")
SET_NAME = argument("SET")
RULE = in_form("property,operator,value", "([^,]*),([^,]*),(.*)")  # commas after the second belong to the value


@commands.verb(
    "save",
    shows=["EntryConfig"],
    calls=[RULES_SAVE, ROOMSET_LIST, RULES_GET],
    takes=[field_options("EntryConfig"), BODY, WRITING],
)
def save(
    session: Session,
    which: str = SET_NAME,
    rules: list[Any] | None = option("--rule", "PROPERTY,OPERATOR,VALUE", RULE),
    show: bool = flag("--show"),
) -> Answer:
    """Save the entry rules of a room set."""
    asked = [dict(zip(("property", "operator", "value"), each, strict=True)) for each in rules or ()]
    sent = required_body(session, "EntryConfig", {"rules": asked or None})
    key = id_of(session, which, SET)
    sent, lines = _compare(session, key, sent)
    own = (find(session.mine.sets, SET, key) or {}).get("entryOption") if session.mine else None
    if own and sent["entryOption"] not in (None, own):
        session.note(
            f"warning: the room set's own `entryOption` is {own}; it is not documented which of the two applies"
        )
    name, query = known(session, key), [("socialRoomSetId", key)]
    card = [f"about to save the entry rules of room set {name}:", *lines]
    answer = write(session, Write(RULES_SAVE, {}, query, sent, f"save the entry rules of {name}"), card)
    if answer.value is not None:
        return answer
    record = {"name": session.names.get(key), "socialRoomSetId": key}
    config = sent.get("configurationId")
    kind = f"a change of configuration {config}" if config else "a new configuration"
    done = f"saved the entry rules of {titled(record, 'RoomSet')}; they were sent as {kind}"
    if show:
        answer = read_back(session, lambda: _read(session, key, config).value, sent, "EntryConfig", done=done)
        if config is None:
            session.doubt = session.doubt or _not_used(session, key, sent, answer.value)
        return answer
    if config is None and session.mine:
        session.doubt = session.doubt or _looked_at(session, key, sent, answer.value)
    elif session.mine and (rooms := rooms_in(find(session.mine.sets, SET, key) or {})):
        bare = [folded(each.get("socialId")) for each in rooms if not folded(each.get("configurationId"))]
        if bare and len(bare) < len(rooms):
            way = "saving without `--configuration` makes a new one, and shows which rooms use it"
            session.say(f"warning: before this, these rooms showed no rules: {named_rooms(session, bare)}; {way}")
    session.note(done)
    return answer


def _looked_at(session: Session, key: str, sent: dict[str, Any], reply: Any) -> Partial | None:
    """Look which rooms use what was saved, twice where some do not: a list may lag. What cannot be read is a note."""
    unused: Partial | None = None
    for wait in (0, reconcile.APART):
        if wait:
            time.sleep(wait)
        try:
            unused = _not_used(session, key, sent, _read(session, key, None).value)
        except NotFound as error:
            known = [{**sent, **reply}] if error.http is not None and isinstance(reply, dict) else []
            if error.http is not None and not known:  # they cannot be read
                session.note(f"could not check which rooms use the saved rules: {error.message}")
                return None
            unused = _not_used(session, key, sent, known)  # without these no room shows any rules
        except (NotAllowed, Refused, Temporary, Partial) as error:
            session.note(f"could not check which rooms use the saved rules: {error.message}")
            return None
        if unused is None:
            return None
    return unused


def _not_used(session: Session, key: str, sent: dict[str, Any], found: Any) -> Partial | None:
    """Say which rooms of a set show other rules than were saved for them, or that they have none.

    Those that do not show it are named.
    """
    shown = found if isinstance(found, list) else [found]
    saved = {folded(each.get("configurationId")) for each in shown if shows(each, sent)}
    meant = [*map(folded, sent.get("associatedSocialIds") or ())]
    rooms = rooms_in(find(session.mine.sets, SET, key) or {})
    used = {folded(each.get("socialId")): each.get("configurationId", "") for each in rooms}
    used = {room: config for room, config in used.items() if room in meant or not meant}
    others = [room for room, config in used.items() if config and folded(config) not in saved]
    none = [room for room, config in used.items() if config is None]
    if not (others or none):
        if bare := [room for room, config in used.items() if not config] if found else ():
            session.say(f"these rooms do not show the saved rules: {named_rooms(session, bare)}")
        return None
    pairs = (("still have other rules", others), ("show that they have no rules", none))
    told = "; and these ".join(f"{how}: {named_rooms(session, which)}" for how, which in pairs if which)
    why = f"saved the entry rules of {known(session, key)}, but these rooms {told}"
    return Partial(why, hint=f"`roomctl rules get {key}` shows the rules as they are now", outcome="applied")


def _compare(session: Session, key: str, sent: dict[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Hold what is to be saved against the rules in force: give it with an entry option, and what would change.

    What is doubtful is a note. Raises WrongCall where the option in force is not shown.
    """
    given = session.given
    stated = "entryOption" in sent
    in_force, doubts, why, gone, bare = list[Any](), list[str](), "", False, False
    config = sent.get("configurationId")
    try:
        found = None if given.dry_run and stated else _read(session, key, config).value
        in_force = found if isinstance(found, list) else [found] if found is not None else []
    except (NotAllowed, Refused, Partial) as error:
        if error.http == 401:
            raise
        why, gone = error.message, error.http == 404
        doubts.append(f"cannot show the current rules: {why}")
        if bare := bool(session.mine and (own := find(session.mine.sets, SET, key)) and not rooms_in(own)):
            doubts.append("create the set's rooms first: rules saved before that may not apply to them")
    if config and gone and not stated:
        hint = f"check the id: `roomctl rules get {key}` shows those that its rooms use"
        raise NotFound(f"{known(session, key)} has no entry rules with the id {config}", hint=hint)
    if not stated:
        options = list(dict.fromkeys(str(each.get("entryOption") or "none shown") for each in in_force))
        if len(options) != 1 or options == ["none shown"]:
            lost = f"the rooms use more than one: {', '.join(options)}" if len(options) > 1 else why
            own = (find(session.mine.sets, SET, key) or {}).get("entryOption") if session.mine else None
            hint = f"add `--entry-option`, one of {', '.join(ENTRY_OPTION)}"
            if sent.get("rules"):
                hint = "add `--entry-option CUSTOM_RULES`, so that these rules apply, or another entry option"
            elif own:
                hint = f"add `--entry-option {own}`, which is the set's own `entryOption`, or another one"
            hint = f"create the set's rooms first; then {hint}" if bare else hint
            raise WrongCall(f"`--entry-option` is required: {lost or 'no entry option is shown'}", hint=hint)
        sent = {**sent, "entryOption": options[0]}
        session.note(f"keeping the current `entryOption`, {options[0]}")
    unasked = in_force if not session.settings.asks else ()  # else the question says it
    doubts += dict.fromkeys(text for each in unasked if (text := _left_out(sent, each)))
    for doubt in [*doubts, *_doubts(sent, in_force)]:
        session.note(f"warning: {doubt}")
    return sent, _changes(sent, in_force)


def _changes(sent: dict[str, Any], in_force: list[Any]) -> list[str]:
    if not in_force:
        return field_lines(sent)
    ids = " or ".join(str(each.get("configurationId")) for each in in_force)
    change = f"to change {'the current one' if len(in_force) == 1 else 'a current one'}, add `--configuration {ids}`"
    lines = [] if sent.get("configurationId") else [f"  creates a new configuration; {change}"]
    for present in in_force:
        changed = {name: value for name, value in sent.items() if present.get(name) != value}
        same = [name for name in sent if name not in changed]
        name, config = present.get("name"), present.get("configurationId")
        lines.append(
            f"  compared with the current rules, {f'{compact(name)} ({config})' if name else f'(unnamed, {config})'}:"
        )
        lines += [f"  {line}" for line in differences(present, changed)]
        lines += [f"    unchanged: {', '.join(same)}"] if same else []
        lines += [f"    {left_out}"] if (left_out := _left_out(sent, present)) else []
    return lines


def _left_out(sent: dict[str, Any], present: dict[str, Any]) -> str:
    """Name the fields of the rules in force that are not sent; empty where there is none."""
    standing = settings(present, "EntryConfig").items()
    names = [name for name, value in standing if value not in (None, "", []) and name not in sent]
    names = [f"`{name}`" for name in names if name != "associatedSocialIds"]
    them = "it" if len(names) == 1 else "them"
    may = "the service may keep or clear" if sent.get("configurationId") else "the new configuration may lack"
    return f"this request leaves out {', '.join(names)}; {may} {them}" if names else ""


def _doubts(sent: dict[str, Any], in_force: list[Any]) -> list[str]:
    """Say which properties and operators no known rule uses, and where an option does not heed the rules beside it."""
    standing = [rule for each in in_force for rule in each.get("rules") or () if isinstance(rule, dict)]
    doubts = []
    for part, words in RULES.items():
        known_words = {*words, *(str(rule.get(part)) for rule in standing)}
        for word in dict.fromkeys(str(rule[part]) for rule in sent.get("rules") or () if rule.get(part) is not None):
            if word not in known_words:
                near = nearest(word, known_words)
                meant = f"did you mean `{near}`?" if near else f"known rules use {', '.join(sorted(known_words))}"
                doubts.append(f"roomctl does not know the {part} {compact(word)}: {meant}")
    option = sent["entryOption"] or "cleared"
    if option == "CUSTOM_RULES" or sent.get("rules") == []:
        return doubts
    if sent.get("rules"):
        doubts.append(f"the rules have no effect while `entryOption` is {option}: rules apply only under CUSTOM_RULES")
    elif any(each.get("rules") and each.get("entryOption") == "CUSTOM_RULES" for each in in_force):
        doubts.append(f"the current rules will no longer apply: `entryOption` becomes {option}")
    return doubts


@commands.verb("get", shows=["EntryConfig"], calls=[RULES_GET, ROOMSET_LIST])
def get(session: Session, which: str = SET_NAME, config: str | None = argument("[CONFIG]", an_id)) -> Answer:
    """Show the entry rules of a room set: one configuration, or all that the set's rooms use."""
    return _read(session, id_of(session, which, SET), config)


def _read(session: Session, key: str, config: str | None) -> Answer:
    named = [config] if config is not None else []
    if config is None:
        record = record_of(session, key, SET)
        named, unseen = list(by_id(rooms_in(record), "configurationId")), rooms_unseen([record], None)
        if not named:
            if session.doubt is not None:
                raise session.doubt
            name = record.get("name") or key
            none = f"no room in {compact(name)} refers to entry rules"
            if not rooms_in(record):
                none = f"{compact(name)} has no rooms, and the service shows rules only for sets that have some"
            why = unseen.message if unseen else none
            hint = f"`roomctl rules get {key} CONFIG`, if you know a configuration's id"
            if not (unseen or rooms_in(record)):
                create = "create its rooms, then run the same command again"
                hint = create if session.about.writes else f"{create}; or {hint}"
            raise NotFound(why, hint=hint)
        if not session.about.writes:
            session.doubt = session.doubt or unseen
            bare = (each for each in rooms_in(record) if not folded(each.get("configurationId")))
            if without := [str(each.get("socialId")) for each in bare]:
                session.note(f"the service shows no entry rules for {named_rooms(session, without)}")
    found = [entry_rules(session, key, each) for each in named]
    for each in found if not session.about.writes else ():
        if each.get("rules", ()) is None:
            hidden = Partial(f"entry rules {each.get('configurationId')} do not show their rules: `rules` is null")
            session.doubt = session.doubt or hidden
    return Answer(found[0] if len(found) == 1 else found, "EntryConfig")
