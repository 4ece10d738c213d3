"""Fields whose name ends with `Bytes`: pictures as base64, shown by their size only."""

import re
from typing import Any

JSON = Any
_BASE64 = re.compile(r"[A-Za-z0-9+/_=\s-]*", re.ASCII)
_SHORTENED = re.compile(r"<\d+ bytes>", re.ASCII)


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
    if _SHORTENED.fullmatch(text):
        return text
    if not _BASE64.fullmatch(text):
        return f"<{len(text.encode('utf-8', 'surrogatepass'))} bytes>"
    return f"<{len(''.join(text.split()).rstrip('=')) * 3 // 4} bytes>"


def has_bytes(text: str) -> bool:
    """Whether JSON text may have a field whose name ends with `Bytes`: a quick look before the slow walk."""
    return 'Bytes"' in text
