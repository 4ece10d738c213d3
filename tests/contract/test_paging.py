"""How a list may end, and in what its rows may be wrapped."""

import re
from typing import Any

import pytest

from roomctl.contract.paging import ENDS, REFUSALS, SAID, Rows, Wrapped, cut_short, wrapper_of
from tests.conftest import Cases


def test_each_end_has_its_words() -> None:
    assert list(SAID) == list(ENDS)
    assert set(REFUSALS) < set(ENDS)


def test_the_member_that_holds_the_rows_is_named_where_there_is_no_doubt(cases: Cases) -> None:
    cases("wrapped.txt", lambda value: wrapper_of(value) or "none")


HEADERS = """
    Accept-Ranges: bytes · Access-Control-Max-Age: 600 · Age: 60 · CDN-Cache-Control: stale-if-error=3
    CF-Cache-Status: EXPIRED · CF-RAY: 500 · Cache-Control: max-age=0, stale-while-revalidate=60
    Cache-Status: edge; fwd=stale; fwd-status=304 · Content-Length: 500 · Deprecation: true · Expires: 0
    Keep-Alive: timeout=1, max=100 · Last-Modified: Sun, 22 Nov 2026 10:00:00 GMT · Link: </s.css>; rel=preload
    NEL: {"failure_fraction":1.0} · RateLimit: limit=100, remaining=50 · RateLimit-Remaining: 50
    Server-Timing: cache;desc=stale, db;dur=53 · Sforce-Limit-Info: api-usage=18/5000 · Warning: 214 - "changed"
    X-Amzn-Trace-Id: Root=1 · X-B3-TraceId: 500 · X-Cache: Hit from cloudfront · X-Cache-Hits: 5
    X-Envoy-Upstream-Service-Time: 502 · X-Items: 5 · X-Error-Reporting-Url: /x · X-Next-Page: · X-Nextjs-Cache: HIT
    X-Per-Page: 20 · X-Query-Count: 12 · X-Rate-Limit-Exceeded: true · X-Rate-Limited: true · X-RateLimit-Remaining: 0
    X-Request-Timeout: 30 · X-Response-Time: 502 · X-Retry-Count: 1 · X-Total: 2 · grpc-status: 0 · traceparent: 00-1
"""
PAGE = {"size": 50, "totalElements": 2, "totalPages": 1, "number": 0}
ENVELOPES: dict[str, dict[str, Any]] = {
    "Spring": {**PAGE, "pageable": {"offset": 0, "paged": True}, "last": True, "sort": {"sorted": False}},
    "HATEOAS": {"links": [{"rel": "self", "href": "/x?page=0"}, {"rel": "last", "href": "/x?page=0"}], "page": PAGE},
    "Django": {"count": 2, "next": None, "previous": "/x?page=3"},
    "JSON:API": {"meta": {"total": 2}, "links": {"self": "/x", "last": "/x?page[number]=1", "next": None}},
    "OData": {"@odata.context": "/x", "@odata.count": 2},
    "Elasticsearch": {
        "took": 502,
        "timed_out": False,
        "_shards": {"total": 5, "successful": 5, "skipped": 2, "failed": 0},
        "hits": {"total": {"value": 2, "relation": "eq"}, "max_score": 1.0},
    },
    "Solr": {"responseHeader": {"status": 0, "QTime": 500}, "numFound": 2, "numFoundExact": True, "start": 0},
    "Laravel": {"current_page": 1, "last_page": 1, "next_page_url": None, "links": [{"url": None}], "from": 1, "to": 2},
    "GraphQL": {"pageInfo": {"hasNextPage": False, "hasPreviousPage": True, "endCursor": "b"}, "totalCount": 2},
    "Salesforce": {"totalSize": 2, "done": True},
    "ArcGIS": {"exceededTransferLimit": False, "objectIdFieldName": "id"},
    "Google": {"nextPageToken": "", "resultSizeEstimate": 5000, "unreachable": []},
    "DynamoDB": {"Count": 2, "ScannedCount": 500},
    "S3": {"IsTruncated": False, "KeyCount": 2, "MaxKeys": 1000},
    "Slack": {"ok": True, "response_metadata": {"next_cursor": ""}},
    "SCIM": {"totalResults": 2, "startIndex": 1, "itemsPerPage": 20},
    "Kubernetes": {"kind": "List", "metadata": {"resourceVersion": "500", "continue": "", "remainingItemCount": 0}},
    "others": {
        "info": "5",
        "data": "[]",
        "viewCount": 500,
        "filters": {"hidden": True, "partial": True},
        "facets": {"total": 900},
    },
}


@pytest.mark.parametrize("said", [*re.split("\\s·\\s|\n", HEADERS.strip()), *ENVELOPES])
def test_what_services_usually_say_beside_their_rows_leaves_no_doubt(said: str) -> None:
    rows: Rows = Wrapped([{}, {}], "rows", ENVELOPES.get(said, {}))
    if said not in ENVELOPES:
        rows.heed([(said.strip().lower().partition(":")[0], said.strip().partition(":")[2].strip())])
    assert (rows.total, rows.more, rows.follows, rows.partial, rows.warning) == (None, "", "", "", "")
    assert rows.pages <= 1 and {*rows.places.values()} <= {0, 1}


def test_a_record_says_of_itself_and_of_the_list_that_it_holds_that_it_is_not_all(cases: Cases) -> None:
    def says(resource: str, said: dict[str, Any]) -> str:
        return cut_short({"participants": [{}, {}], "rules": [{}, {}], **said}, resource) or "it is whole"

    cases("cut-short.txt", says)
