"""What follows from a row of the table. The rows themselves are compared with the document in `test_document.py`."""

import pytest

from roomctl.contract.fields import resources
from roomctl.contract.operations import BY_NAME, OPERATIONS, Operation
from roomctl.contract.records import is_uuid


def test_only_a_patch_is_compared_and_only_an_end_is_looked_at_before_it_is_sent_again() -> None:
    assert [operation.name for operation in OPERATIONS if operation.repeat == "patch"] == ["roomset.update"]
    assert [operation.name for operation in OPERATIONS if operation.repeat == "end"] == ["social.end"]


def test_the_writes_that_cannot_be_read_back_are_invitations_themes_and_playlists() -> None:
    blind = [operation.name for operation in OPERATIONS if operation.writes and operation.readback is None]
    assert blind == ["invite.send", "theme.save", "playlist.create"]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_reply_row_is_identified_by_the_first_field_of_its_resource(operation: Operation) -> None:
    first = next(iter(resources()[operation.resource])) if operation.resource else None
    assert operation.row_id == first


@pytest.mark.parametrize("text", ["", "..", "a?b", "%2e%2e", "-x", "{3f0c1d2e-0000-4000-8000-00000000000a}"])
def test_an_id_is_canonical_before_it_stands_in_a_path(text: str) -> None:
    assert not is_uuid(text)
    assert is_uuid("3F0c1d2e-0000-4000-8000-00000000000a")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/social/end/A", {"socialId": "A"}),
        ("/social/end/", None),
        ("/social/end", None),
        ("/social/end/A/B", None),
        ("/social/begin/A", None),
        ("", None),
    ],
)
def test_an_operation_reads_its_parameters_from_a_path(path: str, found: dict[str, str] | None) -> None:
    assert BY_NAME["social.end"].match(path) == found
