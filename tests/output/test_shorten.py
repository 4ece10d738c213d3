"""Fields of bytes are shown by their size."""

import base64

from hypothesis import given
from hypothesis import strategies as st

from roomctl.output.fields import shorten_bytes, size


@given(st.binary(max_size=200))
def test_the_size_is_that_of_the_bytes_not_of_the_base64(data: bytes) -> None:
    text = base64.b64encode(data).decode()
    assert size(text) == size(base64.encodebytes(data).decode()) == size(text.rstrip("=")) == f"<{len(data)} bytes>"


def test_fields_of_bytes_are_shortened_at_any_depth_and_the_value_itself_stays() -> None:
    value = {"imageBytes": "QUJD", "theme": [{"imageFarBytes": "", "imageNearBytes": None, "name": "QUJD"}], "Bytes": 3}
    assert shorten_bytes(value) == {
        "imageBytes": "<3 bytes>",
        "theme": [{"imageFarBytes": "<0 bytes>", "imageNearBytes": None, "name": "QUJD"}],
        "Bytes": 3,
    }
    assert value["imageBytes"] == "QUJD"


def test_what_is_shortened_already_stays() -> None:
    assert size("<48213 bytes>") == "<48213 bytes>"


def test_text_that_is_no_base64_has_the_size_of_the_text() -> None:
    assert size("é!\ud800") == "<6 bytes>"
