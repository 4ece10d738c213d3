"""Entry rules are saved with the difference to those in force, and never reset what was left out."""

from collections.abc import Callable
from typing import Any

import pytest

from roomctl.contract.scalars import RULES

Run = Callable[..., Any]
SET = "e4c87ba4-21ac-49f2-b78b-325ed33b2862"
GOOD = ("--rule", "emailAddress,ENDS_WITH,@example.org")
NOT_SHOWN = "the rules in force are not shown: "


def in_force(sandbox: Run, which: str = SET) -> Any:
    return sandbox("rules", "get", which, "-o", "json").json


def writes(sandbox: Run) -> int:
    return sum(each["method"] != "GET" for each in sandbox("sandbox", "log", "-o", "json").json)


def config_of(sandbox: Run) -> str:
    return str(in_force(sandbox)["configurationId"])


@pytest.mark.parametrize("option", ["CUSTOM_RULES", "ACCOUNT"])
@pytest.mark.parametrize("named", [True, False])
def test_the_entry_option_in_force_is_sent_again_where_it_is_left_out(option: str, named: bool, sandbox: Run) -> None:
    assert sandbox("rules", "save", SET, "--entry-option", option, "--yes").status == 0
    config = ("--configuration", config_of(sandbox)) if named else ()
    done = sandbox("rules", "save", SET, "--name", "Doors", *config, "--yes")
    assert (done.status, f"entryOption stays {option}, as in the rules in force" in done.stderr) == (0, True)
    assert (in_force(sandbox)["name"], in_force(sandbox)["entryOption"]) == ("Doors", option)


@pytest.mark.parametrize("more", [(), ("--dry-run",), ("--curl",)])
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ((), "no room of set SET shows an entry configuration"),
        (("--fault", "status=404:rules.get"), "HTTP 404"),
        (("--fault", "status=403:roomset.list"), "HTTP 403"),
    ],
)
def test_rules_that_are_not_shown_need_an_entry_option(
    fault: tuple[str, ...], why: str, more: tuple[str, ...], sandbox: Run
) -> None:
    which = SET if fault else sandbox("roomset", "create", "-o", "ids").stdout.strip()
    before = writes(sandbox)
    done = sandbox("rules", "save", which, "--name", "Doors", "--yes", *more, *fault)
    assert (done.status, done.stdout, writes(sandbox)) == (2, "", before), done.stderr
    assert "the entry option in force is not known, and saving without one might reset it: " in done.stderr
    assert why.replace("SET", which) in done.stderr and "add `--entry-option`" in done.stderr
    done = sandbox("rules", "save", which, "--name", "Doors", "--entry-option", "DEFAULT", "--yes", *more, *fault)
    assert (done.status, writes(sandbox)) == (0, before + (not more)), done.stderr
    assert (NOT_SHOWN in done.stderr) == (not more)


def test_a_key_that_is_refused_is_3_whatever_is_given(sandbox: Run) -> None:
    done = sandbox("rules", "save", SET, "--name", "Doors", "--yes", "--fault", "status=401:roomset.list")
    assert done.status == 3, done.stderr


def test_rooms_under_different_options_need_one_and_each_difference_is_shown(sandbox: Run) -> None:
    room = sandbox("roomset", "get", SET, "-o", "json").json["socials"][0]["socialId"]
    body = ("--set", f'associatedSocialIds=["{room}"]')
    assert sandbox("rules", "save", SET, "--name", "One", "--entry-option", "ACCOUNT", *body, "--yes").status == 0
    done = sandbox("rules", "save", SET, "--name", "Both", "--yes")
    assert (done.status, "ACCOUNT, CUSTOM_RULES" in done.stderr) == (2, True)
    options = ("--name", "Both", "--entry-option", "DEFAULT")
    asked = sandbox("rules", "save", SET, *options, stdin="n\n", terminal=True).stderr
    assert asked.count("which is in force:") == 2
    assert 'name: "One" → "Both"' in asked and 'name: "Doors of Autumn Summit" → "Both"' in asked


def test_the_question_shows_the_difference_what_stays_and_what_is_not_sent(sandbox: Run) -> None:
    options = (*("--entry-option", "CUSTOM_RULES", "--entry-flow", "GRID"), *GOOD)
    done = sandbox("rules", "save", "Autumn Summit", *options, stdin="n\n", terminal=True)
    card = done.stderr.splitlines()
    start = next(at for at, line in enumerate(card) if line.startswith("about to save entry rules of room set"))
    assert card[start + 1 : start + 5] == [
        f"  against 'Doors of Autumn Summit' {config_of(sandbox)}, which is in force:",
        '    entryFlow: "SPIRAL" → "GRID"',
        "    unchanged: entryOption, rules",
        "    not sent: name, groupSpawnSize, groupFormerCount, startingPointX, startingPointY",
    ]
    assert (done.status, writes(sandbox)) == (1, 0)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ("emailAdress,ENDS_WITH,x", "no known rule uses the property emailAdress: did you mean emailAddress?"),
        ("shoeSize,ENDS_WITH,x", "no known rule uses the property shoeSize: known rules use emailAddress"),
        ("emailAddress,ENDSWITH,x", "no known rule uses the operator ENDSWITH: did you mean ENDS_WITH?"),
        ("emailAddress,ENDS_WITH,x", ""),
        ("age,OVER,17", ""),
    ],
)
def test_a_word_that_no_known_rule_uses_is_asked_about_or_noted(rule: str, said: str, sandbox: Run) -> None:
    if rule.startswith("age"):  # then it stands in the rules in force
        assert sandbox("rules", "save", SET, "--rule", "age,OVER,16", "--yes").status == 0
    stood = in_force(sandbox)
    asked = sandbox("rules", "save", SET, "--rule", rule, stdin="n\n", terminal=True)
    assert (asked.status, f"warning: {said}" in asked.stderr, in_force(sandbox)) == (1, bool(said), stood)
    done = sandbox("rules", "save", SET, "--rule", rule, "--yes")
    assert (done.status, said in done.stderr, "no known rule" in done.stderr) == (0, True, bool(said))
    assert in_force(sandbox)["rules"][0]["property"] == rule.split(",", maxsplit=1)[0]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--entry-option", "ACCOUNT", *GOOD), "rules are saved and not applied: entryOption is ACCOUNT, and rules"),
        (("--set", "entryOption=null", *GOOD), "the rules are saved and not applied: entryOption is cleared"),
        (("--entry-option", "DEFAULT"), "the rules in force no longer apply: entryOption becomes DEFAULT"),
        (("--entry-option", "CUSTOM_RULES", *GOOD), ""),
        (("--entry-option", "DEFAULT", "--set", "rules=[]"), ""),
    ],
)
def test_rules_under_an_option_that_does_not_heed_them_are_said(
    options: tuple[str, ...], said: str, sandbox: Run
) -> None:
    asked = sandbox("rules", "save", SET, *options, stdin="n\n", terminal=True).stderr
    assert (said in asked, "warning:" in asked) == (True, bool(said))
    done = sandbox("rules", "save", SET, *options, "--yes")
    assert (done.status, said in done.stderr, "appl" in done.stderr) == (0, True, bool(said))


def test_the_known_words_are_those_of_the_sandbox(sandbox: Run) -> None:
    used = in_force(sandbox)["rules"]
    assert {part: tuple(sorted({rule[part] for rule in used})) for part in RULES} == RULES
