"""What people answered to the custom questions of an event, in numbers that name nobody."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from unicodedata import normalize

from roomctl.contract.records import called
from roomctl.exports.cells import text
from roomctl.exports.columns import Misfit, join_values, named_values
from roomctl.text import JSON, Note
from roomctl.text.counted import numbered

LEAST = 5
"""An answer is shown when so many registrations give it."""
_LONGEST = 100
"""A longer answer, in characters, is somebody's own words, and not shown."""
_CONTACT = re.compile(r"@|://|\bwww\b|[^\W\d_]\.[^\W\d_]{2}|\d(?:\W*\d){5}")
"""An e-mail address or handle, a link, a phone number."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d\d|\d{4})")
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_WORD = re.compile(r"[^\W_]+")


def questions(rows: Iterable[Mapping[str, JSON]], note: Note) -> list[dict[str, JSON]]:
    """Give each question with its answers, the most frequent first, but for those that might identify somebody.

    Several answers of one person to one question count as one.
    """
    counts: dict[str, Counter[str]] = {}
    names, unreadable = set[str](), 0
    for row in rows:
        if type(user := row.get("user")) is dict:
            full = {called(user), called({**user, "name": None})}
            names.update(_sorted_words(_WORD.findall(_folded(each))) for each in full)
        try:
            answers = join_values(named_values(row.get("values")))
        except Misfit:
            answers, unreadable = {}, unreadable + 1
        for question, answer in answers.items():
            if answer not in (None, ""):
                counts.setdefault(question, Counter())[text(answer)] += 1
    if unreadable:
        note(f"the answers of {numbered(unreadable, 'registrations')} cannot be read")
    return [_question(question, answers, names) for question, answers in counts.items()]


def _question(question: str, counts: Counter[str], names: set[str]) -> dict[str, JSON]:
    shown = {
        answer: number
        for answer, number in counts.most_common()
        if number >= LEAST and len(answer) <= _LONGEST and not (is_contact(answer) or _holds_name(answer, names))
    }
    return {
        "question": question,
        "answered": counts.total(),
        "answers": [{"answer": answer, "registrations": number} for answer, number in shown.items()],
        "others": counts.total() - sum(shown.values()),
    }


def is_contact(answer: str) -> bool:
    """Whether a text looks like an address, a link, a handle or a phone number."""
    plain = _CLOCK.sub("", _folded(answer))
    return not _DATE.fullmatch(plain) and _CONTACT.search(plain) is not None


def _holds_name(answer: str, names: set[str]) -> bool:
    """Whether some words of an answer, in whichever order, are the full name of somebody who registered."""
    words = _WORD.findall(_folded(answer))
    return any(_sorted_words(words[start:end]) in names for start, end in combinations(range(len(words) + 1), 2))


def _folded(words: str) -> str:
    return normalize("NFKC", words).casefold()


def _sorted_words(words: Sequence[str]) -> str:
    return " ".join(sorted(words))
