"""What the service writes as a moment, and what is none."""

from datetime import UTC, datetime
from typing import Any

import pytest

from roomctl.contract.moments import moment


@pytest.mark.parametrize(
    "text", ["2026-12-01T12:00:00Z", "2026-12-01T13:00:00+01:00", "2026-12-01T12:00:00.000Z", "2026-12-01t12:00:00z"]
)
def test_a_moment_is_a_place_in_time(text: str) -> None:
    assert moment(text) == datetime(2026, 12, 1, 12, tzinfo=UTC)


NONE = ["", "soon", "2026-12-01T12:00:00", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+14:00", None, 20261201, ["x"]]


@pytest.mark.parametrize("text", NONE)
def test_what_has_no_place_in_time_is_none(text: Any) -> None:
    assert moment(text) is None
