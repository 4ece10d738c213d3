"""Whom to trust over https. There is no way to switch it off (R14)."""

import os
import re
import ssl
from typing import Final

from roomctl.errors import BadConfig

_HASHED: Final = ("/etc/ssl/certs", "/etc/pki/ca-trust/extracted/pem/directory-hash")
"""Folders in which systems keep certificates under the hash of their names: only the one that is needed is read, where
a bundle is parsed whole, which costs more than the rest of a request."""
_ENTRY: Final = re.compile(r"[0-9a-f]{8}\.[0-9]+", re.ASCII)


def context(ca_file: str | None = None, folders: tuple[str, ...] = _HASHED) -> ssl.SSLContext:
    """Make a context that verifies certificates and names: against `ca_file` alone where given. Raises BadConfig."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # TLS 1.2 or later, names checked, certificates required
    if ca_file is not None:
        try:
            made.load_verify_locations(cafile=ca_file)
        except OSError as error:
            why = "it holds no certificates" if isinstance(error, ssl.SSLError) else (error.strerror or "").lower()
            raise BadConfig(f"the certificates of the profile cannot be used: {ca_file}: {why}") from None
        return made
    folder = next(filter(_is_hashed, folders), None)
    if folder is not None:
        made.load_verify_locations(capath=folder)
        return made
    import certifi

    made.load_verify_locations(cafile=certifi.where())
    return made


def _is_hashed(folder: str) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(_ENTRY.fullmatch(entry.name) for entry in entries)
    except OSError:
        return False
