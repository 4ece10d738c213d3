"""A second process makes pages ready, and the export is the one that it would be without it (R29, R32, R33, R35)."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from roomctl.errors import Temporary
from roomctl.exports import aside, made, manifest
from roomctl.exports.aside import Aside
from roomctl.exports.pages import Decode, MadeRows
from roomctl.service.wire import marks_of
from tests.exports.paged import PagedService, exported, identifier, registration

pytestmark = pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="needs two processors")
ROWS = [registration(number, guestBearer="SECRET") for number in range(200)]
LATER = {"values": [{"name": "Company", "value": "x"}, {"name": "New", "value": "y"}]}
LISTS = {
    "usual": ROWS,
    "a new column": [*ROWS[:105], registration(105, **LATER), *ROWS[106:]],
    "rows that come twice": [*ROWS[:100], *ROWS[85:]],
    "unusual pages": [
        *ROWS[:70],
        registration(70, source=1.5),
        *ROWS[71:90],
        registration(90, user={"name": 5}),
        *ROWS[91:],
    ],
    "no event": [registration(number, event=None) for number in range(100)],
    "escapes and signs": [registration(number, source='=1+1, "a"\n\u202e') for number in range(100)],
}


class Wire:
    """Gives pages as bytes; page 3 once the second process is ready, if there is to be one.

    `made` counts the pages that it made ready, `at` is done before a page.
    """

    def __init__(self, rows: Sequence[Any], at: dict[int, Callable[[Aside], None]] | None = None) -> None:
        self.rows = rows
        self.at = at or {}
        self.made = 0
        self.asides: set[Aside] = set()

    def page(self, operation: Any, *, page: int, size: int, decode: Decode | None = None, **_: Any) -> list[Any]:
        """Answer one page."""
        rows = self.rows[page * size : (page + 1) * size]
        body = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
        if isinstance(decode, Aside):
            self.asides.add(decode)
            if page == 3 or page in self.at:
                wait_until(lambda: decode.ready)
            if page in self.at:
                self.at[page](decode)
        decoded = decode(body, marks_of(body)) if decode else None
        self.made += isinstance(decoded, MadeRows)
        return json.loads(body, object_hook=without_bearers) if decoded is None else decoded


def without_bearers(made: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in made.items() if "earer" not in name}


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.002)


def kill(decode: Aside) -> None:
    assert decode.process
    decode.process.kill()
    decode.process.wait()


@pytest.fixture(autouse=True)
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(aside, "AFTER", 2)
    monkeypatch.setattr(aside, "ROWS", 10)


def alike(service: Wire, rows: Sequence[Any], folder: Path, form: str, at_once: int = 2, **options: Any) -> None:
    """Export with a second process and without, and hold one against the other."""
    for name, client, concurrency in (("two", service, at_once), ("one", Wire(rows), 1)):
        exported(client, folder / name, format=form, concurrency=concurrency, **options)
    two, one = (manifest.read(manifest.path_of(folder / name)) for name in ("two", "one"))
    assert two._replace(file="", sha256="") == one._replace(file="", sha256="")
    assert (folder / "two").read_bytes() == (folder / "one").read_bytes()
    assert b"SECRET" not in (folder / "two").read_bytes()
    assert [each.process and each.process.returncode for each in service.asides] == [-signal.SIGKILL]


@pytest.mark.parametrize("rows", LISTS.values(), ids=LISTS)
@pytest.mark.parametrize("form", ["csv", "excel-csv", "ndjson", "json"])
def test_an_export_is_the_same_with_a_second_process(form: str, rows: list[Any], tmp_path: Path) -> None:
    service = Wire(rows)
    alike(service, rows, tmp_path, form)
    assert service.made >= 5


@pytest.mark.parametrize(("form", "options"), [("tsv", {"guard": True}), ("xlsx", {}), ("csv", {"verify": True})])
def test_other_tables_are_the_same_too(form: str, options: dict[str, Any], tmp_path: Path) -> None:
    service = Wire(ROWS)
    alike(service, ROWS, tmp_path, form, **options)
    assert service.made >= 10


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_both_processes_work_on_pages_and_each_comes_in_its_turn(form: str, tmp_path: Path) -> None:
    rows = [registration(number) for number in range(3000)]
    service = Wire(rows)
    alike(service, rows, tmp_path, form, at_once=6)
    assert 10 <= service.made < 300


@pytest.mark.parametrize("at", [4, 9])
def test_a_process_that_is_killed_is_not_missed(at: int, tmp_path: Path) -> None:
    service = Wire(ROWS, {at: kill})
    alike(service, ROWS, tmp_path, "csv")
    assert not any(each.ready for each in service.asides)


def test_one_that_answers_nonsense_is_not_asked_again(tmp_path: Path) -> None:
    def babble(decode: Aside) -> None:
        assert decode.process and decode.process.stdout
        decode.process.kill()
        decode.process.stdout.close()
        decode.process.stdout = io.BufferedReader(io.BytesIO(b"\1\0\0\0" * 50))

    service = Wire(ROWS, {6: babble})
    alike(service, ROWS, tmp_path, "csv")
    assert service.made <= 6


def test_one_whose_answers_are_of_no_use_is_not_asked_for_long(tmp_path: Path) -> None:
    rows = [registration(number, source=1.5 if number > 40 else "web") for number in range(400)]
    service = Wire(rows)
    alike(service, rows, tmp_path, "csv")
    assert not any(each.ready for each in service.asides)


def test_a_short_list_is_read_by_one_process(tmp_path: Path) -> None:
    service = Wire(ROWS[:15])
    exported(service, tmp_path / "r.csv", concurrency=2)
    assert [each.process for each in service.asides] == [None]


def test_the_process_ends_with_an_export_that_fails_and_that_goes_on_later(tmp_path: Path) -> None:
    def away(_: Aside) -> None:
        raise Temporary("the service is away")

    service = Wire(ROWS, {9: away})
    with pytest.raises(Temporary):
        exported(service, tmp_path / "two", format="csv", concurrency=2)
    assert [each.process and each.process.returncode for each in service.asides] == [-signal.SIGKILL]
    exported(Wire(ROWS), tmp_path / "two", format="csv", concurrency=2)
    exported(PagedService([without_bearers(row) for row in ROWS]), tmp_path / "one", format="csv")
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


ENDED = """
import sys
from pathlib import Path
from roomctl.exports import aside
from tests.exports.paged import exported
from tests.exports.test_aside import ROWS, Wire
import time

