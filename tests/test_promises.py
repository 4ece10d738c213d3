"""The table of promises in `tests/README.md` names tests that name the promise."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
ROWS = re.findall(r"^\| (R\d+) \| (.*) \|$", (TESTS / "README.md").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_test_that_is_named_names_the_promise() -> None:
    assert len(ROWS) > 40
    for promise, files in ROWS:
        named = re.findall(r"`([^`]+)`", files)
        assert named, f"{promise} is shown by nothing"
        for name in named:
            text = (TESTS / name).read_text(encoding="utf-8")
            found = re.search(rf"(?i)(?<![a-z0-9]){promise}(?![0-9])", text)
            assert found, f"{name} does not name {promise}"


def test_every_promise_that_a_test_names_is_in_the_table() -> None:
    texts = [path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py")]
    named = {each.upper() for text in texts for each in re.findall(r"def test_(r\d\d?)_", text)}
    assert named <= {promise for promise, _ in ROWS}
