"""`man/` and `completions/` are what the command tree gives now."""

from pathlib import Path

from roomctl.docs.files import HELP, generated

CHECKOUT = Path(__file__).parent.parent


def test_the_generated_files_equal_the_command_tree(update: bool) -> None:
    wanted = {CHECKOUT / name: text.encode() for name, text in generated().items()}
    there = {path for folder in ("man", "completions", HELP) for path in (CHECKOUT / folder).glob("*")}
    if update:
        for path in there - wanted.keys():
            path.unlink()
        for path, data in wanted.items():
            path.write_bytes(data)
    found = [path.name for path in there | wanted.keys() if not path.exists() or path.read_bytes() != wanted.get(path)]
    assert found == [], "run `pytest --update`: " + ", ".join(sorted(found))
