"""The command tree as a table."""

import re

from roomctl.docs.tree import HELP, Row


def test_every_command_has_a_summary_without_a_full_stop(commands: list[Row]) -> None:
    wrong = [row.path for row in commands if not row.summary or row.summary.endswith(".") or "\n" in row.summary]
    assert wrong == []


def test_an_option_is_read_whole(commands: list[Row]) -> None:
    options = {option.names: option for row in commands for option in row.options}
    assert options["-o", "--output"].section == "Output options"
    assert options[("--sort-by",)].placeholder == "FIELD[,desc]"
    assert options[("--set",)].repeats
    assert options[("--guests",)].off == ("--no-guests",)
    assert options[("--max-wait",)].default == "2h"
    assert all(row.options[-1] == HELP for row in commands)


def test_an_option_takes_a_value_everywhere_or_nowhere(commands: list[Row]) -> None:
    """fish knows what stands on a line by the names of the options before it: only one name has two meanings."""
    options = {(name, each.value.kind == "flag") for row in commands for each in row.options for name in each.names}
    assert {name for name, flag in options if flag and (name, False) in options} == {"--map"}


def test_what_a_shell_offers_are_plain_words(commands: list[Row]) -> None:
    """The scripts split them at blanks and leave them unquoted."""
    params = [param for row in commands for param in (*row.options, *row.arguments)]
    words = {word for param in params for word in param.value.words} | {name for row in commands for name in row.path}
    assert [word for word in sorted(words) if not re.fullmatch(r"[\w./-]+", word, re.ASCII)] == []
