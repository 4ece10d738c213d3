"""`--verify`: whole passes until one adds nothing, so that churn misses no row and doubles none (R32)."""

import json
import os
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from roomctl.contract.operations import RECORDING_LIST
from roomctl.contract.paging import Rows
from roomctl.errors import Partial, Temporary
from tests.conftest import Cases, Patch, error_of, soak
from tests.exports.paged import PagedService, exported, fails, identifier

RATES = (0.02, 0.05, 0.1, 0.2, 0.4, 0.7)


def recording(number: int) -> dict[str, str]:
    return {"socialRecordingId": identifier(number)}


def listing(rows: int, **habits: Any) -> PagedService:
    return PagedService([recording(number) for number in range(rows)], **habits)


def verified(service: PagedService, to: Path, **options: Any) -> Any:
    return exported(service, to, RECORDING_LIST, query=[], verify=True, **options)


def ids(path: Path) -> list[str]:
    return [json.loads(line)["socialRecordingId"] for line in path.read_bytes().splitlines()]


def after_the_first_pass(change: Callable[[PagedService], object]) -> PagedService:
    return listing(25, between=lambda service: change(service) if len(service.asked) == 4 else None)


def lagging(behind: list[Any]) -> PagedService:
    """Give a service of which every other page comes from a copy."""
    return listing(250, shown=lambda page, size, rows: behind[page * size :][:size] if page % 2 else rows)


def named(service: PagedService, name: str) -> None:
    service.rows[3] = {**service.rows[3], "name": name}


MANY = [recording(number) for number in range(250)]
HABITS: dict[str, Callable[[], PagedService]] = {
    "it is quiet": lambda: listing(25),
    "it gives ten rows at most, and counts on from the size requested": lambda: listing(
        35, shown=lambda page, size, rows: rows[:10]
    ),
    "it is empty ever after": lambda: listing(5, between=lambda service: service.rows.clear()),
    "a row has another value after the first pass": lambda: after_the_first_pass(lambda it: named(it, "other")),
    "a row is gone after the first pass": lambda: after_the_first_pass(lambda it: it.rows.pop(3)),
    "most rows are gone after the first pass": lambda: after_the_first_pass(lambda it: it.rows.__delitem__(slice(15))),
    "it ignores `page` after the first pass": lambda: after_the_first_pass(
        lambda it: vars(it).update(ignores_page=True)
    ),
    "it always has a row twice": lambda: PagedService([recording(number) for number in (*range(25), 3, 24)]),
    "every other page is of a copy that lags behind": lambda: lagging(MANY[50:]),
    "every other page is of a copy in another order": lambda: lagging(MANY[::-1]),
}


def test_what_passes_prove_of_a_list_r31_r32(tmp_path: Path, cases: Cases) -> None:
    """Each pass in pages of one size may show the same rows twice, and never show the same others."""

    def says(habit: str, size: int = 10) -> str:
        notes: list[str] = []
        to = tmp_path / "r.ndjson"
        for each in tmp_path.glob("r.ndjson*"):
            each.unlink()
        try:
            facts = verified(HABITS[habit](), to, size=size, note=notes.append, force=True)
        except Partial as error:
            return f"{error.message.replace(str(to), 'the file')} ({len(ids(to)) if to.exists() else 'no file'})"
        told = [f"{facts.passes} passes, {facts.pages} pages, {facts.received} received, {facts.rows} rows"]
        told += [f"{facts.repeated} repeated, {facts.duplicates_dropped} dropped"]
        return "; ".join([*told, "drift" if facts.drift_seen else "no drift", str(facts.why), *notes])

    cases("verified.txt", says)


def said(name: str, value: str) -> Callable[[int, list[Any]], list[Any]]:
    return lambda page, rows: Rows(rows).heed_headers([(name, value)])


@pytest.mark.parametrize("header", [("X-Cache", "HIT"), ("Age", "3")])
def test_a_pass_with_a_page_from_a_cache_proves_nothing_r32(header: tuple[str, str], tmp_path: Path) -> None:
    cached = listing(25, shown=lambda page, size, rows: Rows(rows).heed_headers([header] if page == 1 else []))
    cached.copy = lambda rows: rows
    why = "the last pass may have read a copy of"
    fails(Partial, why, cached, tmp_path / "r.csv", RECORDING_LIST, query=[], verify=True)


@pytest.mark.parametrize(
    ("first", "later", "why"),
    [
        (said("X-Total-Count", "45"), slice(25), "the service reports 45 rows, but 25 were received"),
        (said("X-Has-More", "true"), slice(25), "page 3 is empty, but its `X-Has-More` header says that there is more"),
        (said("Age", "8000"), slice(25), "page 0 .*, but its `Age` header says that it is incomplete or out of date"),
        (lambda page, rows: [{**row, "error": "lost"} for row in rows], slice(25), "row .* was received with an error"),
        (lambda page, rows: rows[:] if page != 1 else [], slice(10), "page 1 was empty, but page 2 has rows"),
        (lambda page, rows: rows[:] if page != 1 else [], slice(25), ""),
    ],
)
def test_what_made_a_pass_doubtful_stays_unless_a_later_one_finds_what_it_lacked(
    first: Callable[[int, list[Any]], list[Any]], later: slice, why: str, tmp_path: Path
) -> None:
    service = listing(25)
    copied = service.copy

    def shown(page: int, size: int, rows: list[Any]) -> list[Any]:
        is_first = sum(asked == 0 for asked, _ in service.asked) == 1
        return first(page, rows) if is_first else service.rows[later][page * size :][:size]

    service.shown, service.copy = shown, lambda rows: rows if isinstance(rows, Rows) else copied(rows)
    if why:
        fails(Partial, why, service, tmp_path / "r.ndjson", RECORDING_LIST, query=[], verify=True)
    else:
        facts = verified(service, tmp_path / "r.ndjson")
        assert (facts.complete, facts.passes, facts.rows) == (True, 3, 25)


