"""The address of a service, in the one form that a key is bound to (R3, R14)."""

import re
from typing import Any, NamedTuple

from roomctl.contract.operations import PREFIX

EXAMPLE = "an address such as https://rooms.example.org"
PORTS = {"http": 80, "https": 443}
_HOST = r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?"
_ADDRESS = rf"(?i)(?P<scheme>https?)://(?P<host>{_HOST}|\[[0-9a-f:.]+\])(?::(?P<port>[1-9][0-9]{{0,4}}))?(?P<path>/.*)?"
_LOOPBACK = re.compile(r"localhost|\[::1\]|127(?:\.[0-9]{1,3}){3}")
_PATH = r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+"


class Address(NamedTuple):
    """The address of a service. `base` stands before `/api/v1`; `loopback`: it is on this machine.

    `authority` is the host and, where it is not the scheme's own, the port, as a URL and the `Host` header write them;
    `origin` is without a path and always with the port.
    """

    scheme: str
    host: str
    authority: str
    base: str
    origin: str
    loopback: bool


def address(value: Any) -> Address:
    """Read a service's address: https, or http on this machine. Raises ValueError that says what it is not.

    The host in lower case, without the scheme's own port, `/api/v1` and the last slash; a path before that is kept.
    """
    if not isinstance(value, str) or not re.fullmatch(r"[\x21-\x7e]{1,2048}", value):
        raise ValueError(EXAMPLE)
    if any(mark in value for mark in "?#@"):
        raise ValueError("a plain address: leave out user, query and fragment")
    found = re.fullmatch(_ADDRESS, value)
    if not found or int(found["port"] or 1) > 65535:
        raise ValueError(EXAMPLE)
    scheme, host = found["scheme"].lower(), found["host"].lower()
    if host.startswith("["):
        from ipaddress import IPv6Address

        try:
            host = f"[{IPv6Address(host[1:-1]).compressed}]"
        except ValueError:
            raise ValueError(EXAMPLE) from None
    loopback = _LOOPBACK.fullmatch(host) is not None
    if scheme == "http" and not loopback:
        raise ValueError("an https address (http is accepted for localhost only)")
    path = (found["path"] or "").rstrip("/").removesuffix(PREFIX)
    if path and (not re.fullmatch(_PATH, path) or f"{PREFIX}/" in f"{path}/"):
        raise ValueError(f"an address without {PREFIX} and anything after it")
    port = int(found["port"] or PORTS[scheme])
    authority = host if port == PORTS[scheme] else f"{host}:{port}"
    base, origin = f"{scheme}://{authority}{path}", f"{scheme}://{host}:{port}"
    return Address(scheme, host.strip("[]"), authority, base, origin, loopback)
