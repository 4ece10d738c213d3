"""The proxy on the way to a service: for https only, never to this machine, nor to what NO_PROXY names (R15)."""

import re
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from roomctl.errors import BadConfig
from roomctl.profiles.addresses import PORTS, is_loopback
from roomctl.profiles.environment import Environment

_WITH_PORT = r"(\[[^\]]*\]|[^:]*):([0-9]{1,5})"


class Proxy(NamedTuple):
    """A proxy's address, which may hold a password, and the variable that it comes from."""

    url: str
    origin: str

    def __repr__(self) -> str:
        return f"Proxy({shown(self.url)!r}, {self.origin!r})"


def proxy_for(environment: Environment, url: str) -> Proxy | None:
    """Find the proxy for a service's address. Raises BadConfig, which does not quote the proxy's address."""
    target = urlsplit(url)
    host = target.hostname or ""
    origin = next((name for name in ("HTTPS_PROXY", "https_proxy") if environment.get(name)), None)
    if origin is None or target.scheme != "https" or is_loopback(host) or _excluded(environment, target):
        return None
    address = environment[origin]
    address = address if "://" in address else f"http://{address}"
    if not _usable(address):
        raise BadConfig(f"{origin} is not the address of a proxy", hint="such as http://proxy.example.org:3128")
    return Proxy(address, origin)


def shown(url: str) -> str:
    """Write a proxy's address without what stands before the `@`."""
    scheme, _, rest = url.partition("://")
    user, at, place = rest.rpartition("@")
    return f"{scheme}://***@{place}" if user or at else url


def _usable(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return address.isprintable() and " " not in address and parts.scheme in PORTS and _reachable(parts)
    except ValueError:
        return False


def _reachable(parts: SplitResult) -> bool:
    return bool(parts.hostname) and parts.port != 0 and parts.path in ("", "/") and not parts.query + parts.fragment


def _excluded(environment: Environment, target: SplitResult) -> bool:
    """Whether NO_PROXY names a host: `*`, a host, a domain, either with a port, or a network such as 10.0.0.0/8."""
    listed = environment.get("NO_PROXY") or environment.get("no_proxy") or ""
    host, port = target.hostname or "", target.port or PORTS["https"]
    return any(_covers(entry, host, port) for entry in re.split(r"[,\s]+", listed.lower()) if entry)


def _covers(entry: str, host: str, port: int) -> bool:
    if entry == "*":
        return True
    if "/" in entry:
        return _in_network(host, entry)
    if match := re.fullmatch(_WITH_PORT, entry):
        if int(match[2]) != port:
            return False
        entry = match[1]
    name = entry.strip("[]").removeprefix("*").removeprefix(".")
    return bool(name) and (host == name or host.endswith(f".{name}"))


def _in_network(host: str, network: str) -> bool:
    from ipaddress import ip_address, ip_network

    try:
        return ip_address(host) in ip_network(network, strict=False)
    except ValueError:
        return False
