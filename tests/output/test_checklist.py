"""The findings of `roomctl doctor` as a list."""

import io
from typing import Any

from roomctl.output.look import Look, Shown
from roomctl.output.pictures import draw

ADVICE = "`roomctl profile add NAME --base-url URL`, or `--sandbox` for the embedded service"
ROWS = [
    {"check": "python", "state": "ok", "what": "3.12.4 on linux", "next": ""},
    {"check": "active profile", "state": "warn", "what": "no profile was chosen", "next": ADVICE},
    {"check": "clock", "state": "fail", "what": "it is not 2024-01-01 00:00 UTC", "next": "set this machine's clock"},
]


def drawn(**more: Any) -> str:
    out = io.StringIO()
    draw("checklist", Shown(ROWS), Look(**{"format": "table", "terminal": True, **more}), out)
    return out.getvalue()


def test_what_to_do_next_stands_below_and_no_command_is_broken() -> None:
    assert drawn(width=80) == (
        "ok    python: 3.12.4 on linux\n"
        "warn  active profile: no profile was chosen\n"
        "      try: `roomctl profile add NAME --base-url URL`, or `--sandbox` for the\n"
        "           embedded service\n"
        "fail  clock: it is not 2024-01-01 00:00 UTC\n"
        "      try: set this machine's clock\n"
    )


def test_on_a_narrow_terminal_a_finding_is_folded_and_a_command_is_not() -> None:
    assert drawn(width=40) == (
        "ok    python: 3.12.4 on linux\n"
        "warn  active profile: no profile was\n"
        "      chosen\n"
        "      try: `roomctl profile add NAME --base-url URL`,\n"
        "           or `--sandbox` for the\n"
        "           embedded service\n"
        "fail  clock: it is not 2024-01-01 00:00\n"
        "      UTC\n"
        "      try: set this machine's clock\n"
    )


def test_states_are_words_and_coloured() -> None:
    text = drawn(width=80, color=True)
    assert [text.count(code) for code in ("\x1b[32mok", "\x1b[35mwarn", "\x1b[31mfail")] == [1, 1, 1]


def test_for_accessibility_each_finding_is_a_sentence() -> None:
    assert drawn(accessible=True) == (
        "python: ok, 3.12.4 on linux\n"
        f"active profile: warn, no profile was chosen\n  try: {ADVICE}\n"
        "clock: fail, it is not 2024-01-01 00:00 UTC\n  try: set this machine's clock\n"
    )


def test_nothing_found_is_nothing_drawn() -> None:
    out = io.StringIO()
    draw("checklist", Shown([]), Look("table", terminal=True), out)
    assert out.getvalue() == ""
