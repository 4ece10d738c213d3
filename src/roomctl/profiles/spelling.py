"""The nearest known name to one that is not known."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str]) -> str:
    """Name the known word that was probably meant; empty when none is near."""
    from difflib import get_close_matches

    folded = {each.casefold(): each for each in known}
    return next((folded[each] for each in get_close_matches(name.casefold(), folded, 1)), "")


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Ask whether the nearest known word was meant, as the end of a sentence; empty when none is near."""
    near = nearest(name, known)
    return f": did you mean `{near}`?" if near else ""
