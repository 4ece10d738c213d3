"""`registration report`: what it writes, refuses, and leaves out."""

import json
import shutil
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from roomctl.events.report import compose
from roomctl.events.report_lists import Kept as read
from roomctl.exports.attendance import LABEL
from tests.conftest import Patch, Run
from tests.events.evenings import EVENT, evening
from tests.exports.paged import clock, exported
from tests.servers import A


@pytest.fixture
def event(sandbox: Run) -> str:
    return str(sandbox("sandbox", "seed", "--clock", "2026-11-21T08:00:00Z", "--yes", "-o", "ids").stdout.split()[0])


def test_the_three_forms_say_the_same_and_name_nobody(sandbox: Run, event: str, tmp_path: Path) -> None:
    for ending in ("html", "md", "json"):
        done = sandbox("registration", "report", event, "--to", f"r.{ending}", "--tz", "Europe/Berlin")
        assert (done.status, done.stdout) == (0, "")
        assert f"wrote r.{ending}: 250 registrations, times in Europe/Berlin\n" in done.stderr
    html, md = ((tmp_path / f"r.{ending}").read_text("utf-8") for ending in ("html", "md"))
    document = json.loads((tmp_path / "r.json").read_text("utf-8"))
    stats = sandbox("registration", "stats", event, "--tz", "Europe/Berlin", "-o", "json").json
    assert document["registrations"] == stats
    assert sandbox("registration", "export", event, "--to", "r.ndjson", "--attendance").status == 0
    rows = [json.loads(line) for line in (tmp_path / "r.ndjson").read_text("utf-8").splitlines()]
    assert document["attendance"]["seen"] == sum(row["seen"] for row in rows)
    assert f"**{document['attendance']['seen']}** seen in recordings" in md
    assert document["attendance"]["label"] == LABEL
    assert html.count(uncovered := LABEL.partition("; ")[2]) >= 3 <= md.count(uncovered) + 1
    users = [row["user"] for row in rows]
    private = {user[name] for user in users for name in ("name", "emailAddress", "mobilePhone", "userId")}
    texts = (html, md, json.dumps(document, ensure_ascii=False))
    assert [each for each in private for text in texts if each in text] == []
    sandbox("registration", "report", event, "--to", "named.html", "--with-people")
    named = (tmp_path / "named.html").read_text("utf-8")
    assert "It names nobody" not in named
    assert [each["name"] for each in users if each["name"].replace("'", "&#39;") not in named] == []


def test_an_export_of_any_format_makes_the_same_report(sandbox: Run, event: str, roomctl: Run, tmp_path: Path) -> None:
    sandbox("sandbox", "seed", "--registrations", "700", "--clock", "2026-11-21T08:00:00Z", "--yes")
    odd = ("--fault", "without=confirmed,page=1:registration.list")
    sandbox("registration", "report", event, "--to", "live.json", "--tz", "Asia/Tokyo", *odd)
    live = json.loads((tmp_path / "live.json").read_text("utf-8"))
    for ending in ("ndjson", "json", "csv", "tsv", "sqlite", "parquet"):
        assert sandbox("registration", "export", event, "--to", f"kept.{ending}", *odd).status == 0
        to = f"{ending}.json"
        done = roomctl("registration", "report", event, "--from", f"kept.{ending}", "--to", to, "--tz", "Asia/Tokyo")
        assert done.status == 0, done.stderr
        assert "attendance is left out: the report was made from an export" in done.stderr
        assert "as text" not in done.stderr
        found = json.loads((tmp_path / to).read_text("utf-8"))
        assert (found["registrations"], found["questions"]) == (live["registrations"], live["questions"]), ending
        assert (found["attendance"], found["recordings"], found["complete"]) == (None, None, True)
        assert found["proof"]["export"] == f"kept.{ending}"
    assert live["registrations"]["confirmedNotShown"] == 200
    ndjson = json.loads((tmp_path / "kept.ndjson.manifest.json").read_text("utf-8"))
    assert [live["proof"][name] for name in ("pages", "rows")] == [ndjson["pages"], ndjson["rows"]]


def test_without_jinja_only_pages_cannot_be_made(sandbox: Run, event: str, monkeypatch: Patch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    done = sandbox("registration", "report", event, "--to", "r.html")
    assert (done.status, "needs a library that is not installed: jinja2" in done.stderr) == (2, True)
    assert sandbox("registration", "report", event, "--to", "r.json").status == 0


def test_a_kept_export_that_is_damaged_of_another_event_or_cut_is_told(tmp_path: Path) -> None:
    made, kept = evening(4), tmp_path / "kept.ndjson"
    exported(made, kept)
    assert compose(read(kept, EVENT), None, at=clock())["complete"]
    with pytest.raises(Exception, match="holds registrations of another event"):
        compose(read(kept, A), None, at=clock())
    rows = kept.read_text("utf-8").splitlines()
    (tmp_path / "mixed.ndjson").write_text("\n".join([*rows, rows[0].replace(EVENT, A)]), "utf-8")
    with pytest.raises(Exception, match="holds registrations of another event"):
        compose(read(tmp_path / "mixed.ndjson", EVENT), None, at=clock())
    alone = tmp_path / "alone.ndjson"
    shutil.copy(kept, alone)
    doubts = compose(read(alone, EVENT), None, at=clock())["doubts"]
    assert doubts == ["there is no manifest beside alone.ndjson, so it may be incomplete"]
    facts = Path(f"{kept}.manifest.json")
    facts.write_text(facts.read_text().replace('"driftSeen": false', '"driftSeen": true'))
    changed = compose(read(kept, EVENT), None, at=clock())
    assert changed["doubts"] == ["the list changed while it was being read, so rows may be missing"]
    strange = tmp_path / "strange.json"
    strange.write_text('[1, null, {"registeredDateTime": 1e999, "user": 5, "event": "x", "values": {"a": 1}}]')
    report = compose(read(strange, EVENT), None, at=clock(), with_people=True)
    assert [each["registeredDateTime"] for each in report["people"]] == [Decimal("1E+999")]
    unread = "cannot be read: `registeredDateTime` of 1 registration, such as 1E+999"
    assert report["notes"] == [unread, "the answers of 1 registration cannot be read"]
    undated = "no registration has a `registeredDateTime` that can be read"
    assert report["doubts"][1:] == ["2 of the rows are not registrations", undated]
    twice = tmp_path / "twice.ndjson"
    twice.write_text("\n".join([*rows, *rows]), "utf-8")
    assert compose(read(twice, EVENT), None, at=clock())["proof"]["rows"] == len(rows)
    renamed = tmp_path / "renamed.csv"
    renamed.write_text("registeredDateTime,confirmed,source,Wer\n,true,WEB,Ada\n")
    with pytest.raises(Exception, match="has no column registrationId"):
        compose(read(renamed, EVENT), None, at=clock())
    exported(made, tmp_path / "kept.xlsx")
    with pytest.raises(Exception, match="a report cannot be made from a workbook"):
        read(tmp_path / "kept.xlsx", EVENT)
    kept.write_bytes(kept.read_bytes()[:-2])
    with pytest.raises(Exception, match="does not match its manifest"):
        read(kept, EVENT)
