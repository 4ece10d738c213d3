"""The command tree as plain values."""

from roomctl.manual.tree import Argument, Node, Option
from roomctl.manual.values import Value


def test_every_command_has_a_summary_without_a_full_stop(commands: Node) -> None:
    for node in commands.walk():
        assert node.summary, node.path
        assert not node.summary.endswith("."), node.path
        assert "\n" not in node.summary, node.path


def test_every_option_takes_what_its_help_says(commands: Node) -> None:
    """Options that many commands take stand for all of them."""
    found = {(node.words, option.names[-1]): option.value for node, option in commands.every_option()}
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
    assert found["transcription process", "--id"] == Value("id", ("transcription",))


def test_a_positional_knows_what_it_names(commands: Node) -> None:
    nodes = {node.words: node for node in commands.walk()}
    assert nodes["social get"].arguments == (
        Argument("ID|NAME", Value("name", ("room",)), "a room's id, or its exact name", True, False),
    )
    assert nodes["roomset get"].arguments[0].value == Value("name", ("roomset",))
    assert [each.value for each in nodes["rules get"].arguments] == [Value("name", ("roomset",)), Value()]
    assert nodes["recording wait"].arguments[0].value == Value("id", ("recording",))
    assert nodes["profile use"].arguments[0].value == Value("profile")
    assert nodes["help"].arguments[0].value.words[:2] == ("options", "exit-codes")


def test_an_option_is_read_whole(commands: Node) -> None:
    options = {option.names: option for _, option in commands.every_option()}
    assert options["-o", "--output"].section == "Output options"
    assert options[("--sort-by",)].placeholder == "FIELD[,desc]"
    assert options[("--set",)].repeats
    assert options[("--guests",)].off == ("--no-guests",)
    assert options[("--max-wait",)].default == "2h"
    assert options["-h", "--help"] == Option(
        ("-h", "--help"), (), "", Value("flag"), "show the help and exit", "", False, False, ""
    )


def test_a_home_folder_or_a_moment_never_gets_into_the_tree(commands: Node) -> None:
    text = repr(commands)
    assert "/home" not in text
    assert "/root" not in text
    assert " object at 0x" not in text
