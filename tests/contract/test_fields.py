"""The fields of a resource are known without its model."""

import json

from roomctl.contract.fields import INDEX


def test_the_index_of_fields_says_what_the_models_say(update: bool) -> None:
    from roomctl.contract.openapi import field_index

    text = json.dumps(field_index(), indent=1) + "\n"
    if update:
        INDEX.write_text(text, encoding="utf-8")
    assert INDEX.read_text("utf-8") == text, "run `pytest --update`"
