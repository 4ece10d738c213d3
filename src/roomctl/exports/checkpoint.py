"""How far an export has come: written after each page by atomic replace, read when the same command runs again."""

import json
from collections.abc import Mapping
from pathlib import Path
from threading import Condition, Thread
from time import monotonic
from typing import Any, NamedTuple

from roomctl.errors import BadInput, LocalFailure
from roomctl.exports.part import Mark, Part, doing, replace
from roomctl.service.distinct import digest

JSON = Any
_DIGEST = "sha256"
_REST = 0.2  # seconds; no more work than that is done again after a crash


class Progress(NamedTuple):
    """What is known after a page. `rows_mark` and `facts_mark` say of which bytes of the part it speaks.

    `seal` identifies what is exported and how, `tool` which roomctl began. `page` is the next one, of pass `turn`.
    Rows: `received` = `rows` (written) + `flagged` + `duplicates` + `repeats` (of later passes) + `left_out`.
    `unshown` counts those of which an enrichment is not shown, wherever they went.
    """

    seal: str
    tool: str
    size: int
    started: str
    turn: int = 1
    page: int = 0
    ended: bool = False
    rows_mark: Mark = Mark()
    facts_mark: Mark = Mark()
    pages: int = 0
    received: int = 0
    rows: int = 0
    flagged: int = 0
    duplicates: int = 0
    repeats: int = 0
    left_out: int = 0
    unshown: int = 0
    drift: bool = False
    resumed: int = 0
    found: tuple[str, ...] = ()
    first: str | None = None
    last: str | None = None
    event: JSON = None
    total: int = 0
    """The keys sighted in this pass, summed up without regard to their order; -1 where not all were counted."""
    before: int = -1
    """`total` of the pass before; -1 where it is not known."""
    order: str = ""
    """A digest of the keys sighted in this pass, in their order."""
    order_before: str = ""
    """`order` of the pass before."""
    mark: str = ""
    """A digest of the keys of the last page, in order."""
    added: int = 0
    """The number of rows that this pass brought."""
    doubt: str = ""
    """Why the list is not proven complete, as the last whole pass has seen it; the first one says it as it goes."""
    end: str = ""
    """How the list ended, where it is proven complete."""


def save(path: Path, progress: Progress) -> None:
    """Put the checkpoint in place, durably, with a digest over all of it (R49)."""
    facts = progress._asdict()
    replace(path, [json.dumps({**facts, _DIGEST: digest(facts)}).encode()])


def load(path: Path) -> dict[str, JSON] | None:
    """Read a checkpoint as it stands there: None where there is none, nothing in it where it cannot be read."""
    with doing("read", path):
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return None
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        found = None
    return found if type(found) is dict else {}


def is_intact(found: Mapping[str, JSON]) -> bool:
    """Whether a checkpoint is what was written, all of it. The digest is no secret: it shows damage and edits (R49)."""
    facts = {name: value for name, value in found.items() if name != _DIGEST}
    return facts.keys() == set(Progress._fields) and found.get(_DIGEST) == digest(facts)


def continue_from(found: dict[str, JSON], seal: str, tool: str, part: Path) -> Progress:
    """Give the progress to go on with. Raises BadInput where another export, or another roomctl, began it (R33),
    LocalFailure where it is not what was written (R49).
    """
    start_over = f"finish it with the command that began it, or remove `{part}` to start anew"
    if found.get("tool", tool) != tool:
        raise BadInput(f"`{part}` was begun by another version: {found['tool']}", hint=start_over)
    if not is_intact(found):
        raise LocalFailure(
            f"the checkpoint of `{part}` was changed or damaged: nothing was asked",
            hint=f"remove `{part}` and run the command again to start anew",
        )
    if found["seal"] != seal:
        raise BadInput(f"`{part}` belongs to another export: another query, format or set of columns", hint=start_over)
    facts = {name: found[name] for name in Progress._fields}
    marks = {name: Mark(*facts[name]) for name in ("rows_mark", "facts_mark")}
    return Progress(**{**facts, **marks, "found": tuple(facts["found"])})


class Checkpointer:
    """Makes data durable, then the checkpoint that speaks of it (R33), in a thread beside the reading.

    When pages come faster than the disk can promise, one checkpoint stands for several: between two the disk rests for
    as long as the last took, and for `_REST` at least. A failure is raised by the next call.
    """

    def __init__(self, part: Part, path: Path) -> None:
        self._part = part
        self._path = path
        self._change = Condition()
        self._next: Progress | None = None
        self._ending = False
        self._failure: BaseException | None = None
        self._thread = Thread(target=self._work, name="roomctl-checkpoint", daemon=True)
        self._thread.start()

    def keep(self, progress: Progress, *, last: bool = False) -> None:
        """Have what was written so far, and `progress` which speaks of it, made durable soon; wait for the `last`."""
        with self._change:
            self._next, self._ending = progress, last
            self._change.notify()
        if last:
            self._thread.join()
        if self._failure:
            raise self._failure

    def _work(self) -> None:
        rest = 0.0
        try:
            while (progress := self._take(rest)) is not None:
                began = monotonic()
                self._part.sync()
                save(self._path, progress)
                rest = max(_REST, monotonic() - began)
        except BaseException as failure:  # it belongs to whoever exports
            self._failure = failure

    def _take(self, rest: float) -> Progress | None:
        with self._change:
            self._change.wait_for(lambda: self._ending, rest)
            self._change.wait_for(lambda: self._ending or self._next is not None)
            progress, self._next = self._next, None
            return progress
