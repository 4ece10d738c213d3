"""Bulk runs from the command line: bad rows, refused records, lost answers, result files that are the next input."""

import csv
import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from roomctl.journal import Journal
from tests.conftest import Env, Patch, Run, Serving
from tests.programs import tool
from tests.servers import A, B, Recorder, invitation

BAD: list[tuple[bytes, str]] = [
    (b",,t", "no value in invitedUserId or emailAddress"),
    (b"nobody,,t", "not an e-mail address"),
    (b"two words@example.org,,t", "not an e-mail address"),
    (b"a@b@example.org,,t", "not an e-mail address"),
    (b",1234,t", "not an id"),
    (b"P1@EXAMPLE.ORG,,t", "duplicate of line 2"),
    (b"short@example.org", "1 cell, but the header has 3 columns"),
    (b"long@example.org,,t,more,cells", "5 cells, but the header has 3 columns"),
    (b"caf\xe9@example.org,,t", "not UTF-8"),
    (b'"open"quote@example.org,,t', "text follows a closing quotation mark"),
]


class Invitations(Recorder):
    """A service that invites, refuses some people, and may lose the answer to one request."""

    def __init__(self) -> None:
        self.refused: set[str] = set()
        self.lost: set[str] = set()
        self.people: Counter[str] = Counter()
        super().__init__("invite.send")

    def answer(self, request: bytes) -> bytes:
        people = [row["invitedUser"]["emailAddress"] for row in json.loads(request.partition(b"\r\n\r\n")[2])]
        self.people.update(people)
        return json.dumps([self.record(person) for person in people]).encode()

    def record(self, person: str) -> dict[str, Any]:
        made = invitation(person)
        return {**made, "error": "no such person"} if person in self.refused else made

    def reply(self, request: bytes) -> bytes:
        whole = super().reply(request)
        return b"" if any(person.encode() in request for person in self.lost) else whole


@pytest.fixture
def service(serving: Serving) -> Invitations:
    return serving(Invitations())


def people_csv(path: Path) -> dict[int, str]:
    """Write 1,000 rows, 30 of them bad in ten ways; give the lines of those, with what is wrong."""
    lines = [f"p{number},,t{number}".replace(",,", "@example.org,,", 1).encode() for number in range(1, 1001)]
    wrong: dict[int, str] = {}
    for place, (line, fault) in enumerate(BAD * 3):
        at = 30 + place * 32
        lines[at] = line
        wrong[at + 2] = fault
    path.write_bytes(b"emailAddress,invitedUserId,table\n" + b"\n".join(lines) + b"\n")
    return wrong


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_rows(path: Path, rows: list[dict[str, str]]) -> None:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_a_result_file_is_an_input_that_sends_what_failed(service: Invitations, roomctl: Run, tmp_path: Path) -> None:
    wrong = people_csv(tmp_path / "people.csv")
    lines = (tmp_path / "people.csv").read_text("latin-1").splitlines()
    good = [line.split(",")[0] for number, line in enumerate(lines, 1) if number > 1 and number not in wrong]
    service.refused = set(good[5::24][:40])
    run = ("invite", "send", A, "--from", "people.csv", "--results", "invited.csv", "--yes")
    first = roomctl(*run, "--skip-bad")
    rows = rows_of(tmp_path / "invited.csv")
    assert (first.status, Counter(row["status"] for row in rows)) == (6, Counter(ok=930, failed=70)), first.stderr
    assert (len(service.people), set(service.people.values())) == (970, {1})
    assert Counter(row["error"] for row in rows)["no such person"] == 40

    service.people.clear()
    rest = roomctl(*run[:4], "invited.csv", *run[5:], "--skip-bad")
    assert (rest.status, set(service.people)) == (6, service.refused), rest.stderr
    rows = rows_of(tmp_path / "invited.csv")

    mended = [dict(row) for row in rows]
    for n, each in enumerate(mended):
        new = {"emailAddress": f"mended{n}@example.org", "invitedUserId": ""}
        each.update(new if each["status"] == "failed" else {})
    write_rows(tmp_path / "invited.csv", mended)
    service.people.clear()
    again = roomctl("invite", "send", A, "--from", "invited.csv", "--results", "invited.csv", "--yes", "-o", "json")
    assert (again.status, Counter(row["status"] for row in again.json)) == (0, Counter(ok=1000)), again.stderr
    assert sorted(service.people) == sorted(row["emailAddress"] for row in mended if row["status"] == "failed")
    kept = [{name: cell for name, cell in row.items() if name != "raw"} for row in rows if row["status"] == "ok"]
    last = rows_of(tmp_path / "invited.csv")
    assert [row for row in last if not row["emailAddress"].startswith("mended")] == kept
    assert [row["table"] for row in last] == [row["table"] for row in rows]


