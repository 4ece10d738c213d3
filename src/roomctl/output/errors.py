"""A failure as text for people, as one line of JSON, or as an annotation of a workflow (product.md, section 3)."""

import re
from typing import Any

from roomctl.errors import NotAllowed, RoomctlError
from roomctl.text.jsontext import compact
from roomctl.text.safe import safe

_LONGEST_EXCERPT = 300


def error_text(error: RoomctlError, *, profile_line: str = "") -> str:
    """Write a failure for people; `profile_line` is the profile and where it comes from."""
    first, *more = safe(error.message).split("\n")
    lines = [f"roomctl: error[{error.code}]: {first}{_status(error)}", *(f"  {line}" for line in more)]
    profile = f"profile: {safe(profile_line, cell=True)}" if profile_line else ""
    if error.request:
        lines.append(f"  request: {safe(error.request, cell=True)}")
    if profile and (error.request or isinstance(error, NotAllowed)):
        lines.append(f"  {profile}")
    if error.service:
        left = len(error.service) - _LONGEST_EXCERPT
        rest = f"… ({left} more characters)" if left > 0 else ""
        lines.append(f"  service: {safe(error.service[:_LONGEST_EXCERPT], cell=True)}{rest}")
    if error.outcome == "unknown":  # when it was sent, and what might be its effect
        details = error.details
        again = "second time, after a check" if "journals" in details else "once"
        told = [f"sent: {details['sent_at']} ({again})"] if details.get("sent_at") else []
        for record in details.get("candidates", ()):
            facts = (f"{name} {value if isinstance(value, str) else compact(value)}" for name, value in record.items())
            told.append(f"possibly this one: {', '.join(facts)}")
        told += [f"journal: {error.journal}"] if error.journal else []
        lines += [f"  {safe(line, cell=True)}" for line in told]
    if error.hint:
        lines.append("  " + safe(_next_step(error)).replace("\n", "\n  "))
    return "\n".join(lines)


def error_json(error: RoomctlError, *, profile: str = "") -> str:
    fields = {name: getattr(error, name) for name in ("code", "exit", "message", "http", "outcome", "retryable")}
    request = {"request": error.request, "service": error.service}
    details = {**{key: value for key, value in request.items() if value}, **error.details}
    rest = {"hint": error.hint or None, "details": details, "profile": profile or None}
    return compact({"error": {**fields, **rest, "journal": error.journal or None}})


def error_github(error: RoomctlError) -> str:
    """Write a failure as annotations of a GitHub workflow: its own, and one for each line of a file that is named."""
    text = safe(f"{error.message}{_status(error)}" + (f"\n{_next_step(error)}" if error.hint else ""))
    places = [each for each in error.details.get("problems", ()) if "file" in each and "line" in each]
    own = text.partition("\n")[0] if places else text
    lines = [_annotation("error", {"title": f"roomctl error[{error.code}]"}, own)]
    for each in places:
        where = {"file": each["file"], "line": each["line"], "col": each["column"]}
        where["title"] = f"roomctl lint[{each.get('code', 'schema')}]"
        kind = {"error": "error", "warning": "warning"}.get(each["severity"], "notice")
        lines.append(_annotation(kind, where, each["message"]))
    return "\n".join(lines)


def _next_step(error: RoomctlError) -> str:
    if error.hint.startswith("did you mean"):
        return error.hint
    return f"{'note' if error.hint.startswith(('the ', 'this ')) else 'try'}: {error.hint}"


def _annotation(kind: str, where: dict[str, Any], text: str) -> str:
    cells = {name: _escaped(safe(str(each), cell=True), ":,") for name, each in where.items()}
    return f"::{kind} {','.join(map('='.join, cells.items()))}::{_escaped(safe(text))}"


def _escaped(text: str, more: str = "") -> str:
    return re.sub(f"[%\r\n{more}]", lambda match: f"%{ord(match[0]):02X}", text)


def _status(error: RoomctlError) -> str:
    return f" (HTTP {error.http})" if error.http is not None and f"HTTP {error.http}" not in error.message else ""
