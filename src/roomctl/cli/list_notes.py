"""What is said, once in a run, of the room sets and rooms that were read: states written as text, deleted records."""

from collections.abc import Iterable, Mapping
from unicodedata import normalize

from roomctl.cli.session import JSON, Session
from roomctl.contract.evidence import MARKED, invalid
from roomctl.contract.fields import read_texts
from roomctl.contract.outcome import shown
from roomctl.contract.records import NUMERAL, SPELLED, count, spelled
from roomctl.text.counted import first

PRESENT = "numberCurrentlyPresent"


def name_of(record: Mapping[str, JSON]) -> str:
    """The name of a record as a text, also where it came as a number; empty where it has none."""
    name = record.get("name")
    return "" if name is None or isinstance(name, bool | dict | list) else str(name)


def composed(name: str) -> str:
    """A name as people see it: its letters and accents in one form, and no spaces that look like others."""
    return normalize("NFC", name or "").replace("\u00a0", " ")


def note_spelling(session: Session, found: Iterable[JSON]) -> None:
    """Say that records write as a text whether rooms are open, and how many people are present."""
    found = [each for each in found if isinstance(each, dict)]
    if any(spelled(each.get("isOpen")) for each in found):
        _note(session, "isOpen", SPELLED.format("isOpen"))
    numbers = (shown(each.get("socialMeta"), PRESENT) for each in found)
    if any(isinstance(each, str) and count(each) is not None for each in numbers):
        _note(session, PRESENT, NUMERAL.format(PRESENT))


def plainly(session: Session, resource: str, value: JSON) -> JSON:
    """Give records with true, false and numbers in place of texts that say so; that is said."""
    told: dict[str, str] = {}
    value = read_texts(resource, value, told)
    for name in sorted(told):
        _note(session, name, told[name])
    return value


def note_invalid(session: Session, sets: Iterable[JSON], rooms: Iterable[JSON]) -> None:
    """Say which sets and rooms the service calls deleted or not valid."""
    both = [*((each, "RoomSet") for each in sets), *((each, "Social") for each in rooms)]
    told = [f"{name_of(each) or 'without a name'} (`{why}`)" for each, kind in both if (why := invalid(each, kind))]
    if told:
        _note(session, "isValid", f"{MARKED} {', '.join(first(told))}")


def _note(session: Session, about: str, text: str) -> None:
    if about not in session.noted:
        session.noted.add(about)
        session.note(text)
