"""What a command works with: the options given, the settings, the client, and where notes go."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partialmethod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from roomctl.cli.given import Given
from roomctl.cli.options import About
from roomctl.cli.terminal import fitting
from roomctl.contract.evidence import MARKED, invalid
from roomctl.contract.operations import Operation
from roomctl.errors import AGAIN, BadConfig, ExpectationFailed, Outcome, Partial, RoomctlError, WrongCall
from roomctl.output.values import titled
from roomctl.output.writers import ENDINGS, FORMATS
from roomctl.profiles import Environment
from roomctl.text.counted import numbered
from roomctl.text.jsontext import compact
from roomctl.text.safe import safe

if TYPE_CHECKING:
    from roomctl.journal import Journal
    from roomctl.profiles.settings import Settings
    from roomctl.sandbox.faults import Fault, FaultStore
    from roomctl.sandbox.store import Store
    from roomctl.service.client import Client

JSON = Any
REGISTRATIONS = 250  # of the main event of the world that a sandbox is seeded with
Query = Sequence[tuple[str, str]]
CHOICE = r"(?<![^\0])(--sandbox|--profile[\0=][^\0]+)(?![^\0])"
ASKING = (
    r"(?:(?<=`)|(?<=\| )|(?<=&& ))roomctl (?!(completion|demo|describe|help|profile|rehearse|sandbox)\b)"
    r"(?![^`]*(--(help|profile|sandbox)|\[OPTIONS\]))[^`]+?(?= (?:\||&&) roomctl|`)"
)
"""A command that asks the profile's service, or its journal, and does not say yet of which profile."""


class Streams(NamedTuple):
    """The process's streams, or a test's; None where a stream is closed."""

    stdin: TextIO | None
    stdout: TextIO | None
    stderr: TextIO | None


class Text(str):
    """A result that is text already and printed as it is."""

    __slots__ = ()


class Answer(NamedTuple):
    """What a command returns: a value to print, and a failure to report after it.

    `value` is JSON, an iterator of JSON rows, Text, or None for nothing; `resource` names what a row is; `picture`
    names the drawing that people see instead of a table, `around` is the record that it needs beside the value; `done`
    says in one line what a write did, in place of its record where a person looks on; `last` is said below the result.
    """

    value: Any = None
    resource: str = ""
    failure: RoomctlError | None = None
    picture: str = ""
    around: Any = None
    done: str = ""
    last: str = ""


def same_service(text: str, argv: Sequence[str]) -> str:
    """Add the `--sandbox` or `--profile` of a command line to the commands in a text, which then ask what it asked."""
    chosen = re.search(CHOICE, "\0".join(argv))
    return re.sub(ASKING, lambda match: f"{match[0]} {chosen[0]}".replace("\0", " "), text) if chosen else text


