"""Talking to the service: how a request leaves, what may be repeated, and what a reply must be.

    prepared ──▶ client ──▶ sending ──▶ attempt ──▶ transport ──▶ httpx      one origin, no redirects, one deadline
                               │           │
                            policy      replies ──▶ wire ──▶ strict          bounded, whole, strict, no bearer fields

The only owner of httpx, but for the sandbox's transport.
"""

import sys
from typing import Any

_WITHOUT: Any = None
sys.modules.setdefault("httpx._main", _WITHOUT)  # else httpx loads its own command line, click and pygments
