"""What follows from a row of the table. The rows themselves are compared with the document in `test_document.py`."""

import pytest

from roomctl.contract.fields import resources
from roomctl.contract.operations import OPERATIONS, Operation


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
