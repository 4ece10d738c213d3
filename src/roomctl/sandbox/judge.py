"""What a client did wrong, read off the log: a write sent twice, a repeat that came too soon, pages beyond the end.

A *second possibly applied* write is a mistake. Resending what was certainly not applied is none (429; 503 with
Retry-After for PATCH; any other refusal), nor is the one repeat of PATCH and end room after looking: a whole answer of
operation 3 in between, for ending two of them five seconds apart, that showed it undone. Nor is a second record that is
created after the first was answered: people may want two.
"""

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from roomctl.contract.operations import BY_NAME, Repeat
from roomctl.sandbox.handlers.records import NOUNS
from roomctl.text import JSON
from roomctl.text.safe import safe

Documents = dict[tuple[str, str], JSON]
Broken = tuple[str, JSON, str]  # a rule, the request that broke it, and how
_TEXT: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_ID: Final = "[0-9a-f]{8}(?:(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?"
APART: Final = 4.9  # seconds between the two looks at a room that is ended again: five, and a little for the clocks
SOON: Final = 0.02
AHEAD: Final = 0.1  # seconds in which pages that were asked for ahead may still arrive after the end of their list
RULES: Final = {
    "sent-twice": "a write that may have been applied is not resent",
    "too-soon": "a request is repeated after Retry-After, not before",
    "over-paging": "a list is not read more than one page past its end, nor endlessly without a new row",
}
ADVICE: Final = {
    "sent-twice": "after a lost reply, check whether the write took effect before sending it again",
    "too-soon": "wait as long as Retry-After says",
    "over-paging": "stop reading at the first empty page",
    "false success": "have the script exit with roomctl's exit code; in a pipe, a shell keeps only "
    "the last one: use `set -o pipefail` (bash), or write the list to a file first",
    "endless": "give the script a limit of its own, or `--stop-after` more time",
}


class Mistake(NamedTuple):
    rule: str
    request: int
    operation: str
    message: str


def judge(log: Sequence[JSON], usual: Mapping[str, int] | None = None) -> list[Mistake]:
    """Find the mistakes. `usual`: how often a write is meant to be done, where a run without a fault showed it."""
    ordered = sorted(log, key=lambda entry: entry["at"])
    told = chain(_sent_twice(ordered, usual), _too_soon(ordered), _over_paging(ordered))
    found = (Mistake(rule, entry["number"], entry["operation"], message) for rule, entry, message in told)
    return sorted(found, key=lambda each: each.request)


def same(entry: JSON) -> str:
    query = "" if _kind(entry) == "end" else repr(entry["query"])
    return f"{entry['operation']} {entry['path'].lower()} {query} {entry['body']}"


def _kind(entry: JSON) -> Repeat | None:
    operation = BY_NAME.get(entry["operation"])
    return operation.repeat if operation else None


def times(log: Sequence[JSON]) -> Counter[str]:
    return Counter(same(entry) for entry in log if entry["committed"])


def for_each_write(nights: Sequence[str], log: Sequence[JSON]) -> list[str]:
    """Make a night with `write#each` one for the first write of each operation, and one for the last write of all."""
    names = [entry["operation"] for entry in log if _kind(entry) not in (None, "read")] or ["write"]
    writes = [*(f"{name}#1" for name in names), f"{names[-1]}#{names.count(names[-1])}"]
    return list(dict.fromkeys(night.replace("write#each", write) for night in nights for write in writes))


def possibly_applied(entry: JSON) -> bool:
    """Whether the client must take a write for possibly applied, by what came back."""
    status = entry["status"]
    if status == 200 and entry["answer"] == "whole" and entry["committed"] is False:  # nobody was invited
        return False
    if entry["answer"] != "whole" or status is None:
        return True
    if status == 503 and entry["retryAfter"] is not None and entry["method"] == "PATCH":
        return False
    return bool(status < 400 or status == 408 or (status >= 500 and status != 501))


def _sent_twice(log: Sequence[JSON], usual: Mapping[str, int] | None) -> Iterator[Broken]:
    sent: dict[str, list[JSON]] = {}
    for entry in log:
        if _kind(entry) in (None, "read") or not possibly_applied(entry):
            continue
        before = sent.setdefault(same(entry), [])
        often = len(log) if usual is None and BY_NAME[entry["operation"]].creates else (usual or {}).get(same(entry), 1)
        meant = len(before) < often and not any(_lost(each) for each in before)
        if before and not meant and not (len(before) == 1 and _checked(log, before[0], entry)):
            told = "whose outcome was unknown" if _lost(before[-1]) else "which had taken effect"
            yield "sent-twice", entry, f"already sent as request {before[-1]['number']}, {told}"
        before.append(entry)


def _lost(entry: JSON) -> bool:
    return entry["answer"] != "whole" or not 200 <= entry["status"] <= 299


def _checked(log: Sequence[JSON], first: JSON, second: JSON) -> bool:
    """Whether a repeat was preceded by looks that showed the write undone."""
    if first["committed"] or not _lost(first):
        return False
    between = [entry for entry in log if first["answered"] <= entry["at"] <= second["at"]]
    shown_by = BY_NAME[second["operation"]].readback
    looks = [entry["at"] for entry in between if entry["operation"] == shown_by and not _lost(entry)]
    if _kind(second) == "patch":
        return bool(looks)
    left_open = any(name == "leaveOpenUntil" for name, _ in [*first["query"], *second["query"]])
    return _kind(second) == "end" and not left_open and bool(looks) and looks[-1] - looks[0] >= APART


