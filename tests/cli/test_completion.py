"""`roomctl completion SHELL`."""

from pathlib import Path

import pytest

from roomctl.cli.completion import SHELLS
from roomctl.cli.main import root
from roomctl.docs.completions import script
from roomctl.docs.tree import tree
from tests.conftest import Env, Run


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_printed(roomctl: Run, shell: str) -> None:
    done = roomctl("completion", shell)
    assert (done.status, done.stdout, done.stderr) == (0, script(shell, tree(root())), "")


def test_it_is_printed_with_a_broken_config_too(roomctl: Run, variables: Env) -> None:
    config = Path(variables["ROOMCTL_CONFIG"])
    config.parent.mkdir(parents=True)
    config.write_bytes(b"\xff[[[")
    assert roomctl("completion", "bash", "-o", "json").stdout == script("bash", tree(root()))
