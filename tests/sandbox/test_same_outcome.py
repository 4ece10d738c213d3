"""Each fault gives the same outcome in this process and over a socket, and roomctl reacts as it promises."""

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from roomctl.contract.paging import ENDS, REFUSALS, SAID
from roomctl.sandbox.fault_effects import DENIALS
from roomctl.sandbox.fault_store import FaultStore
from roomctl.sandbox.faults import EFFECTS, parse
from roomctl.sandbox.judge import Mistake, judge
from roomctl.sandbox.seed import seed
from roomctl.sandbox.serve import served
from roomctl.sandbox.store import Store
from tests.conftest import Run

KEY = "same-outcome-test-key"
NOW = "2026-11-21T08:00:00Z"
SET, STAGE = "e4c87ba4-21ac-49f2-b78b-325ed33b2862", "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
EVENT = "c7951964-2838-427f-8267-5f07922a7056"
END = ("social", "end", STAGE, "--yes")
LIST = ("registration", "list", EVENT, "--page-size", "100", "--fields", "registrationId")
EXPORT = ("registration", "export", EVENT, "--to", "regs.csv", "--force", "--concurrency", "1")
PAGE = (*LIST, "--page", "0")
UPDATE = ("roomset", "update", SET, "--description", "x", "--yes")
MAKE = ("playlist", "create", "--name", "Rain")
NOBODY = (*LIST, "--text", "nobody of this name")
BLANKS = [word for word in ENDS if word not in REFUSALS]
INVITE = ("invite", "send", STAGE, "--email", "grace.hopper@example.org", "--email", "alan.turing@example.org", "--yes")


class Night(NamedTuple):
    """A fault, a command under it, its exit status, what stderr says, and how many requests for writes were seen."""

    fault: str
    command: Sequence[str]
    status: int
    says: str = ""
    writes: int = 0


