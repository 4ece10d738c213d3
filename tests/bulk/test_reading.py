"""Reading an input: what is a row, what is wrong with it, and on which line."""

import os
import random
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from roomctl.bulk import Mark, Row, Shape, Table, parse, read_input
from roomctl.errors import BadInput

ADA = "aaaaaaaa-1111-4222-8333-444455556666"
MAIL = "emailAddress"


def wrong(table: Table) -> list[str]:
    """List the problems as they are said."""
    return [str(problem) for problem in table.problems]


def values(table: Table, column: str = MAIL) -> list[str]:
    """List a column of the good rows."""
    return [row.columns.get(column, "") for row in table.rows]


def test_a_csv_file_becomes_rows_with_their_lines(read: Any, file: Any) -> None:
    path = file("name,emailAddress\nAda,ada@example.org\n\nGrace,grace@example.org\n")
    assert read(path) == Table(
        name=str(path),
        path=path,
        sha256=sha256(path.read_bytes()).hexdigest(),
        header=("name", MAIL),
        rows=(
            Row(2, {"name": "Ada", MAIL: "ada@example.org"}, "ada@example.org", ("Ada", "ada@example.org")),
            Row(4, {"name": "Grace", MAIL: "grace@example.org"}, "grace@example.org", ("Grace", "grace@example.org")),
        ),
    )


@pytest.mark.parametrize(
    "text", ["emailAddress,x\na@b.c,1\n", "emailAddress;x\na@b.c;1\n", "emailAddress\tx\na@b.c\t1\n"]
)
def test_the_delimiter_is_found_by_the_header(table: Any, text: str) -> None:
    read = table(text)
    assert (values(read), values(read, "x"), read.delimiter, wrong(read)) == (["a@b.c"], ["1"], text[12], [])


@pytest.mark.parametrize(
    "header",
    [
        "name, title;emailAddress",
        '"emailAddress";"name"',
        "emailAddress;",
        '"emailAddress";',
        "notes, with, commas;email_address",
        "emailAddress;a,b,c,d",
    ],
)
def test_a_semicolon_is_found_among_commas(table: Any, header: str) -> None:
    cells = len(header.split(";"))
    row = ";".join(["x"] * cells)
    at = 0 if header.strip('"').startswith("emailAddress") else 1
    parts = row.split(";")
    parts[at] = "a@b.c"
    read = table(f"{header}\n{';'.join(parts)}\n")
    assert (read.delimiter, values(read), wrong(read)) == (";", ["a@b.c"], [])


def test_a_spreadsheets_own_line_about_the_delimiter_is_not_the_header(table: Any) -> None:
    read = table("sep=;\r\nemailAddress;n\r\na@b.c;1,5\r\n")
    assert (values(read), values(read, "n"), [row.line for row in read.rows]) == (["a@b.c"], ["1,5"], [3])


def test_a_byte_order_mark_and_crlf_are_no_part_of_the_values(people: Shape) -> None:
    read = parse(b"\xef\xbb\xbfemailAddress,n\r\na@b.c,\r\n", "x", people)
    assert (values(read), read.rows[0].cells, read.bom, read.header) == (["a@b.c"], ("a@b.c", ""), True, (MAIL, "n"))


def test_lines_may_end_as_on_old_macs(table: Any) -> None:
    assert values(table("emailAddress\ra@b.c\rb@b.c")) == ["a@b.c", "b@b.c"]


@pytest.mark.parametrize(
    "header", ["EmailAddress", " emailaddress ", "E-mail Address", "EMAIL_ADDRESS", '"Email\tAddress"']
)
def test_a_column_is_known_by_other_spellings(table: Any, header: str) -> None:
    assert values(table(f"{header},n\na@b.c,1\n")) == ["a@b.c"]


def test_the_header_is_carried_as_it_was_written(table: Any) -> None:
    assert table(" Name ,E-Mail Address,\nAda,a@b.c,\n").header == ("Name", "E-Mail Address", "")


def test_blanks_around_a_value_are_no_part_of_it_but_of_its_cell(table: Any) -> None:
    [row] = table("emailAddress\n  a@b.c \n").rows
    assert (row.columns, row.key, row.cells) == ({MAIL: "a@b.c"}, "a@b.c", ("  a@b.c ",))


