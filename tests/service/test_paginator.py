"""A list is read to its proven end, and no further (R30, R31, R32)."""

import json
import time
from collections.abc import Callable, Container, Sequence
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from roomctl.contract.operations import RECORDING_LIST, REGISTRATION_LIST, SOCIAL_CTA, USER_GET
from roomctl.errors import NotFound, Partial, Refused, Temporary, Unintelligible
from roomctl.exports.quick import line_decoder
from roomctl.service.client import Client
from roomctl.service.paginator import MOST_PAGES, Paginator
from roomctl.text.counted import numbered
from tests.conftest import Cases
from tests.exports.paged import PagedService, identifier
from tests.servers import A
from tests.service.servers import client


def recordings(count: int) -> list[dict[str, str]]:
    return [{"socialRecordingId": identifier(number)} for number in range(count)]


def listing(service: Any, size: int = 100, **more: Any) -> Paginator:
    return Paginator(service, RECORDING_LIST, path={}, query=(), size=size, **more)


def answering(answer: Callable[[int], httpx.Response], **profile: Any) -> Client:
    transport = httpx.MockTransport(lambda request: answer(int(request.url.params.get("page", 0))))
    return client("http://127.0.0.1:1", transport=transport, **profile)


@pytest.mark.parametrize("total", [0, 1, 19, 20, 21, 10_007])
@pytest.mark.parametrize("clamp", [1, 7, 20, 100])
def test_no_row_is_lost_however_the_service_clamps_size_r30(clamp: int, total: int) -> None:
    service = PagedService(recordings(total), clamp=clamp)
    whole = listing(service, 20)
    assert list(whole) == service.rows
    assert (whole.complete, whole.proof.why) == (True, "ended on an empty page")
    assert (whole.rows, whole.duplicates, whole.drift) == (total, 0, False)


def test_a_total_that_falls_from_page_to_page_is_a_change_of_the_list() -> None:
    """A row was deleted after page 0: what slips past may be missing, though each total agrees with what came."""

    def answer(page: int) -> httpx.Response:
        rows = recordings(44)[page * 20 :][:20]
        return httpx.Response(200, json=rows, headers={"X-Total-Count": "45" if page == 0 else "44"})

    read = listing(answering(answer), 20)
    assert (len([*read]), read.drift, read.complete) == (44, True, True)


@pytest.mark.parametrize("concurrency", [1, 2, 8])
def test_the_same_size_is_sent_throughout_and_page_goes_up_by_one_r30(concurrency: int) -> None:
    """Beside the pages there is one look at what a service that counts on from the size requested would leave out."""
    service = PagedService(recordings(95), clamp=10)
    assert list(listing(service, 50, concurrency=concurrency)) == service.rows
    assert service.asked.pop() == (1, 10)
    assert sorted(service.asked) == [(page, 50) for page in range(len(service.asked))]
    assert 11 < len(service.asked) <= 11 + concurrency


def test_rows_of_another_room_than_the_one_that_was_requested_leave_a_doubt() -> None:
    for room, why in ((1, "ended on an empty page"), (2, "rows say that they belong to another")):
        items = PagedService([{"CTAItemId": 1}, {"CTAItemId": 2, "socialId": identifier(room)}])
        read = Paginator(items, SOCIAL_CTA, path={"socialId": identifier(1).upper()}, query=(), size=100)
        assert (len(read.whole()), read.proof.why.removesuffix(" room")) == (2, why)


def test_rows_behind_a_page_cut_short_leave_a_doubt_r30(cases: Cases) -> None:
    """Such a service counts on from the size requested, and shows no more than `most` of some pages."""

    def says(total: int, cut: list[int], most: int) -> str:
        shown = PagedService(recordings(total), shown=lambda page, _, rows: rows[: most if page in cut else None])
        read = listing(shown)
        read.whole()
        return read.proof.why

    cases("cut-pages.txt", says)


@pytest.mark.parametrize("hidden", [range(100, 103), range(150, 153), range(197, 200), [100, 150, 199]])
def test_a_page_that_is_short_for_rows_that_are_hidden_leaves_no_doubt_r30(hidden: Container[int]) -> None:
    """Such a service counts hidden rows on, and shows them at no size."""
    rows = [{**row, "hidden": number in hidden} for number, row in enumerate(recordings(250))]
    read = listing(PagedService(rows, shown=lambda page, size, rows: [row for row in rows if not row["hidden"]]))
    assert read.whole() == [row for row in rows if not row["hidden"]]
    assert (read.complete, read.proof.why) == (True, "ended on an empty page")


def test_a_row_that_came_again_on_a_later_page_leaves_what_rests_on_all_rows_in_doubt_r32() -> None:
    """A plain list says it, and no more. Page 1 comes from a copy that lags five rows behind."""
    some = recordings(30)
    behind = PagedService(some, shown=lambda page, _, rows: some[15:25] if page == 1 else rows)
    plain, whole = (listing(behind, 10) for _ in range(2))
    assert (len([*plain]), plain.drift, plain.complete) == (25, True, True)
    assert (len(whole.whole()), whole.proof.why.partition(": the")[0]) == (25, "rows appeared again on later pages")


