"""What people answered to the custom questions of an event, in numbers that name nobody."""

import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from unicodedata import normalize

from roomctl.exports.cells import text
from roomctl.exports.stats import Page
from roomctl.text import JSON
from roomctl.text.counted import numbered

LEAST = 5
"""An answer is shown when so many registrations give it."""
_MOST_KEPT = 50_000
"""So many different answers are counted one by one, of all questions together."""
_LONGEST = 100
"""A longer answer, in characters, is somebody's own words, and not shown."""
_CONTACT = re.compile(r"@|://|\bwww\b|[^\W\d_]\.[^\W\d_]{2}|\d(?:\W*\d){5}")
"""An e-mail address or handle, a link, a phone number."""
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d\d|\d{4})")
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_WORD = re.compile(r"[^\W_]+")


class Answers:
    """Counts the answers of registrations page by page, those of each question.

    Questions with the most different answers, as free text has them, are not counted answer by answer where that would
    take much memory; of the full names of those who registered, only hashes are kept.
    """

    def __init__(self) -> None:
        self._answered = Counter[str]()
        self._counts: dict[str, Counter[str]] = {}
        self._too_many: dict[str, None] = {}
        self._names = array("q")
        self._unreadable = 0

    def add(self, page: Page) -> None:
        self._unreadable += page.unreadable
        self._names.extend(map(hash, _full_names(page)))
        for question, column in page.answers.items():
            given = [each if type(each) is str else text(each) for each in column if each is not None and each != ""]
            self._answered[question] += len(given)
            if given and question not in self._too_many:
                self._counts.setdefault(question, Counter()).update(given)
        while sum(map(len, self._counts.values())) > _MOST_KEPT:
            largest = max(self._counts, key=lambda question: len(self._counts[question]))
            self._counts[largest] = Counter()
            self._too_many[largest] = None

    @property
    def notes(self) -> list[str]:
        unread = f"the answers of {numbered(self._unreadable, 'registrations')} cannot be read"
        many = (f"too many different answers to count one by one: {question}" for question in self._too_many)
        return [*[unread] * bool(self._unreadable), *many]

    def result(self) -> list[dict[str, JSON]]:
        """Give each question with its answers, the most frequent first, but for those that might identify somebody."""
        shown = {question: _shown(counts) for question, counts in self._counts.items()}
        runs = {run for counts in shown.values() for answer in counts for run in _runs(answer)}
        names = {hash(run) for run in runs}.intersection(self._names)
        return [_question(question, self._answered[question], counts, names) for question, counts in shown.items()]


def _full_names(page: Page) -> set[str]:
    """Give the full names of those who registered, with and without the middle ones, each as `_runs` gives it."""
    full, first, middle, last = (
        [each if type(each) is str else "" for each in page.columns[f"user.{part}"]]
        for part in ("name", "firstName", "middleName", "lastName")
    )
    names = {*full, *map(" ".join, zip(first, last, strict=True))}
    names |= {*map(" ".join, zip(first, middle, last, strict=True))} if any(middle) else set()
    lines = _folded("\0".join(names)).split("\0")
    return {_sorted_words(_WORD.findall(line)) for line in lines}


def _runs(answer: str) -> set[str]:
    """Give all words of an answer that stand together, in whichever order."""
    words = _WORD.findall(_folded(answer))
    return {_sorted_words(words[start:end]) for start, end in combinations(range(len(words) + 1), 2)}


def _shown(counts: Mapping[str, int]) -> dict[str, int]:
    frequent = {answer: number for answer, number in counts.items() if number >= LEAST}
    return {each: number for each, number in frequent.items() if len(each) <= _LONGEST and not is_contact(each)}


def _question(question: str, answered: int, counts: Mapping[str, int], names: set[int]) -> dict[str, JSON]:
    shown = {each: number for each, number in counts.items() if names.isdisjoint(map(hash, _runs(each)))}
    return {
        "question": question,
        "answered": answered,
        "answers": [{"answer": answer, "registrations": number} for answer, number in Counter(shown).most_common()],
        "others": answered - sum(shown.values()),
    }


def is_contact(answer: str) -> bool:
    """Whether a text looks like an address, a link, a handle or a phone number."""
    plain = _CLOCK.sub("", _folded(answer))
    return not _DATE.fullmatch(plain) and _CONTACT.search(plain) is not None


def _folded(words: str) -> str:
    return normalize("NFKC", words).casefold()


def _sorted_words(words: Sequence[str]) -> str:
    return " ".join(sorted(words))