def test_a_quoted_cell_may_hold_delimiters_quotes_and_lines(table: Any) -> None:
    read = table('emailAddress,note\na@b.c,"one, ""two""\nthree"\nb@b.c,x\n')
    assert [(row.line, row.cells) for row in read.rows] == [
        (2, ("a@b.c", 'one, "two"\nthree')),
        (4, ("b@b.c", "x")),
    ]


def test_a_header_may_run_over_two_lines(table: Any) -> None:
    read = table('emailAddress,"two\nlines"\na@b.c,1\n')
    assert (read.header, [row.line for row in read.rows]) == ((MAIL, "two\nlines"), [3])


def test_quotation_marks_in_a_tab_separated_file_that_quotes_nothing_are_letters(table: Any) -> None:
    read = table('emailAddress\tname\na@b.c\t"Ball" room\n')
    assert (values(read, "name"), wrong(read)) == (['"Ball" room'], [])


def test_a_plain_list_has_one_id_a_line_and_comments(rooms: Shape, room: Callable[[int], str]) -> None:
    text = f"# rooms of the evening\n\n{room(1)}\n  {room(2)}  # the ballroom, upstairs\r\n#{room(3)}\n{room(4)}"
    read = parse(text.encode(), "rooms.txt", rooms)
    assert [(row.line, row.key) for row in read.rows] == [(3, room(1)), (4, room(2)), (6, room(4))]
    assert (read.header, read.rows[1].cells, wrong(read)) == (("socialId",), (room(2),), [])


def test_a_plain_list_of_addresses_is_one_of_addresses(table: Any) -> None:
    read = table("ada@example.org\ngrace@example.org # twice\nnobody\n")
    assert (values(read), read.header) == (["ada@example.org", "grace@example.org"], (MAIL,))
    assert wrong(read) == ["line 3: emailAddress: not an address: nobody"]


def test_a_single_column_under_another_name_is_said_once(table: Any) -> None:
    read = table("E-Mail\nada@example.org\ngrace@example.org\n")
    assert read.unusable
    assert wrong(read) == ["line 1: no column is called invitedUserId or emailAddress; there is: E-Mail"]
    begun = table("ada.example.org\ngrace@example.org\n")
    assert (begun.unusable, wrong(begun)) == (False, ["line 1: emailAddress: not an address: ada.example.org"])


def test_every_bad_line_of_a_plain_list_is_named(rooms: Shape, room: Callable[[int], str]) -> None:
    read = parse(f"{room(1)}\nballroom\n{room(1).upper()}\n..\n".encode(), "x", rooms)
    assert wrong(read) == [
        "line 2: socialId: not an id: ballroom",
        f"line 3: the same as line 1: {room(1).upper()}",
        "line 4: socialId: not an id: ..",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "line 1: it is empty"),
        (b"\xef\xbb\xbf\r\n \r\n", "line 1: it is empty"),
        (b"# nothing but a comment\n", "line 1: it is empty"),
        (b"\xff\xfee\0m\0", "line 1: it is UTF-16: save it as UTF-8"),
        (b"\xfe\xff\0e\0m", "line 1: it is UTF-16: save it as UTF-8"),
        (b"PK\x03\x04...", "line 1: it is a spreadsheet or an archive: save it as CSV in UTF-8"),
        (b"name,mail\nAda,a@b.c\n", "line 1: no column is called invitedUserId or emailAddress; there are: name, mail"),
        (b"emailAddress,e-mail-address\n", "line 1: two columns are called emailAddress"),
        (b"emailAddress,n,n\n", "line 1: two columns are called n"),
        (b"emailAddress,\xfc\n", "line 1: not UTF-8: save the file as UTF-8, it may be Windows-1252 now"),
        (b'emailAddress,"n\n', "line 1: a quotation mark is not closed, or stands inside a cell"),
    ],
)
def test_a_file_without_rows_to_tell_is_unusable(people: Shape, text: bytes, said: str) -> None:
    read = parse(text, "people.csv", people)
    assert (wrong(read), read.unusable) == ([said], True)
    with pytest.raises(BadInput) as refusal:
        read.check(skip_bad=True)
    assert refusal.value.message == f"people.csv cannot be used: {said}"