def test_r40_a_lost_answer_makes_only_its_batch_unknown(service: Invitations, roomctl: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\n" + "".join(f"p{n:03}@example.org\n" for n in range(100)))
    service.lost = {"p030@example.org"}
    run = ("invite", "send", A, "--results", "invited.csv", "--yes", "--keep-going", "--from")
    first = roomctl(*run, "people.csv")
    statuses = [row["status"] for row in rows_of(tmp_path / "invited.csv")]
    assert (first.status, statuses) == (7, ["ok"] * 25 + ["unknown"] * 25 + ["ok"] * 50), first.stderr
    sent = service.people.copy()
    assert set(sent.values()) == {1}
    second = roomctl(*run, "invited.csv")
    assert (second.status, service.people) == (7, sent), second.stderr
    service.lost = set()
    third = roomctl(*run, "invited.csv", "--retry-unknown")
    assert (third.status, Counter(service.people.values())) == (0, Counter({1: 75, 2: 25})), third.stderr
    assert [row["status"] for row in rows_of(tmp_path / "invited.csv")] == ["ok"] * 100


def bob_refused(service: Invitations, roomctl: Run) -> tuple[str, ...]:
    """Invite two people, of whom one is refused; give the words that invite those of a file."""
    Path("people.csv").write_text("emailAddress\nada@example.org\nbob@example.org\n")
    service.refused = {"bob@example.org"}
    run = ("invite", "send", A, "--yes", "--results", "invited.csv", "--from")
    assert roomctl(*run, "people.csv").status == 6
    return run


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda ada, _: [ada, {**ada, "emailAddress": "eve@example.org"}], "edited: line 3"),
        (lambda ada, bob: [ada, {**bob, "status": "ok"}], "edited: line 3"),
        (lambda ada, bob: [ada, {**ada, **{name: bob[name] for name in ("emailAddress", "id")}}], "edited: line 3"),
        (lambda ada, _: [{**ada, "error": "full"}], "edited: line 2"),
        (lambda ada, _: [{**ada, "id": ""}], "edited: line 2"),
        (lambda ada, _: [{**ada, "at": ""}], "edited: line 2"),
        (lambda ada, _: [{**ada, "job": ada["job"].partition(" #")[0]}], "edited: line 2"),
        (lambda ada, _: [{**ada, "job": ""}], "another job: an unnamed job"),
        *(
            (lambda *rows, kept=kept: [{name: row[name] for name in kept} for row in rows], f"lack {lost}")
            for kept, lost in [
                (["emailAddress", "status", "error", "id", "job"], "at"),
                (["emailAddress", "job", "status", "error", "at"], "id"),
                (["emailAddress", "status"], "error, id, at, job"),
                (["job", "emailAddress"], "status, error, id, at"),
            ]
        ),
    ],
)
def test_r40_a_result_that_was_edited_is_not_believed(
    edit: Callable[..., list[dict[str, str]]], told: str, service: Invitations, roomctl: Run, tmp_path: Path
) -> None:
    run = bob_refused(service, roomctl)
    write_rows(tmp_path / "invited.csv", edit(*rows_of(tmp_path / "invited.csv")))
    service.people.clear()
    done = roomctl(*run, "invited.csv")
    assert (done.status, told in done.stderr, not service.people) == (2, True, True), done.stderr


