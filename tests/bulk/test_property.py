"""Properties: any table is read back as it was written, and a result file sends exactly what it should."""

import csv
import io
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from roomctl.bulk import Job, Mark, Outcome, Result, ResultsFile, Row, Shape, parse, plan, read_input, run
from roomctl.errors import OutcomeUnknown, Refused, RoomctlError
from roomctl.text.safe import safe

SHAPE = Shape(("key",))
STATUS = st.sampled_from(("ok", "failed", "unknown", "skipped"))
CELL = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
TEXT = st.text(st.characters(), max_size=12)


def visible(text: str) -> str:
    return safe(text, cell=True)


def marks_for(cells: list[str]) -> st.SearchStrategy[list[Mark]]:
    text = TEXT.filter(lambda text: "\0" not in text)
    mark = st.builds(Mark, STATUS, text, st.just("new"), st.just("t"), st.just("j"))
    return st.lists(mark, min_size=len(cells), max_size=len(cells))


TABLES = st.lists(CELL, max_size=12).flatmap(lambda cells: st.tuples(st.just(cells), marks_for(cells)))


@given(written=TABLES, delimiter=st.sampled_from(",;\t"))
def test_r40_a_result_file_sends_exactly_what_failed_or_was_never_sent(written: Any, delimiter: str) -> None:
    """`ok` rows are carried over, `unknown` rows need a request, every cell is as it was."""
    cells, marks = written
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerows(
        [("note", "key"), *((cell, f"k{number}") for number, cell in enumerate(cells))]
    )
    table = parse(out.getvalue().encode(), "in.csv", SHAPE)
    assert table.problems == ()
    assert [row.cells for row in table.rows] == [(cell, f"k{number}") for number, cell in enumerate(cells)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "out.csv"
        file = ResultsFile(path, table)
        file.start()
        file.finish([Result.of(row, mark) for row, mark in zip(table.rows, marks, strict=True)])
        again = read_input(path, SHAPE)
    assert again.problems == ()
    assert [row.cells for row in again.rows] == [row.cells for row in table.rows]
    plain = [Mark(mark.status, visible(mark.error), visible(mark.id), mark.at) for mark in marks]
    shown = [mark.sealed("", Row(0, {}, f"k{n}")) for n, mark in enumerate(plain)]
    assert [row.before for row in again.rows] == shown
    for retry in (False, True):
        made = plan(again, retry_unknown=retry)
        keep = {"ok"} if retry else {"ok", "unknown"}
        assert [row.key for row in made.send] == [f"k{n}" for n, mark in enumerate(marks) if mark.status not in keep]
        assert [result[1:5] for result in made.carried] == [mark[:4] for mark in shown if mark.status in keep]


@given(head=st.sampled_from((b"key,n\n", b"n;key\n", b"key\n", b"\xef\xbb\xbfkey\tn\n")), data=st.binary(max_size=300))
def test_any_bytes_below_a_header_give_rows_or_their_problems(head: bytes, data: bytes) -> None:
    table = parse(head + data, "x", SHAPE)
    assert not table.unusable
    assert {problem.line for problem in table.problems} == {row.line for row in table.bad}
    assert len(table.refused()) == len(table.bad)
    assert all(row.key for row in table.rows)


SERVICE = st.lists(st.sampled_from("orut"), min_size=1, max_size=40)


@given(service=SERVICE, batch=st.integers(1, 5), concurrency=st.integers(1, 4), keep_going=st.booleans())
def test_runs_over_their_own_results_send_each_row_until_it_is_done_and_no_row_after_that(
    service: list[str], batch: int, concurrency: int, keep_going: bool
) -> None:
    """R40, R43: o answers, r refuses once, u applies and loses the answer, t is away once and applies nothing."""
    assume(len(service) >= batch)
    effects: dict[str, int] = {}
    moods = {f"k{number}": mood for number, mood in enumerate(service)}
    table = parse("".join(f"{key}\n" for key in moods).encode(), "x", SHAPE)

    def call(keys: list[str]) -> list[Outcome]:
        for kind, error in (("t", Refused("away")), ("r", Refused("no"))):
            if hit := [key for key in keys if moods[key] == kind]:
                moods.update(dict.fromkeys(hit, "o"))
                raise error
        for key in keys:
            effects[key] = effects.get(key, 0) + 1
        if any(moods[key] == "u" for key in keys):
            raise OutcomeUnknown("lost")
        return [Outcome() for _ in keys]

    failure: RoomctlError | None = None
    for _turn in range(200):
        made = plan(table)
        jobs = [
            Job(part, lambda part=part: call([row.key for row in part]))  # type: ignore[misc]  # a default is no parameter
            for at in range(0, len(made.send), batch)
            if (part := made.send[at : at + batch])
        ]
        report = run(jobs, concurrency=concurrency, keep_going=keep_going, carried=made.carried)
        assert [result.row.line for result in report.results] == list(range(1, len(service) + 1))
        for result in report.results:
            assert (effects.get(result.row.key, 0) == 1) == (result.status in ("ok", "unknown"))
        failure = report.exit_error(report.summary("finished", "rows"))
        rows = tuple(result.row._replace(before=Mark(*result[1:5])) for result in report.results)
        table = table._replace(rows=rows)
        if not plan(table).send:
            break
    assert set(effects.values()) == {1}
    assert effects.keys() == moods.keys()
    assert (failure.exit if failure else 0) == (7 if "u" in service else 0)
