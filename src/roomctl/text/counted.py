"""A number with what is counted; the first of many, with the number of the rest."""

from collections.abc import Iterable


def numbered(number: int, nouns: str) -> str:
    """Write a number with what is counted: `3 rooms`, `1 room`."""
    one = {"people": "person", "replies": "reply"}.get(nouns, nouns.removesuffix("s"))
    return f"{number:,} {one if number == 1 else nouns}"


def first(texts: Iterable[str], most: int = 20, *, indent: str = "") -> list[str]:
    """Give the first of some texts, and as the last one how many more there are."""
    whole = [*texts]
    return [*whole[:most], *([f"{indent}and {len(whole) - most} more"] if len(whole) > most else [])]


def size(number: float) -> str:
    """Write a number of bytes: `800 KiB`, `1.5 MiB`."""
    for unit in ("bytes", "KiB", "MiB"):
        if number < 1024:
            return f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} GiB"
