"""Options given twice or contradicted: none is dropped (R47)."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from roomctl.cli import needs
from roomctl.cli.command_tree import UsageError
from roomctl.cli.options import Given
from roomctl.errors import WrongCall
from tests.cli.tree import COMMANDS

Run = Callable[..., Any]
SET, ROOM = "e4c87ba4-21ac-49f2-b78b-325ed33b2862", "8fd42f77-3f0d-400f-9d2a-e6e426f76844"


class Session:
    """Stands for the session where a command line is only parsed."""

    def __init__(self) -> None:
        self.given = Given()


def options() -> Iterator[tuple[str, Any, Any]]:
    for path, command in COMMANDS.items():
        yield from ((path, command, each) for each in command.params if each.param_type_name == "option")


def refusal(command: Any, *words: str) -> str:
    """How a command line is refused as contradicting itself; empty where it is not."""
    try:
        command.make_context("roomctl", list(words), obj=Session())
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
            expected = f"`{name} key=first` and `{name} key=second` cannot be used together" if key else ""
            assert not refusal(command, name, "key=first", name, "other=second", name, "key=first")
        elif option.is_flag:
            other = option.secondary_opts[-1] if option.secondary_opts else name
            said, expected = (
                refusal(command, name, other),
                "" if other == name else f"`{name}` and `{other}` cannot be used together",
            )
        else:
            said = refusal(command, name, values[0], name, values[1])
            expected = "" if name in LAST_WINS else f"`{name} first` and `{name} second` cannot be used together"
            assert not refusal(command, name, "first", name, "first")
        if not (said.startswith(expected) if expected else not said):
            wrong.append((path, name, said))
    assert not wrong


def test_both_lists_name_options_that_there_are() -> None:
    names = {name for _, _, option in options() for name in option.opts}
    several = {option.opts[-1] for _, _, option in options() if option.multiple}
    assert names >= LAST_WINS
    assert several == set(REPEATABLE)


def test_all_sets_are_meant_and_a_room_in_two_of_them_is_one(sandbox: Run) -> None:
    """R47, R48"""
    one, other = ("--room-set", "Autumn Summit"), ("--room-set", "Team Socials")
    both = sandbox("social", "list", *one, *other, *one, "--room-set", SET.upper(), "-o", "ids").stdout
    apart = [sandbox("social", "list", *each, "-o", "ids").stdout for each in (one, other)]
    assert both == "".join(apart)
    ended = sandbox("social", "end", *one, *other, "--yes", "-o", "json")
    assert ended.status == 0
    assert sorted(row["input"] for row in ended.json) == sorted(both.split())
    assert sandbox("social", "list", *one, *other, "--open", "-o", "ids").stdout == ""
    untold = sandbox("--fault", "without=isOpen:roomset.list", "social", "end", *one, *other, "--yes")
    assert (untold.status, "7 rooms ('Main Stage' 8fd4" in untold.stderr) == (8, True)
    missing = sandbox("social", "end", *one, "--room-set", "Nowhere", "--yes")
    assert (missing.status, "'Nowhere'" in missing.stderr) == (4, True)


def test_each_option_without_what_it_needs_is_refused_wherever_there_is_one() -> None:
    """R47: from the tree, each option of a `Need` alone on the line of each command that has it."""
    refused: dict[str, set[str]] = {}
    for path, command, option in options():
        name = option.opts[-1]
        if name not in {each for need in needs.NEEDS for each in need.options}:
            continue
        required = [each for each in command.params if each.required]
        words = [
            word
            for each in required
            for word in (
                *[each.opts[-1]] * (each.param_type_name == "option"),
                getattr(getattr(each.type, "func", None), "choices", (SET,))[0],
            )
        ]
        words = ["roomset.update"] if path == "api" else words
        texts = {"--max-wait": "1m", "--query": "a", "--map": "Mail=emailAddress", "--output": "tsv"}
        value = [] if option.is_flag else [texts.get(name, "1")]
        session = Session()
        context = command.make_context("roomctl", [*words, name, *value], obj=session)
        try:
            needs.check(needs.Call(command.about, session.given.typed, context.params))
        except WrongCall as error:
            assert error.message.startswith(f"`{name}` ")
            refused.setdefault(path, set()).add(name)
    shaping, rows = {"--to", "--query", "--fields", "--sort-by"}, {"--resume", "--retry-unknown", "--skip-bad"}
    paging = {"--paginate", "--limit", "--page", "--page-size", "--sort", "--expect"}
    assert refused == {
        **dict.fromkeys(("roomset update", "roomset edit", "rules save"), shaping),
        "api": shaping | paging,
        **{path: {*rows, "--keep-going"} for path in ("social end", "user get")},
        "invite send": {*rows, "--keep-going", "--map"},
        "social watch": {"--max-wait"},
        "registration export": {"--output"},
        "registration report": {"--output"},
    }


REFUSED = (
    (f"registration export {SET} --to x.csv -o yaml", "`--output` is not the format of the file: nothing was sent"),
    (f"registration export {SET} --to x.txt --format csv -o tsv", "`--output` is not the format of the file"),
    (f"registration report {SET} --to x.html -o csv", "`--output` is not the format of the file: nothing was sent"),
    (f"api user.get -f userId={ROOM} --input body.json", "`--input` needs an operation that takes a body"),
    (f"social cta {ROOM} --map -o csv", "`--map` draws a picture, which has no output format: nothing was sent"),
    (f"registration stats {SET} -o ids", "counts have no ids, so `-o ids` does not apply"),
    ("roomset update Onboarding --name x --to f.json --yes", "`--to` needs a result, but the service documents no"),
    ("api user.get -f userId=x --limit 2", "`--limit` works only with a paged list: nothing was sent"),
    ("api --limit 2", "`--limit` works only with a paged list: nothing was sent"),
    (f"social end {ROOM} --resume --yes", "`--resume` needs the run that it resumes"),
    ("social end --from rooms.csv --to ./rooms.csv --force --yes", "`--to` and `--from` name the same file"),
    (f"social end {ROOM} --results t.csv --to t.csv --yes", "`--to` and `--results` name the same file"),
    (
        f"theme save --image-far i.png --image-far-id {SET}",
        "`--image-far` and `--image-far-id` cannot be used together",
    ),
    ("invite send Q&A --email a@x.org --email A@X.org --yes", "`--email A@X.org` is the same as `--email a@x.org`"),
    ("invite send Q&A --from people.csv --map Mial=emailAddress", "people.csv has no column 'Mial' (from `--map`)"),
)


def test_what_would_be_dropped_is_refused_before_anything_is_sent(
    sandbox: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R47"""
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text("Mail,Name\na@x.org,Ada\n")
    Path("rooms.csv").write_text(f"socialId\n{ROOM}\n")
    for line, said in REFUSED:
        ran = sandbox(*line.split())
        assert (ran.status, said in ran.stderr, ran.stdout) == (2, True, ""), f"{line}\n{ran.stderr}"
    assert "did you mean `Mail`?" in ran.stderr
    assert sandbox("journal", "list", "-o", "json").json == []
    kept = sandbox("roomset", "update", "Onboarding", "--name", "x", "--show", "--to", "f.json", "--yes", "-o", "json")
    assert (kept.status, Path("f.json").exists()) == (0, True)
