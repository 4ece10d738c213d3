"""`--since`: only what is new or changed."""

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from roomctl.errors import BadInput, Partial, Temporary
from roomctl.exports import manifest
from roomctl.exports.check import check
from roomctl.exports.exported import earlier
from tests.exports.paged import PagedService, exported, identifier, registration

OLD = [registration(number) for number in range(30)]
NEW = [*OLD[:7], {**OLD[7], "confirmed": None}, *OLD[9:], registration(40)]
ROW_ID = "registrationId"


def ids(path: Path) -> list[str]:
    return [json.loads(line)[ROW_ID] for line in path.read_bytes().splitlines()]


def test_an_ndjson_export_serves_as_the_earlier_one(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.ndjson")
    since = earlier(tmp_path / "old.ndjson", ROW_ID)
    facts = exported(PagedService(NEW), tmp_path / "new.ndjson", since=since)
    assert ids(tmp_path / "new.ndjson") == [identifier(7), identifier(40)]
    assert (facts.rows, facts.left_out, facts.received, facts.distinct_ids) == (2, 28, 30, 2)
    assert check(tmp_path / "new.ndjson") == []


def test_ids_kept_beside_a_manifest_serve_for_any_format_and_again_and_again(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "a.csv", keep_ids=True)
    first = exported(
        PagedService(NEW),
        tmp_path / "b.csv",
        since=earlier(manifest.path_of(tmp_path / "a.csv"), ROW_ID),
        keep_ids=True,
    )
    second = exported(
        PagedService(NEW), tmp_path / "c.csv", since=earlier(manifest.path_of(tmp_path / "b.csv"), ROW_ID)
    )
    assert (first.rows, second.rows, second.left_out) == (2, 0, 30)


def test_the_ids_are_those_of_all_rows_and_an_increment_points_to_them(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "a.ndjson")
    since = earlier(tmp_path / "a.ndjson", ROW_ID)
    exported(PagedService(NEW), tmp_path / "b.ndjson", since=since)
    with pytest.raises(BadInput) as caught:
        earlier(tmp_path / "b.ndjson", ROW_ID)
    assert (
        caught.value.message == f"the ids of the earlier export are not kept beside it: `{tmp_path / 'b.ndjson.ids'}`"
    )
    exported(PagedService(NEW), tmp_path / "b.ndjson", since=since, keep_ids=True, force=True)
    assert set(earlier(tmp_path / "b.ndjson", ROW_ID).hashes) == {row[ROW_ID] for row in NEW}


def test_an_interrupted_increment_goes_on_with_the_same_earlier_export_only(tmp_path: Path) -> None:
    exported(PagedService(OLD), tmp_path / "old.ndjson")
    since = earlier(tmp_path / "old.ndjson", ROW_ID)
    with pytest.raises(Temporary):
        exported(PagedService(NEW, fails_at=2), tmp_path / "new.ndjson", since=since)
    with pytest.raises(BadInput, match="belongs to another export"):
        exported(PagedService(NEW), tmp_path / "new.ndjson")
    facts = exported(PagedService(NEW), tmp_path / "new.ndjson", since=since)
    assert ids(tmp_path / "new.ndjson") == [identifier(7), identifier(40)]
    assert (facts.left_out, facts.resumed) == (28, 1)


def test_exact_numbers_do_not_look_changed(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {**OLD[0], "n": [Decimal("0.10"), Decimal("1E+5"), 0.5, 7, 10**5_000]},
        {**OLD[1], "n": 1e-07},
    ]
    service = PagedService(rows)
    service.copy = list
    exported(service, tmp_path / "old.ndjson")
    assert exported(service, tmp_path / "new.ndjson", since=earlier(tmp_path / "old.ndjson", ROW_ID)).rows == 0
    assert check(tmp_path / "old.ndjson") == []


def test_what_cannot_serve_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        earlier(tmp_path / "none.ndjson", ROW_ID)
    exported(PagedService(OLD), tmp_path / "a.csv")
    for path in (tmp_path / "a.csv", manifest.path_of(tmp_path / "a.csv")):
        with pytest.raises(BadInput, match="are not kept beside it"):
            earlier(path, ROW_ID)
    (tmp_path / "a.csv.ids").write_text('["a"]\n')
    with pytest.raises(BadInput, match="does not match the manifest of"):
        earlier(tmp_path / "a.csv", ROW_ID)
    manifest.path_of(tmp_path / "a.csv").unlink()
    with pytest.raises(BadInput, match="there is no manifest beside the file"):
        earlier(tmp_path / "a.csv", ROW_ID)


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (lambda to: exported(PagedService(NEW), to, force=True), "`{to}.ids`"),
        (lambda to: to.with_name("a.csv.ids").write_bytes(b""), "`{to}.ids` does not match the manifest of `{to}`"),
        (lambda to: to.write_bytes(b""), "`{to}` does not match its manifest"),
    ],
    ids=["exported again without them", "other ids", "another file"],
)
@pytest.mark.parametrize("ending", ["", manifest.ENDING])
def test_kept_ids_serve_only_beside_their_own_export(
    spoil: Callable[[Path], object], message: str, ending: str, tmp_path: Path
) -> None:
    to = tmp_path / "a.csv"
    exported(PagedService(OLD), to, keep_ids=True)
    spoil(to)
    with pytest.raises(BadInput) as caught:
        earlier(to.with_name(to.name + ending), ROW_ID)
    assert caught.value.message.endswith(message.format(to=to))


