"""An answer of the sandbox that is not 200: its status and its JSON body, whose shape is a choice of ours."""

from collections.abc import Mapping, Sequence
from typing import Any


class Problem(Exception):
    """What is wrong with a request; `at` names the parameter or field, `problems` lists several."""

    def __init__(
        self,
        status: int,
        message: str,
        *,
        at: str = "",
        problems: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.message = f"{at} {message}" if at else message
        self.problems = list(problems) or ([{"path": at, "message": message}] if at else [])
        self.headers = headers

    def document(self) -> dict[str, Any]:
        """Make the body."""
        return {"status": self.status, "message": self.message, "problems": self.problems}