@pytest.mark.parametrize("concurrency", [1, 8])
@pytest.mark.parametrize("total", [1, 19, 20, 21, 500])
def test_a_service_that_ignores_page_is_an_error_and_no_loop_r31(total: int, concurrency: int) -> None:
    service = PagedService(recordings(total), ignores_page=True)
    endless = listing(service, 20, concurrency=concurrency)
    with pytest.raises(Partial) as caught:
        list(endless)
    assert caught.value.message == "the list may be incomplete: pages 1 and 2 have no new rows"
    assert "`page`" in caught.value.hint
    assert not endless.complete
    assert len(service.asked) <= 3 + concurrency


@pytest.mark.parametrize(("limit", "asked"), [(0, []), (1, [(0, 1)]), (20, [(0, 20)]), (25, [(0, 20), (1, 20)])])
def test_a_limit_asks_for_no_more_than_it_needs_and_claims_nothing(limit: int, asked: list[tuple[int, int]]) -> None:
    service = PagedService(recordings(50))
    some = listing(service, 20, limit=limit)
    assert list(some) == service.rows[:limit]
    assert service.asked == asked
    assert (some.complete, some.rows, some.proof.why) == (False, limit, f"limited to {numbered(limit, 'rows')}")


def test_a_refused_size_is_asked_once_more_with_the_service_own_default() -> None:
    notes: list[str] = []
    service = PagedService(recordings(45), refuses_above=50)
    smaller = listing(service, 500, note=notes.append)
    assert list(smaller) == service.rows
    assert service.asked == [(0, 500), (0, 20), (1, 20), (2, 20), (3, 20), (4, 20)]
    assert smaller.size == 20
    assert notes == ["the service refused pages of 500 rows: requesting 20 instead"]


@pytest.mark.parametrize(
    "refusal",
    [
        NotFound("no such event", http=404),
        Refused("elsewhere", http=302),
        Refused("not made", http=501),
        Unintelligible("an object", http=200),
    ],
)
def test_a_refusal_that_is_not_about_size_is_not_asked_again(refusal: Refused) -> None:
    def refuse(_: PagedService) -> None:
        raise refusal

    service = PagedService([], between=refuse)
    with pytest.raises(Refused, match=refusal.message):
        list(listing(service, 500))
    assert service.asked == [(0, 500)]


@pytest.mark.parametrize("concurrency", [1, 4])
def test_rows_before_a_failing_page_are_delivered_first(concurrency: int) -> None:
    service = PagedService(recordings(100), fails_at=3)
    seen = []
    broken = listing(service, 10, concurrency=concurrency)
    with pytest.raises(Temporary):
        for row in broken:
            seen.append(row)
    assert seen == service.rows[:30]
    assert not broken.complete


def test_a_list_without_end_is_an_error_r31() -> None:
    endless = PagedService([], shown=lambda page, *_: [{"socialRecordingId": identifier(page)}])
    with pytest.raises(Partial, match=f"did not end within {MOST_PAGES} pages"):
        list(listing(endless, 1, start=MOST_PAGES - 2))


def slow(_: PagedService) -> None:
    """Have replies waited for, so that later pages are asked for ahead."""
    time.sleep(0.001)


@pytest.mark.parametrize("concurrency", [1, 2, 8])
@pytest.mark.parametrize("hole", [0, 1, 6])
def test_an_empty_page_amid_others_is_a_hole_and_no_end_r30(hole: int, concurrency: int) -> None:
    rows = recordings(200)
    holed = listing(PagedService(rows, holes=[hole], between=slow), 10, concurrency=concurrency)
    got = []
    with pytest.raises(Partial) as caught:
        for row in holed:
            got.append(row)
    assert got == rows[: hole * 10] + rows[hole * 10 + 10 :]
    why = f"page {hole} was empty, but page {hole + 1} has rows"
    assert caught.value.message == f"the list may be incomplete: {why}"
    assert (holed.complete, holed.proof.why) == (False, why)


@given(empty=st.sets(st.integers(0, 14), max_size=8), concurrency=st.sampled_from([1, 2, 4, 8]))
def test_nothing_that_was_asked_for_is_dropped_r30(empty: set[int], concurrency: int) -> None:
    """Whatever page that was asked for holds rows: they are given; a list is complete where none lay behind a hole."""
    service = PagedService(recordings(12), holes=empty, between=slow)
    read = listing(service, 1, concurrency=concurrency)
    got = [row for batch in read.batches() for row in batch.rows]
    full = sorted(page for page, _ in service.asked if page < 12 and page not in empty)
    assert got == [service.rows[page] for page in full]
    ahead = [page for page, _ in service.asked if page not in full and full and page < full[-1]]
    assert read.complete is not bool(ahead)
    assert (read.proof.doubt is None) is read.complete
    last = full[-1] if full else -1
    assert {(last + 1, 1), (last + 2, 1)} <= {*service.asked}