@pytest.mark.parametrize(
    "columns",
    [
        ["status", "emailAddress", "error", "id", "at", "job"],
        ["job", "at", "emailAddress", "id", "error", "status"],
        ["emailAddress", "status", "error", "id", "at", "job", "note"],
        ["emailAddress", "status", "note", "error", "id", "at", "job", ""],
    ],
)
def test_r40_result_columns_that_were_moved_are_still_those_of_a_result(
    columns: list[str], service: Invitations, roomctl: Run, tmp_path: Path
) -> None:
    run = bob_refused(service, roomctl)
    rows = rows_of(tmp_path / "invited.csv")
    write_rows(tmp_path / "invited.csv", [{name: row.get(name, "") for name in columns} for row in rows])
    service.people.clear()
    service.refused = set()
    again = roomctl(*run, "invited.csv")
    assert (again.status, service.people) == (0, Counter(["bob@example.org"])), again.stderr
    kept = [name for name in columns if name in ("emailAddress", "note", "")]
    header = (tmp_path / "invited.csv").read_text().splitlines()[0]
    assert header.split(",") == [*kept, "status", "error", "id", "at", "job"]


class Rooms(Recorder):
    """A service with rooms; `before` and `after` name those whose answer is lost, before or after they are ended."""

    def __init__(self, ids: list[str]) -> None:
        self.open = dict.fromkeys(ids, True)
        self.before: set[str] = set()
        self.after: set[str] = set()
        self.blind, self.moved = False, set[str]()
        self.at: dict[str, Callable[[], None]] = {}
        self.asked: Counter[str] = Counter()
        super().__init__("social.end")

    def reply(self, request: bytes) -> bytes:
        found = re.match(rb"POST /api/v1/social/(?:end|invite)/(\S{36})", request)
        if found is None:
            return super().reply(request) if not self.blind else b""
        room = found[1].decode()
        self.asked[room] += 1
        if room in self.before:
            return b""
        self.open[room] = b"/invite/" in request or b"leaveOpenUntil" in request
        self.at.get(room, int)()
        return b"" if room in self.after else super().reply(request)

    def answer(self, request: bytes) -> bytes:
        if found := re.match(rb"POST /api/v1/social/end/(\S{36})", request):
            return json.dumps({"socialId": found[1].decode(), "isOpen": self.open[found[1].decode()]}).encode()
        if found := re.match(rb"POST /api/v1/social/invite/(\S{36})", request):
            return json.dumps([{"socialInviteId": f"0{found[1].decode()[1:]}"}]).encode()
        rooms = [{"socialId": key, "name": key[:4], "isOpen": is_open} for key, is_open in self.open.items()]
        kept = [[room for room in rooms if (room["socialId"] in self.moved) is away] for away in (False, True)]
        sets = [{"socialRoomSetId": key, "socials": each} for key, each in zip((A, B), kept, strict=True) if each]
        return json.dumps(sets if b"page=0" in request else []).encode()


IDS = [f"{number:08x}-2222-4222-8222-222222222222" for number in range(1, 21)]
END = ("social", "end", "--results", "ended.csv", "--yes", "--retries", "0", "--from")


@pytest.fixture
def rooms(serving: Serving, tmp_path: Path, monkeypatch: Patch) -> Rooms:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    (tmp_path / "rooms.csv").write_text("socialId\n" + "\n".join(IDS) + "\n")
    return serving(Rooms(IDS))


def statuses(tmp_path: Path) -> list[str]:
    return [row["status"] for row in rows_of(tmp_path / "ended.csv")]


def test_r40_a_room_left_unknown_is_looked_at_before_another_end(rooms: Rooms, roomctl: Run, tmp_path: Path) -> None:
    rooms.after, rooms.before, rooms.blind = set(IDS[3:5]), {IDS[9]}, True
    first = roomctl(*END, "rooms.csv")
    assert (first.status, Counter(statuses(tmp_path))) == (7, Counter(ok=17, unknown=3)), first.stderr
    rooms.after, rooms.before = set(), set()
    unread = roomctl(*END, "ended.csv", "--retry-unknown")
    assert (unread.status, rooms.asked.total()) == (5, 20), unread.stderr
    rooms.blind = False
    looked = roomctl(*END, "ended.csv")
    assert (looked.status, Counter(statuses(tmp_path))) == (7, Counter(ok=19, unknown=1)), looked.stderr
    assert (rooms.asked.total(), len(roomctl("journal", "list", "--open", "-o", "json").json)) == (20, 1)
    last = roomctl(*END, "ended.csv", "--retry-unknown")
    assert (last.status, statuses(tmp_path)) == (0, ["ok"] * 20), last.stderr
    assert rooms.asked == Counter({**dict.fromkeys(IDS, 1), IDS[9]: 2})
    # a guard is about all rooms of the command, those done before too
    assert [roomctl(*END, "ended.csv", "--expect-rooms", each).status for each in ("20", "0")] == [0, 8]


