"""What a change changes, in lines that a person reads before the question."""

import json
from collections.abc import Mapping
from typing import Any

RULE = {"property", "operator", "value"}


def differences(present: Mapping[str, Any], changed: Mapping[str, Any]) -> list[str]:
    """Name each field that changes, with what it is and what it becomes."""
    return [f"  {name}: {_text(present.get(name))} → {_text(value)}" for name, value in changed.items()]


def field_lines(given: Mapping[str, Any]) -> list[str]:
    """Name each field that is sent, with its value."""
    return [f"  {name}: {_text(value)}" for name, value in given.items()]


def _text(value: Any) -> str:
    if isinstance(value, list) and value and all(isinstance(each, dict) and each.keys() == RULE for each in value):
        from roomctl.output.values import rule, short

        return "; ".join(short(rule(each)) for each in value)
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:160]}… ({len(text)} characters)"
