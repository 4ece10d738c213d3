"""Waiting until the service has processed something: COMPLETE is done, FAILED is partial, else not yet."""

import time
from collections.abc import Callable
from typing import Annotated, Any

from typer import BadParameter, Option

from roomctl.cli.session import Answer, Session
from roomctl.errors import NotFound, NotYet, Partial

JSON = Any
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def seconds(given: str | float) -> float:
    """Take a length of time: `30s`, `5m`, `2h`, or seconds."""
    text = f"{given:g}" if isinstance(given, float) else given  # a default comes as a number
    number, unit = (text[:-1], text[-1:]) if text[-1:] in UNITS else (text, "s")
    if not (number.isascii() and number.isdigit()) or len(number) > 6 or int(number) == 0:
        raise BadParameter(f"{text!r} is not a length of time such as 30s, 5m or 2h")
    return float(int(number) * UNITS[unit])


MaxWait = Annotated[
    float,
    Option("--max-wait", parser=seconds, metavar="TIME", help="give up after this: 30s, 5m, 2h", show_default="2h"),
]
Interval = Annotated[
    float, Option("--interval", parser=seconds, metavar="TIME", help="time between two looks", show_default="30s")
]


def _failed(kind: str, key: str) -> Partial:
    hint = "`-o json` shows all that the service says of it; waiting longer changes nothing"
    return Partial(f"the processing of {kind} {key} failed", hint=hint)


def wait(
    session: Session, look: Callable[[], JSON], kind: str, key: str, *, max_wait: float, interval: float
) -> Answer:
    """Look until the record's status is COMPLETE or FAILED. Raises NotYet, NotFound; FAILED is a Partial."""
    resource, start, said = kind.capitalize(), time.monotonic(), ""
    while True:
        record = look()
        if record is None:
            raise NotFound(f"no {kind} with the id {key} is in the list", hint=f"`roomctl {kind} list` shows them")
        status = str(record.get("status"))
        if status == "COMPLETE":
            return Answer(record, resource)
        if status == "FAILED":
            return Answer(record, resource, _failed(kind, key))
        left = start + max_wait - time.monotonic()
        if left <= 0:
            raise NotYet(f"{kind} {key} is still {status} after {max_wait:g} s", hint="run the same command again")
        if status != said:
            said = status
            session.note(f"{kind} {key} is {status}; looking again every {interval:g} s")
        time.sleep(min(interval, left))
