"""`roomset edit`: the editor gets the record, the service gets only what was changed."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from tests.conftest import Env, Run


def editor(tmp_path: Path, old: str, new: str) -> str:
    program = tmp_path / "edit.py"
    program.write_text(
        "import sys; from pathlib import Path; path = Path(sys.argv[1]); text = path.read_text()\n"
        f"assert {old!r} in text, text; path.write_text(text.replace({old!r}, {new!r}))"
    )
    return f"{sys.executable} {program}"


def test_what_was_changed_meanwhile_is_not_overwritten(sandbox: Run, variables: Env, tmp_path: Path) -> None:
    variables["EDITOR"] = editor(tmp_path, "groupFormerCount: 0", "groupFormerCount: 3")
    words = ["-m", "roomctl", "--sandbox", "roomset", "update", "Autumn Summit", "--description", "theirs", "--yes"]
    with (tmp_path / "edit.py").open("a") as program:
        program.write(f"; import subprocess; subprocess.run([sys.executable, *{words}], env={variables}, check=True)")
    done = sandbox("roomset", "edit", "Autumn Summit", stdin="y\n", terminal=True)
    assert (done.status, "changed while it was edited: description" in done.stderr) == (8, True), done


@pytest.mark.parametrize(("exits", "status"), [(0, 1), (3, 2)])
def test_a_text_that_failed_is_kept(exits: int, status: int, sandbox: Run, variables: Env, tmp_path: Path) -> None:
    variables["EDITOR"] = editor(tmp_path, "entryOption", "[" if exits == 0 else "entryOption")
    with (tmp_path / "edit.py").open("a") as program:
        program.write(f"; path.write_text('# mine\\n' + path.read_text()); sys.exit({exits})")
    done = sandbox("roomset", "edit", "Autumn Summit", "--error-format", "json", terminal=True)
    error = json.loads(done.stderr.splitlines()[-1])["error"]
    kept = Path(error["details"]["kept"])
    assert (done.status, str(kept) in error["hint"]) == (status, True), done
    assert (kept.parent.stat().st_mode & 0o777, kept.parent.parent) == (0o700, edits(variables))
    assert "# mine" in kept.read_text() and "groupFormerCount: 0" in kept.read_text()


def test_a_refused_text_is_edited_again_and_not_kept_once_sent(sandbox: Run, variables: Env, tmp_path: Path) -> None:
    program = tmp_path / "edit.py"
    program.write_text(
        "import sys; from pathlib import Path; path = Path(sys.argv[1]); text = path.read_text()\n"
        "asked = 'did you mean `CUSTOM_RULES`?\\n# refused: groupFormerCount must be an integer, not'\n"
        "wrong = text.replace('Count: 0', 'Count: many').replace('CUSTOM_RULES', 'CUSTM_RULES')\n"
        "right = text.replace('Count: many', 'Count: 7').replace(': CUSTM_RULES', ': CUSTOM_RULES')\n"
        "path.write_text(right if asked in text else wrong)"
    )
    variables["EDITOR"] = f"{sys.executable} {program}"
    done = sandbox("roomset", "edit", "Autumn Summit", stdin="YES\ny\n", terminal=True)
    assert (done.status, "groupFormerCount: 0 → 7" in done.stderr, [*edits(variables).iterdir()]) == (0, True, []), done


@pytest.mark.parametrize(("answers", "status", "kept"), [("y\n\ny\n", 0, []), ("y\nn\n", 1, ["groupFormerCount: 7\n"])])
def test_what_the_service_refuses_is_edited_again(
    answers: str, status: int, kept: list[str], sandbox: Run, variables: Env, tmp_path: Path
) -> None:
    program = tmp_path / "edit.py"
    program.write_text(
        "import sys; from pathlib import Path; path = Path(sys.argv[1]); text = path.read_text()\n"
        "new = 'Count: 8' if '# refused: ' in text and 'HTTP 400' in text else 'Count: 7'\n"
        "path.write_text(text.replace('Count: 0', new).replace('Count: 7', new))"
    )
    variables["EDITOR"] = f"{sys.executable} {program}"
    fault = ("--fault", "status=400:roomset.update#1")
    done = sandbox("roomset", "edit", "Autumn Summit", *fault, stdin=answers, terminal=True)
    assert (done.status, "groupFormerCount: 0 → 8" in done.stderr) == (status, status == 0), done
    assert [each.read_text() for each in edits(variables).glob("*/*.yaml")] == kept


def test_the_command_that_an_error_names_sends_the_text_it_kept(sandbox: Run, variables: Env, tmp_path: Path) -> None:
    variables["EDITOR"] = editor(tmp_path, "groupFormerCount: 0", "groupFormerCount: 3")
    declined = sandbox("roomset", "edit", "Autumn Summit", stdin="n\n", terminal=True)
    (named,) = re.findall("`roomctl roomset update ([^`]+)`", " ".join(declined.stderr.split()))
    words = [word for word in shlex.split(named) if word != "--sandbox"]
    sent = sandbox("roomset", "update", *words, "--yes")
    done = "updated Autumn Summit (e4c87ba4-21ac-49f2-b78b-325ed33b2862): groupFormerCount"
    assert (sent.status, sent.stderr.splitlines()[-1]) == (0, done)


def edits(variables: Env) -> Path:
    return Path(variables["ROOMCTL_STATE"], "edits")
