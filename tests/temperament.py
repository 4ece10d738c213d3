"""What a result says, whatever the service is like: without the case of ids, the form of dates, nulls, new fields."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import yaml

from roomctl.contract.fields import fields
from roomctl.contract.paging import ENDS
from roomctl.sandbox.faults import TEMPERAMENTS

LIKE = {name: f"like={name},ttl=0" for name in TEMPERAMENTS}
LIKE |= {end: f"end-of-list={end},ttl=0:read" for end in ENDS}
"""Services of another kind: the fault that makes the sandbox one of them."""

DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d")
WRITTEN = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
"""When roomctl did something, by the clock of this machine."""
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+")
NAMED = (("Social", "platform"), ("CTAItem", "buttonSize"), ("EntryConfig", "entryFlow"))
UNKNOWN = re.compile(r"\b(" + "|".join(value for kind, name in NAMED for value in fields(kind)[name].values) + r")\b")
SEAL = re.compile("#[0-9a-f]{12}")  # of a row of a result file: over its time and its ids as they are written
ADDED = re.compile(r',?"(?:\w+":null|somethingnew":\{[^}]*\})|somethingnew:\s+text: new\s+numbers:(?:\s+- \S+){3}')


def same(text: str) -> Any:
    """Give what a result says in one form: the value of JSON and YAML, else the words."""
    text = SEAL.sub("#seal", ADDRESS.sub("http://localhost", text))
    text = UNKNOWN.sub("SOMETHING_NEW", DATE.sub(_in_utc, WRITTEN.sub("now", text))).lower()
    for read in (json.loads, yaml.safe_load):
        try:
            if isinstance(found := read(text), dict | list):
                return _bare(found)
        except (ValueError, yaml.YAMLError):
            pass
    return ADDED.sub("", text.replace('""', '"')).split()


def probed(probe: str) -> dict[str, str]:
    """Give, as variables, the lines that `doctor --probe -o json` writes for the profile of such a service."""
    lines = [line.split(" = ") for line in json.loads(probe)["add_to_profile"]]
    return {f"ROOMCTL_{name.upper()}": value.strip('[]"') for name, value in lines}


def _in_utc(match: re.Match[str]) -> str:
    return datetime.fromisoformat(match[0]).astimezone(UTC).isoformat().replace("+00:00", "Z")


def _bare(value: Any) -> Any:
    """Leave out, at any depth, nulls and the field that nobody knows."""
    if isinstance(value, dict):
        return {name: _bare(item) for name, item in value.items() if item is not None and name != "somethingnew"}
    return [_bare(each) for each in value] if isinstance(value, list) else value
