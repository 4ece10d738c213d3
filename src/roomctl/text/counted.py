"""A number with what is counted."""


def numbered(number: int, nouns: str) -> str:
    """Write a number with what is counted: `3 rooms`, `1 room`."""
    one = {"people": "person", "replies": "reply"}.get(nouns, nouns.removesuffix("s"))
    return f"{number:,} {one if number == 1 else nouns}"


def size(number: float) -> str:
    """Write a number of bytes: `800 KiB`, `1.5 MiB`."""
    for unit in ("bytes", "KiB", "MiB"):
        if number < 1024:
            return f"{number:.3g} {unit}"
        number /= 1024
    return f"{number:.3g} GiB"
