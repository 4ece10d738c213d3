"""`man/` and `completions/` are what the command tree gives now."""

from pathlib import Path

from roomctl.docs.files import differences, generated, write

CHECKOUT = Path(__file__).parent.parent


def test_the_generated_files_equal_the_command_tree(update: bool) -> None:
    wanted = generated()
    if update:
        write(CHECKOUT, wanted)
    found = differences(CHECKOUT, wanted)
    assert found == [], "run `pytest --update`: " + ", ".join(found)
