"""The name that was probably meant by one that is not known."""

import re
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], *, least: float = 0.65) -> str:
    """Name the known word that begins so or is nearest, regardless of case; empty where none is near."""
    from difflib import get_close_matches

    words, folded, plain = _words(name), {each.casefold(): each for each in known}, name.strip().casefold()
    if plain in folded:
        return folded[plain]
    near = [each for each in folded if each.startswith(plain)] if len(plain) > 2 else []
    near = near or [each for each in folded if _words(folded[each]) == words]  # in another order: dateTimeRegistered
    near = near or get_close_matches(plain, folded, 1, least)
    return folded[near[0]] if near else ""


def _words(name: str) -> list[str]:
    return sorted(each.casefold() for each in re.findall("[A-Z]?[a-z0-9]+|[A-Z]+", name))


def did_you_mean(name: str, known: Iterable[str], before: str = "; ") -> str:
    """Ask whether the nearest known word was meant, as the end of a sentence; empty where none is near."""
    near = nearest(name, known)
    return f"{before}did you mean `{near}`?" if near else ""
