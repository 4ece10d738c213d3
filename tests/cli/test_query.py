"""`--query`: an expression over the whole result, and query parameters where a command takes those."""

from collections.abc import Callable
from typing import Any

import pytest

Run = Callable[..., Any]


def test_an_expression_is_applied_to_the_whole_result_before_fields(sandbox: Run) -> None:
    assert sandbox("roomset", "list", "--query", "length(@)", "-o", "json").stdout == "4\n"
    open_rooms = "[?isOpen] | sort_by(@, &name)[:2]"
    done = sandbox("social", "list", "--query", open_rooms, "--fields", "name", "-o", "csv")
    assert done.stdout == "name\nBoard Games\nCoffee Corner\n"


@pytest.mark.parametrize("form", ["table", "json", "ndjson", "csv", "tsv", "yaml", "ids", "md"])
def test_it_holds_in_every_form(form: str, sandbox: Run) -> None:
    done = sandbox("social", "list", "--query", "[?name=='Main Stage'].name", "-o", form)
    assert (done.status, done.stdout.count("Main Stage"), done.stdout.count("Lounge")) == (0, 1, 0)


def test_rows_that_are_picked_keep_their_columns_and_made_ones_have_their_own(sandbox: Run) -> None:
    whole = sandbox("social", "list", "-o", "csv").stdout.splitlines()[0]
    assert sandbox("social", "list", "--query", "[?isOpen]", "-o", "csv").stdout.splitlines()[0] == whole
    made = sandbox("social", "list", "--query", "[:1].{room: name, id: socialId}", "-o", "csv").stdout
    assert made.splitlines()[0] == "room,id"


def test_nothing_is_null(sandbox: Run) -> None:
    assert sandbox("social", "get", "Main Stage", "--query", "nothing.here", "-o", "json").stdout == "null\n"


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("[?a==`1`", "at character 9:\n    [?a==`1`\n            ^"),
        ("name=foo", "at character 5:\n    name=foo\n        ^"),
        ("lenght(@)", "calls a function that JMESPath does not have: lenght() in 'lenght(@)'"),
        ("length(@, @)", "gives length() 2 arguments, and it takes 1"),
        ("", "is not a JMESPath expression: ''"),
        ("a\x1b[2J", "at character 2: 'a\\x1b[2J'"),
    ],
)
def test_a_wrong_expression_is_2_and_nothing_is_asked(expression: str, said: str, sandbox: Run) -> None:
    done = sandbox("social", "end", "Main Stage", "--yes", "--query", expression)
    assert (done.status, done.stdout) == (2, "")
    assert said in done.stderr
    assert sandbox("social", "get", "Main Stage", "--fields", "isOpen", "-o", "csv").stdout == "isOpen\ntrue\n"


def test_an_expression_that_does_not_fit_never_hides_that_a_write_is_done(sandbox: Run) -> None:
    read = sandbox("social", "get", "Main Stage", "--query", "length(isOpen)")
    assert (read.status, read.stdout) == (2, "")
    write = sandbox("social", "end", "Main Stage", "--yes", "--query", "length(isOpen)", "-o", "json")
    assert write.status == 9
    assert '"outcome":"applied"' in write.stderr


def test_key_value_is_a_query_parameter_where_a_command_takes_those(sandbox: Run) -> None:
    args = ("social", "copy", "Main Stage", "--query", "roomId=7", "--query", "url", "--dry-run", "-o", "json")
    done = sandbox(*args)
    assert done.status == 0
    assert done.stdout.startswith('"http')
    assert "roomId=7" in done.stdout
    assert sandbox("api", "social.create", "--query", "a==b", "--dry-run", "-o", "json").stdout == "true\n"


def test_elsewhere_it_is_a_wrong_expression_and_the_hint_says_where_it_belongs(sandbox: Run) -> None:
    done = sandbox("social", "list", "--query", "page=1")
    assert done.status == 2
    assert "`key=value` is a query parameter after `roomset create`" in done.stderr