NIGHTS = (
    Night("latency=5:social.end#1", (*END, "--timeout", "0.3"), 0, "a later read shows that it was done", 1),
    Night("latency=0.1:registration.list", PAGE, 0),
    Night("latency=5:playlist.create", (*MAKE, "--timeout", "0.3"), 7, "no reply in time", 1),
    Night("status=429,retry-after=0:social.end#1", END, 0, "HTTP 429", 2),
    Night("status=429,retry-after=300:playlist.create", MAKE, 5, "asks for a wait of 300 s", 1),
    Night("status=503,retry-after=0:playlist.create", MAKE, 7, "HTTP 503", 1),
    Night("status=500:playlist.create", MAKE, 7, "HTTP 500", 1),
    Night("status=500,after-commit:social.end", END, 0, "a later read shows that it was done", 1),
    Night("status=404:social.end", END, 4, "HTTP 404", 1),
    Night("status=403,body=no:registration.list", PAGE, 3, "no"),
    Night("status=204:registration.list", PAGE, 6, "HTTP 204"),
    Night("status=302:playlist.create", MAKE, 7, "redirect", 1),
    Night("body=soon:registration.list", PAGE, 4, "HTTP 200"),
    Night("html:registration.list", PAGE, 4, "HTTP 200"),
    Night("html:playlist.create", MAKE, 7, "HTTP 200", 1),
    Night("truncated:registration.list#1", PAGE, 0, "the connection ended before the reply was complete"),
    Night("truncated:playlist.create", MAKE, 7, "the connection ended before the reply was complete", 1),
    Night("wrong-length=10:playlist.create", MAKE, 7, "the connection ended before the reply was complete", 1),
    Night("wrong-length=-10:playlist.create", MAKE, 7, "HTTP 200", 1),
    Night("wrong-length=-10:registration.list", PAGE, 4, "HTTP 200"),
    Night("drop-before-commit:playlist.create", MAKE, 7, "the connection ended before the reply was complete", 1),
    Night("drop-before-commit:registration.list#1", PAGE, 0, "the connection ended before the reply was complete"),
    Night("drop-after-commit:social.end", END, 0, "a later read shows that it was done", 1),
    Night("drop-after-commit:playlist.create", MAKE, 7, "the connection ended before the reply was complete", 1),
    Night("reset:playlist.create", MAKE, 7, "reset", 1),
    Night("reset:registration.list#1", PAGE, 0, "reset"),
    Night("slow-drip=0.05:playlist.create", (*MAKE, "--timeout", "0.3"), 7, "no reply in time", 1),
    Night("slow-drip=0.0001:playlist.create", MAKE, 0, "", 1),
    Night("clamp-size=90:registration.list", LIST, 0),
    Night("ignore-page:registration.list", LIST, 6, "page"),
    Night("repeat-page:registration.list#2", LIST, 6, "pages 0 and 1 were identical"),
    Night("rows-inserted=3:registration.list#2", LIST, 0, ""),
    Night("rows-deleted=3:registration.list#2", LIST, 0, ""),
    Night("invite-errors=1:invite.send", INVITE, 6, "", 1),
    Night("other-id:social.end", (*END,), 0, "a later read shows that it was done", 1),
    Night("other-id:playlist.create", MAKE, 0, "", 1),
    Night("other-name:playlist.create", MAKE, 7, "another name than requested", 1),
    Night("unknown-fields:registration.list", (*LIST[:-2], "-o", "json", "--limit", "2"), 0),
    Night("unknown-values:roomset.list", ("roomset", "list", "-o", "json"), 0),
    *(Night(f"end-of-list={word}:registration.list", LIST, 6, f"refused with {SAID[word]}") for word in REFUSALS),
    *(Night(f"end-of-list={word}:registration.list", NOBODY, 4, SAID[word]) for word in REFUSALS),
    *(Night(f"end-of-list={word}:registration.list", LIST, 0) for word in BLANKS),
    *(Night(f"end-of-list={word}:registration.list", NOBODY, 6, SAID[word]) for word in BLANKS),
    Night("empty-page,page=1:registration.list", LIST, 6, "page 1 was empty, but page 2 has rows"),
    Night("list-field:registration.list", PAGE, 4, "not an array"),
    Night("list-field=items:roomset.list", ("roomset", "list"), 4, "not an array"),
    Night("list-total=30:roomset.list", ("roomset", "list"), 6, "the service reports 30 rows"),
    Night("list-field=items,list-total=3:roomset.list", ("roomset", "list"), 4, "not an array"),
    *(Night(f"{word}:registration.list", args, 6, "says that it is not whole, or old")
      for word in ("stale", "warned") for args in (LIST, EXPORT)),
    *(Night(f"{word}:roomset.list", ("social", "end", "Main Stage", "--yes"), 6, "nothing was sent")
      for word in ("stale", "warned")),
    Night("row-twice:roomset.list", ("social", "list"), 6, "came twice, with different values"),
    Night("row-twice:roomset.list", (*END, "--max-present", "5"), 8, "nothing was sent"),
    Night("row-twice:registration.list", LIST, 6, "came twice, with different values"),
    Night("row-twice:registration.list", EXPORT, 6, "came twice, with different values"),
    Night("other-event:registration.list", LIST, 6, "belong to another event"),
    Night("other-event:registration.list", EXPORT, 6, "belong to another event"),
    Night("odd-row=error:registration.list", EXPORT, 6, "1 of 251 rows did not fit"),
    Night("without=status:recording.list", (*EXPORT, "--absent"), 6, "recordings that are not COMPLETE"),
    Night("odd-row=null:roomset.list", ("social", "list"), 6, "page 0 has rows that are not records"),
    Night("odd-row=error:roomset.list", ("social", "end", "Main Stage", "--yes"), 6, "nothing was sent"),
    Night("odd-row=error:registration.list", LIST, 6, "page 0 has rows that are not records"),
    *(Night(f"denied={word}:playlist.create", MAKE, 7, "HTTP 200", 1) for word in DENIALS),
    Night("denied=success,after-commit:playlist.create", MAKE, 7, "HTTP 200", 1),
    Night("denied=code,after-commit:social.end", END, 0, "a later read shows that it was done", 1),
    Night("denied=0:roomset.list", ("roomset", "list"), 4, "HTTP 200"),
    Night("empty-body:playlist.create", MAKE, 7, "HTTP 200, empty", 1),
    Night("empty-body:roomset.update", UPDATE, 0, "", 1),
    Night("without=isOpen:social.end", END, 0, "", 1),
    Night("without=isOpen:*", ("social", "list"), 0),
    Night("without=isOpen:*", END, 7, "a second read does not say whether the room is open", 1),
    Night("without=isOpen:*", ("social", "end", "--room-set", SET, "--yes"), 8, "nothing was sent"),
    Night("without=isOpen:*", ("invite", "send", "--room-set", SET, "--user", STAGE, "--yes"), 8, "nothing was sent"),
    Night("without=socialId:*", ("social", "list", "-o", "ids"), 6),
    Night("denied=record:social.end", END, 6, "still open", 1),
    Night("denied=text:roomset.update", UPDATE, 7, "neither an empty reply nor a record", 1),
    Night("denied=record,after-commit:roomset.update", UPDATE, 0, "a later read shows that it was done", 1),
    Night("without=invitedUser+invitedUserId:invite.send", INVITE, 0, "", 1),
    Night("nulls:read", ("social", "get", STAGE), 0),
    Night("uppercase-ids:read", ("social", "list", "-o", "ids"), 0),
    Night("date-offset:read", ("social", "list"), 0),
    Night("like=spring:*", UPDATE, 0, "", 1),
    Night("key-revoked=1:registration.list", LIST, 3, "HTTP 401"),
)  # fmt: skip


