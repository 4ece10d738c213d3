"""Reading an input: what is a row, what is wrong with it, and on which line."""

import os
import time
from pathlib import Path

import pytest

from roomctl.bulk import Shape, Table, parse, read_input
from roomctl.bulk.people import PEOPLE
from roomctl.errors import BadInput
from tests.conftest import error_of

MAIL = "emailAddress"


def wrong(table: Table) -> list[str]:
    return [str(problem) for problem in table.problems]


def values(table: Table, column: str = MAIL) -> list[str]:
    return [row.columns.get(column, "") for row in table.rows]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "line 1: the file is empty"),
        (b"\xef\xbb\xbf\r\n \r\n", "line 1: the file is empty"),
        (b"\xff\xfee\0m\0", "line 1: the file is UTF-16; save it as UTF-8"),
        (b"\xfe\xff\0e\0m", "line 1: the file is UTF-16; save it as UTF-8"),
        (b"PK\x03\x04...", "line 1: the file is a spreadsheet or an archive; save it as CSV in UTF-8"),
        (b"emailAddress,\xfc\n", "line 1: the file is not UTF-8 (perhaps Windows-1252); save it as UTF-8"),
    ],
)
def test_a_file_without_rows_to_tell_is_unusable(people: Shape, text: bytes, said: str) -> None:
    read = parse(text, "people.csv", people)
    assert (wrong(read), read.unusable) == ([said], True)
    assert error_of(BadInput, read.check, skip_bad=True).message == f"people.csv, {said}"


def test_a_bad_row_is_named_with_its_line_and_the_rows_after_it_are_read(people: Shape) -> None:
    """Rows of empty cells are left out and counted; blank lines are none."""
    read = parse(b"emailAddress,n\n,\na@b.c,\xfc\n\na@b.c,\0\n , \nlast@example.org,1\n\n", "x", people)
    assert wrong(read) == [
        "line 3: the file is not UTF-8 (perhaps Windows-1252); save it as UTF-8",
        "line 5: the file has a NUL character",
    ]
    assert (values(read), len(read.bad), read.empty) == (["last@example.org"], 2, 2)


def test_a_file_of_many_megabytes_is_refused(people: Shape, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as out:
        os.truncate(out.fileno(), 64 * 1024 * 1024 + 1)
    assert error_of(BadInput, read_input, path, people).message == f"{path} is larger than 64 MiB"


SECRETIVE = [
    "canary", "canary\ncanary", "canary\na@b.c", "canary,x\ny,z", "emailAddress\ncanary", "invitedUserId\ncanary",
    "emailAddress\na@b.c,canary", "emailAddress,canary,canary\n", "emailAddress,x\n,canary", "emailAddress\ncanary@@",
    "emailAddress,status,error,id,at\na@b.c,canary,,,", "emailAddress\ncanary@b.c\ncanary@b.c",
]  # fmt: skip


@pytest.mark.parametrize("text", SECRETIVE)
def test_r8_what_is_wrong_with_an_input_is_said_without_a_word_of_it(text: str) -> None:
    found = wrong(parse(text.encode(), "people.csv", PEOPLE))
    assert found and "canary" not in "".join(found)


WIDE = [f"c{number}" for number in range(100_000)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{MAIL},{','.join(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL}{',' * len(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL},{','.join((*WIDE, *WIDE))}\n", "line 1: columns 2 and 100002 have the same name"),
        (f"{','.join(WIDE)}\na,b\n", "there is no column emailAddress"),
        (
            f"{MAIL},{','.join(WIDE)}\n" + "ada@example.org\n" * 1000,
            "line 43: the header has 100,001 cells, and",
        ),
        (f"{MAIL}\nada@example.org,{','.join(WIDE)}\n", "the header has 1"),
    ],
    ids=["named", "unnamed", "twice", "none", "short", "long"],
)
def test_a_hundred_thousand_columns_are_read_in_linear_time(text: str, said: str) -> None:
    """What is quadratic in them takes minutes."""
    start = time.process_time()
    table = parse(text.encode(), "wide.csv", Shape((MAIL,)))
    assert time.process_time() - start < 10
    assert said in (wrong(table) or [""])[0]
    assert all(len(problem) < 1000 for problem in wrong(table))
    assert len(table.rows) == (not said)
