"""Bugs planted one by one into a copy of the package, and the tests that catch them: `python -m tests.planted`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

ROOT = Path(__file__).parent.parent


class Bug(NamedTuple):
    """A text in a file of the package, what takes its place, and the test that fails then."""

    name: str
    file: str
    old: str
    new: str
    test: str


BUGS = (
    Bug(
        "a write is sent again after a lost answer",
        "service/policy.py",
        '"create": {"P0": 4, "P1": 3, "P2": 1, "P3": 1}',
        '"create": {"P0": 4, "P1": 3, "P2": 2, "P3": 1}',
        "tests/test_lost_answers.py -k r40_when",
    ),
    Bug(
        "a short page ends a list",
        "service/paginator.py",
        "                    yield self._new(number, rows)\n",
        "                    yield self._new(number, rows)\n"
        "                    if len(rows) < self.size:\n                        break\n",
        "tests/service/test_paginator.py",
    ),
    Bug(
        "rows that contradict each other prove a list complete",
        "service/paginator.py",
        "        self.proof.check(number, rows, sighted, fresh)\n",
        "",
        "tests/service/test_paginator.py",
    ),
    Bug(
        "the first empty page ends a list",
        "service/prefetch.py",
        "_PROOF = 2 ",
        "_PROOF = 1 ",
        "tests/service/test_paginator.py",
    ),
    Bug(
        "a checkpoint is believed whatever was done to it",
        "exports/part.py",
        "        if not intact:",
        "        if not found:",
        "tests/exports/test_part.py -k r49",
    ),
    Bug(
        "the columns asked for are ignored where rows are objects",
        "exports/job.py",
        "self.tabular = self.format.tabular or bool(self.columns)",
        "self.tabular = self.format.tabular",
        "tests/exports/test_export.py -k r47",
    ),
    Bug(
        "the entry option in force is not sent again",
        "cli/rules.py",
        '{**sent, "entryOption": options[0]}',
        '{**sent, "entryOption": ENTRY_OPTION[0]}',
        "tests/test_transcripts.py -k rules",
    ),
    Bug(
        "edits of the config hold no lock",
        "files.py",
        "        lock(file, shared=shared, wait=wait)\n        yield",
        "        yield",
        "tests/profiles/test_rewriting.py -k sixteen",
    ),
    Bug(
        "untrusted text reaches the terminal",
        "text/safe.py",
        "if not bare.isprintable():",
        "if not bare:",
        "tests/text/test_safe.py tests/output/test_escapes.py",
    ),
    Bug(
        "a redirect answers a write",
        "service/policy.py",
        '        return "P3" if repeat == "read" else "P2"',
        '        return "P3"',
        "tests/test_redirects.py",
    ),
    Bug(
        "a new file takes a name before it is on the disk",
        "files.py",
        "            yield file\n            os.fsync(file)",
        "            yield file",
        "tests/test_files.py tests/exports/test_part.py tests/profiles/test_rewriting.py",
    ),
    Bug(
        "the journal hears of a request after it has left",
        "service/attempt.py",
        "if self.on_send is not None:\n                        self.on_send()\n                    self.sent = True",
        "self.sent = True",
        "tests/service tests/journal",
    ),
    Bug(
        "the redactor does nothing",
        "service/redaction.py",
        "        text = _NAMED.sub(",
        "        return text\n        text = _NAMED.sub(",
        "tests/test_secrets.py",
    ),
    Bug(
        "bearer fields are kept",
        "text/strict_json.py",
        'if "bearer" in name.lower():',
        'if "bearer" in name:',
        "tests/test_secrets.py",
    ),
    Bug(
        "404 on ending a room counts as ended",
        "service/reply.py",
        "    if not 200 <= answer.status <= 299:\n",
        '    if answer.status == 404 and prepared.operation.repeat == "end":\n        return {}\n'
        "    if not 200 <= answer.status <= 299:\n",
        "tests/test_lost_answers.py -k not_200",
    ),
    Bug(
        "excel-csv has no guard against formulas",
        "exports/delimited.py",
        'end="\\r\\n", guard=True',
        'end="\\r\\n", guard=False',
        "tests/exports/test_cells.py tests/exports/test_delimited.py",
    ),
    Bug(
        "a key may go over http to any host",
        "contract/address.py",
        'if scheme == "http" and not loopback:',
        "if False:",
        "tests/contract/test_address.py",
    ),
    Bug(
        "gzip is undone without a bound",
        "service/reply.py",
        "inflater.decompress(chunk, left + 1)",
        "inflater.decompress(chunk)",
        "tests/service/test_wire.py tests/test_hostile_service.py",
    ),
    Bug(
        "an update is sent again without a look",
        "service/policy.py",
        '"patch": {"P0": 4, "P1": 4, "P2": 1, "P3": 1}',
        '"patch": {"P0": 4, "P1": 4, "P2": 2, "P3": 1}',
        "tests/test_reconcile.py -k two_thousand",
    ),
    Bug(
        "a candidate is taken for what was created",
        "reconcile.py",
        "        found = f\"{numbered(len(fresh), 'records')} that may be",
        "        if len(fresh) == 1:\n            return self.confirmed(fresh[0])\n"
        "        found = f\"{numbered(len(fresh), 'records')} that may be",
        "tests/test_reconcile.py -k two_thousand",
    ),
    Bug(
        "an apply makes what has appeared since its plan",
        "events/apply.py",
        "if self.find(step, sets) is not None:",
        'if self.find(step, sets) == "":',
        "tests/events/test_apply.py -k appeared",
    ),
    Bug(
        "a step of unknown outcome is applied again",
        "events/planner.py",
        ' == "unknown" and not self.choices.retry_unknown:\n            return "unknown"',
        ' == "lost":\n            return "unknown"',
        "tests/events/test_apply.py -k r40_r42_under_every_fault_nothing",
    ),
)


def places(bug: Bug) -> int:
    """Count the places where a bug could be planted; there is to be one."""
    return (ROOT / "src" / "roomctl" / bug.file).read_text(encoding="utf-8").count(bug.old)


def caught(bug: Bug) -> str:
    """Plant a bug, run its test, and say what came of it."""
    with TemporaryDirectory() as folder:
        copy = Path(folder) / "src"
        shutil.copytree(ROOT / "src", copy, ignore=shutil.ignore_patterns("__pycache__"))
        file = copy / "roomctl" / bug.file
        text = file.read_text(encoding="utf-8")
        if places(bug) != 1:
            return f"NOT PLANTED: {places(bug)} places in {bug.file}"
        file.write_text(text.replace(bug.old, bug.new), encoding="utf-8")
        command = [sys.executable, "-m", "pytest", "-x", "-n", "0", "-p", "no:cacheprovider", *bug.test.split()]
        environment = {**os.environ, "PYTHONPATH": os.fspath(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        run = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        failed = [line.split(" - ")[0].split("::")[-1] for line in run.stdout.splitlines() if line.startswith("FAILED")]
        return f"caught by {failed[0]}" if failed else f"NOT CAUGHT ({run.returncode})"


def main() -> int:
    found = {
        bug.name: caught(bug) for bug in BUGS if not sys.argv[1:] or any(word in bug.name for word in sys.argv[1:])
    }
    for name, what in found.items():
        print(f"{name}: {what}")
    return 1 if any(what.startswith("NOT") for what in found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
