"""How long to wait, what a service's own wish is, and the rate and the quota that threads share (R18)."""

from hypothesis import given
from hypothesis import strategies as st

from roomctl.service.policy import CLOCK, Quota, longest_delay, phase_of, retry_after
from tests.conftest import Cases
from tests.service.servers import NOW

DATE = (b"Date", b"Tue, 14 Nov 2023 22:13:20 GMT")  # NOW


def test_retry_after_is_read_or_left_out(cases: Cases) -> None:
    """Where a reader of dates makes something of one that cannot be, it is a wait that stops the command."""

    def says(*values: str) -> str:
        return str(retry_after([DATE, *((b"Retry-After", value.encode("utf-8")) for value in values)], 0.0))

    cases("retry-after.txt", says)
    for odd in (b"9" * 5000, b"Tue, 99 Nov 2023 99:99:99 GMT"):
        assert (retry_after([DATE, (b"Retry-After", odd)], 0.0) or 121) > 120


def test_a_date_is_read_against_the_reply_s_own_clock() -> None:
    late = [(b"retry-after", b"Tue, 14 Nov 2023 22:14:20 GMT")]
    assert retry_after(late, NOW - 100) == 160.0
    assert retry_after([*late, (b"date", b"Tue, 14 Nov 2023 22:14:10 GMT")], NOW - 100) == 10.0
    assert retry_after([*late, (b"date", b"yesterday")], NOW - 100) == 160.0


@given(st.integers(0, 10_000), st.booleans())
def test_delays_grow_to_their_cap_and_never_beyond(repeated: int, throttled: bool) -> None:
    base, cap = (1.0, 60.0) if throttled else (0.5, 20.0)
    bound = longest_delay(repeated, throttled)
    assert bound == min(cap, base * 2 ** min(repeated, 60))
    assert 0 <= CLOCK.uniform(0.0, bound) <= bound


@given(st.integers(100, 999).filter(lambda status: not 200 <= status <= 299))
def test_every_status_has_a_phase_and_no_write_takes_an_unclear_one_for_a_no(status: int) -> None:
    for wait in (None, 1.0):
        for repeat in ("patch", "create", "end"):
            phase = phase_of(status, repeat, wait)
            clear = 400 <= status <= 499 and status != 408
            assert phase == "P2" or clear or status == 501 or (status == 503 and repeat == "patch" and wait)
        assert phase_of(status, "read", wait) in ("P1", "P2", "P3")


def test_r18_the_quota_never_falls_below_nothing_nor_rises_above_full() -> None:
    quota = Quota()
    quota.give()
    assert quota.tokens == 500
    assert [quota.take(throttled=False) for _ in range(36)] == [True] * 35 + [False]
    assert quota.tokens == 10
    assert [quota.take(throttled=True) for _ in range(3)] == [True, True, False]
    quota.give()
    assert quota.tokens == 1
