"""The address of a service, in the one form that a key is bound to."""

import re
from typing import Any
from urllib.parse import SplitResult, urlsplit

from roomctl.contract.operations import PREFIX

EXAMPLE = "an address such as https://rooms.example.org"
PORTS = {"http": 80, "https": 443}
_VISIBLE = r"[\x21-\x7e]{1,2048}"
_HOST = r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?"
_LOOPBACK = r"127(?:\.[0-9]{1,3}){3}"
_PATH = r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    return host in ("localhost", "::1") or (host.startswith("127.") and re.fullmatch(_LOOPBACK, host) is not None)


def base_url(value: Any) -> str:
    """Take a service's address and write it in its one form.

    The host in lower case, without the scheme's own port, `/api/v1` and the last slash.
    https, or http on this machine; a path before `/api/v1` is kept. Raises ValueError that says what it is not.
    """
    if not isinstance(value, str) or not re.fullmatch(_VISIBLE, value):
        raise ValueError(EXAMPLE)
    if any(mark in value for mark in "?#@"):
        raise ValueError("an address without user, query and fragment")
    try:
        parts, host = _split(value)
    except ValueError:
        raise ValueError(EXAMPLE) from None
    if parts.scheme == "http" and not is_loopback(host):
        raise ValueError("an https address: http is for this machine only")
    path = parts.path.rstrip("/").removesuffix(PREFIX)
    if path and (not re.fullmatch(_PATH, path) or f"{PREFIX}/" in f"{path}/"):
        raise ValueError(f"an address up to {PREFIX}, without what follows it")
    return f"{parts.scheme}://{_authority(host, None if parts.port == PORTS[parts.scheme] else parts.port)}{path}"


def _split(value: str) -> tuple[SplitResult, str]:
    """Split an address that means the same to every reader: writing its parts again gives the same text."""
    parts = urlsplit(value)
    host = parts.hostname or ""
    if parts.scheme not in PORTS or parts.port == 0 or parts.netloc.lower() != _authority(host, parts.port):
        raise ValueError
    if ":" in host and "%" not in host:
        from ipaddress import IPv6Address

        return parts, IPv6Address(host).compressed
    if not re.fullmatch(_HOST, host):
        raise ValueError
    return parts, host


def _authority(host: str, port: int | None) -> str:
    return (f"[{host}]" if ":" in host else host) + ("" if port is None else f":{port}")
