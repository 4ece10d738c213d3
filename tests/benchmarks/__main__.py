"""Exports against `curl | jq` and from far away, reports against exports: `python -m tests.benchmarks [ROWS] [PAIRS]`.

Prints ratios: of time on the clock, and of processor time, which tells more on a machine that has other work to do.
"""

import sys
from tempfile import TemporaryDirectory
from urllib.request import urlopen

from tests.benchmarks.running import EXPORT, environment, in_turn, serving, took

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
JQ = {"csv": (f"jq -r '.[]|[{CELLS}]|@csv'", 3), "ndjson": ("jq -c '.[]'", 4.5)}
"""What makes the same file, by form, and the bar."""


def compare(url: str, rows: int, pairs: int, folder: str, given: dict[str, str]) -> None:
    """Run both in turn and print medians and their ratio; xlsx, which jq does not write, against our csv."""
    pages = f"{url}/api/v1/registrations?size={SIZE}&page=[0-{(rows - 1) // SIZE}]"
    export = {form: [*EXPORT, "--page-size", str(SIZE), "--to", f"{folder}/r.{form}"] for form in (*JQ, "xlsx")}
    for form, (jq, bar) in JQ.items():
        took(export[form], given)  # so that all is compiled
        ours, theirs, ratio = in_turn(export[form], ["sh", "-c", f"curl -s '{pages}' | {jq}"], given, pairs)
        print(
            f"{form}: roomctl {ours.wall:.2f} s ({ours.processor:.2f} s of processors), curl and jq {theirs.wall:.2f} s"
            f" ({theirs.processor:.2f}): {ratio.wall:.1f} x as fast, {ratio.processor:.1f} x by processor time"
            f" (bar {bar})"
        )
    csv, xlsx, ratio = in_turn(export["csv"], export["xlsx"], given, max(1, pairs // 2))
    print(f"xlsx: {xlsx.wall:.2f} s, csv {csv.wall:.2f} s: {1 / ratio.wall:.2f} of the rate of csv (bar 0.5)")


def reports(pairs: int, folder: str, given: dict[str, str]) -> None:
    """Run the csv export and reports in turn, live and from exports; print how much longer a report takes."""
    csv = [*EXPORT, "--to", f"{folder}/r.csv"]
    report = ["report" if word == "export" else word for word in (*EXPORT, "--to", f"{folder}/r.html")]
    for form in ("", "csv", "ndjson", "sqlite"):
        kept = ["--from", f"{folder}/kept.{form}"] if form else []
        if form:
            took([*EXPORT, "--to", kept[1]], given)
        took([*report, *kept], given)  # so that all is compiled
        _, made, ratio = in_turn(csv, [*report, *kept], given, pairs)
        print(
            f"report {f'from {form}' if form else 'live'}: {made.wall:.2f} s, {ratio.wall:.2f} x a csv export, "
            f"{ratio.processor:.2f} x by processor time (bar 1.5)"
        )


def distant(rows: int, pairs: int, folder: str) -> None:
    """Export from a service 50 ms away, one page at a time and eight at once."""
    with serving(rows, away=0.05) as url:
        export = [*EXPORT, "--page-size", "100", "--to", f"{folder}/r.csv", "--concurrency"]
        eight, one, ratio = in_turn([*export, "8"], [*export, "1"], environment(url, folder), pairs)
    print(f"one at a time {one.wall:.2f} s, eight at once {eight.wall:.2f} s: {ratio.wall:.1f} x as fast (bar 5)")


def main(rows: int = 200_000, pairs: int = 3) -> None:
    with TemporaryDirectory() as folder, serving(rows) as url:
        for number in range((rows + SIZE - 1) // SIZE + 1):
            urlopen(f"{url}/api/v1/registrations?size={SIZE}&page={number}").read()
        print(f"{rows:,} registrations, pages of {SIZE:,}, {pairs} pairs")
        compare(url, rows, pairs, folder, environment(url, folder))
        reports(pairs, folder, environment(url, folder))
        distant(rows // 5, pairs, folder)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
