"""Options given twice or contradicted: none is dropped (R47)."""

from collections.abc import Iterator
from io import StringIO
from typing import Any

from roomctl.cli import needs
from roomctl.cli.command_tree import UsageError
from roomctl.cli.session import Session, Streams
from roomctl.errors import RoomctlError, WrongCall
from roomctl.profiles import Environment
from tests.cli.tree import COMMANDS

SET = "e4c87ba4-21ac-49f2-b78b-325ed33b2862"


def new_session() -> Session:
    return Session(Environment(), Streams(None, StringIO(), None), ())


def options() -> Iterator[tuple[str, Any, Any]]:
    for path, command in COMMANDS.items():
        yield from ((path, command, each) for each in command.params if each.param_type_name == "option")


def refusal(command: Any, *words: str) -> str:
    """How a command line is refused as contradicting itself; empty where it is not."""
    try:
        command.make_context("roomctl", list(words), obj=new_session())
    except WrongCall as error:
        return error.message
    except UsageError:  # wrong in another way, after all options were heard
        return ""
    return ""


LAST_WINS = {
    *("--output", "--json", "--fields", "--sort-by", "--query", "--no-header", "--error-format"),
    *("--quiet", "--verbose", "--timeout", "--retries", "--rate", "--concurrency"),
}
REPEATABLE = {
    **dict.fromkeys(("--user", "--email", "--rule", "--fault", "--room-set"), False),
    **dict.fromkeys(("--set", "--rename", "--map", "--field", "--raw-field", "--query"), True),
}
"""Options whose values all count; and whether each is for a key that takes one value."""


def test_each_option_given_two_values_is_refused_or_declared_otherwise() -> None:
    """R47: every option of every command, from the tree."""
    wrong = []
    for path, command, option in options():
        name, values = option.opts[-1], ["first", "second"]
        if option.multiple:
            assert name in REPEATABLE, f"{path} {name} takes several values: it belongs into REPEATABLE"
            key = REPEATABLE[name]
            said = refusal(command, name, "key=first", name, "key=second")
            expected = f"`{name} key=first` and `{name} key=second` contradict each other" if key else ""
            assert not refusal(command, name, "key=first", name, "other=second", name, "key=first")
        elif option.is_flag:
            other = option.secondary_opts[-1] if option.secondary_opts else name
            said = refusal(command, name, other)
            expected = "" if other == name else f"`{name}` and `{other}` cannot be used together"
        else:
            said = refusal(command, name, values[0], name, values[1])
            expected = "" if name in LAST_WINS else f"`{name} first` and `{name} second` contradict each other"
            assert not refusal(command, name, "first", name, "first")
        if not (said.startswith(expected) if expected else not said):
            wrong.append((path, name, said))
    assert not wrong


def test_both_lists_name_options_that_there_are() -> None:
    names = {name for _, _, option in options() for name in option.opts}
    several = {option.opts[-1] for _, _, option in options() if option.multiple}
    assert names >= LAST_WINS
    assert several == set(REPEATABLE)


def unmet(command: Any, *words: str) -> str:
    """Why a command line with all that it must have is refused for an option; empty where it is not."""
    session, required = new_session(), list[str]()
    for each in (each for each in command.params if each.required and each.opts[-1] not in words):
        required += [each.opts[-1]] * (each.param_type_name == "option")
        required.append(getattr(getattr(each.type, "func", None), "choices", (SET,))[0])
    try:
        session.context = command.make_context("roomctl", [*required, *words], obj=session)
        needs.check(session, command.about)
    except (RoomctlError, UsageError) as error:
        return error.message
    return ""


def test_an_empty_value_is_refused_but_for_the_fields_of_a_record() -> None:
    """R47: each option of each command that takes a value, from the tree."""
    for path, command, option in options():
        field = any(option.name in each.options.__annotations__ for each in command.about.takes if each.body)
        if not (option.is_flag or field or path == "explain"):  # whose words are those of another command
            assert unmet(command, option.opts[-1], ""), f"{path} {option.opts[-1]}"


def test_each_option_without_what_it_needs_is_refused_wherever_there_is_one() -> None:
    """R47: from the tree, each option that needs something alone on the line of each command that has it."""
    refused: dict[str, set[str]] = {}
    shaping, rows = {"--to", "--query", "--fields", "--sort-by"}, {"--resume", "--retry-unknown", "--skip-bad"}
    for path, command, option in options():
        name = option.opts[-1]
        if not option.needs and name not in shaping | {"--output"}:
            continue
        texts = {"--max-wait": "1m", "--query": "a", "--map": "Mail=emailAddress", "--output": "tsv"}
        value = [] if option.is_flag else [texts.get(name, "1")]
        if unmet(command, name, *value).startswith((f"`{name}` needs", f"`{name}` does not set")):
            refused.setdefault(path, set()).add(name)
    replacing = [path for path, names in refused.items() if "--force" in names]
    assert replacing == [path for path, *_, option in options() if option.opts[-1] == "--force" and path != "explain"]
    expected = {
        **dict.fromkeys(("roomset update", "roomset edit", "rules save"), shaping),
        "user get": rows - {"--retry-unknown"},
    }
    expected |= {"social end": rows | {"--tz"}, "invite send": rows | {"--map"}, "social create": {"--tz"}}
    expected |= {"social watch": {"--max-wait"}, "sandbox log": {"--junit"}, "rehearse": {"--only"}}
    expected |= {f"registration {verb}": {"--output"} for verb in ("export", "report")}
    assert {path: found for path, names in refused.items() if (found := names - {"--force"})} == expected
