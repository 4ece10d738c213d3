"""How far a long job is: the figures, the bar at several widths, and what stands on a terminal and in a pipe."""

import io
import re
from typing import Any

import pytest

from roomctl.output.console import render
from roomctl.output.look import Look
from roomctl.output.progress import Progress, bar
from tests.conftest import Cases, Env, Patch, Run
from tests.terminals import screen

EVENT = "c7951964-2838-427f-8267-5f07922a7056"
RECORDING = "8667b48c-ef7b-4382-9ba0-12b3f72e45a9"
SLOW = f"registration export {EVENT} --to r.csv --page-size 50 --fault latency=0.2:registration.list".split()


def job(noun: str, total: int | None, done: int, detail: str = "") -> Progress:
    """A job that began 100 seconds ago, and has gone on from 1,000 rows for 90."""
    times = iter([10.0, *[100.0] * 10])
    progress = Progress(noun, total, lambda: next(times), begun=0.0)
    progress.update(1000)
    progress.update(done, detail)
    return progress


def test_the_figures_are_told_as_far_as_they_are_known(cases: Cases) -> None:
    cases("progress.txt", lambda *progress: job(*progress).line)


def test_the_bar_makes_room_for_the_figures(cases: Cases) -> None:
    def says(columns: int, *progress: Any) -> str:
        look = Look("table", terminal=True, width=columns)
        [line] = "".join(render([bar(job(*progress), columns)], look, io.StringIO())).splitlines()
        return line

    cases("bars.txt", says)


@pytest.fixture
def at_once(monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.cli.progress.DELAY", 0.0)
    monkeypatch.setattr("roomctl.cli.progress.EVERY", 0.1)


@pytest.mark.usefixtures("sandbox", "at_once")
def test_a_terminal_shows_a_bar_that_is_gone_at_the_end(variables: Env) -> None:
    shown = screen(("--sandbox", *SLOW), variables, 80)
    assert "registrations  \x1b" in shown or "registrations  ━" in shown
    assert shown.rpartition("\x1b[2K")[2].startswith("exported 250 registrations")


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize(("variable", "value"), [("ROOMCTL_ACCESSIBLE", "1"), ("TERM", "dumb"), ("", "")])
def test_elsewhere_it_is_told_in_lines(variable: str, value: str, sandbox: Run, variables: Env) -> None:
    variables.update({variable: value} if variable else {})
    said = screen(("--sandbox", *SLOW), variables, 200) if variable else sandbox(*SLOW).stderr
    assert re.search(r"^\d+ registrations, (\d+/s, )?0:0\d elapsed$", said, re.MULTILINE)
    assert "\x1b" not in said


@pytest.mark.usefixtures("at_once")
def test_quiet_shows_no_progress(sandbox: Run) -> None:
    assert "registrations," not in sandbox(*SLOW, "-q").stderr


@pytest.mark.usefixtures("at_once")
def test_a_look_up_says_what_it_reads_but_not_inside_another_job(sandbox: Run) -> None:
    looked_up = sandbox("social", "get", "Main Stage", "--fault", "latency=0.5:roomset.list").stderr
    assert re.search(r"^reading your room sets, 0:0\d elapsed$", looked_up, re.MULTILINE)
    waited = sandbox("recording", "wait", RECORDING, "--fault", "latency=0.5:recording.list").stderr
    assert "reading" not in waited
