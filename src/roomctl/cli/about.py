"""How a command is declared: what it calls, takes and shows; and what follows: how it can end."""

from typing import Any, NamedTuple

from roomctl.contract.operations import Operation

EVERY_EXIT = (0, 1, 2, 9)
"""What every command can end with: each can find a defect, a wrong call, a full disk."""
CALLING = (3, 4, 5)
"""What every command can end with that asks the service: no key, refused, not reached."""


class Takes(NamedTuple):
    """A bundle of options that many commands take: its heading in the help, and a class whose attributes they are.

    Their values do not reach the command's function; they land in `session.given`, and in `session.given.body` (under
    the attribute's own name, which is the service's field name) when `body` names the resource that they fill. `exits`
    are the exit codes that a command can give because of them; with `exports`, `--to` can export a list.
    """

    title: str
    options: type[Any]
    body: str = ""
    exits: tuple[int, ...] = ()
    exports: bool = False


class About(NamedTuple):
    """What is said of a command where it is registered, and what follows from that.

    `named` are the operations that it calls, but for those in which writes are read back; of `any_of`, its words
    choose one. `shows` names the resources that a row of its answer can be. `also` are exit codes beside those that
    follow from its calls and options, `never` those that follow and cannot come. `exports`: it writes `--to` itself.
    `endings`: those of the only files that it writes.
    """

    named: tuple[Operation, ...] = ()
    any_of: tuple[Operation, ...] = ()
    shows: tuple[str, ...] = ()
    takes: tuple[Takes, ...] = ()
    also: tuple[int, ...] = ()
    never: tuple[int, ...] = ()
    exports: bool = False
    endings: tuple[str, ...] = ()

    @property
    def calls(self) -> tuple[Operation, ...]:
        """The operations it calls: those named, and those in which what they do is read back."""
        readbacks = (call.seen_in for call in self.named)
        return tuple(dict.fromkeys((*self.named, *(call for call in readbacks if call is not None))))

    @property
    def writes(self) -> bool:
        """Whether it can change something at the service."""
        return any(call.writes for call in (*self.named, *self.any_of))

    @property
    def exits(self) -> tuple[int, ...]:
        """The exit codes it can give: those of every command, of its calls and of its options, and `also`."""
        calls = (*self.calls, *self.any_of)
        codes = {*EVERY_EXIT, *self.also, *(code for takes in self.takes for code in takes.exits)}
        codes |= set(CALLING) if calls else set()
        codes |= {6} if any(call.paged for call in calls) else set()
        codes |= {7} if self.writes else set()
        return tuple(sorted(codes - set(self.never)))
