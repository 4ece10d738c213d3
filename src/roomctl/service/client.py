"""The client: 18 operations, one origin, and a reply or an error that says what became of the request."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Self

from roomctl import __version__
from roomctl.contract.operations import KEY_HEADER, PREFIX, Operation
from roomctl.contract.paging import REFUSALS, Blank
from roomctl.errors import BadConfig, Refused, WrongCall
from roomctl.service.exchange import Exchange, Shared
from roomctl.service.policy import CLOCK, QUOTA, Clock, Limiter, Quota, Recorder
from roomctl.service.reply import Decode, received
from roomctl.service.request import JSON, Prepared, Query, address, curl, prepare, usable_key

if TYPE_CHECKING:
    import httpx

    from roomctl.service.redaction import Redactor

__all__ = ["Client", "Prepared", "Recorder", "Reply", "curl", "prepare"]

_TOKEN = frozenset("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz")
_OURS = frozenset({"host", "connection", "content-length", "content-type", "transfer-encoding", KEY_HEADER.lower()})


class Reply(NamedTuple):
    """What the service answered: `value` as it came, without bearer fields; None where no reply is shown."""

    value: JSON
    status: int
    operation: Operation
    attempts: int


class Client:
    """Speaks to one service with one key; may be used from several threads.

    `timeout` is for one attempt, in seconds; `retries` lowers the number of repeats that an operation allows; `rate` is
    requests a second; `transport` takes the place of the network; `proxy` is for https only. `list_field` names the
    member that holds the rows where the service wraps its arrays, `end_of_list` what it answers behind the last page
    (of `paging.ENDS`). `note` is told of each repeat, `log` (redacted lines) of each attempt. Raises BadConfig and
    NotAllowed before anything is sent.
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
        self._address = address(base_url)
        self._key = usable_key(api_key)
        self._idempotency = None if idempotency_header is None else _free_header(idempotency_header)
        self.list_field = list_field
        self.end_of_list = tuple(end_of_list)
        stopping = Event()
        sleep = stopping.wait if clock is CLOCK else clock.sleep
        from roomctl.service.transport import Transport

        self._shared = Shared(
            transport=Transport(self._address, transport, ca_file=ca_file, proxy=proxy),
            seconds=timeout,
            retries=retries,
            limiter=None if rate is None else Limiter(rate, clock, sleep),
            stopping=stopping,
            sleep=sleep,
            quota=quota,
            clock=clock,
            recorder=recorder,
            note=note,
            log=(lambda _: None) if log is None else lambda line: log(self.redact(line)),
            redact=self.redact,
            under_way=set(),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close what is open; a thread that still waits for an answer repeats nothing, and says nothing."""
        self._shared.stopping.set()
        self._shared.transport.close()

    def redact(self, text: str) -> str:
        """Take the key, and whatever stands under a secret's name, out of a text (R6)."""
        return self._redactor(text)

    @cached_property
    def _redactor(self) -> "Redactor":
        from roomctl.service.redaction import Redactor

        return Redactor(self._key)

    @property
    def writing(self) -> bool:
        """Whether the answer to a write is awaited: an interruption now would leave its outcome unknown (R53)."""
        return bool(self._shared.under_way)

    def hurry(self) -> None:
        """End waits between attempts in other threads: the run is to end, and what fails now fails (R53)."""
        self._shared.stopping.set()

    def send(
        self,
        operation: Operation,
        *,
        path: Mapping[str, str] | None = None,
        query: Query = (),
        body: JSON = None,
        what: str = "",
        standing: Iterable[str] = (),
        decode: Decode | None = None,
    ) -> Reply:
        """Ask the service and give its reply, repeating what may be repeated. `what` says in words what is asked.

        A record with one of the `standing` ids was there before, so it is not one that was created. `decode` is for
        lists, see `page`. Where a request goes is not its own choice (R3).

        Raises BadValue, BadInput, WrongCall (nothing was sent), NotAllowed, NotFound, Refused, Unintelligible,
        Temporary (a write was certainly not applied), OutcomeUnknown (it may have been), and what the recorder raises.
        """
        if operation.body is not None and body is None:
            raise WrongCall(f"{operation.name} needs a body: {operation.body}")
        where = self._address
        prepared = prepare(where.base, operation, path=path, query=query, body=body)
        prepared = prepared._replace(standing=frozenset(standing))
        headers = [("Host", where.authority), ("User-Agent", f"roomctl/{__version__}"), *prepared.headers]
        # on this machine compression costs more than the bytes that it saves
        headers += [("Accept-Encoding", "identity" if where.loopback else "gzip"), (KEY_HEADER, self._key)]
        if operation.writes:
            headers += [("Content-Length", str(len(prepared.body or b""))), ("Connection", "close")]
            if self._idempotency:
                from uuid import uuid4

                headers.append((self._idempotency, str(uuid4())))
        encoded = [(name.encode("ascii"), value.encode("ascii")) for name, value in headers]
        read = partial(received, prepared, redact=self.redact, decode=decode, list_field=self.list_field)
        exchange = Exchange(self._shared, prepared, encoded, what or _in_words(prepared), read)
        value = exchange.run()
        return Reply(value, exchange.status, operation, exchange.attempts)

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

        A page in other words than an array, and one that is refused behind page 0 (400, 404), is a `Blank`.
        `decode` is given the bytes of the page, whole and within their bounds, and their marks (`reply.marks_of`). It
        answers for what it makes of them, the bearer fields too; what it leaves, with None, is decoded strictly.
        """
        paging = [("page", str(page))] + ([] if size is None else [("size", str(size))])
        try:
            rows: list[JSON] = self.send(operation, path=path, query=[*query, *paging], decode=decode).value
        except Refused as error:
            end = error.details.get("end")
            if end is None or (end in REFUSALS and not page):
                raise
            return Blank(end, ends=end in self.end_of_list, error=error)
        return rows


def _free_header(name: str) -> str:
    if not name or not _TOKEN.issuperset(name.lower()) or name.lower() in _OURS:
        raise BadConfig(f"`idempotency_header` is not the name of a free header: {name!r}")
    return name


def _in_words(prepared: Prepared) -> str:
    """Say what is asked: the operation's summary, and the id in its path."""
    summary = prepared.operation.summary
    template = (PREFIX + prepared.operation.path).split("/")
    ids = [part for part, form in zip(prepared.path.split("/"), template, strict=True) if part != form]
    return " ".join([summary[:1].lower() + summary[1:], *ids])
