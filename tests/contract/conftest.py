"""Values that fit the contract, values that just do not, and JSON of any kind."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from roomctl.contract.fields import Field, fields

JSON = Any
Values = Callable[[str], st.SearchStrategy[JSON]]

_OFFSETS = st.sampled_from(["Z", "z", "+00:00", "-00:00", "+05:30", "-23:59"])
# with and without a fraction
_DATE_TIMES = st.builds(lambda moment, offset: moment.isoformat() + offset, st.datetimes(), _OFFSETS)
_SCALARS: dict[str, st.SearchStrategy[JSON]] = {"string": st.text(max_size=8), "boolean": st.booleans()}
_SCALARS |= {"integer": st.integers(-(2**63), 2**63 - 1), "uuid": st.uuids().map(str), "date-time": _DATE_TIMES}
_SCALARS["byte"] = st.binary(max_size=8).map(lambda data: base64.b64encode(data).decode())
_WRONG: dict[str, list[JSON]] = {
    "string": [1, True, 0.5, [], {}, "\ud800"],
    "boolean": ["true", 0, 1, [], {}],
    "integer": ["1", 0.5, True, 2**63, -(2**63) - 1, [], {}],
    "uuid": ["x", "", 1, "{5f0c1d2e-0000-4000-8000-000000000001}", "5f0c1d2e000040008000000000000001"],
    "date-time": ["20261201", "2026-02-30T00:00:00Z", "2026-12-01T18:00:00", "2026-12-01", 0, "now"],
    "byte": ["%%", "QQ", "QQ==\n", 1, "é"],
    "enum": ["", "NONE", "public", 1, True],
}


def fitting(field: Field) -> st.SearchStrategy[JSON]:
    if field.array:
        return st.lists(fitting(field.item), max_size=2)
    if field.values:
        return st.sampled_from(field.values)
    return _SCALARS[field.type] if field.type in _SCALARS else records(field.type)


def records(name: str) -> st.SearchStrategy[JSON]:
    """Make records of a resource that hold some of its fields, some of them null."""
    known = fields(name)

    def some(names: list[str]) -> st.SearchStrategy[JSON]:
        return st.fixed_dictionaries({key: st.none() | fitting(known[key]) for key in names})

    return st.lists(st.sampled_from([*known]), unique=True, max_size=4).flatmap(some)


def misfitting(name: str) -> st.SearchStrategy[JSON]:
    """Make records of a resource with exactly one field that does not fit."""

    def one(field: Field) -> st.SearchStrategy[JSON]:
        wrong = ["x", 1, [1], [None]] if field.array else _WRONG.get(field.type, ["x", 1, [], True])
        return st.builds(lambda record, value: {**record, field.name: value}, records(name), st.sampled_from(wrong))

    return st.sampled_from([*fields(name).values()]).flatmap(one)


@pytest.fixture(scope="session")
def fits() -> Values:
    """Give values of a type named as in the interface."""
    return lambda type_name: fitting(Field("", type_name))


@pytest.fixture(scope="session")
def misfits() -> Values:
    """Give records of a resource with one field that does not fit."""
    return misfitting


@pytest.fixture(scope="session")
def any_json() -> st.SearchStrategy[JSON]:
    """Give JSON values of any kind, lone surrogates and infinite numbers included."""
    names = st.sampled_from([name for resource in ("Social", "Theme", "User") for name in fields(resource)])
    text = st.text(st.characters(), max_size=6)
    leaves = st.none() | st.booleans() | st.integers() | st.floats() | text
    return st.recursive(leaves, lambda inner: st.lists(inner) | st.dictionaries(text | names, inner), max_leaves=8)
