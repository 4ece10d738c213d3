"""A file is brought to the service: once, whatever happens on the way, and nothing is done that nobody saw."""

import contextlib
import csv
import json
import re
import shutil
import signal
import sqlite3
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from roomctl.bulk import Row
from roomctl.errors import OutcomeUnknown
from roomctl.events.apply import Sender, Service, find_unmet
from roomctl.events.current import Current
from roomctl.events.event_file import read
from roomctl.events.history import History
from roomctl.events.plan import Choices
from roomctl.events.planner import make_plan
from roomctl.sandbox.faults import FaultStore
from roomctl.sandbox.faults import read as read_fault
from roomctl.sandbox.store import Document, Store
from roomctl.sandbox.world import fill, problems
from tests.conftest import Cases, Env, Patch, Run, soak
from tests.events.stage import DOT, WRITES, Done, Stage
from tests.events.worlds import ME, world
from tests.programs import tool

WORDS = (
    *("drop-after-commit", "drop-before-commit", "reset", "truncated", "empty-body", "html", "body=x"),
    *("other-id", "other-name"),
    *("status=500", "status=503,after-commit", "status=404", "status=429,retry-after=0", "wrong-length=7"),
    *("denied=success", "denied=record,after-commit", "denied=text", "nulls", "uppercase-ids", "unknown-fields"),
    *("unknown-values", "date-offset", "invite-errors=1", "without=socialId+socialRoomSetId+socialThemeId"),
)
"""What may become of a write."""
LOOKS = ["status=500", "empty-page", "end-of-list=404", "drop-before-commit", "without=socials", "html"]
LOOKS += ["key-revoked=0"]
"""What may become of a look."""
FAULTS = [(f"{word}:write#{step}") for word in WORDS for step in range(1, WRITES + 1)]
UNENDING = {"other-id:write#3": 6, "other-id:write#4": 7}
"""The reply names a wrong theme or room: what rests on it is not sent, until a person gives the id. How it ends."""
OTHERWISE = "unknown-values:write#8"
"""A playlist that is made otherwise stays failed, which has a test of its own."""
FAULTS = [each for each in FAULTS if each not in (*UNENDING, OTHERWISE)]
FAULTS += [(f"{word}:roomset.list#{look}") for word in LOOKS for look in range(1, 9)]
IN_THE_GATE = [each for each in FAULTS if each.startswith("drop-after")]
IN_THE_GATE += [f"{word}:write#{place % WRITES + 1}" for place, word in enumerate(WORDS[1:])]
IN_THE_GATE += [f"{word}:roomset.list#{place % 8 + 1}" for place, word in enumerate(LOOKS)]


