"""Where requests go, and with which key: both are looked at before a client exists."""

import re
from typing import NamedTuple
from urllib.parse import urlsplit

from roomctl.contract.operations import PREFIX
from roomctl.errors import BadConfig, NotAllowed

_KEY = re.compile(r"[\x21-\x7e]{8,512}", re.ASCII)
_HOST = re.compile(r"[a-z0-9._:-]{1,253}", re.ASCII)
_PATH = re.compile(r"(?:/[A-Za-z0-9._~!$&'()*+,;=:@%-]+)*", re.ASCII)
_LOOPBACK = re.compile(r"localhost|::1|127(?:\.[0-9]{1,3}){3}", re.ASCII)
_PORTS = {"http": 80, "https": 443}


class Address(NamedTuple):
    """The address of a service: its origin (scheme, host, port) and what stands before `/api/v1`."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """The host and, where it is not the scheme's own, the port, as a URL and the `Host` header write them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def base(self) -> str:
        """The address as text, without `/api/v1`."""
        return f"{self.scheme}://{self.authority}{self.path}"

    @property
    def loopback(self) -> bool:
        """Whether it is on this machine."""
        return _LOOPBACK.fullmatch(self.host) is not None


def address(base_url: str) -> Address:
    """Take a service's address: https, or http on this machine (R14). Raises BadConfig."""
    try:
        parts = urlsplit(base_url)
        found = Address(parts.scheme, (parts.hostname or "").lower(), parts.port or _PORTS.get(parts.scheme, 0), "")
    except ValueError:
        raise wrong_address() from None
    if found.scheme not in _PORTS or not _HOST.fullmatch(found.host) or not base_url.isprintable():
        raise wrong_address()
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise wrong_address("an address without user, password, query and fragment")
    if found.scheme == "http" and not found.loopback:
        raise wrong_address("an https address; http is for this machine only")
    path = parts.path.rstrip("/").removesuffix(PREFIX)
    if not _PATH.fullmatch(path):
        raise wrong_address("an address with a plain path")
    return found._replace(path=path)


def wrong_address(wanted: str = "an address such as https://rooms.example.org") -> BadConfig:
    """Give the error for a base URL that cannot be used."""
    return BadConfig(f"the base URL is not {wanted}", hint="`roomctl profile show` says where it comes from")


def usable_key(key: str) -> str:
    """Take a key without its trailing newline: 8 to 512 visible ASCII characters (R2). Raises NotAllowed."""
    key = key.removesuffix("\n").removesuffix("\r")
    if not _KEY.fullmatch(key):
        raise NotAllowed(
            "this cannot be a key: a key is 8 to 512 visible ASCII characters",
            hint="look whether a blank, a second line or quotes came with it",
        )
    return key