def wait(decode):
    print(decode.process.pid, flush=True)
    time.sleep(60)

aside.AFTER, aside.ROWS = 2, 10
exported(Wire(ROWS, {6: wait}), Path(sys.argv[1]) / "r.csv", concurrency=2)
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_the_process_ends_however_the_export_is_ended(number: signal.Signals, tmp_path: Path) -> None:
    root = Path(__file__).parents[2]
    environment = {**os.environ, "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    command = [sys.executable, "-c", ENDED, str(tmp_path)]
    with subprocess.Popen(
        command, env=environment, cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as running:
        assert running.stdout
        pid = int(running.stdout.readline())
        assert is_running(pid)
        running.send_signal(number)
        running.wait(timeout=30)
        wait_until(lambda: not is_running(pid))
    assert not is_running(pid)


def is_running(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_the_process_heeds_no_interruption_and_is_told_nothing_but_where_its_modules_are(tmp_path: Path) -> None:
    def interrupt(decode: Aside) -> None:
        assert decode.process
        environment = Path(f"/proc/{decode.process.pid}/environ").read_bytes()
        assert {each.partition(b"=")[0] for each in environment.split(b"\0")[:-1]} == set(map(str.encode, TOLD))
        for number in (signal.SIGINT, signal.SIGTERM):
            decode.process.send_signal(number)

    service = Wire(ROWS, {5: interrupt})
    alike(service, ROWS, tmp_path, "csv")
    assert service.made >= 10


TOLD = ("PYTHONPATH", "PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE")


def test_pages_are_answered_until_there_are_no_more() -> None:
    body = json.dumps([{"registrationId": identifier(1), "source": "web"}]).replace(" ", "").encode()
    page = made.SIZES.pack(2, len(marks_of(body)), len(body)) + b"[]" + marks_of(body) + body
    odd = made.SIZES.pack(2, 4, 6) + b"[]" + b"[[]]" + b"[[1 ]]"
    answers = io.BytesIO()
    made.serve(io.BytesIO(b'["csv",false,"registrationId"]\n' + page + odd + page[:5]), answers)
    keys = f'["{identifier(1)}"]'.encode()
    row = f"{identifier(1)},,,web{',' * 13}\n".encode()
    answer = made.SIZES.pack(len(keys), 4, len(row)) + keys + b"null" + row
    assert answers.getvalue() == made.READY + answer + made.READY