def made(text: str) -> str:
    """A file without its comments, which say what the interface cannot bring back."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("#")).strip()


@pytest.mark.parametrize("number", [*range(20), *map(soak, range(20, 220))])
def test_what_is_exported_and_applied_elsewhere_is_exported_alike(number: int, roomctl: Run, variables: Env) -> None:
    document = world(number)
    assert problems(document) == []
    store = Store(Path(variables["ROOMCTL_DATA"]) / "sandbox.db")
    fill(store, document)
    name, zone = document["roomSets"][0]["name"], ("Europe/Berlin", "America/New_York", "UTC")[number % 3]
    first = roomctl("--sandbox", "roomset", "export", "--tz", zone, "--", name)
    assert first.status == 0, first.stderr
    Path("evening.yaml").write_text(first.stdout, encoding="utf-8")
    fill(store, {"users": [ME]})
    store.close()
    applied = roomctl("--sandbox", "roomset", "apply", "evening.yaml", "--yes")
    assert applied.status == 0, applied.stderr
    again = roomctl("--sandbox", "roomset", "export", "--tz", zone, "--", name)
    assert made(again.stdout) == made(first.stdout)
    planned = roomctl("--sandbox", "roomset", "plan", "evening.yaml", "--check")
    assert (planned.status, planned.stdout.splitlines()[-1][:10]) == (0, "no changes"), planned.stdout


@pytest.mark.parametrize("faults", [IN_THE_GATE, soak(FAULTS)], ids=["in the gate", "at every step"])
def test_r40_r42_under_every_fault_nothing_is_made_or_sent_twice_and_it_ends(faults: list[str], tmp_path: Path) -> None:
    stage, wrong = Stage(tmp_path), []
    for fault in faults:
        stage.fresh()
        first = stage.apply("--fault", fault)
        assert first.status in (0, 3, 4, 5, 6, 7), first
        wrong += [f"{fault}: {first.status}, {each}" for each in stage.brought_to_its_end()]
    assert wrong == []


@pytest.mark.parametrize("fault", UNENDING)
def test_r40_r42_no_run_sends_what_rests_on_a_wrong_id_and_nothing_is_made_twice(fault: str, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    stage.fresh()
    first = stage.apply("--fault", fault)
    again = stage.apply()
    assert (first.status, stage.doubled(), stage.whole()["invite"]) == (UNENDING[fault], [], 0), first
    assert [each for each in rows(again.out) if each.startswith("invitation") and rows(again.out)[each] == "ok"] == []


def rows(text: str) -> dict[str, str]:
    """What became of each step, by its first word and status, off a table in a pipe."""
    cells = (line.split("\t") for line in text.splitlines()[1:])
    return {each[0]: each[1] for each in cells}


def test_an_edited_result_file_or_that_of_another_job_is_refused(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    assert stage.apply("--results", "results.csv").status == 0
    text = (tmp_path / "results.csv").read_text()
    unsure = re.sub("(room Bar,[^,]*),ok", r"\1,unknown", text)
    for wrong in (unsure, text.replace("localhost", "elsewhere"), "emailAddress\nx@y.z\n"):
        (tmp_path / "results.csv").write_text(wrong)
        assert stage.apply("--results", "results.csv").status == 2
    assert stage.apply("--results", "evening.yaml").status == 2


EDITED_PLANS = [('"create"', '"same"', 8), ('"zz"', '"another"', 8), ('"seal"', '"sealed"', 2), ("\n", " ", 0)]
EDITED_PLANS += [('"send_unseen": false', '"send_unseen": true', 8)]


@pytest.mark.parametrize(("old", "new", "status"), EDITED_PLANS)
def test_a_plan_that_was_edited_since_it_was_saved_is_refused(old: str, new: str, status: int, sandbox: Run) -> None:
    Path("ev.yaml").write_text("room_set: S\nsettings: {description: zz}\nrooms: [{name: Bar, maxParticipants: 3}]\n")
    assert sandbox("roomset", "plan", "ev.yaml", "--to", "plan.json").status == 0
    text = Path("plan.json").read_text()
    assert old in text
    Path("plan.json").write_text(text.replace(old, new))
    assert sandbox("roomset", "apply", "--plan", "plan.json", "--yes").status == status


HIDDEN = """\
room_set: S
rules: {name: Doors, entryOption: ACCOUNT}
themes: {blue: {type: SINGLE_COLOR, colorPrimary: "#111111"}}
rooms: [{name: Bar}]
playlists: [{name: Arrival, type: FREE_PLAYLIST}]
"""


def test_a_result_file_forgets_nothing_and_a_status_that_was_cleared_is_sent_again(tmp_path: Path) -> None:
    stage, file, results = Stage(tmp_path), tmp_path / "evening.yaml", tmp_path / "results.csv"
    texts = {"with": HIDDEN, "without": HIDDEN.replace("playlists", "# playlists")}
    statuses = []
    for text in ("with", "without", "without", "with"):
        file.write_text(texts[text])
        statuses.append(stage.apply("--results", "results.csv").status)
        shutil.rmtree(tmp_path / "state")
    assert (statuses, stage.whole()["playlist"]) == ([0] * 4, 1)
    text = results.read_text()
    results.write_text(re.sub("(playlist Arrival,[^,]*),ok", r"\1,", text))
    assert (stage.apply("--results", "results.csv").status, stage.whole()["playlist"]) == (0, 2)


MORE = """\
room_set: S
themes: {blue: {type: SINGLE_COLOR, colorPrimary: "#111111"}}
rooms: [{name: Bar, invite: people.csv}]
playlists: [{name: Arrival, type: FREE_PLAYLIST}]
"""
BY_HAND = (
    ("latency=0:invite.send", [0, 0, 0, 0], 2),
    ("drop-after-commit:invite.send", [7, 7, 7, 7], 2),
    ("invite-errors=1:invite.send", [6, 0, 0, 0], 2),
    ("drop-after-commit:playlist.create", [7, 7, 7, 7], 2),
    ("drop-after-commit:theme.save", [7, 7, 7, 7], 2),
    ("status=409,after-commit:social.create", [6, 0, 0, 0], 1),  # who was not in the first run's file may be invited
)


@pytest.mark.parametrize(("fault", "statuses", "invited"), BY_HAND)
def test_r40_in_an_old_set_the_result_file_alone_lets_nothing_be_sent_twice(
    fault: str, statuses: list[int], invited: int, tmp_path: Path
) -> None:
    """As a CI job keeps it: the file goes from run to run, the journal stays on the machine of each."""
    stage, people = Stage(tmp_path), tmp_path / "people.csv"
    runs: list[Done] = []
    (tmp_path / "evening.yaml").write_text("room_set: S\n")
    assert stage.apply().status == 0
    (tmp_path / "evening.yaml").write_text(MORE)
    everybody = people.read_text()
    people.write_text(everybody.replace("grace@example.org\n", ""))
    for args in (("--send-unseen", "--fault", fault), (), (), ()):
        shutil.rmtree(tmp_path / "state")
        if len(runs) == 3:
            people.write_text(everybody)
        runs.append(stage.apply("--results", "results.csv", *args))
    assert [each.status for each in runs] == statuses, runs
    assert "already invited" not in "".join(each.out for each in runs)  # what the sandbox says to a second one
    there = stage.whole()
    assert [there[kind] for kind in ("social", "theme", "playlist", "invite")] == [1, 1, 1, invited], runs


def test_a_room_is_known_by_its_id_whatever_it_is_called_since(tmp_path: Path) -> None:
    """A service may change names, and leave out fields: that is said, and no second room is made."""
    stage, results = Stage(tmp_path), ("--results", "results.csv")
    (tmp_path / "evening.yaml").write_text('room_set: S\nrooms: [{name: "Bar ", maxParticipants: 5}]\n')
    told = []
    assert stage.apply(*results).status == 0
    assert stage.apply(*results).status == 0  # nor does the blank break the seal of the result file
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "sandbox.db")) as database, database:
        database.execute("""UPDATE document SET doc = replace(doc, '"Bar "', '"BAR"') WHERE kind = 'social'""")
    for args in ((), ("--retry-unknown",), results):
        done = stage.apply(*args)
        told.append((done.status, rows(done.out)["room Bar "], stage.whole()["social"]))
        if args == ("--retry-unknown",):
            shutil.rmtree(tmp_path / "state")
    assert told == [(6, "failed", 1)] * 3
    (tmp_path / "evening.yaml").write_text("room_set: S\nrooms: [{name: BAR, maxParticipants: 5}]\n")
    unseen = stage.apply("--fault", "without=maxParticipants,times=9:roomset.list")
    assert (unseen.status, "no changes" in unseen.err) == (0, False), unseen.err


def test_what_a_reply_says_and_a_look_at_the_end_does_not_show_is_unknown(tmp_path: Path, monkeypatch: Patch) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    stage, file = Stage(tmp_path), tmp_path / "evening.yaml"
    file.write_text("room_set: S\nrules: {name: Doors, entryOption: ACCOUNT}\nrooms: [{name: Foyer}]\n")
    assert stage.apply().status == 0
    file.write_text(file.read_text().replace("Foyer}", "Foyer}, {name: Bar}"))
    reply = {"status": 200, "body": json.dumps({"socialId": ROOM_KEY})}
    faults = FaultStore(tmp_path / "data" / "sandbox-stage.db")
    faults.add([read_fault({"match": {"operation": "social.create", "nth": 1}, "fault": reply})])
    faults.close()
    told = []
    for args in ((), ("--retry-unknown", "--fault", "status=200,body=null:rules.save"), (), ("--retry-unknown",)):
        done = stage.apply(*args)
        told.append((done.status, rows(done.out)["room Bar"], rows(done.out)["rules Doors"]))
    assert told == [(7, "unknown", "failed"), (7, "ok", "unknown"), (7, "ok", "unknown"), (0, "ok", "ok")]
    file.write_text(file.read_text().replace("room_set: S", "room_set: T"))
    nulls = ("--fault", "nulls:roomset.list")
    runs = [stage.apply(*args) for args in (("--fault", "status=200,body=null:rules.save", *nulls), nulls)]
    assert [(done.status, rows(done.out)["rules Doors"]) for done in runs] == [(7, "unknown")] * 2
    assert stage.roomctl("roomset", "plan", "evening.yaml", "--check", *nulls).status == 8
    assert stage.apply("--retry-unknown", *nulls).status == 0
    for name, fault, wanted in (
        ("U", (), (7, "unknown")),  # rooms of other sets show theirs
        ("V", ("--fault", "without=configurationId:roomset.list"), (0, "ok")),
    ):
        file.write_text(re.sub("room_set: .", f"room_set: {name}", file.read_text()))
        done = stage.apply("--fault", "status=200,body=null:rules.save", *fault)
        assert (done.status, rows(done.out)["rules Doors"]) == wanted, done
        assert ("does not show which rules its rooms have" in done.err) is (wanted[0] == 0), done


STANDING = """\
room_set: S
settings: {description: one, startingPoint: Bar}
rules: {name: Doors, entryOption: ACCOUNT}
themes: {blue: {type: SINGLE_COLOR, colorPrimary: "#111111"}}
rooms: [{name: Bar, theme: blue}, {name: Hall}]
"""
CHANGED = {"one": "two", "startingPoint: Bar": "startingPoint: Hall", "ACCOUNT": "CUSTOM_RULES", "#111111": "#222222"}


@pytest.mark.parametrize("kept", ["journal", "results"])
@pytest.mark.parametrize("lost", ["status=200,body=null", "drop-before-commit"])
def test_r40_a_change_of_unknown_outcome_is_sent_again_by_retry_unknown_alone(
    lost: str, kept: str, tmp_path: Path, monkeypatch: Patch
) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    stage, file, text = Stage(tmp_path), tmp_path / "evening.yaml", STANDING
    results = ("--results", "results.csv") if kept == "results" else ()
    faults = [word for each in ("roomset.update", "theme.save", "rules.save") for word in ("--fault", f"{lost}:{each}")]
    told = []

    def apply(*args: str) -> None:
        file.write_text(text)
        done = stage.apply(*results, *args)
        told.append((done.status, Counter(rows(done.out).values())["unknown"]))
        if results:
            shutil.rmtree(tmp_path / "state")

    apply()
    for old, new in CHANGED.items():
        text = text.replace(old, new)
    as_changed = text
    for args in (faults, (), ("--retry-unknown",)):
        apply(*args)
    text = STANDING
    apply(*faults)
    assert stage.roomctl("roomset", "update", "S", "--set", "description=one", "--yes").status == 0
    text = as_changed.replace("two", "one")
    apply()  # all is seen to be so
    text = STANDING
    apply()
    assert told == [(0, 0), (7, 4), (7, 4), (0, 0), (7, 4), (0, 0), (0, 0)]
    assert stage.roomctl("roomset", "plan", "evening.yaml", "--check").status == 0


@pytest.mark.parametrize("kept", [(), ("--results", "results.csv")])
def test_a_room_that_stands_though_its_creation_was_refused_gets_its_invitations(kept: Any, tmp_path: Path) -> None:
    stage, told = Stage(tmp_path), []
    for args in (["--fault", "status=409,after-commit:social.create#1"], []):
        told.append((stage.apply(*args, *kept).status, stage.whole()["invite"]))
    assert told == [(6, 0), (0, 2)]


@pytest.mark.parametrize("kept", [(), ("--results", "results.csv")])
def test_rules_wait_for_rooms_of_which_nobody_knows_whether_they_exist(kept: tuple[str, ...], tmp_path: Path) -> None:
    stage, told = Stage(tmp_path), []
    for args in (["--fault", "drop-after-commit:theme.save"], [], ["--retry-unknown"], []):
        done = stage.apply(*args, *kept)
        told.append((done.status, stage.whole()["config"]))
    assert told == [(7, 0), (7, 0), (0, 1), (0, 1)]


@pytest.mark.parametrize("kept", [(), ("--results", "results.csv")])
def test_r40_a_set_of_others_that_has_another_name_since_is_not_made_again(kept: Any, tmp_path: Path) -> None:
    stage, told = Stage(tmp_path), []
    stage.roomctl("roomset", "create", "--name", "Autumn Summit", "--yes")
    for before in ((), ("Autumn Summit", "Winter Summit"), ()):
        if before:
            stage.roomctl("roomset", "update", before[0], "--name", before[1], "--yes")
            if kept:
                shutil.rmtree(tmp_path / "state")
        done = stage.apply(*kept)
        told.append((done.status, stage.whole()["roomset"]))
    assert told == [(0, 1), (7, 1), (7, 1)]
    assert "no set of this name is shown now" in done.err
    assert (stage.apply("--retry-unknown", *kept).status, stage.whole()["roomset"]) == (0, 2)


def test_r40_what_a_person_records_as_not_done_is_sent_again_whatever_the_results_say(tmp_path: Path) -> None:
    stage, kept = Stage(tmp_path), ("--results", "results.csv")
    assert stage.apply(*kept, "--fault", "drop-before-commit:playlist.create").status == 7
    entry = json.loads(stage.roomctl("journal", "list", "--open", "-o", "json").out)[0]["id"]
    assert stage.roomctl("journal", "verify", entry, "--not-done", "--yes").status == 0
    assert (stage.apply(*kept).status, stage.whole()["playlist"]) == (0, 1)


def test_what_a_killed_run_left_is_not_thrown_away_where_its_journal_is_not(tmp_path: Path) -> None:
    stage, part = Stage(tmp_path), tmp_path / "results.csv.part"
    file = tmp_path / "evening.yaml"
    file.write_text("room_set: S\nrooms: [{name: Bar}]\n")
    assert [stage.apply("--results", "results.csv").status for _ in range(2)] == [0, 0]
    assert "not in the file" not in (tmp_path / "results.csv").read_text()
    with (tmp_path / "results.csv").open() as results:
        job = next(csv.DictReader(results))["job"].partition(" #")[0]
    part.write_text(json.dumps({"input": "evening.yaml", "sha256": "0", "run": "0" * 16, "job": job}) + "\n")
    done = stage.apply("--results", "results.csv")
    told = "is left over from a run that this machine's journal does not know" in done.err
    assert (done.status, told, part.exists()) == (2, True, True), done.err


def test_what_has_appeared_since_the_plan_is_not_made_again(tmp_path: Path) -> None:
    """Each step looks once more before it makes something; nothing follows where the set is not what was planned on."""
    Stage(tmp_path)
    event_file, problems = read(tmp_path / "evening.yaml", (tmp_path / "evening.yaml").read_text())
    steps = make_plan(event_file, [], {}, History(), Choices())
    there = [{"socialRoomSetId": ME["name"], "name": event_file.name}]
    sent: list[Any] = []
    sender = Sender(steps, Service(lambda: there, sent.append, lambda *_: None, sent.append))
    keys = [step.key for step in steps if not step.people]
    keys += [f"invitation Main Stage / {each}@example.org" for each in ("ada", "grace")]
    jobs = sender.jobs({key: Row(line, {}, key) for line, key in enumerate(keys)})
    outcomes = [(each.status, each.error.replace(";", ":").partition(":")[0]) for job in jobs for each in job.call()]
    assert (problems, sent) == ([], [])
    assert outcomes[0] == ("failed", "one with this name has appeared since the plan was made")
    assert set(outcomes[1:]) == {("skipped", "not sent")}


def sender(
    text: str, there: list[Any], settle: Any, folder: Path, send_unseen: bool = False
) -> tuple[Sender, list[Any]]:
    """Plan what a file says for the sets that are there; give the jobs, of which each may ask and say."""
    (folder / "evening.yaml").write_text(text)
    event_file, problems = read(folder / "evening.yaml", text)
    assert problems == []
    steps = make_plan(event_file, there, {}, History(), Choices(send_unseen))
    themes = [Current.theme_id(room) for room in there[0]["socials"]]
    made = Sender(steps, Service(lambda: there, settle, lambda *_: None, print), themes)
    return made, made.jobs({key: Row(line, {}, key) for line, step in enumerate(steps) for key in step.rows})


KEY, ROOM_KEY, THEME_KEY = (f"0a000000-0000-4000-8000-00000000000{number}" for number in (1, 2, 3))


def test_a_room_that_is_made_otherwise_than_the_file_says_is_not_ok(tmp_path: Path, cases: Cases) -> None:
    text = "room_set: S\nsettings: {startingPoint: Bar}\nrooms: [{name: Bar, maxParticipants: 100}]\n"
    there = {"socialRoomSetId": KEY, "name": "S", "socials": []}

    def says(shown: Any) -> str:
        def settle(write: Any) -> Any:
            return {**write.body, "socialId": ROOM_KEY, "isOpen": True, **shown}

        steps = [each for job in sender(text, [there], settle, tmp_path)[1] for each in job.call()]
        return "; then ".join(" ".join(filter(None, (each.status, each.id, each.error))) for each in steps)

    cases("made-otherwise.txt", says)


def test_a_room_closed_since_is_unknown_and_a_theme_of_others_is_not_ours(tmp_path: Path) -> None:
    text = "room_set: S\nthemes: {blue: {}}\nrooms: [{name: Hall}, {name: Bar}, {name: Tent, theme: blue}]\n"
    rooms: list[Any] = [{"socialId": ME["name"], "name": "Old", "isOpen": True, "themeId": THEME_KEY}]
    there = {"socialRoomSetId": KEY, "name": "S", "socials": rooms}

    def settle(write: Any) -> Any:
        if "theme" in write.body:
            return {"socialThemeId": THEME_KEY}
        made = {**write.body, "socialId": f"{len(rooms)}{ROOM_KEY[1:]}", "isOpen": True}
        rooms.append({**made, "isOpen": made["name"] != "Hall"})
        return made

    _, jobs = sender(text, [there], settle, tmp_path)
    told = {job.rows[0].key: (done.status, done.error.partition(";")[0]) for job in jobs for done in job.call()}
    taken = "the service's reply has the id of a theme that rooms use already"
    closed = {"room Hall": "it is closed, and the service cannot reopen rooms"}
    event_file, _ = read(tmp_path / "evening.yaml", text)
    left = find_unmet(make_plan(event_file, [there], {}, History(), Choices()))
    lacking = ("skipped", "not sent: it is not known whether theme blue was created")
    done = dict.fromkeys(("room Hall", "room Bar"), ("ok", ""))
    assert told == {"theme blue": ("unknown", taken), **done, "room Tent": lacking}
    assert {key: why.partition(":")[0] for key, why in left.items() if told[key] == ("ok", "")} == closed


LOST = [  # what else the set has after an answer was lost, what came of it, and the outcomes; none: unknown
    ([{"socialId": ROOM_KEY, "name": "Bar", "isOpen": True}], {}, ["ok", "ok"]),
    ([{"socialId": ROOM_KEY, "name": "Bar", "isOpen": True}], {"answered": "denial"}, []),
    ([{"socialId": ROOM_KEY, "name": "Bar", "isOpen": True}, {"socialId": THEME_KEY, "name": "Bar"}], {}, []),
    ([{"socialId": ROOM_KEY, "name": "Bar", "error": "no space"}], {}, []),
    ([{"socialId": ROOM_KEY, "name": "Bar", "isOpen": False}], {}, ["failed", "skipped"]),
    ([{"socialId": ROOM_KEY, "name": "bar", "isOpen": True}], {}, []),
    ([{"name": "Bar"}], {}, []),
    ([], {}, []),
    (None, {}, []),
]


@pytest.mark.parametrize(("made", "details", "outcomes"), LOST)
def test_a_room_whose_answer_was_lost_is_known_by_its_name_or_unknown(
    made: list[Any] | None, details: Any, outcomes: list[str], tmp_path: Path
) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\n")
    there: dict[str, Any] = {"socialRoomSetId": KEY, "name": "S", "socials": [{"socialId": KEY, "name": "Hall"}]}

    def settle(write: Any) -> Any:
        if write.operation.name == "invite.send":
            return [{"socialInviteId": THEME_KEY, "socialId": ROOM_KEY}]
        there["socials"] = None if made is None else [*there["socials"], *made]
        raise OutcomeUnknown("lost", details=details)

    _, (create, invite) = sender("room_set: S\nrooms: [{name: Bar, invite: people.csv}]\n", [there], settle, tmp_path)
    if not outcomes:
        with pytest.raises(OutcomeUnknown, match="lost"):
            create.call()
    assert [done.status for job in (create, invite) if outcomes for done in job.call()] == outcomes


@pytest.mark.parametrize(("shown", "wanted"), [(True, "ok"), (None, "ok"), (False, 'not sent: room "Bar" is closed')])
def test_nobody_is_invited_to_a_room_that_was_closed_since(shown: bool | None, wanted: str, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("emailAddress\nada@example.org\n")
    bar = {"socialId": ROOM_KEY, "name": "Bar", "isOpen": True}
    there = {"socialRoomSetId": KEY, "name": "S", "socials": [bar]}
    text = "room_set: S\nrooms: [{name: Bar, invite: people.csv}]\n"
    made = [{"socialInviteId": THEME_KEY}]
    _, (invite,) = sender(text, [there], lambda _: made, tmp_path, send_unseen=True)
    bar["isOpen"] = shown
    (done,) = invite.call()
    assert (done.error or done.status) == wanted


WORN = """\
room_set: S
themes: {stage: {type: SINGLE_IMAGE, image: stage.gif}}
rooms: [{name: Bar, theme: stage}]
"""


@pytest.mark.parametrize("kept", [(), ("--results", "results.csv")])
def test_a_theme_whose_image_is_not_the_one_that_was_sent_differs(kept: Any, tmp_path: Path) -> None:
    stage, file, told = Stage(tmp_path), tmp_path / "evening.yaml", list[tuple[int, int]]()
    dot, other = DOT, DOT + b"\0"
    red = WORN.replace("SINGLE_IMAGE", "SINGLE_IMAGE, colorPrimary: '#112233'")
    for image, text, *more in (
        (dot, WORN),
        (dot, WORN),
        (other, WORN),
        (other, WORN, "--send-unseen"),
        (other, WORN, "--send-unseen"),  # the service says that the one before has failed
        (dot, red),  # a change takes the images along
        (other, red),
    ):
        if len(told) == 4:
            store = stage.store()
            (theme,) = store.where("theme", "type", "SINGLE_IMAGE")
            theme["uploadStatus"]["failureReason"] = "it is no picture"
            store.put(Document("theme", theme["socialThemeId"], "me", theme))
            store.close()
        (tmp_path / "stage.gif").write_bytes(image)
        file.write_text(text)
        check = stage.roomctl("roomset", "plan", "evening.yaml", "--check", *kept)
        told.append((check.status, stage.apply(*kept, *more).status))
        if kept:
            shutil.rmtree(tmp_path / "state")
    assert told == [(8, 0), (0, 0), (8, 6), (8, 0), (8, 0), (8, 0), (8, 6)]


MADE_OTHERWISE = [("theme", "theme.save", "theme blue"), ("playlist", "playlist.create", "playlist Arrival")]


@pytest.mark.parametrize(("kind", "operation", "row"), MADE_OTHERWISE)
def test_made_otherwise_it_failed_and_is_not_made_again(kind: str, operation: str, row: str, tmp_path: Path) -> None:
    stage, results = Stage(tmp_path), ("--results", "results.csv")
    (tmp_path / "evening.yaml").write_text(HIDDEN)
    first = stage.apply(*results, "--fault", f"unknown-values:{operation}")
    by_journal = stage.apply()
    shutil.rmtree(tmp_path / "state")
    by_results = stage.apply(*results)
    assert (first.status, rows(first.out)[row], "`type` is" in by_results.out) == (6, "failed", True), first
    for again in (by_journal, by_results):
        assert (again.status, rows(again.out)[row], stage.whole()[kind]) == (6, "failed", 1), again
    sent = stage.apply(*results, "--send-unseen")
    assert (sent.status, stage.apply(*results).status) == (0, 0), sent


def test_a_room_that_was_made_otherwise_and_is_not_shown_since_is_not_made_again(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    (tmp_path / "evening.yaml").write_text("room_set: S\nrooms: [{name: Bar, platform: PLATFORM_A}]\n")
    assert stage.apply("--results", "results.csv", "--fault", "unknown-values:social.create").status == 6
    with contextlib.closing(sqlite3.connect(tmp_path / "data" / "sandbox.db")) as database, database:
        database.execute("DELETE FROM document WHERE kind = 'social'")
    by_journal = stage.apply()
    shutil.rmtree(tmp_path / "state")
    by_results = stage.apply("--results", "results.csv")
    assert [rows(each.out)["room Bar"] for each in (by_journal, by_results)] == ["unknown"] * 2
    assert stage.whole()["social"] == 0


def test_of_two_at_once_one_is_refused(tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    slow = ("--fault", "latency=1.5:roomset.create", "roomset", "apply", "evening.yaml", "--yes")
    with tool("--sandbox", *slow, variables=stage.variables, cwd=tmp_path, stdout=-3, stderr=-3) as first:
        journal = tmp_path / "state" / "journal.ndjson"  # nothing is planned there before the lock is held
        while not journal.exists() or "roomset.create" not in journal.read_text():
            assert first.poll() is None
            time.sleep(0.01)
        first.send_signal(signal.SIGSTOP)
        second = stage.apply()
        first.send_signal(signal.SIGCONT)
        assert (second.status, "still running in another process" in second.err) == (2, True), second.err
        assert first.wait(30) == 0
    assert stage.apply().status == 0
    assert (stage.doubled(), stage.whole()["roomset"]) == ([], 1)