def test_a_file_with_a_header_only_has_no_rows_and_no_problems(table: Any) -> None:
    read = table("emailAddress,n\n")
    read.check()
    assert (read.rows, read.problems) == ((), ())


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (b",x", "line 2: nothing in invitedUserId or emailAddress"),
        (b"ada,x", "line 2: emailAddress: not an address: ada"),
        (b"a@b.c", "line 2: it has 1 cells, the header 2"),
        (b"a@b.c,x,y,z", "line 2: it has 4 cells, the header 2; left over: y, z"),
        (b"a@b.c,\xfc", "line 2: not UTF-8: save the file as UTF-8, it may be Windows-1252 now"),
        (b"a@b.c,\0", "line 2: it holds a NUL character"),
        (b'a@b.c,"x', "line 2: a quotation mark is not closed, or stands inside a cell"),
        (b'a@b.c,"x"y', "line 2: a quotation mark is not closed, or stands inside a cell"),
        (b"last@example.org,x", "line 3: the same as line 2: last@example.org"),
        (b"LAST@example.org,x", "line 3: the same as line 2: last@example.org"),
    ],
)
def test_a_bad_row_is_named_with_its_line_and_the_rows_after_it_are_read(people: Shape, row: bytes, said: str) -> None:
    read = parse(b"emailAddress,n\n" + row + b"\nlast@example.org,1\n", "x", people)
    assert wrong(read) == [said]
    assert len(read.rows) == 1 and len(read.bad) == 1
    assert values(read)[0].casefold() == "last@example.org"


def test_a_cell_of_a_bad_row_that_is_not_utf_8_is_kept_visible(people: Shape) -> None:
    [row] = parse(b"emailAddress,n\na@b.c,M\xfcller\n", "x", people).bad
    assert row.cells == ("a@b.c", "M\\xfcller")


def test_all_problems_come_at_once(people: Shape) -> None:
    """Preflight: every bad row, each with its line, and nothing sent."""
    read = parse(b"emailAddress,n\nada,1\na@b.c,2\n,3\n", "people.csv", people)
    with pytest.raises(BadInput) as refusal:
        read.check()
    assert (refusal.value.exit, refusal.value.outcome) == (2, "not_sent")
    assert refusal.value.message.splitlines() == [
        "2 of 3 rows of people.csv cannot be sent, nothing was sent",
        *(f"  {problem}" for problem in read.problems),
    ]
    assert refusal.value.details == {
        "problems": [
            {"line": 2, "message": "not an address: ada", "column": MAIL},
            {"line": 4, "message": "nothing in invitedUserId or emailAddress", "column": ""},
        ]
    }
    read.check(skip_bad=True)
    assert [(result.row.line, result.status, result.error) for result in read.refused()] == [
        (2, "failed", "emailAddress: not an address: ada"),
        (4, "failed", "nothing in invitedUserId or emailAddress"),
    ]


def test_a_thousand_rows_with_thirty_bad_ones_of_ten_kinds_give_one_report_that_names_each_line(
    people: Shape,
) -> None:
    kinds: list[Callable[[int], str]] = [
        lambda n: f"ada{n},,x",
        lambda n: f",{n},x",
        lambda n: ",,x",
        lambda n: f"a{n}@b.c,,x,y",
        lambda n: f"a{n}@b.c,",
        lambda n: "first@example.org,,x",
        lambda n: f'a{n}@b.c,,"x',
        lambda n: f'a{n}@b.c,,"x"y',
        lambda n: f"a{n}@b.c,,\0",
        lambda n: f"a{n}@b.c,,\udcfc",
    ]
    chance = random.Random(20261121)
    lines = ["emailAddress,invitedUserId,note", "first@example.org,,x"]
    lines += [f"person{number}@example.org,,x" for number in range(999)]
    bad = sorted(chance.sample(range(3, 1002), 30))
    for turn, line in enumerate(bad):
        lines[line - 1] = kinds[turn % 10](line)
    read = parse("\n".join(lines).encode("utf-8", "surrogateescape"), "people.csv", people)
    assert [problem.line for problem in read.problems] == bad
    assert (len(read.rows), len(read.bad)) == (970, 30)
    with pytest.raises(BadInput) as refusal:
        read.check()
    assert len(refusal.value.details["problems"]) == 30


def test_open_quotation_marks_on_every_line_cost_no_more_than_the_file_is_long(people: Shape) -> None:
    text = "emailAddress,n\n" + 'a@b.c,"x\n' * 20_001
    assert len(parse(text.encode(), "x", people).problems) >= 10_000


