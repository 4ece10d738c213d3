"""Exports against `curl | jq`, and reports against exports: `python -m tests.benchmarks [ROWS] [PAIRS]` prints ratios.

Of time on the clock, and of processor time, which tells more on a machine that has other work to do.
"""

import sys
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.benchmarks.registrations import EVENT
from tests.benchmarks.running import environment, in_turn, serving, took

SIZE = 1_000
_USER = ("userId", "name", "firstName", "middleName", "lastName", "emailAddress", "emailVerified", "mobilePhone")
CELLS = ",".join(
    (
        *(".registrationId", ".registeredDateTime", ".confirmed", ".source"),
        *(f".user.{name}" for name in (*_USER, "timeZone")),
        *(f".event.{name}" for name in ("socialEventId", "name", "startDateTime", "endDateTime")),
        "(.values[]|.value)",
    )
)
JQ = {"csv": f"jq -r '.[]|[{CELLS}]|@csv'", "ndjson": "jq -c '.[]'"}
BARS = {"csv": 3, "ndjson": 4.5}


def export(folder: str, form: str) -> list[str]:
    """Give the command of an export, with everything that an export does: checks, checkpoint, hash, manifest."""
    words = ["registration", "export", EVENT, "--to", f"{folder}/r.{form}", "--page-size", str(SIZE), "--force", "-q"]
    return [sys.executable, "-m", "roomctl", *words]


def reports(url: str, pairs: int, folder: str) -> None:
    """Run the csv export and reports in turn, live and from kept exports; print how much longer a report takes."""
    given = environment(url, folder)
    tool = [sys.executable, "-m", "roomctl", "registration"]
    end = ["--force", "-q"]
    csv = [*tool, "export", EVENT, "--to", f"{folder}/r.csv", *end]
    report = [*tool, "report", EVENT, "--to", f"{folder}/r.html", *end]
    for form in ("", "csv", "ndjson", "sqlite", "parquet"):
        kept = f"{folder}/kept.{form}"
        if form:
            took([*tool, "export", EVENT, "--to", kept, *end], given)
        command = [*report, "--from", kept] if form else report
        took(command, given)  # so that all is compiled
        export, made, ratio = in_turn(csv, command, given, pairs)
        print(
            f"report {f'from {form}' if form else 'live'}: {made.wall:.2f} s ({made.processor:.2f} s of processors), "
            f"csv export {export.wall:.2f} s ({export.processor:.2f}): {ratio.wall:.2f} x the time, "
            f"{ratio.processor:.2f} x by processor time (bar 1.5)"
        )


def compare(url: str, rows: int, pairs: int, folder: str) -> None:
    """Run both in turn and print medians and their ratio; xlsx, which jq does not write, against our csv."""
    given = environment(url, folder)
    pages = f"{url}/api/v1/registrations?size={SIZE}&page=[0-{(rows - 1) // SIZE}]"
    for form, jq in JQ.items():
        took(export(folder, form), given)  # so that all is compiled
        ours, theirs, ratio = in_turn(export(folder, form), ["sh", "-c", f"curl -s '{pages}' | {jq}"], given, pairs)
        print(
            f"{form}: roomctl {ours.wall:.2f} s ({ours.processor:.2f} s of processors), curl and jq {theirs.wall:.2f} s"
            f" ({theirs.processor:.2f}): {ratio.wall:.1f} x as fast, {ratio.processor:.1f} x by processor time"
            f" (bar {BARS[form]})"
        )
    csv, xlsx, ratio = in_turn(export(folder, "csv"), export(folder, "xlsx"), given, max(1, pairs // 2))
    print(f"xlsx: {xlsx.wall:.2f} s, csv {csv.wall:.2f} s: {1 / ratio.wall:.2f} of the rate of csv (bar 0.5)")


def main(rows: int = 200_000, pairs: int = 3) -> None:
    """Serve pages made beforehand, and measure."""
    with serving(rows) as url, TemporaryDirectory() as folder:
        for number in range((rows + SIZE - 1) // SIZE + 1):
            urlopen(f"{url}/api/v1/registrations?size={SIZE}&page={number}").read()
        print(f"{rows:,} registrations, pages of {SIZE:,}, {pairs} pairs")
        compare(url, rows, pairs, folder)
        reports(url, pairs, folder)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
