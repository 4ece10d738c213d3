"""Which rows are sent: those that failed or were never sent, and no other (R40)."""

from typing import Any, NamedTuple

from roomctl.bulk import Mark, plan, recovered


class State(NamedTuple):
    """A row's state as the journal tells it."""

    status: Any
    at: str = "u"
    detail: str = ""


def test_r40_of_unknown_rows_that_are_the_same_one_is_sent_and_none_where_it_is_done(table: Any) -> None:
    same = "emailAddress,status,error,id,at\na@b.c,unknown,,,\nA@b.c,unknown,,,\nx@b.c,unknown,,,\nx@b.c,ok,,,\n"
    made = plan(table(same), retry_unknown=True)
    assert ([row.line for row in made.send], [result.row.line for result in made.carried]) == ([2], [3, 4, 5])


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
