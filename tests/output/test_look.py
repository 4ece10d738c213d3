"""Text in terminal cells."""

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.look import fold_prose
from tests.conftest import Cases

TEXTS = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]) | st.sampled_from("a b大👩\u200d👧"))


def test_prose_hangs_below_what_it_belongs_to_and_nothing_that_can_be_typed_is_broken(cases: Cases) -> None:
    cases("hanging.txt", lambda text: fold_prose(text, 26).replace("\n", "\n  "))


@given(TEXTS, st.integers(2, 30))
def test_prose_loses_nothing_but_blanks(text: str, space: int) -> None:
    assert fold_prose(text, space).replace("\n", "").replace(" ", "") == text.replace(" ", "")
