"""Strict JSON, lossless, without bearer fields (R7, R28)."""

import json
import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from roomctl.text.exact import Exact
from roomctl.text.strict_json import NotStrict, parse
from tests.conftest import Cases, error_of
from tests.values import values

JSON = Any


def refused(text: bytes) -> str:
    return str(error_of(NotStrict, parse, text))


NO_TEXT = {"not UTF-8": [b"\xff\xfe[\x00]\x00", b'"\xe9"', b'"\xed\xa0\x80"', "[1]".encode("utf-16")]}
NO_TEXT |= {"not JSON at character 1": [b"\xef\xbb\xbf\xef\xbb\xbf[]"]}
NO_TEXT |= {"not JSON at character 2": ["[1]".encode("utf-16-le")]}
NO_TEXT |= {"a number has more than 10,000 digits": [b"9" * 10_001]}


def test_what_is_not_strict_json_is_refused(cases: Cases) -> None:
    cases("not-json.txt", lambda text: refused(text.encode()))
    for why, texts in NO_TEXT.items():
        assert [*map(refused, texts)] == [why] * len(texts)


@pytest.mark.parametrize("opening", [b"[", b'{"a":', b'[{"a":'])
@pytest.mark.parametrize("depth", [150, 900, 1000, 100_000])
def test_a_depth_that_would_exhaust_the_stack_is_refused(opening: bytes, depth: int) -> None:
    closing = opening[::-1].translate(bytes.maketrans(b"[{", b"]}"), b'"a:')
    with pytest.raises(NotStrict, match="nested deeper than 100 levels"):
        parse(opening * depth + b"1" + closing * depth)
    with pytest.raises(NotStrict):
        parse(opening * depth)


def test_integers_are_exact_whatever_their_length() -> None:
    assert parse(b"9223372036854775808") == 2**63
    assert parse(b"-" + b"9" * 4000) == -(10**4000 - 1)
    long = parse(b"1" + b"0" * 4999)
    assert long == 10**4999
    assert sys.get_int_max_str_digits() == 4300
    assert parse(b'[1,{"a":' + b"7" * 5000 + b"}]")[0] == 1


FLOATS = ["0.5", "1.0", "-0.0", "1e+16", "3.14"]
EXACT = ["0.10", "1e999", "-1E-999", "1e2", "3.14159265358979323846", "0.1e0", "1E+400"]


@pytest.mark.parametrize("text", [*FLOATS, *EXACT])
def test_a_number_is_a_float_where_that_gives_it_back_and_else_keeps_its_text(text: str) -> None:
    value = parse(text.encode())
    kind, exact = (float, float(text)) if text in FLOATS else (Exact, Decimal(text))
    assert (type(value), str(value), value) == (kind, text, exact)


def test_r7_bearer_fields_are_removed_at_any_depth_and_in_any_case(cases: Cases) -> None:
    cases("bearers.txt", lambda text: json.dumps(parse(text.encode())))


def without_bearer(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {key: without_bearer(each) for key, each in value.items() if "bearer" not in key.lower()}
    return [without_bearer(each) for each in value] if isinstance(value, list) else value


@given(values(st.text(max_size=20), 30), st.booleans())
@example({"a": ":", ":": {}, 'x":': '\\":', "c ": '" :'}, False)
def test_what_is_written_is_read(value: JSON, ascii_only: bool) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    try:
        read = parse(text)
    except NotStrict as error:
        assert str(error) == "not UTF-8"
        assert not ascii_only
    else:
        assert read == without_bearer(value)


@given(st.binary(max_size=60))
@example(b'{"a":1,"a":2}')
def test_any_bytes_are_read_as_python_reads_them_or_refused(data: bytes) -> None:
    try:
        value = parse(data)
    except NotStrict:
        return
    assert value == without_bearer(json.loads(data.removeprefix(b"\xef\xbb\xbf")))


@given(st.lists(st.sampled_from(["a", "b", "a:", '"', "\\", "bearer"]), max_size=6))
def test_a_key_that_stands_twice_is_found(keys: list[str]) -> None:
    text = "{" + ",".join(f"{json.dumps(key)} : {number}" for number, key in enumerate(keys)) + "}"
    if len(set(keys)) == len(keys):
        assert parse(text.encode()) == {key: number for number, key in enumerate(keys) if key != "bearer"}
    else:
        assert refused(text.encode()) == "a key occurs twice in one object"
