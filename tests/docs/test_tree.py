"""The command tree as a table."""

from roomctl.docs.tree import HELP, Parameter, Row, Value, option_groups


def test_every_command_has_a_summary_without_a_full_stop(commands: list[Row]) -> None:
    wrong = [row.path for row in commands if not row.summary or row.summary.endswith(".") or "\n" in row.summary]
    assert wrong == []


def test_every_option_takes_what_its_help_says(commands: list[Row]) -> None:
    """Options that many commands take stand for all of them."""
    found = {(row.words, option.names[-1]): option.value for row in commands for option in row.options}
    assert found["", "--profile"] == Value("profile")
    assert found["", "--to"] == Value("file")
    assert found["", "--json"] == Value("flag")
    assert found["", "--timeout"] == Value("text")
    assert found["", "--error-format"] == Value("word", ("text", "json", "github"))
    assert found["social list", "--room-set"] == Value("name", ("roomset",))
    assert found["social create", "--platform"] == Value("word", ("PLATFORM_A", "PLATFORM_B"))
    assert found["social create", "--theme"] == Value("text")
    assert found["roomset create", "--starting-point"] == Value("id", ("room",))
    assert found["profile add", "--key-file"] == Value("file")
    assert found["profile add", "--key-env"] == Value("text")
    assert found["profile add", "--key-command"] == Value("text")
    assert found["transcription process", "--id"] == Value("id", ("transcription",))


def test_a_positional_knows_what_it_names(commands: list[Row]) -> None:
    rows = {row.words: row for row in commands}
    assert rows["social get"].arguments == (
        Parameter("ID|NAME", Value("name", ("room",)), "a room's id, or its exact name", True, False),
    )
    assert rows["roomset get"].arguments[0].value == Value("name", ("roomset",))
    assert [each.value for each in rows["rules get"].arguments] == [Value("name", ("roomset",)), Value()]
    assert rows["recording wait"].arguments[0].value == Value("id", ("recording",))
    assert rows["profile use"].arguments[0].value == Value("profile")
    assert rows["help"].arguments[0].value.words[:2] == ("options", "exit-codes")


def test_an_option_is_read_whole(commands: list[Row]) -> None:
    options = {option.names: option for row in commands for option in row.options}
    assert options["-o", "--output"].section == "Output options"
    assert options[("--sort-by",)].placeholder == "FIELD[,desc]"
    assert options[("--set",)].repeats
    assert options[("--guests",)].off == ("--no-guests",)
    assert options[("--max-wait",)].default == "2h"
    assert all(row.options[-1] == HELP for row in commands)


def test_every_option_is_grouped_once_with_the_commands_that_have_it(commands: list[Row]) -> None:
    groups = option_groups(commands)
    assert {(row.words, option) for rows, options in groups for row in rows for option in options} == {
        (row.words, option) for row in commands for option in row.options
    }
    listed = [option for _, options in groups for option in options]
    assert len(listed) == len(set(listed))


def test_an_option_takes_a_value_everywhere_or_nowhere(commands: list[Row]) -> None:
    """The scripts know what stands on a line by the names of the options before it."""
    options = {
        (name, option.value.kind == "flag") for row in commands for option in row.options for name in option.names
    }
    assert len(options) == len({name for name, _ in options})


def test_a_home_folder_or_a_moment_never_gets_into_the_tree(commands: list[Row]) -> None:
    text = repr(commands)
    assert "/home" not in text
    assert "/root" not in text
    assert " object at 0x" not in text


def test_what_a_shell_offers_are_plain_words(commands: list[Row]) -> None:
    """The scripts split them at blanks and leave them unquoted."""
    params = [param for row in commands for param in (*row.options, *row.arguments)]
    words = {word for param in params for word in param.value.words} | {name for row in commands for name in row.path}
    assert [
        word for word in sorted(words) if not word.replace("-", "").replace(".", "").replace("_", "").isalnum()
    ] == []
