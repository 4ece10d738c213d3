"""The name that was probably meant by one that is not known."""

from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], *, least: float = 0.65) -> str:
    """Name the known word that begins so or is nearest, regardless of case; empty where none is near."""
    from difflib import get_close_matches

    folded, name = {each.casefold(): each for each in known}, name.strip().casefold()
    begun = [each for each in folded if each.startswith(name)] if len(name) > 2 else []
    near = [name] if name in folded else begun or get_close_matches(name, folded, 1, least)
    return folded[near[0]] if near else ""


def did_you_mean(name: str, known: Iterable[str], before: str = "; ") -> str:
    """Ask whether the nearest known word was meant, as the end of a sentence; empty where none is near."""
    near = nearest(name, known)
    return f"{before}did you mean `{near}`?" if near else ""
