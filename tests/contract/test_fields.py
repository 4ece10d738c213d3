"""The fields of a resource are known without its model."""

import json
from typing import Any, get_args, get_type_hints

from roomctl.contract.annotations import Scalar
from roomctl.contract.fields import INDEX
from roomctl.contract.models import RESOURCES


def test_the_index_of_fields_says_what_the_models_say() -> None:
    assert INDEX.read_text("utf-8") == json.dumps(field_index(), indent=1) + "\n", "run `pytest --update`"


def write_index() -> None:
    INDEX.write_text(json.dumps(field_index(), indent=1) + "\n", encoding="utf-8")


def field_index() -> dict[str, dict[str, Any]]:
    """Make what `fields.json` holds: the type of each field of each resource, of an enumeration its values."""
    hints = {name: get_type_hints(model, include_extras=True) for name, model in RESOURCES.items()}
    models = RESOURCES.items()
    return {name: {each: kind(get_args(hints[name][each])[0]) for each in model.model_fields} for name, model in models}


def kind(hint: Any) -> Any:
    if hint in RESOURCES.values():
        return hint.__name__
    if scalar := next((each for each in get_args(hint) if isinstance(each, Scalar)), None):
        return list(scalar.values) or scalar.name
    return f"{kind(get_args(hint)[0])}[]"
