"""The proxy on the way to a service."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from roomctl.contract.address import PORTS, address
from roomctl.errors import BadConfig
from roomctl.profiles.environment import Environment


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
    """Find the proxy for an https address: none for this machine and what NO_PROXY names (R15). Raises BadConfig."""
    target = urlsplit(url)
    origin = next((name for name in ("HTTPS_PROXY", "https_proxy") if environment.get(name)), None)
    if origin is None or address(url).loopback:
        return None
    excluded = (environment.get("NO_PROXY") or environment.get("no_proxy") or "").lower()
    if any(_covers(entry, target.hostname or "", target.port or 443) for entry in re.split(r"[,\s]+", excluded)):
        return None
    proxy = environment[origin] if "://" in environment[origin] else f"http://{environment[origin]}"
    try:
        parts = urlsplit(proxy)
        usable = parts.scheme in PORTS and bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/")
    except ValueError:
        usable = False
    if not usable or parts.query or parts.fragment or not proxy.isprintable() or " " in proxy:
        raise BadConfig(f"{origin} is not the address of a proxy", hint="write it as http://proxy.example.org:3128")
    return Proxy(proxy, origin)


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
