"""What the values of options and arguments may be: each parser takes a text, or says what it is not."""

import re
from collections.abc import Callable, Sequence

from typer import BadParameter

from roomctl.contract.operations import BY_NAME, OPERATIONS, PREFIX, Operation
from roomctl.contract.records import ID_FORM, is_uuid
from roomctl.errors import BadValue
from roomctl.text.jsontext import compact
from roomctl.text.suggest import did_you_mean


class Names(tuple[str, ...]):
    __slots__ = ()


class OneOf:
    """A parser that takes one of some values, in any case, and names the nearest one otherwise."""

    __name__ = "choice"

    def __init__(self, values: Sequence[str]) -> None:
        self.choices = tuple(values)

    def __call__(self, text: str) -> str:
        for value in self.choices:
            if value.casefold() == text.casefold():
                return value
        raise BadParameter(f"{compact(text)} is not one of {', '.join(self.choices)}{did_you_mean(text, self.choices)}")


def id_from(where: str = "") -> Callable[[str], str]:
    """Make a parser of ids, canonical 36-character uuids; its error says `where` such an id is found."""

    def parse(text: str) -> str:
        if not is_uuid(text):
            error = BadParameter(f"{compact(text)} is not an id")
            hints = [where, ID_FORM] if where.startswith("`") else [ID_FORM, where]  # first the option that was meant
            error.hint = "; ".join(filter(None, hints))  # type: ignore[attr-defined]  # `wrong_call` reads it
            raise error
        return text.lower()

    return parse


an_id = id_from()


def an_id_or_name(text: str) -> str:
    return text.lower() if is_uuid(text) else text


def a_name(text: str) -> str:
    """Take a name that is not empty, as one from a variable that nobody set would be."""
    if not text.strip():
        raise BadParameter("the name is empty")
    return text


def pair(text: str) -> str:
    if "=" not in text.lstrip("="):
        raise BadParameter(f"{compact(text)} is not in the form key=value")
    return text


def direction(text: str) -> str:
    """Take `field`, `field,desc` or `-field`, which is the same; give it as the service's `sort` has it."""
    return f"{text[1:]},desc" if text.startswith("-") and not text.endswith((",asc", ",desc")) else text


def in_form(form: str, pattern: str) -> Callable[[str], tuple[str, ...]]:
    """Make a parser of texts in a form; it gives the parts that the pattern names."""

    def parse(text: str) -> tuple[str, ...]:
        if (found := re.fullmatch(pattern, text, re.DOTALL)) is None:
            raise BadParameter(f"{compact(text)} is not in the form {form}")
        return found.groups()

    return parse


def names_of(what: str) -> Callable[[str], Names]:
    """Make a parser of names with commas between them, at least one."""

    def parse(text: str) -> Names:
        names = Names(part.strip() for part in text.split(",") if part.strip())
        if not names:
            raise BadParameter(f"{compact(text)} names no {what}")
        return names

    return parse


def at_least(least: int, most: int = 999_999_999) -> Callable[[str | int], int]:
    """Make a parser of whole numbers from `least` to `most`, in ASCII digits."""

    def parse(value: str | int) -> int:  # a default comes as a number
        text = str(value)
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit()) or len(digits) > 9 or not least <= int(text) <= most:
            raise BadParameter(f"{compact(text)} is not a whole number from {least} to {most}")
        return int(text)

    return parse


def positive(text: str) -> float:
    """Take a number above 0: seconds, or requests a second."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e6:
        raise BadParameter(f"{compact(text)} is not a number above 0 and below 1,000,000")
    return value


FIELD_VALUES = {
    "name": a_name,
    "id": an_id,
    "id or name": an_id_or_name,
    "0 or more": at_least(0),
    "1 or more": at_least(1),
    "any number": at_least(-999_999_999),
}
"""What the value of a field must be, as `fields.txt` has it."""


def find_operation(words: list[str]) -> tuple[Operation, dict[str, str]]:
    """Find an operation by name, number, or method and path; path parameters are read from it. Raises BadValue."""
    if len(words) == 1:
        for operation in OPERATIONS:
            if words[0] in (operation.name, str(operation.number)):
                return operation, {}
    if len(words) == 2:
        method, path = words[0].upper(), "/" + words[1].removeprefix(PREFIX).strip("/")
        for operation in sorted(OPERATIONS, key=lambda each: len(each.path_params)):
            if operation.method == method and (found := operation.match(path)) is not None:
                return operation, {name: value for name, value in found.items() if value != f"{{{name}}}"}
    known = BY_NAME if len(words) == 1 else [f"{each.method} {re.sub('{.*?}', 'ID', each.path)}" for each in OPERATIONS]
    hint = did_you_mean(" ".join(words), known, "") or "`roomctl api` lists the operations"
    if words[0] in BY_NAME:
        names = [param.name for param in BY_NAME[words[0]].params]
        hint = f"give its parameters and fields with `-f`, as in `-f {(*names, 'name')[0]}=VALUE`"
    raise BadValue(f"there is no operation `{' '.join(words)}`", hint=hint)