def test_an_export_that_goes_on_with_verify_claims_no_change_of_a_quiet_list(tmp_path: Path) -> None:
    rows = [recording(number) for number in range(45)]
    fails(Temporary, None, PagedService(rows, fails_at=2), tmp_path / "r.ndjson", RECORDING_LIST, query=[])
    for stop in (3, 0):
        with pytest.raises(Temporary):
            verified(PagedService(rows, fails_at=stop), tmp_path / "r.ndjson")
    facts = verified(PagedService(rows), tmp_path / "r.ndjson")
    assert (facts.passes, facts.rows, facts.drift_seen) == (3, 45, False)
    assert ids(tmp_path / "r.ndjson") == [identifier(number) for number in range(45)]


def test_a_list_that_never_rests_is_not_proven_and_can_be_gone_on_with(tmp_path: Path) -> None:
    def grow(service: PagedService) -> None:
        service.rows.append(recording(len(service.rows)))

    service = listing(25, between=grow)
    caught = error_of(Partial, verified, service, tmp_path / "r.ndjson")
    assert caught.message == "the list may be incomplete: it still changes after 5 passes"
    assert not (tmp_path / "r.ndjson").exists()
    quiet = PagedService(service.rows)
    facts = verified(quiet, tmp_path / "r.ndjson")
    assert ids(tmp_path / "r.ndjson") == [identifier(number) for number in range(len(service.rows))]
    assert facts.complete


def test_without_verify_it_ends_with_what_it_has(tmp_path: Path) -> None:
    service = listing(25, between=lambda it: it.rows.append(recording(len(it.rows))))
    with pytest.raises(Partial):
        verified(service, tmp_path / "r.ndjson")
    asked = len(service.asked)
    facts = exported(service, tmp_path / "r.ndjson", RECORDING_LIST, query=[])
    assert (len(service.asked), facts.complete, facts.drift_seen) == (asked, True, True)


def test_a_later_pass_that_was_interrupted_starts_again(tmp_path: Path) -> None:
    def away(service: PagedService) -> None:
        service.fails_at = 1 if len(service.asked) > 3 else None

    rows = [recording(number) for number in range(25)]
    with pytest.raises(Temporary):
        verified(PagedService(rows, between=away), tmp_path / "r.ndjson")
    service = PagedService(rows)
    facts = verified(service, tmp_path / "r.ndjson")
    assert [page for page, _ in service.asked][:4] == [0, 1, 2, 3]
    assert (facts.rows, facts.resumed) == (25, 1)
    assert ids(tmp_path / "r.ndjson") == [row["socialRecordingId"] for row in rows]


def churning(seed: int, always: set[str]) -> PagedService:
    """Give a service whose list changes between pages, as the seed says; `always` keeps what is there throughout."""
    chance = random.Random(seed)
    rate = RATES[seed % len(RATES)]
    left = chance.randrange(12)
    made = 1_000

    def change(service: PagedService) -> None:
        nonlocal left, made
        while left and chance.random() < rate:
            left -= 1
            kind = chance.random()
            if kind < 0.35:
                made += 1
                place = chance.choice([0, len(service.rows), chance.randrange(len(service.rows) + 1)])
                service.rows.insert(place, recording(made))
            elif service.rows:
                row = service.rows.pop(chance.randrange(len(service.rows)))
                if kind < 0.8:
                    always.discard(row["socialRecordingId"])
                else:
                    service.rows.insert(chance.randrange(len(service.rows) + 1), row)

    rows = [recording(number) for number in range(chance.randrange(25))]
    always.update(row["socialRecordingId"] for row in rows)
    return PagedService(rows, between=change)


def misses(seeds: Iterable[int], folder: Path) -> tuple[list[int], int]:
    """Give the seeds whose export misses or doubles a row, and how many exports were proven."""
    wrong = []
    proven = 0
    for seed in seeds:
        always: set[str] = set()
        to = folder / f"{seed}.ndjson"
        try:
            verified(churning(seed, always), to, size=random.Random(seed).choice([1, 2, 3, 5, 7, 10]))
        except Partial:
            to.with_name(f"{seed}.ndjson.part").unlink(missing_ok=True)  # none where all rows went
            continue
        proven += 1
        found = ids(to)
        if always - set(found) or len(found) != len(set(found)):
            wrong.append(seed)
    return wrong, proven


@pytest.fixture
def quick(monkeypatch: Patch) -> Iterator[Path]:
    """Give a folder in memory where there is one: thousands of exports go there."""
    monkeypatch.setattr(os, "fsync", lambda _: None)
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.parametrize("seeds", [range(1_000), soak(range(1_000, 51_000))])
def test_under_churn_a_verified_export_misses_no_row_and_doubles_none_r32(seeds: range, quick: Path) -> None:
    wrong, proven = misses(seeds, quick)
    assert (wrong, proven > 0.9 * len(seeds)) == ([], True)


def test_two_passes_that_shifted_alike_prove_nothing_r32(quick: Path) -> None:
    """A row went, between pages, to where the reader had been, and the next pass saw the same rows twice, by chance."""
    assert misses([42_119], quick)[0] == []
