"""`roomctl api`: any operation by name, or by method and path."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from roomctl.contract.openapi import document

Run = Callable[..., Any]
STAGE = "8fd42f77-3f0d-400f-9d2a-e6e426f76844"
SET = "e4c87ba4-21ac-49f2-b78b-325ed33b2862"


def test_without_an_operation_all_are_listed(sandbox: Run) -> None:
    assert len(sandbox("api", "-o", "json").json) == 18


def test_the_openapi_document_is_printed(roomctl: Run) -> None:
    assert json.loads(roomctl("api", "--openapi").stdout) == document()


@pytest.mark.parametrize(
    "words",
    [
        ("roomset.list",),
        ("GET", "/social/room/set/mine"),
        ("get", "/api/v1/social/room/set/mine/"),
        ("roomset.list", "--paginate", "--page-size", "1"),
    ],
)
def test_a_list_is_read_by_name_or_path(sandbox: Run, words: tuple[str, ...]) -> None:
    done = sandbox("api", *words, "-o", "json")
    assert len(done.json) == 4, done.stderr


def test_one_raw_page_is_what_the_service_answers(sandbox: Run) -> None:
    assert len(sandbox("api", "roomset.list", "-f", "size=3", "-f", "page=1", "-o", "json").json) == 1


def test_fields_go_into_the_path_the_query_or_the_body(sandbox: Run) -> None:
    shown = sandbox(
        "api", "rules.save", "-f", f"socialRoomSetId={SET}", "-F", "groupSpawnSize=3", "-n", "-o", "json"
    ).json
    assert shown["url"].endswith(f"/rules/entry/config?socialRoomSetId={SET}")
    assert shown["body"] == {"groupSpawnSize": 3}
    ended = sandbox("api", "POST", f"/social/end/{STAGE}", "--yes", "-o", "json")
    assert ended.json["isOpen"] is False


@pytest.mark.parametrize(
    ("fields", "body"),
    [
        ("-F a=5 -F b=true -F c=null -F d=-7 -F e=text", {"a": 5, "b": True, "c": None, "d": -7, "e": "text"}),
        ("-f a=5 -f b=true -f c=null -f d=@FILE", {"a": "5", "b": "true", "c": "null", "d": "@FILE"}),
        ("-F a=05 -F b=1.5 -F c=[1] -F d=True", {"a": "05", "b": "1.5", "c": "[1]", "d": "True"}),
        ("-F a=@- -F b=9007199254740993", {"a": "from stdin", "b": 9007199254740993}),
        ("-f a[b]=1 -F a[c][d]=1 -f e[]=x -F e[]=2", {"a": {"b": "1", "c": {"d": 1}}, "e": ["x", 2]}),
        ("-f a.b=1 -f a.b=1", {"a.b": "1"}),
    ],
)
def test_fields_are_what_they_are_for_gh(fields: str, body: Any, sandbox: Run) -> None:
    args = ("api", "playlist.create", *fields.split(), "-n", "-o", "json")
    assert sandbox(*args, stdin="from stdin").json["body"] == body


@pytest.mark.parametrize(
    "words",
    [
        "playlist.create -f a=1 -f a=2",
        "playlist.create -f a=1 -F a=1",
        "playlist.create -f a[b]=1 -f a=2",
        "playlist.create -f a[]=1 -f a=2",
        f"POST /social/end/{STAGE} -f socialId={SET}",
        "roomset.list -f size=1 --page-size 2",
        "roomset.list -f sort=name --sort other",
        "roomset.list --query size=1 -f size=2",
        "roomset.list --page 1 --paginate",
        "roomset.list -f page=1 --paginate",
    ],
)
def test_a_field_given_two_values_is_refused(words: str, sandbox: Run) -> None:
    """R47"""
    done = sandbox("api", *words.split(), "--yes")
    assert (done.status, "contradict each other: nothing was sent" in done.stderr) == (2, True), done.stderr


def test_parameters_of_pages_are_the_options(sandbox: Run) -> None:
    done = sandbox("api", "roomset.list", "-f", "size=1", "--page-size", "1", "--paginate", "-v", "-o", "ids")
    assert done.stdout.count("\n") == 4
    assert "page=3&size=1" in done.stderr


@pytest.mark.parametrize("key", ["a[=1", "[]=1", "a[][b]=1", "a]=1"])
def test_a_key_that_is_none_is_refused(key: str, sandbox: Run) -> None:
    assert sandbox("api", "playlist.create", "-f", key, "-n").status == 2


def test_a_write_asks_and_is_journaled(sandbox: Run) -> None:
    assert sandbox("api", "social.end", "-f", f"socialId={STAGE}").status == 2
    assert sandbox("api", "social.end", "-f", f"socialId={STAGE}", stdin="y\n", terminal=True).status == 1
    assert sandbox("journal", "list", "-o", "json").json == []


def test_an_array_is_given_by_input(sandbox: Run) -> None:
    done = sandbox("api", "roomset.create", "--input", "-", "--yes", "-o", "json", stdin=f'["{STAGE}"]')
    assert [room["name"] for room in done.json["socials"]] == ["Main Stage"], done.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("roomset.list",),
        ("GET", "/social/room/set/mine"),
        ("user.get", "-f", f"userId={'1' * 8}-1111-4111-8111-{'1' * 12}"),
    ],
)
def test_a_read_is_shown_instead_of_sent(sandbox: Run, words: tuple[str, ...]) -> None:
    shown = sandbox("api", *words, "--dry-run", "-o", "json")
    assert (shown.status, shown.json["method"]) == (0, "GET")
    assert sandbox("api", *words, "--curl").stdout.startswith("curl ")


def test_the_document_is_also_there_as_yaml(roomctl: Run) -> None:
    import yaml

    shown = roomctl("api", "--openapi", "-o", "yaml")
    assert yaml.safe_load(shown.stdout) == roomctl("api", "--openapi").json


def test_only_the_first_page_is_called_the_first_one(sandbox: Run) -> None:
    note = "this is the first page: `--paginate` reads the whole list"
    assert note in sandbox("api", "roomset.list").stderr
    for page in (["--query", "page=1"], ["--page", "1"]):
        assert note not in sandbox("api", "roomset.list", *page).stderr
