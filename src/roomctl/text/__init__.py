"""Text below everything else: what others wrote made harmless, JSON, moments."""

from collections.abc import Callable
from typing import Any

JSON = Any
"""Any value that JSON can hold."""
Note = Callable[[str], None]
"""Takes a line for people."""
