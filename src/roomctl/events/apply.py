"""The steps of a plan, sent one after the other: each looks before it creates, and takes the ids of those before it."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

from roomctl.bulk import Job, Outcome, Row
from roomctl.bulk.people import invitation
from roomctl.bulk.table import UNSENT
from roomctl.contract.evidence import invalid
from roomctl.contract.invitations import invited, stood
from roomctl.contract.operations import BY_NAME, INVITE_SEND, ROOMSET_UPDATE
from roomctl.contract.outcome import denial, differing, images, remade, respelt, shown
from roomctl.contract.records import by_id, folded
from roomctl.contract.rooms import all_rooms, is_open, rooms
from roomctl.errors import OutcomeUnknown, Partial, RoomctlError
from roomctl.events.current import ROOM, SET
from roomctl.events.history import STOOD, number_of
from roomctl.events.plan import UNNAMED, NoId, Step, invitation_key, with_ids
from roomctl.reconcile import Write
from roomctl.text import JSON
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact

BATCH: Final = 25
NO_ID: Final = "00000000-0000-0000-0000-000000000000"
"""What `--dry-run` shows in place of an id that there is not yet."""
VERBS: Final = {"settings": "save", "starting point": "set", "rules": "save"}
"""What a step does, in messages, where that is not `create` or `change`."""
APPEARED: Final = "one with this name has appeared since the plan was made; nothing was sent; run the command again"


class Service(NamedTuple):
    """The calls to make: a look at all sets, a write settled, a lost one confirmed with the id of what it made, a word.

    A look raises Partial where the sets are not proven to be all. `stood` records that the set was there before.
    """

    look: Callable[[], list[JSON]]
    settle: Callable[[Write], JSON]
    confirm: Callable[[str, str], None]
    say: Callable[[str], None]
    stood: Callable[[int], None] = lambda _: None


class Sender:
    """Sends the steps of a plan; `ids` are those of what stands and of what was made, by the key of the step.

    `unsettled` is the failure after which nobody knows whether the set was made or named; after one of these nothing
    else is sent (`stopped`). `themes` are the ids of those that rooms had before. `asked_before`: an earlier run
    may have invited this person (None: that proves nothing).
    """

    def __init__(
        self,
        steps: Sequence[Step],
        service: Service,
        themes: Iterable[str] = (),
        asked_before: Callable[[Step, Row], bool] | None = None,
    ) -> None:
        self.steps, self.service, self.asked_before = steps, service, asked_before
        self.set_key = steps[0].key
        self.ids: dict[str, str] = {step.key: step.id for step in steps if step.id}
        before = dict.fromkeys(themes, "a theme that rooms use already; if you mean that one, add its `id` to the file")
        self.made = before | {step.id: step.key for step in reversed(steps) if step.id}
        self.invited: dict[str, object] = {}
        self.unsettled: OutcomeUnknown | None = None
        self.stopped = False
        self.fates: dict[str, str] = {}  # what became of a step that made nothing to go on with

    def number(self, row: Row) -> int:
        return number_of("" if row.key == self.set_key else self.ids.get(self.set_key, ""), row.key)

    def jobs(self, rows: Mapping[str, Row]) -> list[Job]:
        made = []
        for step, people in self.batches():
            keys = [invitation_key(step.name, row) for row in people] or [step.key]
            made.append(Job(tuple(rows[key] for key in keys), partial(self.send, step, people)))
        return made

    def batches(self) -> Iterator[tuple[Step, Sequence[Row]]]:
        for step in self.steps:
            if step.sends:
                for start in range(0, max(len(step.people), 1), BATCH):
                    yield step, step.people[start : start + BATCH]

    def preview(self) -> list[Write]:
        """Make the writes as they would be sent; an id that there is not yet is all zeros."""
        made = {step.key: NO_ID for step in self.steps} | self.ids
        return [self.write(step, people, made) for step, people in self.batches()]

    def write(self, step: Step, people: Sequence[Row], ids: Mapping[str, str]) -> Write:
        body = [invitation(row) for row in people] if people else with_ids(step.body, ids)
        path = {name: str(with_ids(value, ids)) for name, value in step.path.items()}
        query = [(name, str(with_ids(value, ids))) for name, value in step.query.items()]
        verb = VERBS.get(step.kind) or ("change" if step.action == "change" else "create")
        what = f"{verb} {step.kind}" + f" {compact(step.name)}" * bool(step.name)
        what = f"invite {numbered(len(people), 'people')} to room {step.name}" if people else what
        return Write(BY_NAME[step.operation], path, query, body, what)

    def send(self, step: Step, people: Sequence[Row]) -> list[Outcome]:
        """Send a step and say what became of it, of each person where it invites. Raises errors.*."""
        try:
            if self.stopped or (step.key != self.set_key and self.set_key not in self.ids):
                raise NoId(self.set_key)
            write = self.write(step, people, self.ids)
            if self.steps[0].action == "same":
                self.service.stood(number_of(STOOD, self.set_key))
        except NoId as missing:
            unknown = any(each.key == str(missing) and each.action == "unknown" for each in self.steps)
            why = (
                f"it is not known whether {missing} was created" if unknown else f"{missing} was not created as planned"
            )
            why = self.fates.get(str(missing), why)
            return [Outcome("skipped", f"{UNSENT}{why}")] * max(len(people), 1)
        if write.operation is INVITE_SEND:
            return self.invite(step, people, write)
        if step.action == "create" and write.operation.creates and write.operation.seen_in:
            sets = self.service.look()
            if self.find(step, sets) is not None:
                return [Outcome("failed", APPEARED)]
            before = by_id(sets, SET) if step.key == self.set_key else by_id(all_rooms(sets), ROOM)
            write = write._replace(before=before)
        record = self.settle(step, write)
        key = folded(record.get(write.operation.identity))
        created = step.action == "create" and write.operation is not ROOMSET_UPDATE
        if created and key and (other := self.made.setdefault(key, step.key)) != step.key:
            self.fates[step.key] = f"it is not known whether {step.key} was created"
            return [Outcome("unknown", f"the service's reply has the id of {other}")]
        wrong = self.differences(step, record, write.body)
        others = [each for each in wrong if each != "name" or not respelt(record.get(each), step.body[each])]
        if key and not {"name", SET, "isOpen"} & set(others):  # nobody is invited to another room, or to a closed one
            self.ids[step.key] = key
        if wrong:
            told = ", ".join(f"`{each}` is {json.dumps(shown(record, each), ensure_ascii=False)}" for each in wrong)
            done = "created" if created else "saved"
            return [Outcome("failed", f"it was {done}, but differs from the file: {told}", key)]
        return [Outcome(id=key or self.ids.get(self.set_key, ""))]

    def invite(self, step: Step, people: Sequence[Row], write: Write) -> list[Outcome]:
        room = by_id(all_rooms(self.service.look()), ROOM).get(write.path[ROOM], {})
        if is_open(room) is False:
            return [Outcome("failed", f"{UNSENT}room {compact(step.name)} is closed")] * len(people)
        people_of = [[row.key] for row in people]
        outcomes = invited(people_of, self.service.settle(write), write.path[ROOM], self.service.say, self.invited)
        return [  # that somebody is invited already proves what an earlier run left unknown
            each._replace(status="ok", error="")
            if self.asked_before and stood(each) and self.asked_before(step, row)
            else each
            for row, each in zip(people, outcomes, strict=True)
        ]

    @staticmethod
    def differences(step: Step, record: Mapping[str, JSON], body: JSON) -> list[str]:
        """Name the fields in which the record of a reply differs from what was sent."""
        if step.kind in ("theme", "playlist"):
            return remade(record, {**(body.get("theme") or body), **images(record, body)})
        if step.kind != "room":
            return []
        shut = is_open(record) is False and "isOpen" not in body
        return [*differing(record, body, null=True), *["isOpen"] * shut, *filter(None, [invalid(record)])]

    def settle(self, step: Step, write: Write) -> Mapping[str, JSON]:
        """Send a write and give the record of what it made; empty where it makes nothing. Raises errors.*."""
        self.stopped = naming = step.action == "create" and step.key in (self.set_key, "settings")
        try:
            value = self.service.settle(write)
        except OutcomeUnknown as error:
            self.unsettled = error if naming else None
            key, done = (self.set_key, "named") if step.key == "settings" else (step.key, "created")
            self.fates[key] = f"it is not known whether {key} was {done}"
            if step.kind != "room" or (value := self.found_since(write, error)) is None:
                raise
        except RoomctlError:
            self.fates[step.key] = f"{step.key} was not created"
            raise
        if naming and step.key != self.set_key:  # no other set may have its name, nor this one none
            now = by_id(self.service.look(), SET).get(self.ids[self.set_key], {}).get("name")
            if not respelt(now, write.body["name"]):
                shown = f": it is now {compact(now)}" if now is not None else ""
                raise OutcomeUnknown(f"the service replied, but does not show the new name{shown}")
        self.stopped = False
        return value if isinstance(value, dict) else {}

    def found_since(self, write: Write, lost: OutcomeUnknown) -> JSON:
        """Give the room of a lost answer as the next run would find it; None where that is not certain.

        It is the only room of its name in the set, was not there before, and no answer came that says otherwise.
        """
        with suppress(RoomctlError):
            found = [each for each in rooms(self.my_set(self.service.look())) if each.get("name") == write.body["name"]]
            key = folded(found[0].get(ROOM)) if len(found) == 1 and "answered" not in lost.details else ""
            if key and key not in (write.before or {}) and not denial(found[0], "Social", read=True):
                name = write.body["name"]
                self.service.say(f"got no usable reply when creating room {name}, but it now exists ({key})")
                self.service.confirm(lost.journal, key)
                return found[0]
        return None

    def find(self, step: Step, sets: Sequence[JSON]) -> JSON:
        if step.key == self.set_key:
            return next((each for each in sets if each.get("name") == step.name), None)
        there = rooms(self.my_set(sets))
        return next((each for each in there if each.get("name") == step.name and is_open(each) is not False), None)

    def my_set(self, sets: Sequence[JSON]) -> JSON:
        found = by_id(sets, SET).get(self.ids[self.set_key])
        if found is None or not isinstance(found.get("socials"), list):
            raise Partial(f"the rooms of the set {self.ids[self.set_key]} are not shown")
        return found


def find_unmet(now: Sequence[Step]) -> dict[str, str]:
    """Say what a plan that is made after a run would still do."""
    found = {}
    for step in now:
        names = [each.field for each in step.changes]
        if step.stale or (step.action == "unknown" and step.why != UNNAMED) or (step.action == "cannot" and not names):
            found[f"theme {step.name}" if step.kind == "images" else step.key] = step.why
        elif names and (step.sends or step.action == "cannot"):
            found[step.key] = f"the service replied, but does not show the new {', '.join(names)}"
    return found
