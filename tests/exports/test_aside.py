"""A second process makes pages ready, and the export is the one that it would be without it (R29, R32, R33)."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import REGISTRATION_LIST
from roomctl.errors import Temporary
from roomctl.exports import aside, made, manifest
from roomctl.exports.aside import Aside
from roomctl.exports.formats import format_named
from roomctl.exports.intake import Intake
from roomctl.exports.job import Job
from roomctl.exports.pages import Decode, MadeRows, QuickRows
from roomctl.service.wire import marks_of
from tests.exports.paged import PagedService, RawService, exported, registration

PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
pytestmark = pytest.mark.skipif(PROCESSORS < 2, reason="needs two processors")
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

    `made` counts the pages that it made ready, `last` is one of them; `at` is done before a page.
    """

    def __init__(self, rows: Sequence[Any], at: dict[int, Callable[[Aside], None]] | None = None) -> None:
        self.rows = rows
        self.at = at or {}
        self.made = 0
        self.last: MadeRows | None = None
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
        if isinstance(decoded, MadeRows):
            self.made, self.last = self.made + 1, decoded
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
    assert service.made >= 10


@pytest.mark.parametrize("at", [4, 9])
def test_a_process_that_is_killed_is_not_missed(at: int, tmp_path: Path) -> None:
    service = Wire(ROWS, {at: kill})
    alike(service, ROWS, tmp_path, "csv")
    assert not any(each.ready for each in service.asides)


def test_one_that_stands_still_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def stop(decode: Aside) -> None:
        assert decode.process
        decode.process.send_signal(signal.SIGSTOP)

    monkeypatch.setattr(aside, "PATIENCE", 0.2)
    service = Wire(ROWS, {6: stop})
    alike(service, ROWS, tmp_path, "csv")
    assert not any(each.ready for each in service.asides)


def test_an_answer_that_nobody_read_is_not_taken_for_that_to_the_next_page(tmp_path: Path) -> None:
    def lose(decode: Aside) -> None:
        body = json.dumps(ROWS[:10], separators=(",", ":")).encode()
        assert decode.process and decode.process.stdout
        losing, whole = threading.current_thread(), decode.process.stdout

        class Failing(io.BytesIO):
            def read(self, size: int | None = -1) -> bytes:
                if threading.current_thread() is losing:
                    raise MemoryError
                return whole.read(-1 if size is None else size)

        decode.process.stdout = Failing()
        with pytest.raises(MemoryError):
            decode(body, marks_of(body))
        decode.process.stdout = whole

    service = Wire(ROWS, {6: lose})
    alike(service, ROWS, tmp_path, "csv")
    assert not any(each.ready for each in service.asides)


def test_a_page_made_ready_before_a_column_was_found_gets_that_column(tmp_path: Path) -> None:
    def wait_for_the_next(_: Aside) -> None:
        before = service.made
        wait_until(lambda: service.made > before)
        assert service.last
        made_early.append(service.last)

    made_early: list[MadeRows] = []
    rows = [*ROWS[:55], registration(55, **LATER), *ROWS[56:]]
    service = Wire(rows, {5: wait_for_the_next})
    alike(service, rows, tmp_path, "csv")
    assert [None in page for page in made_early] == [False]


def test_no_process_is_begun_once_the_export_has_ended() -> None:
    decode = Aside(job("csv"), lambda *_: ROWS[:10], tuple)
    decode.dismiss()
    begin(decode)
    assert decode.process is None


def test_a_process_that_begins_as_the_export_ends_is_ended_too(monkeypatch: pytest.MonkeyPatch) -> None:
    class Late(subprocess.Popen[bytes]):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            leaving.start()
            wait_until(decode.over.is_set)

    decode = Aside(job("csv"), lambda *_: ROWS[:10], tuple)
    leaving = threading.Thread(target=decode.dismiss)
    monkeypatch.setattr(subprocess, "Popen", Late)
    begin(decode)
    leaving.join(60)
    assert decode.process and decode.process.returncode == -signal.SIGKILL


@pytest.mark.parametrize("python", ["/nowhere/python", "no\0python", "/bin/true"])
def test_without_a_python_to_run_nothing_is_made_ready(python: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", python)
    decode = Aside(job("csv"), lambda *_: ROWS[:10], tuple)
    begin(decode)
    assert (decode.ready, decode(b"", b"")) == (False, ROWS[:10])
    decode.dismiss()


def begin(decode: Aside) -> None:
    """Decode as many full pages as begin the process, and wait until that has come to nothing."""
    for _ in range(aside.AFTER):
        decode(b"", b"")
    wait_until(lambda: all(each.name != "roomctl-aside" for each in threading.enumerate()))


def job(form: str) -> Job:
    return Job(
        operation=REGISTRATION_LIST,
        path={},
        query=(),
        to=Path(f"r.{form}"),
        format=format_named(form, Path()),
        size=10,
        concurrency=2,
        verify=False,
        force=False,
        columns=(),
        rename={},
        zone=None,
        guard=False,
        profile_host="",
        keep_ids=False,
        since=None,
        enrich=None,
    )


def test_a_page_made_ready_is_not_taken_as_it_is_for_the_first_rows() -> None:
    """In JSON a comma would stand before them."""
    row = {"registrationId": "1"}
    rows = MadeRows(["1"], b',\n{"registrationId":"1"}', None, (), lambda: QuickRows([row], ["1"], shown=True))
    taken = Intake(job("json"), ()).take(rows, rows.keys, begun=False)
    assert taken == ({"keys": ["1"], "width": 17}, b'[\n{"registrationId":"1"}', ["1"], 0, 0)


def test_without_a_thread_to_start_it_there_is_no_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    exported(RawService(ROWS), tmp_path / "one", format="xlsx", concurrency=1)
    monkeypatch.setattr(threading.Thread, "start", only_the_keepers(threading.Thread.start))
    exported(RawService(ROWS), tmp_path / "two", format="xlsx", concurrency=2)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


def only_the_keepers(start: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    """Let the thread that keeps checkpoints start, and no other."""

    def started(thread: threading.Thread) -> None:
        if thread.name != "roomctl-checkpoint":
            raise RuntimeError("can't start new thread")
        start(thread)

    return started


def test_a_process_that_cannot_be_started_is_not_missed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "none"))
    exported(RawService(ROWS), tmp_path / "two", format="csv", concurrency=2)
    exported(RawService(ROWS), tmp_path / "one", format="csv", concurrency=1)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()


@pytest.mark.parametrize("nonsense", [b"\1\0\0\0", made.SIZES.pack(3, 4, 1) + b"[1]null,"])
def test_one_that_answers_nonsense_is_not_asked_again(nonsense: bytes, tmp_path: Path) -> None:
    def babble(decode: Aside) -> None:
        assert decode.process and decode.process.stdout
        decode.process.kill()
        decode.process.stdout.close()
        decode.process.stdout = io.BufferedReader(io.BytesIO(nonsense * 50))

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
