"""What the options that many commands take were given as."""

from collections.abc import Sequence
from typing import Any

JSON = Any


class Given:
    """The values of the options that many commands take; `fields` are those that fill a body."""

    def __init__(self) -> None:
        self.output: str | None = None
        self.json = False
        self.to: str | None = None
        self.force = False
        self.fields: tuple[str, ...] = ()
        self.sort_by: str | None = None
        self.no_header = False
        self.error_format: str | None = None
        self.quiet = False
        self.verbose = False
        self.debug = False
        self.profile: str | None = None
        self.sandbox = False
        self.fault: list[str] = []
        self.timeout: float | None = None
        self.retries: int | None = None
        self.rate: float | None = None
        self.concurrency: int | None = None
        self.yes = False
        self.no_input = False
        self.dry_run = False
        self.curl = False
        self.expect_profile: str | None = None
        self.input: str | None = None
        self.set_: list[str] = []
        self.skeleton = False
        self.allow_unknown = False
        self.query: list[str] = []
        self.expression: str | None = None
        self.results: str | None = None
        self.resume = False
        self.retry_unknown = False
        self.skip_bad = False
        self.keep_going = False
        self.max_present: int | None = None
        self.only_if_empty = False
        self.only_past_end = False
        self.expect_rooms: int | None = None
        self.limit: int | None = None
        self.page: int | None = None
        self.page_size: int | None = None
        self.sort: str | None = None
        self.text: str | None = None
        self.body: dict[str, JSON] = {}

    def set(self, name: str, value: Any, body: str = "") -> None:
        """Take a value from the command line; one that stands nearer to the command wins."""
        if body:
            self.body[name] = value
        elif name == "query":
            self._ask(value)
        elif name == "expression":
            self._ask((value,), parameters=False)
        else:
            setattr(self, {"set": "set_"}.get(name, name), value)

    def _ask(self, texts: Sequence[str], *, parameters: bool = True) -> None:
        """Take the texts of `--query`: a query parameter where the command takes those, else an expression."""
        from roomctl.cli.querying import check, is_parameter

        for text in texts:
            if parameters and is_parameter(text):
                self.query.append(text)
            else:
                check(text)
                self.expression = text
