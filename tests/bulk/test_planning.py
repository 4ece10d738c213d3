"""Which rows are sent: those that failed or were never sent, and no other (R40)."""

from typing import Any, NamedTuple

import pytest

from roomctl.bulk import Mark, Plan, Result, plan, recovered
from roomctl.errors import BadInput

EARLIER = (
    "emailAddress,status,error,id,at\n"
    "a@b.c,ok,,i1,t\n"
    "b@b.c,failed,no such user,,t\n"
    "c@b.c,unknown,,,t\n"
    "d@b.c,skipped,,,\n"
    "e@b.c,,,,\n"
)


class State(NamedTuple):
    """A row's state as the journal tells it."""

    status: Any
    at: str = "u"
    detail: str = ""


def keys(made: Plan) -> tuple[str, str]:
    """Write a plan as first letters: sent, carried."""
    return "".join(row.key[0] for row in made.send), "".join(result.row.key[0] for result in made.carried)


def test_a_new_input_is_sent_whole(table: Any) -> None:
    assert keys(plan(table("emailAddress\na@b.c\nb@b.c\n"))) == ("ab", "")


def test_of_a_result_file_what_failed_or_was_never_sent_is_sent(table: Any) -> None:
    made = plan(table(EARLIER))
    assert keys(made) == ("bde", "ac")
    assert made.carried[0] == Result(made.carried[0].row, "ok", "", "i1", "t")


def test_unknown_rows_are_sent_again_only_on_request(table: Any) -> None:
    assert keys(plan(table(EARLIER), retry_unknown=True)) == ("bcde", "a")


def test_of_unknown_rows_that_are_the_same_one_is_sent_and_none_where_it_is_done(table: Any) -> None:
    """R40."""
    same = "emailAddress,status,error,id,at\na@b.c,unknown,,,\nA@b.c,unknown,,,\nx@b.c,unknown,,,\nx@b.c,ok,,,\n"
    made = plan(table(same), retry_unknown=True)
    assert ([row.line for row in made.send], [result.row.line for result in made.carried]) == ([2], [3, 4, 5])


def test_bad_rows_stop_all_or_are_carried_as_failed(table: Any) -> None:
    read = table("emailAddress\na@b.c\nnobody\n")
    with pytest.raises(BadInput) as refusal:
        plan(read)
    assert refusal.value.message == "1 of 2 rows of people.csv cannot be sent, nothing was sent"
    made = plan(read, skip_bad=True)
    assert keys(made) == ("a", "n")
    assert (made.carried[0].status, made.carried[0].error) == ("failed", "emailAddress: not an address: nobody")


def test_what_an_unfinished_run_knows_counts_before_what_the_file_says(table: Any) -> None:
    known = {2: Mark("failed"), 3: Mark("ok", "", "i2", "u"), 6: Mark("unknown")}
    made = plan(table(EARLIER), known=known)
    assert keys(made) == ("ad", "bce")
    assert made.carried[0].id == "i2"


def test_file_and_journal_together_say_what_became_of_each_row() -> None:
    """R40, R41: done is done; else the journal, which is written first."""
    part = {
        1: Mark("ok", "", "i1", "t"),
        2: Mark("ok", "", "i2", "t"),
        3: Mark("failed", "no", "", "t"),
        4: Mark("failed", "no", "", "t"),
        5: Mark("unknown", "", "", "t"),
        6: Mark("failed", "read only", "", "t"),
    }
    journal = {
        1: State("ok"),
        2: State("unknown"),
        3: State("failed", detail="HTTP 404"),
        4: State("unknown", detail="no answer"),
        5: State("failed", detail="HTTP 404"),
        7: State("ok", detail="HTTP 200"),
    }
    assert recovered(part, journal) == {
        1: part[1],
        2: part[2],
        3: part[3],
        4: Mark("unknown", "no answer", "", "u"),
        5: Mark("failed", "HTTP 404", "", "u"),
        6: part[6],
        7: Mark("ok", "", "", "u"),
    }
