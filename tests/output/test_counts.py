"""Registrations in numbers as rows."""

import io

from roomctl.exports.stats import statistics
from roomctl.output.look import Look, Shown
from roomctl.output.writers import write

EVENT = {"startDateTime": "2026-11-21T08:00:00Z"}
ROWS = [
    {"registeredDateTime": "2026-11-20T09:00:00Z", "source": "WEB", "confirmed": True, "event": EVENT},
    {"registeredDateTime": "2026-11-18T09:00:00Z", "source": "WEB", "confirmed": False, "event": EVENT},
    {"registeredDateTime": "2026-11-18T09:00:00Z", "event": EVENT},
    {"source": "PARTNER"},
]
TSV = """by	value	registrations	share
all		4	1.0
confirmed	true	1	0.25
day	2026-11-18	2	0.5
day	2026-11-19	0	0.0
day	2026-11-20	1	0.25
day		1	0.25
source	WEB	2	0.5
source		1	0.25
source	PARTNER	1	0.25
timeToEvent	after it began	0	0.0
timeToEvent	on the last day	1	0.25
timeToEvent	in the last week	2	0.5
timeToEvent	in the last month	0	0.0
timeToEvent	earlier	0	0.0
timeToEvent		1	0.25
"""


def written(form: str, fields: tuple[str, ...] = ()) -> str:
    out = io.StringIO()
    write(Shown(statistics(ROWS), "RegistrationStats"), Look(form, fields), out)
    return out.getvalue()


def test_csv_tsv_and_a_pipe_have_a_row_for_each_count() -> None:
    assert written("table") == written("tsv") == TSV
    assert written("csv") == TSV.replace("\t", ",")
    assert "| source | WEB | 2 | 0.5 |" in written("md")


def test_chosen_fields_and_json_are_those_of_the_whole() -> None:
    assert written("tsv", fields=("registrations", "confirmed")) == "registrations\tconfirmed\n4\t1\n"
    assert written("json").startswith('{\n  "registrations": 4,')


def test_no_registrations_have_no_shares() -> None:
    out = io.StringIO()
    write(Shown(statistics([]), "RegistrationStats"), Look("tsv"), out)
    assert out.getvalue().startswith("by\tvalue\tregistrations\tshare\nall\t\t0\t\n")
