"""The journal against a model: any order of steps, by any number of commands, read back at any time."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.operations import OPERATIONS
from roomctl.journal.recorder import Recorder
from tests.journal.worlds import Asked, World

OUTCOMES = ("confirmed", "refused", "unknown", "not_sent")
FINAL = ("confirmed", "refused", "not_sent")
STEP = st.sampled_from(("plan", "send", *OUTCOMES, "crash", "tear"))
STEPS = st.lists(st.tuples(st.integers(0, 4), STEP), max_size=60)


@given(steps=STEPS, limit=st.sampled_from((600, 2_000, 2**20)))
def test_r41_every_state_that_was_reached_is_read_back(world: World, steps: Any, limit: int) -> None:
    """With up to five requests at once; after each crash the commands that go on are new ones."""
    with tempfile.TemporaryDirectory() as folder:
        walk(world._replace(folder=Path(folder) / "state"), steps, limit)


def walk(world: World, steps: list[tuple[int, str]], limit: int) -> None:
    recorder = world.recorder(world.journal(limit=limit, keep=2))
    slots: dict[int, str] = {}
    model: dict[str, str] = {}
    torn = 0
    for slot, step in steps:
        entry = slots.get(slot)
        if step == "plan":
            slots[slot] = recorder.planned(Asked())
            model[slots[slot]] = "planned"
        elif step == "crash":
            recorder, slots = world.recorder(world.journal(limit=limit, keep=2)), {}
        elif step == "tear":
            torn += 1
            file = world.folder / "journal.ndjson"
            with file.open("ab") if world.folder.exists() else tempfile.TemporaryFile() as out:
                out.write(b'{"entry":"half')
        elif entry and model[entry] not in FINAL:
            if step == "send":
                recorder.sent(entry)
            else:
                recorder.settled(entry, step)
            model[entry] = "sent" if step == "send" else step
    journal = world.journal()
    found = dict(reversed(world.states().items()))
    still = {entry: state for entry, state in model.items() if state not in FINAL}
    assert {entry: found[entry] for entry in still} == still
    assert {entry.id for entry in journal.open_entries()} == set(still)
    assert found.items() <= model.items()
    assert len(journal.book().damage) <= torn
    if limit > 10**5:
        assert list(found.items()) == list(model.items())


ANY = st.text(st.characters(), max_size=40)


@given(
    operation=st.sampled_from(OPERATIONS),
    path=ANY,
    query=st.lists(st.tuples(ANY, ANY)).map(tuple),
    detail=ANY,
    profile=ANY,
)
def test_any_text_is_read_back(world: World, operation: Any, path: str, query: Any, detail: str, profile: str) -> None:
    """Names with newlines, escapes, lone surrogates and the rest of Unicode."""
    journal = world.journal()
    recorder = Recorder(journal, profile, "", [])
    entry = recorder.planned(Asked(operation, path=path, query=query))
    recorder.settled(entry, "not_sent", detail)
    found = journal.get(entry)
    told = (found.operation, found.path, found.query, found.detail, found.profile)
    assert told == (operation.name, path, query, detail, profile)
    assert world.file.read_bytes().isascii()
