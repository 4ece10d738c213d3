"""Which rows are sent: those that failed or were never sent, and no other (R40)."""

from typing import Any, NamedTuple

from roomctl.bulk import Mark, Table, plan, resumed


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
    no = Mark("failed", "no", "", "t")
    told: list[tuple[Mark | None, State | None, Mark | None]] = [
        (Mark("ok", "", "i1", "t"), State("ok"), None),
        (Mark("ok", "", "i2", "t"), State("unknown"), None),
        (no, State("failed", detail="HTTP 404"), None),
        (no, State("unknown", detail="no answer"), Mark("unknown", "sent before, outcome unknown: no answer", "", "u")),
        (Mark("unknown", "", "", "t"), State("failed", detail="HTTP 404"), Mark("failed", "HTTP 404", "", "u")),
        (Mark("failed", "read only", "", "t"), None, None),
        (None, State("ok", detail="HTTP 200"), Mark("ok", "", "", "u")),
    ]
    part = {line: mark for line, (mark, _, _) in enumerate(told) if mark}
    journal = {line: state for line, (_, state, _) in enumerate(told) if state}
    assert resumed(Table("x"), part, journal) == {line: found or mark for line, (mark, _, found) in enumerate(told)}