def test_an_export_that_is_not_complete_does_not_serve(tmp_path: Path) -> None:
    to = tmp_path / "a.csv"
    with pytest.raises(Partial):
        exported(PagedService([*OLD, "odd"]), to, keep_ids=True)
    with pytest.raises(BadInput, match="is not complete, according to its manifest: 1 of the rows did not fit"):
        earlier(to, ROW_ID)


def test_an_export_with_columns_does_not_serve_but_the_ids_kept_beside_it_do(tmp_path: Path) -> None:
    to = tmp_path / "old.ndjson"
    exported(PagedService(OLD), to, columns=[ROW_ID, "source"], keep_ids=True)
    assert exported(PagedService(NEW), tmp_path / "new.ndjson", since=earlier(to, ROW_ID)).rows == 2
    to.with_name("old.ndjson.ids").unlink()
    with pytest.raises(BadInput) as caught:
        earlier(to, ROW_ID)
    message = f"`{to}` holds only some columns, so changed rows cannot be identified"
    assert caught.value.message == message


def test_an_earlier_export_that_lost_its_ids_is_refused(tmp_path: Path) -> None:
    to = tmp_path / "old.ndjson"
    exported(PagedService(OLD), to)
    to.write_bytes(to.read_bytes().replace(b'"registrationId"', b'"id"'))
    with pytest.raises(BadInput) as caught:
        earlier(to, ROW_ID)
    assert caught.value.message == f"`{to}` does not match its manifest"


def test_rows_to_which_the_service_gives_no_ids_are_told_apart_by_their_content(tmp_path: Path) -> None:
    rows = [{"source": "web", "user": {"name": str(number)}} for number in range(3)]
    exported(PagedService(rows[:2]), tmp_path / "old.ndjson")
    since = earlier(tmp_path / "old.ndjson", ROW_ID)
    assert exported(PagedService(rows), tmp_path / "new.ndjson", since=since).rows == 1


@pytest.mark.parametrize(
    "query", [[("socialEventId", identifier(8))], [("socialEventId", identifier(7)), ("text", "x")]]
)
def test_an_export_of_another_list_does_not_serve(query: list[tuple[str, str]], tmp_path: Path) -> None:
    file, event = tmp_path / "a.ndjson", [("socialEventId", identifier(7))]
    exported(PagedService([registration(1, event={"socialEventId": identifier(7)})]), file, query=event)
    assert earlier(file, "registrationId", [*event, ("sort", "name")])
    with pytest.raises(BadInput, match="is an export of another list"):
        earlier(file, "registrationId", query)
