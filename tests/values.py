"""Strategies: any value that JSON can say."""

from hypothesis import strategies as st

STRINGS = st.text(st.characters()).map(
    lambda text: text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)  # two halves of a pair side by side are one character to every JSON reader
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)


def values(texts: st.SearchStrategy[str] = STRINGS, leaves: int = 20) -> st.SearchStrategy[object]:
    return st.recursive(
        st.none() | st.booleans() | NUMBERS | texts,
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
        max_leaves=leaves,
    )
