"""The client: 18 operations, one origin, and a reply or an error that says what became of the request."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from threading import Event
from time import gmtime, strftime
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from roomctl import __version__
from roomctl.contract.address import address
from roomctl.contract.evidence import read_badly
from roomctl.contract.invitations import done_for_all
from roomctl.contract.operations import KEY_HEADER, PREFIX, Operation
from roomctl.contract.outcome import Query, shown
from roomctl.contract.paging import REFUSALS, Blank, Decode, Rows
from roomctl.contract.records import folded, is_uuid
from roomctl.errors import Refused, RoomctlError, WrongCall
from roomctl.service.policy import (
    CLOCK,
    LONGEST_WAIT,
    QUOTA,
    Clock,
    Failed,
    Limiter,
    Quota,
    Recorder,
    Settlement,
    attempts,
    longest_delay,
)
from roomctl.service.reply import received
from roomctl.service.request import Prepared, prepare
from roomctl.text import JSON

if TYPE_CHECKING:
    import httpx

    from roomctl.service.attempt import Attempt
    from roomctl.service.redaction import Redactor

_ASSUMPTION: Final = "x-sandbox-assumption"  # names the gaps of the interface that an answer of the sandbox rests on


class Reply(NamedTuple):
    """What the service answered: `value` as it came, without bearer fields; None where no reply is shown.

    `doubt` is why a record that was read may be old, or not whole; a list has that in its pages. `warning` is what the
    answer to a write warned of, `entry` the journal's of that write.
    """

    value: JSON
    status: int
    operation: Operation
    attempts: int
    doubt: str = ""
    warning: str = ""
    entry: str = ""


class Client:
    """Speaks to one service with one key, which `profiles` has checked (R2); may be used from several threads.

    `timeout` is for one attempt, in seconds; `retries` lowers the number of repeats that an operation allows; `rate` is
    requests a second; `transport` takes the place of the network; `proxy` is for https only. `list_field` names the
    member that holds the rows where the service wraps its arrays, `end_of_list` what it answers behind the last page
    (of `paging.ENDS`). `note` is told of each repeat, `log` (redacted lines) of each attempt. Raises BadConfig, and
    ValueError for what is no address.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: float = 30.0,
        retries: int | None = None,
        rate: float | None = None,
        transport: "httpx.BaseTransport | None" = None,
        ca_file: str | None = None,
        proxy: str | None = None,
        idempotency_header: str | None = None,
        list_field: str | None = None,
        end_of_list: Sequence[str] = (),
        recorder: Recorder | None = None,
        note: Callable[[str], None] = lambda _: None,
        log: Callable[[str], None] | None = None,
        clock: Clock = CLOCK,
        quota: Quota = QUOTA,
    ) -> None:
        from roomctl.service.transport import Transport

        self.address = address(base_url)
        self.key = api_key
        self.transport = Transport(self.address, transport, ca_file=ca_file, proxy=proxy)
        self.timeout = timeout
        self.retries = retries
        self.idempotency_header = idempotency_header
        self.list_field = list_field
        self.end_of_list = tuple(end_of_list)
        self.recorder = recorder
        self.note = note
        self.log: Callable[[str], None] = (lambda _: None) if log is None else lambda line: log(self.redact(line))
        self.clock = clock
        self.quota = quota
        self.stopping = Event()
        """Set when the run is to end: from then on no wait lasts, no repeat follows (R53)."""
        self.sleep = self.stopping.wait if clock is CLOCK else clock.sleep
        self.limiter = None if rate is None else Limiter(rate, clock, self.sleep)
        self.warned = False
        self.under_way: set[object] = set()
        """Writes whose answer is awaited."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; a thread that still waits for an answer repeats nothing, and says nothing."""
        self.stopping.set()
        self.transport.close()

    def redact(self, text: str) -> str:
        """Take the key, and whatever stands under a secret's name, out of a text (R6)."""
        return self.redactor(text)

    @cached_property
    def redactor(self) -> "Redactor":
        from roomctl.service.redaction import Redactor

        return Redactor(self.key)

    @property
    def writing(self) -> bool:
        """Whether the answer to a write is awaited: an interruption now would leave its outcome unknown (R53)."""
        return bool(self.under_way)

    def send(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] | None = None,
        query: Query = (),
        body: JSON = None,
        what: str = "",
        standing: Mapping[str, JSON] | None = {},
        decode: Decode | None = None,
        guard: Callable[[RoomctlError | None], None] | None = None,
        idempotency_key: str = "",
    ) -> Reply:
        """Ask the service and give its reply, repeating what may be repeated. `what` says in words what is asked.

        `standing` are records that were there before, by id: none of them is one that was created; None where they
        could not be read, so that nothing proves a record new. `decode` is for lists, see `page`; `guard` is told of
        the last failure, if any, before each attempt, and may raise. `idempotency_key` is that of an earlier request
        which this one repeats. Where a request goes is not its own choice (R3).

        Raises BadValue, BadInput, WrongCall (nothing was sent), NotAllowed, NotFound, Refused, Unintelligible,
        Temporary (a write was certainly not applied), OutcomeUnknown (it may have been), and what the recorder raises.
        """
        if operation.body is not None and body is None:
            raise WrongCall(f"{operation.name} needs a body: {operation.body}")
        prepared = prepare(self.address.base, operation, path=path, query=query, body=body, standing=standing)
        recorder = self.recorder if operation.writes else None
        where = self.address  # on this machine compression costs more than the bytes that it saves
        headers = [("Host", where.authority), ("User-Agent", f"roomctl/{__version__}"), *prepared.headers]
        headers += [("Accept-Encoding", "identity" if where.loopback else "gzip"), (KEY_HEADER, self.key)]
        if operation.writes:
            headers += [("Content-Length", str(len(prepared.body or b""))), ("Connection", "close")]
            if self.idempotency_header:
                from uuid import uuid4

                headers.append((self.idempotency_header, idempotency_key or str(uuid4())))
        exchange = _Exchange(self, prepared, what, decode, headers, recorder, guard, bool(idempotency_key))
        value = exchange.run()
        if operation.writes:  # no form of the key is shorter than itself, and an id is none, unless the key is one
            texts, ids = json.dumps(value, default=str).replace('\\"', "''").split('"'), not is_uuid(self.key)
            if any(len(text) >= len(self.key) and not (ids and is_uuid(text)) for text in texts):
                value = self.redactor.records(value)
        return Reply(
            value, exchange.status, operation, exchange.attempts, exchange.doubt, exchange.warning, exchange.entry
        )

    def page(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] | None = None,
        query: Query = (),
        page: int,
        size: int | None,
        decode: Decode | None = None,
    ) -> list[JSON]:
        """Give one page of a paged operation, as it came: rows of any form, and more than asked for if more came.

        A page in other words than an array, and one that is refused behind page 0 (400, 404), is a `Blank`. `decode`
        answers for what it makes of a page, the bearer fields too; what it leaves, with None, is decoded strictly.
        """
        paging = [("page", str(page))] + ([] if size is None else [("size", str(size))])
        try:
            rows: list[JSON] = self.send(operation, path=path, query=[*query, *paging], decode=decode).value
        except Refused as error:
            end = error.details.get("end")
            if end is None or (end in REFUSALS and not page):
                raise
            return Blank(end, ends=end in self.end_of_list, error=error)
        if isinstance(rows, Rows) and rows.warning and not self.warned:
            self.warned = True
            self.note(f"the service warns: {rows.warning}")
        return rows