@dataclass(eq=False, repr=False)
class Session:
    """One run of roomctl: what was given, and what has happened so far."""

    environment: Environment
    streams: Streams
    argv: tuple[str, ...]
    given: Given = field(default_factory=Given)
    context: Any = None  # the parser's context of the command
    about: About = field(default_factory=About)  # what is said of the command
    mine: Any = None  # my room sets (of `lookup`), once they were read
    names: dict[str, str] = field(default_factory=dict)
    """The names of rooms and sets by id, where a list has shown them."""
    doubt: RoomctlError | None = None
    """The result rests on a list that is not proven complete: the failure to report after it."""
    stdin_read: bool = False  # for `-`
    announced: bool = False  # the profile was named
    written: str = ""  # the journal's entry of the last write that has taken effect
    in_bulk: bool = False  # a bulk run that stops by itself is at work
    resume: str = ""  # how a job that is at work can be resumed
    parting: str | None = None  # said where Ctrl-C is the usual end of what is at work, unless it can be resumed
    busy: bool = False  # how far a job is, or what is watched, is drawn already
    above: Callable[[str], object] | None = None  # writes lines above what is drawn in place
    stale: RoomctlError | None = None  # why the list that was read last may be old
    clock_ahead: float = 0.0  # by how many seconds this clock is ahead of the service's
    narrowed: bool = False  # an option was given that leaves rows out
    later: list[str] = field(default_factory=list)  # notes that are written after the result
    told: Counter[str] = field(default_factory=Counter)  # how many values of a field of replies were told
    noted: set[str] = field(default_factory=set)  # the fields of which something was said that is said once

    @cached_property
    def settings(self) -> "Settings":
        """The settings in force: option, environment, profile, built-in.

        Raises BadConfig, NotAllowed, and ExpectationFailed where another profile is expected.
        """
        from roomctl.profiles.settings import resolve

        given = self.given
        overrides = {name: getattr(given, name) for name in ("timeout", "retries", "rate", "concurrency", "page_size")}
        settings = resolve(self.environment, profile=given.profile, sandbox=given.sandbox, overrides=overrides)
        settings.asks = not given.yes or (settings.protected and given.profile != settings.profile)
        for line in settings.notes:
            self.note(line)
        self.__dict__["settings"] = settings
        if given.expect_profile not in (None, settings.profile):
            why = f"the active profile is {settings.profile}, not {given.expect_profile}; nothing was sent"
            raise ExpectationFailed(why, hint=f"choose the profile with `--profile {given.expect_profile}`")
        self.output_format()
        return settings

    @cached_property
    def client(self) -> "Client":
        """The client of the profile's service, or of the sandbox in this process; with a journal where it may write."""
        from roomctl.service.client import Client

        settings, recorder = self.settings, None
        if self.given.fault and not settings.sandbox:
            raise WrongCall("`--fault` is for the sandbox; nothing was sent", hint="add `--sandbox`")
        transport = self._sandbox_transport() if settings.sandbox else None
        if self.about.writes:
            from roomctl.journal.recorder import Recorder

            recorder = Recorder(self.journal, settings.profile, settings.base_url, self.argv, self.note)
        return Client(
            settings.base_url,
            settings.key.read(self.note),
            timeout=settings.timeout,
            retries=settings.retries,
            rate=settings.rate,
            transport=transport,
            ca_file=settings.ca_file,
            proxy=settings.proxy,
            idempotency_header=settings.idempotency_header,
            list_field=settings.list_field,
            end_of_list=settings.end_of_list,
            recorder=recorder,
            note=self.note,
            log=self.say if self.given.verbose else None,
        )

    @cached_property
    def journal(self) -> "Journal":
        from roomctl.journal import Journal

        return Journal(self.environment.folder("state"))

    @property
    def sandbox_file(self) -> Path:
        return self.environment.folder("data") / "sandbox.db"

    @cached_property
    def sandbox(self) -> "Store":
        """The sandbox's store in the data folder, seeded on its first use, which is said."""
        from roomctl.sandbox.store import Store

        store = Store(self.sandbox_file)
        if store.empty:
            from roomctl.cli.completion_cache import remember
            from roomctl.sandbox.seed import seed

            events = seed(store, registrations=REGISTRATIONS)
            self.say("SANDBOX: first use: created sample rooms, people and events")
            for event in events:
                self.say(f"SANDBOX: event {event.name} ({event.id}), {numbered(event.registrations, 'registrations')}")
            named = [{"id": event.id, "name": event.name} for event in events]
            remember(self.environment.folder("cache"), [("SandboxEvent", named)])
        return store

    def open_stage(self, own: "Sequence[Fault]" = ()) -> "FaultStore":
        """Open the sandbox's faults and its log, which stand beside its world; `own` faults are those of one run."""
        from roomctl.sandbox.faults import FaultStore

        return FaultStore(self.sandbox_file.with_name("sandbox-stage.db"), own)

    @cached_property
    def stage(self) -> "FaultStore":
        """The faults and the log of the sandbox with the faults of `--fault`; which stand is said. Raises BadValue."""
        from roomctl.sandbox.faults import parse

        stage = self.open_stage([parse(text) for text in self.given.fault])
        for each in stage.faults():
            if stage.is_active(each):
                self.say(f"SANDBOX: fault {each.fault}")
        return stage

    def _sandbox_transport(self) -> Any:
        from roomctl.sandbox.app import build
        from roomctl.sandbox.transport import SandboxTransport

        self.say("SANDBOX: nothing leaves this machine")
        return SandboxTransport(build(self.sandbox, self.settings.key.read(self.note), self.stage))

    def output_format(self) -> str:
        """The form of the result: option, name of the file, environment, profile, else a table. Raises BadConfig."""
        settings = self.__dict__.get("settings")
        named = ENDINGS.get(Path(self.given.to).suffix.lower()) if self.given.to is not None else None
        if chosen := self.given.output or named:
            return chosen
        for text, where in (
            (self.environment.get("ROOMCTL_OUTPUT"), "ROOMCTL_OUTPUT"),
            (settings.output if settings else None, f"output in {settings.origins['output']}" if settings else ""),
        ):
            if text and text not in FORMATS:
                hint = f"use one of {', '.join(FORMATS)}"
                raise BadConfig(f"{where} is not an output format: {compact(text)}", hint=hint)
            if text:
                return text
        return "table"

    @property
    def outcome(self) -> Outcome:
        """What a failure to print leaves behind: whether a write of this run has taken effect."""
        return "applied" if self.written else "not_sent"

    def now(self) -> datetime:
        """The present moment by the service's clock, where that is behind this one; in the sandbox, its own."""
        return self.sandbox.now() if self.settings.sandbox else datetime.now(UTC) - timedelta(seconds=self.clock_ahead)

    def say(self, text: str, end: str = "\n", *, note: bool = False) -> None:
        """Write a line on stderr, a note unless `--quiet`; one that is closed or broken does not stop a command."""
        if note and self.given.quiet:
            return
        text = same_service(text, self.argv) if "`roomctl " in text else text
        stderr, text = self.streams.stderr, safe(text)
        if stderr is None or stderr.closed:
            return
        if stderr.isatty():
            text = fitting(self.environment, stderr, text)
        with suppress(OSError):
            (self.above or stderr.write)(text + end)
            stderr.flush()

    note = partialmethod(say, note=True)

    def doubts(self, error: str) -> None:
        """Say what an answer to invitations leaves open; the run then ends as partial."""
        self.say(error)
        self.doubt = self.doubt or Partial(f"not every invitation is confirmed: {error}", outcome="applied")

    @property
    def unattended(self) -> str:
        """Why nobody can be asked; empty where somebody can."""
        stdin = self.streams.stdin
        if self.given.no_input or self.environment.flag("ROOMCTL_NO_INPUT"):
            return "`--no-input` was given" if self.given.no_input else "ROOMCTL_NO_INPUT is set"
        if stdin is not None and not stdin.closed and stdin.isatty():
            return ""
        return "stdin is in use: `-` reads the input from it" if self.stdin_read else "there is no terminal"

    @property
    def can_ask(self) -> bool:
        """Whether somebody is there to answer a question, and this run may get as far as one."""
        return not self.given.dry_run and not self.unattended

    def read(
        self, operation: Operation, *, path: Mapping[str, str] | None = None, query: Query = (), what: str = ""
    ) -> JSON:
        """Read a reply. Raises errors.*; beside a write, or for a row, Partial where it may be old or not whole."""
        reply = self.client.send(operation, path=path or {}, query=query, what=what)
        if reply.doubt:
            doubt = Partial(f"the record may be incomplete or out of date: {reply.doubt}", hint=AGAIN)
            if self.about.writes or self.in_bulk:
                raise doubt
            self.doubt = self.doubt or doubt
        if type(reply.value) is dict and (why := invalid(reply.value, operation.resource or "")):
            self.note(f"{MARKED} {titled(reply.value, operation.resource or '')} (`{why}`)")
        return reply.value