def _too_soon(log: Sequence[JSON]) -> Iterator[Broken]:
    until: dict[str, tuple[float, JSON]] = {}
    for entry in log:
        key = f"{same(entry)} {entry['query']!r}" if _kind(entry) != "end" else same(entry)
        if key in until and entry["at"] < until[key][0] - SOON:
            early, asked = until[key][0] - entry["at"], until[key][1]
            told = f"the reply to request {asked['number']} asked for a wait of {asked['retryAfter']} s"
            yield "too-soon", entry, f"sent {early:.1f} s too early: {told}"
        if entry["retryAfter"] is not None:
            until[key] = (entry["answered"] + entry["retryAfter"], entry)


class _List:
    """A list on its way: where its end was seen, and how many pages in a row brought nothing new."""

    def __init__(self) -> None:
        self.last = -1
        self.ended: tuple[int, float] | None = None
        self.seen: set[str] = set()
        self.idle, self.idle_since = 0, 0.0

    def follow(self, page: int, entry: JSON) -> str:
        """Take the next request for the list, with its answer, and say what was wrong with making it."""
        wrong = ""
        if page == 0 or (self.ended and page <= self.ended[0]):
            self.last, self.ended, self.seen, self.idle = -1, None, set(), 0
        if self.ended and page > self.ended[0] + 1 and entry["at"] > self.ended[1] + AHEAD:
            wrong = f"page {page} was requested after page {self.ended[0]} was empty"
        elif self.idle > 2 and page > 0 and entry["at"] > self.idle_since + AHEAD:
            wrong = f"page {page} was requested after two pages without a new row"
        if entry["empty"] and page > self.last:
            self.ended = self.ended or (page, entry["answered"])
        elif entry["empty"] is False:
            self.ended = None if self.ended and self.ended[0] < page else self.ended
            further = page > self.last  # the same page again is a look at it, not a list that does not end
            self.idle = self.idle + 1 if further and entry["answerBody"] in self.seen else 0
            self.idle_since = self.idle_since if self.idle > 3 else entry["answered"]  # of the third in a row
            self.last = max(self.last, page)
            self.seen.add(entry["answerBody"])
        return wrong


def _over_paging(log: Sequence[JSON]) -> Iterator[Broken]:
    lists: dict[str, _List] = {}
    for entry in log:
        operation = BY_NAME.get(entry["operation"])
        if operation is None or not operation.paged or (entry["status"] != 200 and not entry["empty"]):
            continue
        query = dict(entry["query"])
        page = int(query.pop("page", "0"))
        if wrong := lists.setdefault(f"{entry['path']} {sorted(query.items())}", _List()).follow(page, entry):
            yield "over-paging", entry, wrong


def documents(path: Path) -> Documents:
    marks = ",".join("?" * len(NOUNS))
    with closing(sqlite3.connect(path, timeout=10.0)) as connection:
        sql = f"SELECT kind, id, doc FROM document WHERE kind IN ({marks})"  # noqa: S608  (question marks)
        return {(kind, key): json.loads(doc) for kind, key, doc in connection.execute(sql, tuple(NOUNS))}


def changes(before: Documents, after: Documents, *, exact: bool = False) -> Counter[tuple[str, str]]:
    """Say what has changed between two readings, and with which values: what was done, and the record's text.

    Two runs of a script make other ids and times, and often number what they name: within texts, the ids of new records
    are written as 0, and all numbers, or where it is to be `exact` times of today or next to it.
    """
    today = "|".join(f"{datetime.now(UTC) + timedelta(days=each):%Y-%m-%d}" for each in (-1, 0, 1))
    varying = re.compile(rf"(?i)\b{_ID}\b|^({today})[T ][0-9:.]+(Z|[+-][0-9:]+)?$" if exact else rf"(?i)\b{_ID}\b|\d+")

    def plain(text: re.Match[str]) -> str:
        return json.dumps(varying.sub(lambda part: known.get(part[0].lower(), "0"), json.loads(text[0])))

    found: Counter[tuple[str, str]] = Counter()
    known = {key.lower(): key for _, key in before}
    following = dict.fromkeys(("socialMeta", "processingEndDateTime"))  # counts of others, or what time does
    for (kind, key), doc in after.items():
        old = before.get((kind, key))
        done = ["ended"] if kind == "social" and (old or {}).get("_closesAt") != doc.get("_closesAt") else []
        if old is None:
            done.append("created")
        elif not done and {**old, **following} != {**doc, **following}:
            done.append("changed")
        shown = json.dumps({**doc, **following}, sort_keys=True, ensure_ascii=False)
        found.update((f"{NOUNS[kind]}s {each}", _TEXT.sub(plain, shown)) for each in done)
    return found


def effects(changed: Counter[tuple[str, str]]) -> dict[str, int]:
    return dict(sorted(Counter(what for what, _ in changed.elements()).items()))


def cases(mistakes: Sequence[Mistake]) -> dict[str, list[str]]:
    lines = [(each.rule, f"request {each.request} ({each.operation}): {each.message}") for each in mistakes]
    return {f"{rule}: {promise}": [line for broken, line in lines if broken == rule] for rule, promise in RULES.items()}


def junit(found: Mapping[str, Sequence[str]], name: str) -> str:
    """Write JUnit XML: a test for each name, failed where something was wrong with it."""
    from xml.etree import ElementTree as Tree

    suite = Tree.Element("testsuite", name=name, tests=str(len(found)), errors="0", skipped="0")
    suite.set("failures", str(sum(bool(lines) for lines in found.values())))
    suite.set("timestamp", datetime.now(UTC).isoformat(timespec="seconds"))
    for title, lines in found.items():
        case = Tree.SubElement(suite, "testcase", classname=name, name=safe(title))
        if lines:
            Tree.SubElement(case, "failure", message=safe(lines[0])).text = safe("\n".join(lines))
    Tree.indent(suite)
    return Tree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
