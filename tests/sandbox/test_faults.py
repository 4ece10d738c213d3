"""A fault: how it is written, which requests it meets, and when it ends."""

import json
from pathlib import Path

import pytest

from roomctl.errors import BadInput, BadValue
from roomctl.sandbox.faults import LONGEST_LOG, Fault, FaultStore, parse, read, read_all
from roomctl.sandbox.request import RawRequest
from tests.conftest import Cases, error_of

END = RawRequest.read("POST", "/api/v1/social/end/x")
FIRST, SECOND = (RawRequest.read("GET", "/api/v1/event/registration", f"page={page}") for page in (0, 1))


def test_a_shorthand_is_read_as_its_mapping_and_written_again(cases: Cases) -> None:
    def says(text: str) -> str:
        found = parse(text)
        assert found == parse(str(found)) == read({"match": found.match, "fault": found.fault})
        return json.dumps({"match": found.match, "fault": found.fault})

    cases("faults.txt", says)


def test_a_file_is_a_list_or_a_seed_and_a_list() -> None:
    wanted = [Fault({"seed": 7, "operation": "read", "nth": 1}, {"html": True})]
    assert read_all({"seed": 7, "faults": ["html:read#1"]}) == wanted
    assert read_all([{"match": {"seed": 7, "operation": "read", "nth": 1}, "fault": {"html": True}}]) == wanted
    with pytest.raises(BadInput, match="not a list of faults"):
        read_all("reset:read")


class Night:
    """A stage whose clock a test moves."""

    def __init__(self, path: Path, *faults: str) -> None:
        self.now = 1000.0
        self.stage = FaultStore(path / "stage.db", [parse(text) for text in faults], clock=lambda: self.now)

    def met(self, *requests: RawRequest) -> list[str]:
        return [str(self.stage.meet(request) or "") for request in requests]


def test_a_fault_is_applied(tmp_path: Path, cases: Cases) -> None:
    requests = {"END": END, "FIRST": FIRST, "SECOND": SECOND}

    def says(faults: list[str], later: float, *names: str) -> str:
        (tmp_path / "stage.db").unlink(missing_ok=True)
        night = Night(tmp_path, *faults)
        night.now += later
        return " | ".join(each or "none" for each in night.met(*(requests[name] for name in names)))

    cases("met.txt", says)


def test_chance_is_the_same_in_every_run_of_a_seed(tmp_path: Path) -> None:
    faults = [f"reset,probability=0.5,seed={seed}:read" for seed in (1, 1, 2)]
    nights = [Night(tmp_path / str(number), fault).met(*[FIRST] * 40) for number, fault in enumerate(faults)]
    assert nights[0] == nights[1] != nights[2]
    assert 5 < nights[0].count("") < 35


def test_what_is_added_stands_for_every_process_and_is_counted_in_all_of_them(tmp_path: Path) -> None:
    one, other = Night(tmp_path), Night(tmp_path)
    one.stage.add([parse("reset,times=3:read")])
    assert [*one.met(FIRST), *other.met(FIRST), *one.met(FIRST), *other.met(FIRST)] == [*["reset,times=3:read"] * 3, ""]
    assert (other.stage.clear(), one.met(FIRST)) == (1, [""])


def test_the_log_keeps_the_latest_requests(tmp_path: Path) -> None:
    stage = FaultStore(tmp_path / "stage.db")
    for number in range(3):
        stage.note({"page": number})
    assert stage.log(after=1) == [{"number": 2, "page": 1}, {"number": 3, "page": 2}]
    # as if so many had come since
    stage._connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'request'", (LONGEST_LOG + 199,))
    stage.note({"latest": True})
    assert stage.log() == [{"number": LONGEST_LOG + 200, "latest": True}]
    assert (stage.forget(), stage.log()) == (1, [])


def test_an_effect_on_lists_is_refused_for_an_operation_that_lists_nothing() -> None:
    failure = error_of(BadValue, parse, "clamp-size=5:social.end")
    assert failure.message.endswith("`clamp-size` is for lists, and social.end is none")
