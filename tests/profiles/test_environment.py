"""The environment: read once, and every variable that is read stands in one table."""

import ast
import re
from pathlib import Path

import pytest

from roomctl.profiles import Environment
from roomctl.profiles.profile import ENVIRONMENT

SOURCE = Path(__file__).parents[2] / "src" / "roomctl"
NAMES = {variable.name for variable in ENVIRONMENT}


def texts_in_the_code() -> frozenset[str]:
    """Every text that stands in the code, the table of variables left out."""
    nodes = [node for path in SOURCE.rglob("*.py") for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    rows = [node for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Variable"]
    table = {id(each) for row in rows for each in ast.walk(row)}
    texts = [each for each in nodes if isinstance(each, ast.Constant) and id(each) not in table]
    return frozenset(each.value for each in texts if isinstance(each.value, str))


def test_the_table_names_each_variable_of_the_code_once_in_words_that_any_terminal_shows() -> None:
    texts = texts_in_the_code()
    used = {name for name in texts if re.fullmatch("ROOMCTL_[A-Z_]+", name)}
    assert (used - NAMES, NAMES - texts, len(NAMES)) == (set(), set(), len(ENVIRONMENT))
    assert all(text.isascii() and text.isprintable() for row in ENVIRONMENT for text in row)
    assert all(row.meaning for row in ENVIRONMENT)


@pytest.mark.parametrize(
    ("value", "said"), [("1", True), ("yes", True), ("x", True), ("", False), ("0", False), ("No", False), (" ", False)]
)
def test_a_flag_is_set_unless_it_says_no(value: str, said: bool) -> None:
    assert Environment({"ROOMCTL_NO_INPUT": value}).flag("ROOMCTL_NO_INPUT") is said
    assert Environment().flag("ROOMCTL_NO_INPUT") is False


def test_no_value_is_in_the_repr(key: str) -> None:
    assert repr(Environment({"ROOMCTL_API_KEY": key})) == "Environment(1 variables)"
