"""Every line that the interface leaves open has its entry."""

import tomllib
from pathlib import Path

from roomctl.contract.operations import OPERATIONS
from roomctl.sandbox.gaps import all_gaps

INTERFACE = Path(__file__).parent.parent / "contract" / "interface.toml"
NOT_DESCRIBED = (
    "A room carries the boolean isOpen; a registration carries the boolean confirmed. "
    "Other lifecycles are not described."
)


def quotes() -> set[str]:
    return {" ".join(gap.quote.split()) for gap in all_gaps() if gap.quote}


def test_each_line_that_is_not_shown_has_its_entry_and_back() -> None:
    lines = tomllib.loads(INTERFACE.read_text(encoding="utf-8"))["not_shown"]
    wanted = {" ".join(line["quote"].split()) for line in lines}
    documented = wanted | {line for each in OPERATIONS for line in each.not_shown} | {NOT_DESCRIBED}
    assert {line for line in wanted if not any(line in quote or quote in line for quote in quotes())} == set()
    assert {quote for quote in quotes() if not any(quote in line or line in quote for line in documented)} == set()


def test_each_quote_stands_once() -> None:
    said = [gap.quote for gap in all_gaps() if gap.quote]
    assert len(said) == len(set(said))


def test_each_gap_of_an_operation_has_its_entry_in_the_same_words() -> None:
    assert {line for each in OPERATIONS for line in each.not_shown} - quotes() == set()


def test_each_entry_has_a_name_of_its_own_a_choice_and_a_reason() -> None:
    assert len({gap.id for gap in all_gaps()}) == len(all_gaps())
    assert all(gap.lenient and gap.why for gap in all_gaps())
