"""The address of a service, in the one form that a key is bound to, and of the proxy on the way to it."""

import re
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from roomctl.contract.operations import PREFIX
from roomctl.errors import BadConfig
from roomctl.profiles.environment import Environment

EXAMPLE = "an address such as https://rooms.example.org"
PORTS = {"http": 80, "https": 443}
_HOST = r"[a-z0-9_](?:[a-z0-9._-]*[a-z0-9_])?"
_ADDRESS = rf"(?i)(?P<scheme>https?)://(?P<host>{_HOST}|\[[0-9a-f:.]+\])(?::(?P<port>[1-9][0-9]{{0,4}}))?(?P<path>/.*)?"
_PATH = r"(?:/(?!\.{1,2}(?:/|$))[A-Za-z0-9._~-]+)+"


def is_loopback(host: str) -> bool:
    """Whether a host is this machine itself."""
    return re.fullmatch(r"localhost|\[?::1\]?|127(?:\.[0-9]{1,3}){3}", host) is not None


def base_url(value: Any) -> str:
    """Check a service's address and write it in its one form.

    The host in lower case, without the scheme's own port, `/api/v1` and the last slash.
    https, or http on this machine; a path before `/api/v1` is kept. Raises ValueError that says what it is not.
    """
    if not isinstance(value, str) or not re.fullmatch(r"[\x21-\x7e]{1,2048}", value):
        raise ValueError(EXAMPLE)
    if any(mark in value for mark in "?#@"):
        raise ValueError("an address without user, query and fragment")
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
    if scheme == "http" and not is_loopback(host):
        raise ValueError("an https address: http is for this machine only")
    path = (found["path"] or "").rstrip("/").removesuffix(PREFIX)
    if path and (not re.fullmatch(_PATH, path) or f"{PREFIX}/" in f"{path}/"):
        raise ValueError(f"an address up to {PREFIX}, without what follows it")
    port = "" if int(found["port"] or PORTS[scheme]) == PORTS[scheme] else f":{found['port']}"
    return f"{scheme}://{host}{port}{path}"


class Proxy(NamedTuple):
    """A proxy's address, which may hold a password, and the variable that it comes from."""

    url: str
    origin: str

    @property
    def without_password(self) -> str:
        """Its address without what stands before the `@`."""
        scheme, _, rest = self.url.partition("://")
        _, at, place = rest.rpartition("@")
        return f"{scheme}://***@{place}" if at else self.url

    def __repr__(self) -> str:
        return f"Proxy({self.without_password!r}, {self.origin!r})"


def proxy_for(environment: Environment, url: str) -> Proxy | None:
    """Find the proxy for a service's address: for https only, never to this machine, nor to what NO_PROXY names (R15).

    Raises BadConfig, which does not quote the proxy's address.
    """
    target = urlsplit(url)
    origin = next((name for name in ("HTTPS_PROXY", "https_proxy") if environment.get(name)), None)
    if origin is None or target.scheme != "https" or not target.hostname or is_loopback(target.hostname):
        return None
    excluded = (environment.get("NO_PROXY") or environment.get("no_proxy") or "").lower()
    if any(_covers(entry, target.hostname, target.port or 443) for entry in re.split(r"[,\s]+", excluded)):
        return None
    address = environment[origin] if "://" in environment[origin] else f"http://{environment[origin]}"
    try:
        parts = urlsplit(address)
        usable = parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or not address.isprintable() or " " in address:
        raise BadConfig(f"{origin} is not the address of a proxy", hint="such as http://proxy.example.org:3128")
    return Proxy(address, origin)


def _covers(entry: str, host: str, port: int) -> bool:
    """Whether an entry of NO_PROXY names a host: `*`, a host, a domain, with a port or without, a network."""
    if "/" in entry:
        from ipaddress import ip_address, ip_network

        try:
            return ip_address(host) in ip_network(entry, strict=False)
        except ValueError:
            return False
    if match := re.fullmatch(r"(\[[^\]]*\]|[^:]*):([0-9]{1,5})", entry):
        if int(match[2]) != port:
            return False
        entry = match[1]
    name = entry.strip("[]").removeprefix("*").removeprefix(".")
    return entry == "*" or (bool(name) and (host == name or host.endswith(f".{name}")))
