"""Text as man(7) source."""

import pytest

from roomctl.manual import roff


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("a room's id", "a room\\(aqs id"),
        ("give `--name X`, or --set", "give \\fB\\-\\-name X\\fR, or \\fB\\-\\-set\\fR"),
        ("tab as \\t, ~ and ^", "tab as \\et, \\(ti and \\(ha"),
        ("one … two", "one \\[u2026] two"),
        ("well-known: 1-2, -3", "well-known: 1-2, -3"),
        ("the same as -o json", "the same as \\fB\\-o\\fR json"),
        (".hidden", "\\&.hidden"),
        ("'quoted'", "\\(aqquoted\\(aq"),
    ],
)
def test_prose_is_escaped_and_what_is_typed_is_bold(text: str, source: str) -> None:
    assert roff.prose(text) == [source]


def test_no_line_of_a_paragraph_is_too_long_or_a_request() -> None:
    lines = roff.prose(" ".join(["word"] * 30 + [".config"] * 30))
    assert max(map(len, lines)) <= 79
    assert not any(line.startswith(".") for line in lines)


def test_an_example_is_broken_before_an_option_and_can_be_copied() -> None:
    command = 'invite send "Main Stage" --email ada.lovelace@example.org --email grace@example.org --yes'
    assert roff.example(command) == [
        'invite send "Main Stage" \\-\\-email ada.lovelace@example.org \\e',
        "    \\-\\-email grace@example.org \\-\\-yes",
    ]


def test_a_section_without_content_is_left_out() -> None:
    assert roff.section("OPTIONS", []) == []
    assert roff.section("SEE ALSO", ["x"]) == ['.SH "SEE ALSO"', "x"]
