"""One record as a card, and the findings of `roomctl doctor` as a list."""

from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import width
from tests.output.drawing import drawn

KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
ROOM = {
    "socialId": KEY,
    "name": "x[/foo]\x1b[2J",
    "description": "two\nlines",
    "isOpen": True,
    "user": {"userId": KEY, "name": "Ada", "emailAddress": "ada@example.org"},
    "maxParticipants": 50,
    "startDateTime": "2026-11-21T08:00:00Z",
    "status": "FAILED",
    "companyName": None,
    "socialMeta": {"numberCurrentlyPresent": 3, "deep": {"deeper": {"deepest": [1]}}},
    "alternateHosts": [{"userId": KEY, "name": "Bob"}],
    "myBadgeData": [{"title": "T", "options": ["a", "b"]}],
    "values": [{"name": "Diet\x07", "value": "vegan"}],
    "rules": [{"property": "p", "operator": "=", "value": "v"}],
    "nested": [[1], {"x": [[2]]}],
    "empty": [],
    "imageBytes": "QUJD",
}


def shown(record: Any, **more: Any) -> str:
    return drawn(record, "Social", **more)


def test_a_card_begins_with_the_columns_of_the_table_and_goes_on_with_the_fields_that_came_in_their_order(
    golden: Callable[[str, str], None],
) -> None:
    golden("card.txt", shown(ROOM))


def test_chosen_fields_make_a_card_of_their_own() -> None:
    assert shown(ROOM, fields=("user.name", "nope")) == "user.name  Ada\nnope       none\n"


def test_a_command_to_copy_is_never_broken() -> None:
    curl = "curl --globoff --request GET 'https://a.example/api/v1/social' --header \"X-API-Key: $ROOMCTL_API_KEY\""
    record = {"calls": [{"operation": "roomset.list", "curl": curl}]}
    assert shown(record, width=60) == f"calls\n  #1\n    operation  roomset.list\n    curl:\n{curl}\n"
    assert shown(record, width=40) == f"calls:\n  #1:\n    operation: roomset.list\n    curl:\n{curl}\n"
    assert shown(record, width=160).endswith(f"    curl       {curl}\n")


@given(st.dictionaries(st.sampled_from(["name", "description"]), st.text(max_size=300)), st.integers(40, 200))
def test_no_line_of_a_card_is_wider_than_the_terminal(record: Any, space: int) -> None:
    assert max(map(width, shown(record, width=space).splitlines()), default=0) <= space


ADVICE = "`roomctl profile add NAME --base-url URL`, or `--sandbox` to practise"
FINDINGS = [
    {"check": "python", "state": "ok", "what": "3.12.4 on linux", "next": ""},
    {"check": "active profile", "state": "warn", "what": "no profile is selected", "next": ADVICE},
    {"check": "clock", "state": "fail", "what": "2024-01-01 00:00 UTC is wrong", "next": "set this machine's clock"},
]


def test_on_a_narrow_terminal_a_finding_is_folded_and_a_command_is_not(golden: Callable[[str, str], None]) -> None:
    golden("checklist.txt", drawn(FINDINGS, picture="checklist", width=40))
