"""A file against its manifest, years later."""

import json
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import REGISTRATION_LIST, SOCIAL_CTA
from roomctl.errors import BadInput, Partial
from roomctl.exports import manifest
from roomctl.exports.exported import Difference, check
from tests.exports.paged import ALL_FORMATS, PagedService, exported, fails, identifier, registration

ROWS = [registration(number, source="=x\n\\y") for number in range(25)]


ODD_ANSWERS = [{"name": name, "value": "1"} for name in ("=a", "b\\\n", "'c")]
EXPORTS: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "usual": (REGISTRATION_LIST, ROWS, {}),
    "empty": (REGISTRATION_LIST, [], {}),
    "odd headings": (REGISTRATION_LIST, [registration(0, values=ODD_ANSWERS)], {}),
    "no column of ids": (REGISTRATION_LIST, ROWS, {"columns": ["source"]}),
    "ids of others only": (REGISTRATION_LIST, ROWS, {"columns": ["user.userId", "source"]}),
    "numbers as ids": (SOCIAL_CTA, [{"CTAItemId": number, "type": "URL"} for number in range(12)], {"query": []}),
    "no ids": (REGISTRATION_LIST, [{"source": str(number)} for number in range(12)], {}),
}


@pytest.mark.parametrize("form", ALL_FORMATS)
@pytest.mark.parametrize("what", EXPORTS)
def test_what_was_exported_is_what_it_says(what: str, form: str, tmp_path: Path) -> None:
    operation, rows, options = EXPORTS[what]
    facts = exported(PagedService(rows), tmp_path / "r", operation, format=form, **options)
    with_id = len(rows) if what != "no ids" else 0
    assert (facts.rows, facts.distinct_ids, check(tmp_path / "r")) == (len(rows), with_id, [])


@pytest.mark.parametrize("name", ALL_FORMATS)
def test_a_file_that_cannot_be_read_is_a_difference(name: str, tmp_path: Path) -> None:
    exported(PagedService(ROWS), tmp_path / "r", format=name)
    (tmp_path / "r").write_bytes(b'\xff"a,b\nc')
    found = check(tmp_path / "r")
    assert [difference.what for difference in found] == ["sha256", "readable"]
    assert found[1].found.startswith(f"cannot read {tmp_path / 'r'} as {name}: ")


def test_an_export_that_was_not_complete_stays_so(tmp_path: Path) -> None:
    fails(Partial, None, PagedService([*ROWS, "odd"]), tmp_path / "r.csv")
    assert check(tmp_path / "r.csv") == [Difference("complete", True, False)]


MANIFESTS: list[tuple[Any, str]] = [
    *((text, "is not an export's manifest") for text in ("", "[]", "{}", '{"file": 1}', "[" * 100_000)),
    *((more, "the manifest contradicts itself") for more in ({"received": 26}, {"flagged": 1, "rows": 24})),
    *((more, "is not an export's manifest") for more in ({"renamed": "source"}, {"rows": "25"})),
    (None, r"cannot read the manifest .*: no such file or directory"),
]


@pytest.mark.parametrize(("written", "message"), MANIFESTS, ids=lambda value: str(value)[:40])
def test_a_manifest_that_is_none_missing_or_edited_is_refused(written: Any, message: str, tmp_path: Path) -> None:
    exported(PagedService(ROWS), tmp_path / "r.csv")
    path = manifest.path_of(tmp_path / "r.csv")
    if isinstance(written, dict):
        written = json.dumps({**json.loads(path.read_bytes()), **written})
    path.unlink() if written is None else path.write_text(written)
    with pytest.raises(BadInput, match=message):
        manifest.read(path) if written is None else check(tmp_path / "r.csv")


def test_ids_and_the_event_are_checked_too(tmp_path: Path) -> None:
    to, here, there = tmp_path / "r.csv", identifier(7), identifier(8)
    rows = [registration(1, event={"socialEventId": here})]
    facts = exported(PagedService(rows), to, query=[("socialEventId", here)], keep_ids=True)
    manifest.path_of(to).write_text(json.dumps({**facts.document(), "filters": {"socialEventId": [there]}}))
    to.with_name("r.csv.ids").unlink()
    assert check(to) == [Difference("r.csv.ids", facts.ids_sha256, "missing"), Difference("events", [there], [here])]


def test_a_manifest_from_a_later_version_with_further_facts_is_read(tmp_path: Path) -> None:
    facts = exported(PagedService(ROWS), tmp_path / "r.csv")
    path = manifest.path_of(tmp_path / "r.csv")
    later: dict[str, Any] = {**json.loads(path.read_bytes()), "later": 1}
    path.write_text(json.dumps(later))
    assert manifest.read(path) == facts
    assert check(tmp_path / "r.csv") == []
