"""What people answered to the custom questions of an event, in numbers that name nobody."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any
from unicodedata import normalize

from roomctl.exports.brief import Page
from roomctl.exports.cells import text
from roomctl.service.distinct import Distinct
from roomctl.text.safe import visible

JSON = Any
LEAST = 5
"""An answer is told when so many gave it."""
LONGEST = 100
"""A longer answer, in characters, is somebody's own words, and not told."""
MOST_QUESTIONS = 200
MOST_ANSWERS = 50_000
_PERSON = ("name", "firstName", "middleName", "lastName")
_DIGITS = 6
"""Fewer digits are no phone number."""
_PERSONAL = re.compile(
    r"""
    @ | [(\[{<]\s*at\s*[)\]}>] | \bdot\b                              # an e-mail address, or a handle
    | :// | \bwww\b | [^\W\d_]\.[^\W\d_]{2}                            # a link
    | \b\d{4,5}\s+[^\W\d_] | \b[a-z]{1,2}\d[a-z\d]?\s*\d[a-z]{2}\b    # a place with its postal code
    """,
    re.VERBOSE,
)
_STREET = re.compile(
    r"""
    str(?:a(?:ss|ß)e|eet|aat|\.|\b) | \b(?:st|rd|ave|dr|ln|blvd|via|rue|calle|ul|box)\b | gasse | platz | weg\b
    | road | avenue | lane | drive | boulevard | square | court | \bway\b | allee | plaza | piazza | postfach
    """,
    re.VERBOSE,
)
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./](?:\d\d|\d{4})")


class Answers:
    """Counts the answers of registrations, question by question, in memory that does not grow with them.

    Several answers of one person to one question count as one. Of a question with more different answers than there is
    room for, only how many answered is told; so it is with an answer that is the name of who gave it, or the full name
    of anybody who registered.
    """

    def __init__(self) -> None:
        self._answered: Counter[str] = Counter()
        self._counts: dict[str, Counter[str] | None] = {}
        self._full_names = Distinct()
        self.uncounted = 0  # answers to further questions than there is room for
        self.unreadable = 0  # registrations

    def add(self, page: Page) -> None:
        """Count the answers of a page of registrations."""
        self.unreadable += page.unreadable
        names = [page.columns[f"user.{part}"] for part in _PERSON]
        self._full_names.fresh([*_full_names(*names)])
        everybody = _folded(chain(*names)) if page.answers else set()
        for question, column in page.answers.items():
            given = len(column) - column.count("") - column.count(None)
            if question not in self._counts and given:
                if len(self._counts) >= MOST_QUESTIONS:
                    self.uncounted += given
                    continue
                self._counts[question] = Counter()
            self._answered[question] += given
            if (counts := self._counts.get(question)) is not None:
                answers = [each if type(each) is str else text(each) for each in column]
                if not everybody.isdisjoint(map(str.casefold, answers)):
                    rows = zip(answers, *names, strict=True)
                    answers = [answer for answer, *own in rows if answer.casefold() not in _folded(own)]
                counts.update([answer for answer in answers if answer and len(answer) <= LONGEST])
        self._make_room()

    def _make_room(self) -> None:
        """Forget the answers to the question with the most different ones, where there are too many to keep."""
        sizes = {question: len(counts) for question, counts in self._counts.items() if counts}
        if sum(sizes.values()) > MOST_ANSWERS:
            self._counts[max(sizes, key=lambda question: sizes[question])] = None

    def told(self) -> list[dict[str, JSON]]:
        """Give each question with its answers, the most frequent first, and how many `others` there were.

        `told` is false where the answers were too many to be counted one by one.
        """
        shown = {question: _shown(counts or {}) for question, counts in self._counts.items()}
        different = {answer for counts in shown.values() for answer in counts}
        folded = dict(zip(different, _plain(different), strict=True))
        unique = [*set(folded.values())]
        impersonal = {name for name, new in zip(unique, self._full_names.fresh(unique), strict=True) if new}
        return [
            _question(
                question,
                self._answered[question],
                {answer: number for answer, number in counts.items() if folded[answer] in impersonal},
                counted=self._counts[question] is not None,
            )
            for question, counts in shown.items()
        ]


def _folded(names: Iterable[JSON]) -> set[str]:
    return {name.casefold() for name in names if type(name) is str}


def _plain(names: Iterable[str]) -> list[str]:
    """Give names without what only writes them differently: capitals, blanks, forms of letters."""
    return [normalize("NFKC", " ".join(name.split())).casefold() for name in names]


def _full_names(whole: Sequence[JSON], first: Sequence[JSON], middle: Sequence[JSON], last: Sequence[JSON]) -> set[str]:
    names = {name for name in whole if type(name) is str}
    names |= {f"{given} {family}" for given, family in zip(first, last, strict=True)}
    if any(middle):
        names |= {f"{given} {further} {family}" for given, further, family in zip(first, middle, last, strict=True)}
    return {*_plain(names)}


def _shown(counts: Mapping[str, int]) -> Counter[str]:
    """Give the answers that enough people gave, and that lead to none of them."""
    shown: Counter[str] = Counter()
    for answer, number in counts.items():
        shown[visible(answer)] += number
    return Counter({each: number for each, number in shown.items() if number >= LEAST and not is_personal(each)})


def _question(question: str, answered: int, told: Mapping[str, int], *, counted: bool) -> dict[str, JSON]:
    return {
        "question": visible(question),
        "answered": answered,
        "answers": [
            {"answer": each, "registrations": number}
            for each, number in sorted(told.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
        "others": answered - sum(told.values()),
        "told": counted,
    }


def is_personal(answer: str) -> bool:
    """Whether an answer may lead to a person: it looks like an address, a link or a phone number, or is long.

    Too many that do not are better than one that does: these are counted, only not told.
    """
    plain = normalize("NFKC", answer).casefold()
    if len(answer) > LONGEST or _PERSONAL.search(plain):
        return True
    digits = sum(letter.isdigit() for letter in plain)
    return bool(digits and _STREET.search(plain)) or (digits >= _DIGITS and not _DATE.fullmatch(plain))