def test_the_pages_of_a_list_prove_its_end_or_do_not_r17_r30(cases: Cases) -> None:
    """204, nothing and null behind a good page are an empty page; a refusal is one only where the profile says so."""

    def read(pages: Any, ends: Sequence[str], page: int | None, concurrency: int) -> str:
        def answer(number: int) -> httpx.Response:
            said = pages[min(number, len(pages) - 1)]
            said = {"rows": said} if isinstance(said := said.pop(0) if isinstance(said, list) else said, int) else said
            rows = json.dumps(recordings(number * 10 + said["rows"])[number * 10 :]) if "rows" in said else ""
            text = said.get("text", rows)
            return httpx.Response(said.get("status", 200), headers=said.get("headers"), text=text)

        listed = listing(answering(answer, end_of_list=ends), 10, page=page, concurrency=concurrency)
        try:
            rows = numbered(len([row for batch in listed.batches() for row in batch.rows]), "rows")
        except (Partial, Refused) as error:
            return error.message
        assert listed.complete is (listed.proof.doubt is None and page is None)
        doubt = listed.proof.doubt
        return f"{rows}: {listed.proof.why}" if doubt is None else f"{rows}: {doubt.message}; {doubt.hint}"

    def says(pages: Any, ends: Sequence[str] = (), page: int | None = None) -> str:
        return " or ".join(sorted({read(json.loads(json.dumps(pages)), ends, page, each) for each in (1, 4)}))

    cases("pages.txt", says)


def test_a_wrapper_that_says_another_number_of_rows_than_came_leaves_a_doubt_r30(cases: Cases) -> None:
    def says(page: dict[str, Any], end: dict[str, Any]) -> str:
        first = {"rows": recordings(10), **page}
        read = listing(answering(lambda number: httpx.Response(200, json=end if number else first), list_field="rows"))
        assert read.whole() == first["rows"]
        assert read.complete is (read.proof.why == "ended on an empty page")
        return read.proof.why

    cases("wrappers.txt", says)


@pytest.mark.parametrize("decoder", [None, line_decoder("socialRecordingId")])
def test_a_header_that_says_another_number_of_rows_than_came_leaves_a_doubt_r30(decoder: Any, cases: Cases) -> None:
    def says(headers: dict[str, str]) -> str:
        service = answering(lambda page: httpx.Response(200, json=[] if page else recordings(10), headers=headers))
        read = listing(service, check=decoder is None, decode=decoder)
        assert sum(len(batch.rows) for batch in read.batches()) == 10
        why = read.proof.why
        assert read.complete is (why == "ended on an empty page")
        of_a_record = why.partition("page 0 was received, but ")[2]  # the same is said of a record that is no page
        service = answering(lambda _: httpx.Response(200, json={"userId": A}, headers=headers))
        assert service.send(USER_GET, path={"userId": A}).doubt == of_a_record
        return why

    cases("headers.txt", says)


def test_what_a_service_warns_of_is_told_once() -> None:
    """A persistent warning that takes nothing from the rows is no doubt."""
    notes: list[str] = []
    page = httpx.Response(200, json=[], headers={"Warning": '299 - "deprecated"'})
    service = answering(lambda _: page, note=notes.append)
    assert [[*listing(service)] for _ in range(2)] == [[], []]
    assert notes == ['the service warns: 299 - "deprecated"']


EVENT = "ABCDEF00-0000-4000-8000-000000000000"


def test_a_row_that_says_in_any_form_that_it_is_of_another_event_leaves_a_doubt(cases: Cases) -> None:
    named = {"registrationId": identifier(1)}

    def read(*rows: Any) -> str:
        query = [("socialEventId", EVENT)]
        listing = Paginator(PagedService(rows), REGISTRATION_LIST, path={}, query=query, size=10)
        listing.whole()
        return listing.proof.why

    cases("other-events.txt", lambda said: read({**named, **said}))
    own = [{**named, "event": "my event"}, {**named, "registrationId": "x", "event": EVENT.lower()}]
    assert read(*own) == "ended on an empty page"


def test_rows_that_contradict_each_other_or_are_no_records_leave_a_doubt_r32(cases: Cases) -> None:
    """What two rows of one id show differently is not shown; a row that is no record may stand for any."""

    def says(*rows: Any) -> str:
        reads = [listing(PagedService([*rows, {"socialRecordingId": identifier(2)}]), size) for size in (2, 10)]
        told = {json.dumps(read.whole()[:-1]) + "; " + read.proof.why.replace("page 1", "page 0") for read in reads}
        assert len(told) == len({read.complete is read.proof.why.startswith("ended") for read in reads}) == 1
        return told.pop()

    cases("rows.txt", says)
