"""A plan as people read it: a line for each step, what changes below it, and the requests in their order."""

import json
from collections import Counter
from collections.abc import Iterator

from rich.console import RenderableType

from roomctl.output.console import Cells, grid, indent, span
from roomctl.output.look import Look, Shown
from roomctl.output.values import cell, short
from roomctl.text import JSON
from roomctl.text.counted import numbered

WORDS = {
    "create": "to create",
    "invite": "to invite",
    "change": "to change",
    "cannot": "not possible",
    "unknown": "unknown",
    "unseen": "not shown",
    "same": "unchanged",
    "stays": "not in the file",
}
"""What is done about a step, in words: for the last line, and for those who cannot see the sign."""
STYLES = {"create": "good", "change": "wait", "cannot": "bad", "unknown": "bad"}


def plan(shown: Shown, look: Look) -> Iterator[RenderableType]:
    steps: list[dict[str, JSON]] = shown.value if isinstance(shown.value, list) else shown.value["steps"]
    width = max((len(each["step"]) for each in steps), default=0)
    for each in steps:
        sign = f"{WORDS[each['action']]}:" if look.accessible else each["symbol"]
        people = f"  {numbered(each['people'], 'people')}" if each["people"] else ""
        head = f"{each['step']:<{width}}  {short(each['name'] or '')}{people}".rstrip()
        yield span(f"{sign} ", STYLES.get(each["action"], "dim")).append(head)
        for change in each["changes"]:
            yield indent(span(changed(change, each["action"])), 6)
        if each["why"]:
            yield indent(span(short(each["why"], 1000), "dim"), 6)
    requests = [each for each in steps if each["request"]]
    if requests:
        yield span("\nrequests, in this order:", "dim")
    for number, each in enumerate(requests, 1):
        said = span(f"{each['request']}  {each['step']} {short(each['name'] or '')}".rstrip(), "dim")
        space = max(min(look.width - 6, said.cell_len), 1)
        yield grid([Cells(4, right=True), Cells(space)], [[span(f"{number}.", "dim"), said]])
    yield span("\n" + summary(steps))


def summary(steps: list[dict[str, JSON]]) -> str:
    counts = Counter[str]()  # as `roomset apply` counts them: each person is invited in a step of their own
    for each in steps:
        counts["invite" if each["people"] and each["request"] else each["action"]] += each["people"] or 1
    parts = [f"{counts[action]} {words}" for action, words in WORDS.items() if counts[action]]
    differs = any(counts[each] for each in ("create", "invite", "change", "cannot", "unknown"))
    differs = differs or any(each["action"] == "unseen" and (each["changes"] or each["stale"]) for each in steps)
    return "no changes: " * (not differs) + ", ".join(parts)


def changed(change: dict[str, JSON], action: str) -> str:
    old, new = (cell(change[name], "rules" if change["field"] == "rules" else "text").text for name in ("old", "new"))
    if action == "create" and change["old"] is None:
        return f"{short(change['field'])}: {new}"
    if old == new:  # such as the text "100" for the number
        old, new = (short(json.dumps(change[name], ensure_ascii=False)) for name in ("old", "new"))
    return f"{short(change['field'])}: {old or 'none'} → {new or 'none'}"
