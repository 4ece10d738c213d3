"""Failures as text, JSON and annotations."""

import json

from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import OutcomeUnknown, Refused
from roomctl.output.errors import error_github, error_json, error_text

KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"
UNKNOWN = OutcomeUnknown("no answer came back\n::error::x", hint="`roomctl journal verify 3f`", journal="3f")


def test_of_a_long_reply_the_beginning_is_shown() -> None:
    shown = error_text(Refused("no", service="<html>\n" + "x" * 400)).splitlines()[1]
    assert shown == "  service: <html>\\n" + "x" * 293 + "… (107 more characters)"


def test_a_failure_as_an_annotation_is_one_command_r24() -> None:
    assert error_github(UNKNOWN) == (
        "::error title=roomctl error[unknown]::no answer came back%0A\\x3a:error::x%0Atry: `roomctl journal verify 3f`"
    )
    assert error_github(Refused("100% no\r", http=500)) == (
        "::error title=roomctl error[refused]::100%25 no\\r (HTTP 500)"
    )


@given(st.text(st.characters()), st.text(st.characters()), st.text(st.characters()))
def test_no_text_of_others_breaks_a_failure(message: str, hint: str, service: str) -> None:
    error = Refused(message, hint=hint, service=service, request=service, journal=hint)
    assert "\n" not in error_github(error) + error_json(error)
    assert "\x1b" not in error_github(error) + error_json(error) + error_text(error, profile_line=hint)
    assert json.loads(error_json(error))["error"]["exit"] == 4


def test_an_unknown_outcome_says_when_it_was_sent_and_what_might_be_its_effect() -> None:
    details = {"sent_at": "2026-11-21T08:00:00Z", "candidates": [{"socialId": "3f", "name": "a\nb", "isOpen": True}]}
    error = OutcomeUnknown("no answer came back", journal="3f", details=details)
    assert error_text(error).splitlines()[1:] == [
        "  sent: 2026-11-21T08:00:00Z (once)",
        "  possibly this one: socialId 3f, name a\\nb, isOpen true",
        "  journal: 3f",
    ]
    error.details["journals"] = ["1", "2"]
    assert "  sent: 2026-11-21T08:00:00Z (second time, after a check)" in error_text(error)
