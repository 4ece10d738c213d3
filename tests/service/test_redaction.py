"""The redactor: by value in any disguise, by name at any depth (R6)."""

import base64
import html
import json
from collections.abc import Callable
from urllib.parse import quote, quote_plus

from hypothesis import given
from hypothesis import strategies as st

from roomctl.service.redaction import HIDDEN, Redactor
from tests.conftest import Cases

VISIBLE = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=8, max_size=64)
DISGUISES: list[Callable[[str], str]] = [
    lambda key: key,
    lambda key: key.swapcase(),
    lambda key: quote(key, safe=""),
    lambda key: quote(key, safe="").lower(),
    quote_plus,
    lambda key: quote(quote(key, safe=""), safe=""),
    quote,
    lambda key: "".join(f"%{ord(character):02x}" for character in key),
    lambda key: json.dumps(key)[1:-1],
    lambda key: json.dumps(json.dumps(key))[3:-3],
    lambda key: json.dumps(key)[1:-1].replace("/", "\\/"),
    lambda key: "".join(f"\\u{ord(character):04X}" for character in key),
    lambda key: repr(key)[1:-1],
    lambda key: "".join(f"\\x{ord(character):02x}" for character in key),
    html.escape,
    lambda key: html.escape(key, quote=False),
    lambda key: "".join(f"&#{ord(character)};" for character in key),
    lambda key: "".join(f"&#x{ord(character):X};" for character in key),
    lambda key: key.encode().hex(),
]


@given(key=VISIBLE, before=st.text(max_size=5), after=st.text(max_size=5))
def test_no_disguise_of_a_key_comes_through(key: str, before: str, after: str) -> None:
    redact = Redactor(key)
    for number, disguise in enumerate(DISGUISES):
        worn = disguise(key)
        text = redact(f"{before} <{worn}> {after}")
        assert worn not in text.replace(HIDDEN, "\0"), number  # a key may look like the mark itself
        assert HIDDEN in text, number


@given(VISIBLE, st.integers(0, 64), st.sampled_from([" ", "\n", "...", "\u200b"]))
def test_no_part_of_eight_characters_of_a_key_comes_through(key: str, at: int, between: str) -> None:
    text = Redactor(key)(f"<{key[:at]}{between}{key[at:]}>").replace(HIDDEN, "\0")
    assert not [part for start in range(len(key) - 7) if (part := key[start : start + 8]) in text]


@given(VISIBLE, st.binary(max_size=7), st.binary(max_size=7), st.booleans())
def test_no_base64_of_a_text_with_the_key_comes_through(key: str, before: bytes, after: bytes, urlsafe: bool) -> None:
    encode = base64.urlsafe_b64encode if urlsafe else base64.b64encode
    worn = encode(before + key.encode() + after).decode()
    for text in (worn, worn.replace("/", "\\/"), quote(worn, safe="")):
        shown = Redactor(key)(text)
        assert HIDDEN in shown
        assert len(shown.replace(HIDDEN, "")) < len(text) - len(key)


def test_what_stands_under_a_secret_s_name_or_shows_what_it_is_is_hidden(cases: Cases) -> None:
    for redact in (Redactor(), Redactor("k" * 16)):
        cases("redacted.txt", lambda text, redact=redact: json.dumps(redact(text), ensure_ascii=False))
