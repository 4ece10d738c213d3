"""Records in another form: ids, moments and enumerations as other services write them, fields too many or too few."""

from collections.abc import Mapping
from contextlib import suppress
from datetime import datetime
from typing import Final

from roomctl.contract.fields import Field, fields
from roomctl.text import JSON

Value = int | float | str | bool
Effects = Mapping[str, Value]
NEW: Final = "SOMETHING_NEW"


def rewrite(type_name: str, value: JSON, effects: Effects) -> JSON:
    """Write records of a type, and those inside them, with these effects, which are words of faults."""
    known = fields(type_name)
    if isinstance(value, list):
        return [rewrite(type_name, each, effects) for each in value]
    if not isinstance(value, dict) or not known:
        return value
    resource, left_out = type_name.removesuffix("[]"), {*str(effects.get("without", "")).split("+")}
    left_out |= value.keys() - known.keys() if "without-unknown" in effects else set()
    record = {**value, **{name: None for name in known if name not in value}} if "nulls" in effects else value
    if (unknown := effects.get("unknown-values")) is not None:
        named = [each.name for each in known.values() if each.type == "enum"]
        record = record | {name: NEW for name in named if unknown is True or name in str(unknown).split("+")}
    kept = {name: item for name, item in record.items() if not {name, f"{resource}.{name}"} & left_out}
    made = {name: _value(known.get(name), item, effects) for name, item in kept.items()}
    return made | ({"somethingNew": {"text": "new", "numbers": [1, 2.5, None]}} if "unknown-fields" in effects else {})


def contradict(type_name: str, value: JSON) -> JSON:
    """Write a record with another value in each enumeration, number and boolean, at any depth."""
    if isinstance(value, list):
        return [contradict(type_name, each) for each in value]
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    known = fields(type_name)
    if not isinstance(value, dict) or not known:
        return value
    others = {name: known[name].values for name in value if name in known and known[name].type == "enum"}
    made = {name: contradict(known[name].item.type if name in known else "", item) for name, item in value.items()}
    return made | {name: values[values.index(value[name]) - 1] for name, values in others.items() if value[name]}


def _value(field: Field | None, value: JSON, effects: Effects) -> JSON:
    kind = field.item.type if field else ""
    if isinstance(value, list) and kind in ("uuid", "date-time"):
        return [_value(field, each, effects) for each in value]
    if kind == "uuid" and "uppercase-ids" in effects and isinstance(value, str):
        return value.upper()
    if kind == "date-time" and "date-offset" in effects and isinstance(value, str):
        offset = "+00:00" if effects["date-offset"] is True else str(effects["date-offset"])
        with suppress(ValueError, OverflowError):  # what is no moment stays
            there = datetime.fromisoformat(f"2000-01-01T00:00:00{offset}").tzinfo
            found = datetime.fromisoformat(value).astimezone(there).isoformat(timespec="milliseconds")
            return found if ":" in offset else found[:-3] + found[-2:]
    return rewrite(kind, value, effects)
