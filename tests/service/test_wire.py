"""Bodies as bytes: bounded, decoded once, whole (R10, R11, R13)."""

import gzip
import tracemalloc
import zlib

import pytest
from httpx import Headers
from hypothesis import given
from hypothesis import strategies as st

from roomctl.service.body import Truncated, Unreadable, collect, marks_of

MIB = 1024 * 1024
GZIP = Headers([(b"Content-Encoding", b"gzip")])


@pytest.mark.parametrize("encoding", [b"gzip", b"GZip", b"x-gzip", b"identity, gzip", b" gzip ,"])
def test_one_gzip_is_undone(encoding: bytes) -> None:
    assert collect([gzip.compress(b"[1]")], Headers([(b"content-encoding", encoding)]), MIB) == b"[1]"


@given(st.binary(max_size=3000), st.integers(1, 50))
def test_gzip_in_pieces_is_the_same(data: bytes, step: int) -> None:
    packed = gzip.compress(data)
    pieces = [packed[at : at + step] for at in range(0, len(packed), step)]
    assert collect(pieces, GZIP, MIB) == data
    assert collect([*pieces, b""], GZIP, MIB) == data
    for more in (b"\0", packed):
        with pytest.raises(Unreadable, match="data after the end of its gzip stream"):
            collect([*pieces, more], GZIP, MIB)
        with pytest.raises(Unreadable, match="data after the end of its gzip stream"):
            collect([packed + more], GZIP, MIB)


@given(st.binary(max_size=300), st.data())
def test_gzip_that_is_cut_is_truncated(data: bytes, draw: st.DataObject) -> None:
    packed = gzip.compress(data)
    cut = draw.draw(st.integers(1, len(packed) - 1))
    with pytest.raises(Truncated, match="its gzip stream ended too early"):
        collect([packed[:cut]], GZIP, MIB)


@given(st.binary(min_size=2, max_size=100).filter(lambda data: data[0] != 0x1F))
def test_what_is_not_gzip_is_refused(data: bytes) -> None:
    with pytest.raises(Unreadable, match="labelled as gzip, but it is not"):
        collect([data], GZIP, MIB)


@pytest.mark.parametrize("size", [MIB - 1, MIB, MIB + 1])
def test_the_limit_is_exact_before_and_after_decoding(size: int) -> None:
    data = b"x" * size
    for chunks, headers in (([data], Headers()), ([b"x"] * size, Headers()), ([gzip.compress(data)], GZIP)):
        if size > MIB:
            with pytest.raises(Unreadable, match="more than 1 MiB"):
                collect(chunks, headers, MIB)
        else:
            assert len(collect(chunks, headers, MIB)) == size


def test_a_dense_body_takes_no_more_memory_than_the_limit() -> None:
    maker = zlib.compressobj(9, wbits=31)
    bomb = b"".join(maker.compress(b"\0" * MIB) for _ in range(100)) + maker.flush()
    tracemalloc.start()
    with pytest.raises(Unreadable, match="more than 4 MiB"):
        collect([bomb], GZIP, 4 * MIB)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * MIB


def test_a_length_is_kept_to() -> None:
    for wrong in (b"2", b"4"):
        with pytest.raises(Truncated, match=f"3 of {wrong.decode()} bytes arrived"):
            collect([b"[1]"], Headers([(b"Content-Length", wrong)]), MIB)
    with pytest.raises(Unreadable, match="more than 1 MiB"):
        collect([], Headers([(b"Content-Length", b"1048577")]), MIB)


@pytest.mark.parametrize("length", [b"3, 4", b"-1", b"x", b"\xb3", b"9" * 5000])
def test_a_length_that_is_no_number_is_refused(length: bytes) -> None:
    with pytest.raises(Unreadable, match="its length is not a number"):
        collect([b"abc"], Headers([(b"Content-Length", length)]), MIB)


def test_r13_headers_are_bounded() -> None:
    assert collect([], Headers([(b"a", b"b" * (100 * 1024 - 5))]), MIB) == b""
    with pytest.raises(Unreadable, match="its headers are larger than 100 KiB"):
        collect([], Headers([(b"a", b"b" * (100 * 1024 - 4))]), MIB)


def test_r10_a_body_that_few_bytes_make_large_is_refused_before_it_is_decoded() -> None:
    for dense in (b"[" + b"{}," * 250_000 + b"{}]", b"[" + b"1," * 800_000 + b"1]"):
        with pytest.raises(Unreadable, match="more values than any page"):
            marks_of(dense)
    marks_of(b"[" + b'{"a":[1,2,3]},' * 50_000 + b"{}]")
