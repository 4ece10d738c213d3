"""One short command against bare scripts that send the same request: with httpx, and with the standard library."""

import sys

from tests.benchmarks.running import in_turn, took

USER = "10000000-0000-4000-8000-000000000001"
_ASK = f"""
import os, sys
url = os.environ["ROOMCTL_BASE_URL"] + "/api/v1/user/{USER}"
headers = {{"X-API-Key": os.environ["ROOMCTL_API_KEY"]}}
"""
HTTPX = f"{_ASK}import httpx\nprint(httpx.get(url, headers=headers).json())"
STANDARD = f"""{_ASK}
import http.client, json
_, _, place, target = url.split("/", 3)
connection = http.client.HTTPConnection(place)
connection.request("GET", "/" + target, headers=headers)
print(json.load(connection.getresponse()))
"""


def compare(given: dict[str, str], pairs: int) -> None:
    """Run each in turn with `roomctl user get`, and print medians and ratios."""
    own = [sys.executable, "-m", "roomctl", "user", "get", USER, "-o", "json"]
    took(own, given)  # so that all is compiled
    for name, script in (("httpx", HTTPX), ("http.client", STANDARD)):
        ours, theirs, ratio = in_turn(own, [sys.executable, "-c", script], given, pairs)
        print(
            f"user get: {ours.wall * 1000:.0f} ms, a bare {name} script {theirs.wall * 1000:.0f} ms:"
            f" {1 / ratio.wall:.2f} of its time, {1 / ratio.processor:.2f} of its processor time"
        )
