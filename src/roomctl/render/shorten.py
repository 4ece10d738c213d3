"""Fields whose name ends with `Bytes`: pictures as base64, shown by their size only."""

import re
from typing import Any

JSON = Any
_BASE64 = r"[A-Za-z0-9+/_=\s-]*"
_SHORTENED = r"<\d+ bytes>"


def shorten_bytes(value: JSON) -> JSON:
    """Write `<48213 bytes>` for each string, at any depth, whose key ends with `Bytes`; the value itself stays."""
    if isinstance(value, dict):
        return {
            key: size(each) if isinstance(each, str) and str(key).endswith("Bytes") else shorten_bytes(each)
            for key, each in value.items()
        }
    if isinstance(value, list | tuple):
        return [shorten_bytes(each) for each in value]
    return value


def size(text: str) -> str:
    """Say how many bytes a base64 text stands for; of any other text, how many it has."""
    if re.fullmatch(_SHORTENED, text, re.ASCII):
        return text
    if not re.fullmatch(_BASE64, text, re.ASCII):
        return f"<{len(text.encode('utf-8', 'surrogatepass'))} bytes>"
    return f"<{len(''.join(text.split()).rstrip('=')) * 3 // 4} bytes>"


def has_bytes(text: str) -> bool:
    """Whether JSON text may have a field whose name ends with `Bytes`: a quick look before the slow walk."""
    return 'Bytes"' in text
