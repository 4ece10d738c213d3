"""Reading an input: what is a row, what is wrong with it, and on which line."""

import json
import os
import time
from pathlib import Path

import pytest

from roomctl.bulk import Shape, Table, parse, read_input
from roomctl.bulk.people import PEOPLE
from roomctl.errors import BadInput
from tests.conftest import Cases, error_of

MAIL = "emailAddress"


def wrong(table: Table) -> list[str]:
    return [str(problem) for problem in table.problems]


def test_r8_what_is_wrong_with_an_input_is_said_with_its_line_and_without_a_word_of_it(cases: Cases) -> None:
    def says(text: str) -> str:
        read = parse(text.encode("latin-1"), "people.csv", PEOPLE)
        assert "canary" not in "".join(wrong(read))
        if read.unusable:
            assert error_of(BadInput, read.check, skip_bad=True).message == f"people.csv, {wrong(read)[0]}"
        good = [row.columns.get(MAIL, "") for row in read.rows]
        return f"{'; '.join(wrong(read))} ({len(read.bad)} bad, {read.empty} empty, good: {json.dumps(good)})"

    cases("inputs.txt", says)


def test_a_file_of_many_megabytes_is_refused(people: Shape, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as out:
        os.truncate(out.fileno(), 64 * 1024 * 1024 + 1)
    assert error_of(BadInput, read_input, path, people).message == f"{path} is larger than 64 MiB"


WIDE = [f"c{number}" for number in range(100_000)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{MAIL},{','.join(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL}{',' * len(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL},{','.join((*WIDE, *WIDE))}\n", "line 1: columns 2 and 100002 have the same name"),
        (f"{','.join(WIDE)}\na,b\n", "there is no column emailAddress"),
        (f"{MAIL},{','.join(WIDE)}\n" + "ada@example.org\n" * 1000, "line 2: 1 cell, but the header has 100,001"),
        (f"{MAIL}\nada@example.org,{','.join(WIDE)}\n", "the header has 1"),
    ],
    ids=["named", "unnamed", "twice", "none", "short", "long"],
)
def test_a_hundred_thousand_columns_are_read_in_linear_time(text: str, said: str) -> None:
    start = time.process_time()
    table = parse(text.encode(), "wide.csv", Shape((MAIL,)))
    assert time.process_time() - start < 10
    assert said in (wrong(table) or [""])[0]
    assert all(len(problem) < 1000 for problem in wrong(table))
    assert len(table.rows) == (not said)
