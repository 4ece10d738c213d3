"""Talking to the service: how a request leaves, what may be repeated, and what a reply must be.

    request ──▶ client ──▶ attempt ──▶ transport ──▶ httpx     one origin, no redirects, one deadline
                  │
                  ├──▶ policy       what may be repeated, when, and how often; else the error, and the next step
                  └──▶ reply        bounded, whole, strict, and the answer to what was asked

The only owner of httpx, but for the sandbox's transport.
"""

import sys
from typing import Any

_WITHOUT: Any = None
sys.modules.setdefault("httpx._main", _WITHOUT)  # else httpx loads its own command line, click and pygments
