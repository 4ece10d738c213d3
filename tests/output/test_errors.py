"""Failures as text, JSON and annotations."""

import json

from hypothesis import given
from hypothesis import strategies as st

from roomctl.errors import Refused
from roomctl.output.errors import error_github, error_json, error_text

KEY = "3f0c5a1e-8d6b-4c55-9d0a-6a1f0b7c2d4e"


def test_of_a_long_reply_the_beginning_is_shown() -> None:
    shown = error_text(Refused("no", service="<html>\n" + "x" * 400)).splitlines()[1]
    assert shown == "  service: <html>\\n" + "x" * 293 + "… (107 more characters)"


@given(st.text(st.characters()), st.text(st.characters()), st.text(st.characters()))
def test_no_text_of_others_breaks_a_failure(message: str, hint: str, service: str) -> None:
    error = Refused(message, hint=hint, service=service, request=service, journal=hint)
    assert "\n" not in error_github(error) + error_json(error)
    assert "\x1b" not in error_github(error) + error_json(error) + error_text(error, profile_line=hint)
    assert json.loads(error_json(error))["error"]["exit"] == 4
