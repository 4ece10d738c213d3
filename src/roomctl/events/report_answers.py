"""What people answered to the custom questions of an event, in numbers that name nobody."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from tempfile import SpooledTemporaryFile
from unicodedata import normalize
from weakref import finalize

from roomctl.events.report_lists import Page
from roomctl.exports.cells import text
from roomctl.service.distinct import Distinct
from roomctl.text import JSON
from roomctl.text.safe import visible

LEAST = 5
"""An answer is told when so many registrations give it."""
LONGEST = 100
"""A longer answer, in characters, is somebody's own words, and not told."""
MOST_QUESTIONS = 200
MOST_ANSWERS = 50_000
_PERSON = ("name", "firstName", "middleName", "lastName")
_DIGITS = 6
"""Fewer digits are no phone number."""
_LONGEST_NAME = 6
"""A name of more words is not looked for inside an answer."""
_PERSONAL = re.compile(
    r"""
    @ | [(\[{<]\s*at\s*[)\]}>] | \bdot\b                              # an e-mail address, or a handle
    | \b(?:prof|dr|mr|mrs|ms|herr|frau|mme)\b\.?\s+[^\W\d_]             # somebody with a title
    | :// | \bwww\b | [^\W\d_]\.[^\W\d_]{2}                            # a link
    | [^\W\d_]:[^\W\d_] | \#\d{4}\b                                    # a handle: `skype:ada`, `ada#1815`
    | \b(?:skype|telegram|whatsapp|signal|discord|instagram|insta|facebook|twitter|linkedin|tiktok|snapchat)\s*:
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
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_IN_MEMORY = 1 << 22
_AT_ONCE = 1 << 14
_WORD = re.compile(r"[^\W_]+")
_MARK = re.compile(r"[^\w\s]")


class Answers:
    """Counts the answers of registrations, question by question, in memory that does not grow with them.

    Several answers of one person to one question count as one. Of a question with too many different answers only
    how many answered is told, as of an answer that is the name of who gave it, or holds the full name of anybody.
    """

    def __init__(self) -> None:
        self._answered: Counter[str] = Counter()
        self._counts: dict[str, Counter[str] | None] = {}
        self._names = SpooledTemporaryFile(_IN_MEMORY)  # noqa: SIM115  full names, one to a line
        finalize(self, self._names.close)
        self._own = Distinct()  # answers that are a name of who gave it, each after its question
        self.uncounted = 0  # answers to further questions than there is room for
        self.unreadable = 0  # registrations

    def add(self, page: Page) -> None:
        self.unreadable += page.unreadable
        names = [page.columns[f"user.{part}"] for part in _PERSON]
        whole, first, middle, last = names
        full = {name for name in whole if type(name) is str}
        full |= {f"{given} {family}" for given, family in zip(first, last, strict=True) if given and family}
        if any(middle):
            full |= {f"{given} {further} {family}" for given, further, family in zip(first, middle, last, strict=True)}
        self._names.write("\n".join([*full, ""]).encode("utf-8", "surrogatepass"))
        everybody: set[str] = set()
        for question, column in page.answers.items():
            given = len(column) - (0 if all(column) else column.count("") + column.count(None))
            if question not in self._counts and given:
                if len(self._counts) >= MOST_QUESTIONS:
                    self.uncounted += given
                    continue
                self._counts[question] = Counter()
            self._answered[question] += given
            if (counts := self._counts.get(question)) is not None:
                everybody = everybody or _folded(chain(*names))
                answers = [each if type(each) is str else text(each) for each in column]
                if not everybody.isdisjoint(map(str.casefold, answers)):
                    rows = zip(answers, *names, strict=True)
                    own = {answer for answer, *own in rows if answer and answer.casefold() in _folded(own)}
                    self._own.fresh([_own(question, answer) for answer in own])
                counts.update([answer for answer in answers if answer and len(answer) <= LONGEST])
        sizes = {question: len(counts) for question, counts in self._counts.items() if counts}
        if sum(sizes.values()) > MOST_ANSWERS:
            self._counts[max(sizes, key=lambda question: sizes[question])] = None

    def told(self, others: Iterable[str] = ()) -> tuple[list[dict[str, JSON]], set[str]]:
        """Give each question with its answers, the most frequent first; once all registrations are counted.

        A question that may lead to a person is None; `told` is false where its answers were not counted one by one.
        Beside the questions those of the `others`, further texts, that may lead to a person.
        """
        others = {*others}
        shown = {question: _shown(counts or {}) for question, counts in self._counts.items()}
        inside = {each: _runs(each) for each in chain(others, shown, *shown.values())}
        own = [*{_own(question, answer) for question, counts in shown.items() for answer in counts}]
        names = {each for each, is_new in zip(own, self._own.fresh(own), strict=True) if not is_new}
        names |= self._among_names(set().union(*inside.values()))
        personal = {each for each, runs in inside.items() if is_personal(each) or not names.isdisjoint(runs)}
        questions = []
        for question, counts in shown.items():
            usual = (each for each in counts if len(each) <= LONGEST and each not in personal)
            told = {each: counts[each] for each in usual if _own(question, each) not in names}
            name, counted = None if question in personal else question, self._counts[question] is not None
            questions.append(_question(name, self._answered[question], told, counted=counted))
        return questions, personal & others | {each for each in others if len(each) > LONGEST}

    def _among_names(self, wanted: set[str]) -> set[str]:
        words, found = {*" ".join(wanted).split()}, set[str]()
        self._names.seek(0)
        while wanted and (lines := self._names.readlines(_AT_ONCE)):
            plain = normalize("NFKC", b"".join(lines).decode("utf-8", "surrogatepass")).casefold()
            plain = _MARK.sub(" ", plain.replace("_", " "))
            if not words.isdisjoint(plain.split()):
                found |= wanted.intersection(_key(line.split()) for line in plain.split("\n"))
        return found


def _folded(names: Iterable[JSON]) -> set[str]:
    return {name.casefold() for name in names if type(name) is str}


def _key(words: Sequence[str]) -> str:
    """Give words without what only writes them differently: their order."""
    return " ".join(sorted(words))


def _runs(answer: str) -> set[str]:
    words = tuple(_WORD.findall(normalize("NFKC", answer).casefold()))
    ends = range(2, _LONGEST_NAME + 1)
    some = {words[at : at + many] for many in ends for at in range(len(words) - many + 1)}
    return {*map(_key, {*some, words})} - {""}


def _own(question: str, answer: str) -> str:
    return f"{question}\n{visible(answer).casefold()}"


def _shown(counts: Mapping[str, int]) -> Counter[str]:
    shown: Counter[str] = Counter()
    for answer, number in counts.items():
        shown[visible(answer)] += number
    return Counter({each: number for each, number in shown.items() if number >= LEAST})


def _question(question: str | None, answered: int, told: Mapping[str, int], *, counted: bool) -> dict[str, JSON]:
    return {
        "question": question and visible(question),
        "answered": answered,
        "answers": [
            {"answer": each, "registrations": number}
            for each, number in sorted(told.items(), key=lambda pair: (-pair[1], pair[0]))
        ],
        "others": answered - sum(told.values()),
        "told": counted,
    }


def is_personal(answer: str) -> bool:
    """Whether a text looks like an address, a link, a handle or a phone number: rather too many than one too few."""
    plain = _CLOCK.sub("", normalize("NFKC", answer).casefold())
    digits = sum(letter.isdigit() for letter in plain)
    number = digits >= _DIGITS and not _DATE.fullmatch(plain)
    return bool(_PERSONAL.search(plain) or (digits and _STREET.search(plain)) or number)
