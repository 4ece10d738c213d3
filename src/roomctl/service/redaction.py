"""One redactor: what is secret is taken out of any text, by value and by name (R6).

By value: the secret itself, in any case, each of its characters as it is or as URLs, JSON, HTML, backslashes write it,
and the whole in hexadecimal and in base64 at any of the three alignments. By name: what stands under a name such as
`X-API-Key`. Repetition is bounded everywhere: a hostile text must not take long.
"""

import re
from base64 import b64encode
from collections.abc import Iterator
from html import escape
from typing import Any, Final

HIDDEN: Final = "<redacted>"
_PART: Final = 8  # characters of a secret that are hidden in a text, wherever it was cut
_NAME = r"[\w.-]{0,40}(?:api[_-]?key|authorization|bearer|password|passwd|secret|token|cookie)[\w.-]{0,40}"
_STRING = r'\\{0,9}"(?:[^"\\]|\\.)*(?:"|\Z)'
_NAMED = re.compile(
    rf"""(?P<name>\b{_NAME}\\{{0,9}}["']?\s{{0,9}}(?:[:=]|%(?:25){{0,9}}3[ad])\s{{0,9}})(?P<value>{_STRING}|'[^'\r\n]*(?:'|\Z)|[\[{{].*|[^\r\n,;&"'<>]+)""",
    re.IGNORECASE | re.DOTALL,
)
_WORDS = "access|auth|authentication|authorization|credentials?|error|expired|from|has|header|in|invalid|is|key"
_WORDS += "|missing|must|not|of|only|or|realm|required?|scheme|the|to|tokens?|type|was|with"  # no credentials
_SCHEME = re.compile(
    rf"""\b(Bearer|Basic(?=\s+[\w.~+/=-]{{8}}))((?:\s|%20|\\{{1,9}}[nrt]){{1,9}}(?:token\s{{1,9}})?)(?!(?:{_WORDS})\b)(?:{_STRING}|'[^'\r\n]*(?:'|\Z)|[\w.~+/=-]+)""",
    re.IGNORECASE | re.DOTALL,
)
_JWT = re.compile(r"\beyJ[\w-]{8,}(?:\.[\w-]*){1,4}", re.ASCII)


class Redactor:
    """Takes secrets out of text. To make one costs more than a request, so it is made when it is first needed."""

    def __init__(self, *secrets: str) -> None:
        forms = (form for secret in secrets for form in _forms(secret))
        self._pattern = re.compile("|".join(forms) or r"(?!)", re.IGNORECASE)
        parts = {each[at : at + _PART] for each in secrets for at in range(len(each) - _PART + 1)}
        self._parts = re.compile(f"(?:{'|'.join(map(re.escape, sorted(parts))) or '(?!)'})+", re.IGNORECASE)

    def records(self, value: Any) -> Any:
        """Give JSON without the secrets, at any depth, in names too; what stands under a name is data there."""
        if isinstance(value, dict):
            return {self.records(name): self.records(each) for name, each in value.items()}
        if isinstance(value, list):
            value[:] = map(self.records, value)  # in place: a page keeps what is said beside its rows
        return self._pattern.sub(HIDDEN, value) if isinstance(value, str) else value

    def __call__(self, text: str) -> str:
        """Give the text without the secrets, and without what stands under a name that says that it is one."""
        text = self._parts.sub(HIDDEN, self._pattern.sub(HIDDEN, text))
        text = _NAMED.sub(rf"\g<name>{HIDDEN}", text)
        return _JWT.sub(HIDDEN, _SCHEME.sub(rf"\1\2{HIDDEN}", text))


def _forms(secret: str) -> Iterator[str]:
    yield "".join(map(_character, secret))
    data = secret.encode()
    yield data.hex()
    for before in range(3):
        code = b64encode(b"\0" * before + data).decode()
        # the first and last characters of the code depend on what stands around the secret
        end = len(code) - code.count("=") - (1 if code.endswith("=") else 0)
        inner = code[(0, 2, 3)[before] : end]
        yield re.escape(inner).replace(r"\+", r"(?:\+|-|%2b)").replace("/", r"(?:/|_|\\/|%2f)")


def _character(character: str) -> str:
    code = ord(character)
    forms = {rf"\\{{0,9}}{re.escape(character)}", rf"%(?:25){{0,9}}{code:02x}", rf"\\{{1,9}}(?:u00|x){code:02x}"}
    forms |= {rf"&\#0{{0,9}}{code};", rf"&\#x0{{0,9}}{code:x};"}
    if (named := escape(character)) != character:
        forms.add(re.escape(named))
    return f"(?:{'|'.join(sorted(forms))})"