RERUNS = [  # for how many minutes lists may lag, when rooms are to close, and what the same command does soon after
    (0, (), "ok"),
    (10, (), "unknown"),
    (10, ("--leave-open-until", "+15m"), "done"),
    (0, ("--leave-open-until", "+1s"), "ok"),
    (10, ("--leave-open-until", "+1s"), "unknown"),
]


@pytest.mark.parametrize(("minutes", "until", "becomes"), RERUNS)
def test_r40_a_room_is_ended_again_where_it_is_open_after_lists_have_had_the_time_to_show_its_end(
    minutes: int, until: tuple[str, ...], becomes: str, rooms: Rooms, roomctl: Run, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("roomctl.reconcile.LAG", timedelta(minutes=minutes))
    nightly = ("social", "end", "--room-set", A, "--yes", "--results", "ended.csv", *until)
    assert roomctl(*nightly).status == 0
    time.sleep(1.1 * ("+1s" in until))
    again = set(IDS if until else IDS[2:5])
    rooms.open |= dict.fromkeys(again, True)
    sent, unsure = (again if becomes == each else set() for each in ("ok", "unknown"))
    number = len(sent) or 20
    guarded = roomctl(*nightly, "--expect-rooms", "1")
    assert (guarded.status, f"does not hold: found {number} rooms" in guarded.stderr) == (8, True), guarded.stderr
    last = roomctl(*nightly, "--expect-rooms", f"{number}")
    assert (last.status, rooms.asked) == (7 * bool(unsure), Counter(IDS) + Counter(sent)), last.stderr
    assert statuses(tmp_path) == ["unknown" if key in unsure else "ok" for key in IDS]
    assert last.stdout.count("but the list still shows it open") == len(unsure)
    assert ("asked the service to keep" in last.stderr) is (bool(until) and bool(sent)), last.stderr
    rooms.open = dict.fromkeys(IDS, False)
    assert (roomctl(*nightly, "--expect-rooms", "20").status, statuses(tmp_path)) == (0, ["ok"] * 20)


@pytest.mark.parametrize("retry", [(), ("--retry-unknown",)])
def test_r40_rows_of_rooms_that_have_left_the_set_are_kept_and_not_sent(
    retry: tuple[str, ...], rooms: Rooms, roomctl: Run, tmp_path: Path
) -> None:
    nightly = ("social", "end", "--room-set", A, "--yes", "--retries", "0", "--results", "ended.csv")
    rooms.before = {IDS[1]}
    assert (roomctl(*nightly).status, statuses(tmp_path)[:2]) == (7, ["ok", "unknown"])
    del rooms.open[IDS[0]], rooms.open[IDS[1]]
    rooms.open["000000ff-2222-4222-8222-222222222222"] = True
    rooms.asked.clear()
    for sent in (1, 1):
        again = roomctl(*nightly, *retry)
        assert (again.status, rooms.asked.total(), "2 rows of rooms that are not in" in again.stderr) == (7, sent, True)
        assert statuses(tmp_path) == ["ok", "unknown", *["ok"] * 19], again.stderr
    rooms.moved, rooms.open[IDS[2]] = {IDS[2]}, True
    assert (roomctl(*nightly).status, statuses(tmp_path)[:3]) == (7, ["ok", "unknown", "unknown"])


@pytest.mark.parametrize("lagging", [False, True])
def test_r41_the_same_command_goes_on_with_a_killed_run_over_the_rooms_of_a_set(
    lagging: bool, rooms: Rooms, roomctl: Run, tmp_path: Path, variables: dict[str, str]
) -> None:
    nightly = ("social", "end", "--room-set", A, "--yes", "--retries", "0", "--results", "ended.csv")
    with tool(*nightly, "--concurrency", "1", variables=variables, cwd=tmp_path) as process:
        rooms.at = {IDS[7]: process.kill}
    assert (process.returncode, rooms.asked.total()) == (-9, 8)
    rooms.at = {}
    new = "000000ff-2222-4222-8222-222222222222"
    rooms.open |= dict.fromkeys(IDS, True) if lagging else {}
    rooms.open = {IDS[19]: True, new: True, **rooms.open}  # another order, and a room more
    again = roomctl(*nightly)
    assert (again.status, "8 of 21 rows" in again.stderr) == (7 * lagging, True), again.stderr
    assert [row["socialId"] for row in rows_of(tmp_path / "ended.csv")] == [*IDS, new]
    assert rooms.asked == Counter([*IDS, new])
    assert not (tmp_path / "ended.csv.part").exists()


def test_r41_a_killed_run_goes_on_with_its_rooms(rooms: Rooms, roomctl: Run, tmp_path: Path, variables: Env) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\n")
    run = ("invite", "send", "--room-set", A, "--from", "people.csv", "--yes", "--retries", "0", "--results", "i.csv")
    with tool(*run, "--concurrency", "1", variables=variables, cwd=tmp_path) as process:
        rooms.at = {IDS[7]: process.kill}
    assert (process.returncode, rooms.asked.total()) == (-9, 8)
    rooms.at = {}
    del rooms.open[IDS[19]]
    rooms.open = {"000000ff-2222-4222-8222-222222222222": True, **rooms.open}
    again = roomctl(*run, "--resume")
    assert (again.status, again.stderr.count("nobody is invited there")) == (7, 1), again.stderr
    found = [(row["socialId"], row["status"]) for row in rows_of(tmp_path / "i.csv")]
    assert found == [*zip(IDS, ["ok"] * 7 + ["unknown"] + ["ok"] * 11 + ["skipped"], strict=True)]
    assert rooms.asked == Counter(IDS[:19])


def test_r41_a_run_killed_after_its_result_file_goes_on_to_the_same(
    rooms: Rooms, roomctl: Run, tmp_path: Path, variables: Env, monkeypatch: Patch
) -> None:
    rooms.before = {IDS[7]}
    with monkeypatch.context() as patch:
        patch.setattr("roomctl.files.remove_held", lambda _, file: os.close(file))
        assert roomctl(*END, "rooms.csv").status == 7
    before = (tmp_path / "ended.csv").read_text()
    journal = Path(variables["ROOMCTL_STATE"]) / "journal.ndjson"
    lines = journal.read_text().splitlines(keepends=True)
    assert '"finished"' in lines[-1]
    journal.write_text("".join(lines[:-1]))
    refused = roomctl(*END, "rooms.csv")
    assert (refused.status, "--resume" in refused.stderr) == (2, True)
    resumed = roomctl(*END, "rooms.csv", "--resume")
    assert (resumed.status, (tmp_path / "ended.csv").read_text()) == (7, before), resumed.stderr
    assert (rooms.asked.total(), rooms.asked[IDS[7]]) == (20, 1)
    assert roomctl(*END, "rooms.csv", "--resume").status == 2
    assert not (tmp_path / "ended.csv.part").exists()


def killed(folder: str, source: Path, target: str, profile: str = "environment") -> None:
    """Leave a run in the journal that began and did not finish."""
    program = (
        "import sys; from hashlib import sha256; from pathlib import Path; from roomctl.journal import Journal\n"
        "folder, source, target, profile = sys.argv[1:]; data = Path(source).read_bytes()\n"
        "hashed = sha256(data).hexdigest()\n"
        "Journal(Path(folder)).begin_run(Path(source), hashed, 1, ['x'], profile, target=target)"
    )
    subprocess.run([sys.executable, "-c", program, folder, str(source), target, profile], check=True)


def test_a_broken_run_is_known_by_its_job(service: Invitations, roomctl: Run, variables: Env, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\n")
    job = f"invite.send {A} at {variables['ROOMCTL_BASE_URL']}"
    killed(variables["ROOMCTL_STATE"], tmp_path / "people.csv", job)
    run = ("--from", "people.csv", "--yes", "-o", "ids")
    variables["ROOMCTL_BASE_URL"] += "/other"
    elsewhere = roomctl("invite", "send", A, "--resume", *run)
    told = f"another job, {job}; this one is {job}/other" in elsewhere.stderr
    assert (elsewhere.status, service.people, told) == (2, Counter(), True), elsewhere.stderr
    variables["ROOMCTL_BASE_URL"] = service.url
    again = roomctl("invite", "send", A, *run)
    assert (again.status, service.people) == (2, Counter()), again.stderr
    journal = Journal(Path(variables["ROOMCTL_STATE"]))
    with journal.alone(journal.runs()[0].id, "a job that runs"):
        running = roomctl("invite", "send", A, *run)
    assert (running.status, "still running" in running.stderr, "--resume" in running.stderr) == (2, True, False)
    other = roomctl("invite", "send", B, *run)
    assert (other.status, service.people) == (0, Counter(["ada@example.org"])), other.stderr
    [listed] = roomctl("journal", "list", "--runs", "--open", "-o", "json").json
    assert (listed["target"], listed["rows"], listed["ok"], listed["never_sent"]) == (job, 1, 0, 1)
    assert len(roomctl("journal", "list", "--runs", "-o", "json").json) == 2
    assert roomctl("invite", "send", A, "--resume", *run).status == 0
    assert roomctl("journal", "list", "--runs", "--open", "-o", "json").json == []


def test_rows_repeated_from_the_journal_are_not_sent_again(service: Invitations, roomctl: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\n")
    invite = ("invite", "send", A, "--yes", "-q", "-o", "json", "--results", "sent.csv", "--from")
    (tmp_path / "body.json").write_text(roomctl(*invite, "people.csv", "--dry-run").stdout)
    service.lost = {"ada@example.org"}
    assert roomctl(*invite, "people.csv").status == 7
    service.lost = set()
    [entry] = [each["id"] for each in roomctl("journal", "list", "--open", "-o", "json").json]
    assert roomctl("journal", "repeat", entry, "--input", "body.json", "--yes").status == 0
    again = roomctl(*invite, "sent.csv", "--retry-unknown")
    assert (again.status, [row["status"] for row in again.json], service.people.total()) == (0, ["ok"], 2)


def test_an_unfinished_run_over_changed_rooms_is_not_begun_anew(sandbox: Run, variables: Env, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada.lovelace@example.org\n")
    [key] = sandbox("roomset", "list", "-o", "json", "--query", "[?name=='Autumn Summit'].socialRoomSetId").json
    job = f"invite.send rooms of {key} at http://localhost"
    killed(variables["ROOMCTL_STATE"], tmp_path / "people.csv", job, "sandbox")
    run = ("invite", "send", "--room-set", "Autumn Summit", "--from", "people.csv", "--yes", "-o", "ids")
    refused = sandbox(*run)
    assert (refused.status, refused.stdout, "the rooms of the set have changed" in refused.stderr) == (2, "", True)
    assert sandbox(*run, "--resume").status == 2
    journal = Journal(Path(variables["ROOMCTL_STATE"]))
    with journal.alone(journal.runs()[0].id, "a job that runs"):
        assert "still running in another process" in sandbox(*run).stderr
    anew = sandbox(*run, "--force")
    assert (anew.status, len(anew.stdout.split())) == (0, 4), anew.stderr


def test_a_room_of_the_set_for_which_the_results_have_no_row_is_named(sandbox: Run, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada.lovelace@example.org\n")
    run = ("invite", "send", "--room-set", "Onboarding", "--yes", "-q", "-o", "ids", "--from")
    assert sandbox(*run, "people.csv", "--results", "r.csv").status == 0
    assert sandbox("social", "create", "--name", "Annex", "--room-set", "Onboarding", "--yes").status == 0
    again = sandbox(*run, "r.csv")
    assert (again.status, "nobody was invited to Annex (" in again.stderr) == (6, True), again.stderr
    assert sandbox(*run, "people.csv").status == 6  # the others are invited already