def test_an_earlier_result_file_is_read_with_what_it_says_of_each_row(table: Any) -> None:
    read = table(
        "name,emailAddress,status,error,id,at\n"
        "Ada,a@b.c,ok,,i1,2026-11-21T00:00:00.000Z\n"
        "Bob,b@b.c,FAILED,no such user,,t\n"
        "Cyd,c@b.c,unknown,,,t\n"
        "Dan,d@b.c,skipped,,,\n"
        "Eve,e@b.c,,,,\n"
    )
    assert (read.header, wrong(read)) == (("name", MAIL), [])
    assert [row.before for row in read.rows] == [
        Mark("ok", "", "i1", "2026-11-21T00:00:00.000Z"),
        Mark("failed", "no such user", "", "t"),
        Mark("unknown", "", "", "t"),
        Mark("skipped"),
        Mark("skipped"),
    ]
    assert read.rows[0].cells == ("Ada", "a@b.c")


def test_columns_of_the_person_that_are_called_as_ours_stay_theirs(table: Any) -> None:
    read = table("id,status,emailAddress,status,error,id,at\n7,vip,a@b.c,ok,,i1,t\n")
    assert (read.header, wrong(read)) == (("id", "status", MAIL), [])
    assert (read.rows[0].columns["status"], read.rows[0].before) == ("vip", Mark("ok", "", "i1", "t"))


def test_a_status_that_nobody_wrote_is_a_problem_and_counts_as_sent(table: Any) -> None:
    """R40."""
    read = table("emailAddress,status,error,id,at\na@b.c,done,,,\n")
    assert wrong(read) == ["line 2: status: not one of ok, failed, unknown, skipped: done"]
    assert [result.status for result in read.refused()] == ["unknown"]


def test_a_row_of_a_result_file_whose_cells_moved_counts_as_sent(table: Any) -> None:
    """R40: nobody can tell any more whether it was done."""
    read = table("emailAddress,status,error,id,at\na@b.c,ok,,\n")
    assert wrong(read) == ["line 2: it has 4 cells, the header 5"]
    assert [result.status for result in read.refused()] == ["unknown"]


def test_a_row_that_is_done_is_not_checked_again(table: Any) -> None:
    read = table("emailAddress,status,error,id,at\nwas once an address,ok,,,\n")
    assert (len(read.rows), wrong(read)) == (1, [])


def test_a_row_that_equals_one_that_may_be_done_is_not_sent_wherever_it_stands(table: Any) -> None:
    """R40."""
    read = table(
        "emailAddress,status,error,id,at\na@b.c,failed,,,\nA@b.c,ok,,,\nx@b.c,,,,\nx@b.c,unknown,,,\na@b.c,ok,,,\n"
    )
    assert wrong(read) == ["line 2: the same as line 3: a@b.c", "line 4: the same as line 5: x@b.c"]
    assert [row.line for row in read.rows] == [3, 5, 6]


def test_a_file_that_cannot_be_read_is_bad_input(people: Shape, tmp_path: Path) -> None:
    with pytest.raises(BadInput) as missing:
        read_input(tmp_path / "nobody.csv", people)
    assert missing.value.message == f"cannot read {tmp_path / 'nobody.csv'}: no such file or directory"
    with pytest.raises(BadInput) as folder:
        read_input(tmp_path, people)
    assert folder.value.message == f"cannot read {tmp_path}: is a directory"


def test_a_file_of_many_megabytes_is_refused(people: Shape, tmp_path: Path) -> None:
    path = tmp_path / "large.csv"
    with path.open("wb") as out:
        os.truncate(out.fileno(), 64 * 1024 * 1024 + 1)
    with pytest.raises(BadInput) as large:
        read_input(path, people)
    assert large.value.message == f"{path} is larger than 64 MiB"


def test_values_given_as_arguments_are_a_table_too() -> None:
    read = Table.of([ADA, "x"], "socialId")
    assert read.header == ("socialId",)
    assert read.rows == (Row(1, {"socialId": ADA}, ADA, (ADA,)), Row(2, {"socialId": "x"}, "x", ("x",)))


WIDE = [f"c{number}" for number in range(100_000)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"{MAIL},{','.join(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL}{',' * len(WIDE)}\nada@example.org{',' * len(WIDE)}\n", ""),
        (f"{MAIL},{','.join((*WIDE, *WIDE))}\n", "line 1: two columns are called c0"),
        (f"{','.join(WIDE)}\na,b\n", "there are: c0, c1, "),
        (
            f"{MAIL},{','.join(WIDE)}\n" + "ada@example.org\n" * 1000,
            "line 43: the header has 100001 cells, and",
        ),
        (f"{MAIL}\nada@example.org,{','.join(WIDE)}\n", "the header 1; left over: c0, c1, "),
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