class Seen(NamedTuple):
    """What a run left: status, result, what was said, what the sandbox saw, and what its judge finds wrong in that."""

    status: int
    stdout: str
    said: list[str]
    log: list[Any]
    mistakes: list[Mistake]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from datetime import datetime

    path = tmp_path_factory.mktemp("world") / "sandbox.db"
    store = Store(path)
    seed(store, registrations=250, now=datetime.fromisoformat(NOW))
    store.close()
    return path


@pytest.fixture
def fresh(world: Path, tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    def make(name: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "sandbox.db").write_bytes(world.read_bytes())
        return folder

    yield make


def _said(stderr: str) -> list[str]:
    """What was said, without what differs by nature: the address, the profile, the journal's entries, the delays."""
    found = re.sub(r"of \d (?:now|in \d+\.\d s)", "of N in … s", stderr)
    found = re.sub(r"https?://[\w.:]+", "http://HOST", found)
    found = re.sub(r"profile: .*|journal: .*|journal (?:verify|repeat) \w+", "", found)
    found = re.sub(r"\d{4}-\d\d-\d\dT[\d:.]+Z", "WHEN", found)
    return [line.rstrip() for line in found.splitlines() if not line.startswith("SANDBOX") and line.strip()]


def _log(stage: FaultStore) -> tuple[list[Any], list[Mistake]]:
    rows = stage.log()
    stage.close()
    timeless = [{name: value for name, value in row.items() if name not in ("at", "answered")} for row in rows]
    return timeless, judge(rows)


def in_process(night: Night, folder: Path, roomctl: Run, variables: dict[str, str]) -> Seen:
    variables |= {"ROOMCTL_DATA": str(folder)}
    done = roomctl("--sandbox", "--fault", night.fault, *night.command)
    return Seen(done.status, done.stdout, _said(done.stderr), *_log(FaultStore(folder / "sandbox-stage.db")))


def over_a_socket(night: Night, folder: Path, roomctl: Run, variables: dict[str, str]) -> Seen:
    store, stage = Store(folder / "sandbox.db"), FaultStore(folder / "sandbox-stage.db", [parse(night.fault)])
    with served(store, stage, KEY) as port:
        variables |= {"ROOMCTL_BASE_URL": f"http://127.0.0.1:{port}", "ROOMCTL_API_KEY": KEY}
        done = roomctl(*night.command)
    store.close()
    return Seen(done.status, done.stdout, _said(done.stderr), *_log(stage))


@pytest.mark.parametrize("night", NIGHTS, ids=lambda each: each.fault.replace(":", " "))
def test_a_fault_has_the_same_outcome_in_process_and_over_a_socket(
    night: Night,
    fresh: Callable[[str], Path],
    roomctl: Run,
    variables: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("roomctl.reconcile.APART", 0.0)
    here = in_process(night, fresh("here"), roomctl, variables)
    there = over_a_socket(night, fresh("there"), roomctl, variables)
    assert here == there
    assert (here.status, sum(row["method"] != "GET" for row in here.log)) == (night.status, night.writes), here.said
    assert night.says in "\n".join(here.said)
    assert here.mistakes == []
    assert next(row["fault"] for row in here.log if row["fault"]) == night.fault


def test_every_effect_has_its_night() -> None:
    assert EFFECTS.keys() == {name for night in NIGHTS for name in parse(night.fault).fault}
