"""Talking to the service: how a request leaves, what may be repeated, and what a reply must be.

    prepared ──▶ client ──▶ sending ──▶ transport ──▶ sockets        one origin, no redirects, one deadline an attempt
                               │            │
                            policy       replies ──▶ wire ──▶ strict     bounded, whole, strict, without bearer fields

The only owner of httpx and of httpcore, the part of httpx that moves bytes.
"""
