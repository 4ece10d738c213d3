"""People in an input file: by id or by address, a row for each."""

from typing import Any

from roomctl.bulk.reading import Shape
from roomctl.bulk.table import Row
from roomctl.contract.records import is_uuid

JSON = Any


def fault_of_id(text: str) -> str:
    """Say what is wrong with an id; nothing when it is one."""
    return "" if is_uuid(text) else f"not an id: {text}"


def fault_of_address(text: str) -> str:
    """Say what is wrong with an e-mail address: something, @, something with no blanks; nothing when it is one."""
    name, _, host = text.rpartition("@")
    plain = name and host and text.isprintable() and not any(character.isspace() for character in text)
    return "" if plain and "." not in (host[0], host[-1]) and "@" not in name else f"not an e-mail address: {text}"


def plain_address(text: str) -> str:
    """Take the address out of `Ada Lovelace <ada@example.org>`; any other text as it is."""
    name, bracket, address = text.strip().rpartition("<")
    return address[:-1].strip() if bracket and address.endswith(">") and "<" not in name else text.strip()


PEOPLE = Shape(
    ("invitedUserId", "emailAddress"),
    {"invitedUserId": fault_of_id, "emailAddress": fault_of_address},
    plain_address,
)


def invitation(row: Row) -> JSON:
    """Make the body of an invitation: by the id where a row has both."""
    if key := row.columns.get("invitedUserId"):
        return {"invitedUserId": key}
    return {"invitedUser": {"emailAddress": row.columns["emailAddress"]}}
