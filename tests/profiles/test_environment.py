"""The environment: read once, and every variable that is read stands in one table."""

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from roomctl.profiles import Environment
from roomctl.profiles.editing import show
from roomctl.profiles.profile import ENVIRONMENT
from roomctl.profiles.settings import Settings
from tests.conftest import Cases

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


PROXY = "http://user:canary-secret@proxy.example:3128"


def test_the_proxy_of_an_https_address_comes_with_its_variable() -> None:
    found = [Environment({name: PROXY}).proxy_for("https://a.example") for name in ("HTTPS_PROXY", "https_proxy")]
    assert found == [(PROXY, "HTTPS_PROXY"), (PROXY, "https_proxy")]
    assert Environment({"HTTP_PROXY": PROXY, "ALL_PROXY": PROXY}).proxy_for("https://a.example")[0] == ""


def test_r15_no_proxy_is_honoured_and_names_no_more_than_it_says(cases: Cases) -> None:
    def says(url: str, excluded: str) -> str:
        told = {Environment({"HTTPS_PROXY": PROXY, name: excluded}).proxy_for(url) for name in ("NO_PROXY", "no_proxy")}
        return " or ".join("proxy" if proxy else "directly" for proxy, _ in told)

    cases("no-proxy.txt", says)


def test_r15_the_password_of_a_proxy_is_never_shown(settings: Callable[..., Settings]) -> None:
    assert "canary-secret" not in str(show(settings(HTTPS_PROXY=PROXY)))