@dataclass(eq=False)
class _Exchange:
    """One request from its plan to its outcome: attempts, delays, the journal.

    `what` says in words what is asked, for messages: "end room 3f0c…".
    """

    client: Client
    prepared: Prepared
    what: str
    decode: Decode | None
    headers: Query
    recorder: Recorder | None
    guard: Callable[[RoomctlError | None], None] | None
    resent: bool
    entry: str = ""
    settlement: Settlement = "not_sent"
    detail: str = "stopped before it was sent"
    made: str = ""
    sent: dict[str, Any] = field(default_factory=dict)
    attempts: int = 0
    status: int = 0
    doubt: str = ""
    warning: str = ""
    lost: RoomctlError | None = None

    def run(self) -> JSON:
        """Send until there is an outcome, and settle the journal whatever happens. Raises errors.*."""
        from roomctl.service.attempt import Attempt

        client, operation = self.client, self.prepared.operation
        if self.recorder is not None:
            self.entry = self.recorder.planned(self.prepared)
        try:
            while True:
                self.attempts += 1
                try:
                    if client.limiter is not None:
                        client.limiter.wait()
                    if self.guard is not None:
                        self.guard(self.lost)
                    if client.stopping.is_set() and operation.writes:
                        raise Failed("P0", "roomctl was stopped before it was sent")
                    client.log(f"attempt {self.attempts}: {self.prepared.operation.method} {self.prepared.url}")
                    attempt = Attempt(client.timeout, self._record_sent if operation.writes else None)
                    value = attempt.run(partial(self._receive, attempt))
                    break
                except Failed as failed:
                    self._wait(failed)
                finally:
                    client.under_way.discard(self)
            if client.quota.tokens < client.quota.FULL:
                client.quota.give()
            prepared, many = self.prepared, operation.writes and operation.many
            whole = not many or done_for_all(prepared.body, prepared.asked.get("socialId"), value)
            self.settlement, self.detail = "confirmed" if whole else "partial", f"HTTP {self.status}"
            self.made = (
                folded(shown(value, operation.identity)) if operation.repeat == "create" and operation.reply else ""
            )
            return value
        finally:
            if self.recorder is not None and self.entry:
                self.recorder.settled(self.entry, self.settlement, self.detail, self.made)

    def _receive(self, attempt: "Attempt") -> JSON:
        """Send, and read the reply; runs in the attempt's thread."""
        client = self.client
        with client.transport.send(self.prepared, self.headers, attempt) as answer:
            self.status = answer.status
            gaps = answer.headers.get_list(_ASSUMPTION)
            assumed = f" (relies on undocumented behaviour: {', '.join(gaps)}; see `roomctl help gaps`)" if gaps else ""
            client.log(f"attempt {self.attempts}: HTTP {answer.status}{assumed}")
            operation, now, decode = self.prepared.operation, client.clock.wall(), self.decode
            value = received(
                self.prepared, answer, now, redact=client.redact, decode=decode, list_field=client.list_field,
                replays=client.idempotency_header is not None and (self.resent or self.attempts > 1),
            )  # fmt: skip
            if operation.writes and "warning" in answer.headers:
                self.warning = client.redact("; ".join(answer.headers.get_list("warning")))
            if not (operation.writes or operation.paged):
                said = Rows().heed_headers(answer.headers.multi_items())
                self.doubt = said.partial or (read_badly(value, operation.resource) if type(value) is dict else "")
            return value

    def _record_sent(self) -> None:
        """Journal that the first byte leaves next; from here on an interruption leaves the outcome unknown."""
        if self.recorder is not None:
            self.recorder.sent(self.entry)
        self.sent = {"sent_at": strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(self.client.clock.wall()))}
        if header := self.client.idempotency_header:
            self.sent["idempotency_key"] = dict(self.headers)[header]
        self.settlement, self.detail = "unknown", "stopped before a reply arrived"
        self.client.under_way.add(self)

    def _wait(self, failed: Failed) -> None:
        """Wait before the next attempt, where there may be one. Raises what the failure means."""
        client, hint, what = self.client, "", self.what or _in_words(self.prepared)
        failed.why = client.redact(failed.why)
        self.settlement, self.detail = failed.settlement, failed.why
        client.log(f"attempt {self.attempts} failed: {failed.why}")
        waited = {"retry_after": failed.wait} if failed.wait is not None else {}
        details = {"attempts": self.attempts, **self.sent, **waited}
        most = attempts(self.prepared.operation.repeat, failed, client.retries)
        asked, throttled = failed.wait or 0.0, failed.phase == "P1"  # the service asked for fewer requests
        if self.attempts < most and not client.stopping.is_set():
            if asked > LONGEST_WAIT:
                hint = f"run the command again in {asked:.0f} s, as the service asks"
            elif not client.quota.take(throttled):
                hint = "run the command again later: retries have stopped because many requests failed"
            else:
                delay = max(asked, client.clock.uniform(0.0, longest_delay(self.attempts - 1, throttled)))
                next_one = f"attempt {self.attempts + 1} of {most} {f'in {delay:.1f} s' if delay >= 0.05 else 'now'}"
                client.note(f"could not {what}: {failed.why}; {next_one}")
                client.sleep(delay)
                if not client.stopping.is_set():
                    self.lost = failed.error(self.prepared, what, hint, self.entry, details) if self.guard else None
                    return
        raise failed.error(self.prepared, what, hint, self.entry, details) from None


def _in_words(prepared: Prepared) -> str:
    template = (PREFIX + prepared.operation.path).split("/")
    ids = [part for part, form in zip(prepared.path.split("/"), template, strict=True) if part != form]
    return " ".join([prepared.operation.in_words, *ids])
