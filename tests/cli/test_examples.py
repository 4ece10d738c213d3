"""Every example in every command's help is run on the embedded service and gives the exit code that it names."""

import io
import json
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TextIO

import pytest

from roomctl.cli.help_text import EXAMPLES, MORE, OFTEN, command_line, examples_of
from roomctl.cli.options import COMMON, meaning_of
from tests.cli.tree import COMMANDS
from tests.conftest import NOW, Env, Run, Terminal
from tests.events.stage import DOT, ran_in
from tests.programs import tool
from tests.servers import Recorder
from tests.temperament import LIKE, probed, same

ENDS = (
    "from json import load; from os import environ as e; from urllib.request import Request, urlopen; "
    'url = e["ROOMCTL_BASE_URL"] + "/api/v1/social/end/8fd42f77-3f0d-400f-9d2a-e6e426f76844"; '
    'exit(load(urlopen(Request(url, method="POST", headers={"X-API-Key": e["ROOMCTL_API_KEY"]})))["isOpen"])'
)
TEXTS = {
    "rules.yaml": "name: Doors\nrules:\n- {property: emailAddress, operator: ENDS_WITH, value: '@example.org'}\n",
    "transcription.yaml": "name: Keynote\nstatus: PROCESSING\n",
    "people.csv": "emailAddress,table\nada.lovelace@example.org,1\ngrace.hopper@example.org,2\n",
    "body.json": '{"name": "Arrivals"}',
    "evening.yaml": "room_set: Winter Gala\nrules: {name: Doors, rules: []}\nplaylists: [{name: Arrival}]\n"
    "themes: {hall: {type: SINGLE_IMAGE, image: far.png}}\nrooms: [{name: Hall, theme: hall, invite: people.csv}]\n",
    "night.yaml": "- drop-after-commit:social.end#1\n",
    "night.ndjson": '{"method": "GET", "path": "/social/room/set/mine", "query": [], "body": "", "status": 200}\n',
    "end-rooms.sh": f"#!/bin/sh\nexec {sys.executable} -c '{ENDS}'\n",
}
SHELL = {">", "&&"}
EXPORTS = ("registrations.csv", "monday.csv", "tuesday.csv", "monday.ndjson", "tuesday.ndjson")


class World(NamedTuple):
    """A folder with a seeded sandbox, a journal and files, made once; and what the placeholders stand for."""

    folder: Path
    ids: dict[str, str]


def variables_in(folder: Path, port: int) -> dict[str, str]:
    away = 'base_url = "http://127.0.0.1:9"\napi_key = "examples-test-key"\n'
    config = (
        f'default_profile = "sandbox"\n[profiles.prod]\n{away.replace(":9", f":{port}")}'
        f"[profiles.staging]\n{away}[profiles.old]\n{away}"
        '[views.badges]\ncolumns = ["user.name", "user.emailAddress"]\n'
    )
    (folder / "config.toml").write_text(config)
    (folder / "config.toml").chmod(0o600)
    own = {name: os.fspath(folder / name.lower()) for name in ("DATA", "STATE", "CACHE")}
    home = {"HOME": os.fspath(folder), "ROOMCTL_CONFIG": os.fspath(folder / "config.toml"), "PATH": os.environ["PATH"]}
    return {**home, "TZ": "UTC", "EDITOR": "true", **{f"ROOMCTL_{name}": path for name, path in own.items()}}


def ran(folder: Path, variables: Env, *args: str) -> tuple[int, str, str]:
    """Run a command, or several with pipes between them; give what the last one says."""
    stdin: TextIO = Terminal()
    while "|" in args:
        before, args = args[: args.index("|")], args[args.index("|") + 2 :]
        stdin = io.StringIO(ran_in(folder, variables, *before, stdin=stdin)[1])
    return ran_in(folder, variables, *args, stdin=stdin)


@pytest.fixture(scope="module")
def service() -> Iterator[Recorder]:
    made = Recorder("roomset.list")
    yield made
    made.close()


@pytest.fixture(scope="module")
def made_world(tmp_path_factory: pytest.TempPathFactory, service: Recorder) -> World:
    folder = tmp_path_factory.mktemp("examples")
    variables = variables_in(folder, service.port)

    def ids(*args: str) -> list[str]:
        status, out, err = ran(folder, variables, *args, "-o", "ids")
        assert status == 0, err
        return out.split()

    event = ids("sandbox", "seed", "--clock", NOW, "--registrations", "40", "--yes")[0]
    ids("sandbox", "snapshot", "rehearsal")
    for name, text in TEXTS.items():
        (folder / name).write_text(text)
    (folder / "end-rooms.sh").chmod(0o755)
    for name in ("far.png", "mid.png", "near.png"):
        (folder / name).write_bytes(DOT)
    rooms, users = ids("social", "list", "--open"), ids("registration", "list", event, "--fields", "user.userId")
    (folder / "rooms.csv").write_text("socialId\n" + "\n".join(rooms[:2]) + "\n")
    (folder / "ids.txt").write_text("\n".join(users[:3]) + "\n")
    for name in EXPORTS:
        assert ran(folder, variables, "registration", "export", event, "--to", name)[0] == 0
    ids("social", "end", rooms[3], "--yes")
    ids("playlist", "create", "--input", "body.json")
    with_body, without = ids("journal", "list")
    done = [("--fields", "status,socialRecordingId"), ("--fields", "status,socialTranscriptionId")]
    lists = [ran(folder, variables, kind, "list", "-o", "tsv", *more)[1] for kind, more in zip(DONE, done, strict=True)]
    complete = [line.split("\t")[1] for text in lists for line in text.splitlines() if line.startswith("COMPLETE")]
    sets = ids("roomset", "list")
    assert ran(folder, variables, "roomset", "plan", "evening.yaml", "--to", "reviewed.json")[0] == 0
    ids("sandbox", "log", "--clear")
    ids_of = {"recording": complete[0], "transcription": complete[-1], "user": users[0], "social": rooms[0]}
    named = {f"ID of a {kind}": key for kind, key in {**ids_of, "roomset": sets[0]}.items()}
    return World(folder, {"EVENT": event, "ENTRY": without, "ENTRY with a body": with_body, **named})


DONE = ("recording", "transcription")


def words(line: str, ids: dict[str, str]) -> tuple[dict[str, str], list[str]]:
    """Read a line as a shell would, as far as the first redirection or `&&`: its assignments and its words."""
    parts = shlex.split(line)
    end = next((index for index, word in enumerate(parts) if word in SHELL), len(parts))
    before = parts[: parts.index("roomctl")]
    found = [_meant(word, parts, ids) for word in parts[len(before) + 1 : end]]
    return dict(pair.partition("=")[::2] for pair in before), found


def _meant(word: str, parts: list[str], ids: dict[str, str]) -> str:
    if word == "ENTRY" and "--input" in parts:
        return ids["ENTRY with a body"]
    before, equals, last = word.rpartition("=")
    own = next((ids[f"ID of a {part}"] for part in parts if f"ID of a {part}" in ids), "")
    return before + equals + (own if last == "ID" else ids.get(last, last))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_examples_of_a_command_end_as_they_say_and_call_what_it_declares(
    name: str, made_world: World, tmp_path: Path, service: Recorder
) -> None:
    about, seen = COMMANDS[name].about, set[str]()
    for number, example in enumerate(examples_of(name)):
        folder = tmp_path / f"world{number}"
        shutil.copytree(made_world.folder, folder)
        variables = variables_in(folder, service.port)
        more, args = words(command_line(example), made_world.ids)
        variables.update({**more, **({"EDITOR": "true"} if "EDITOR" in more else {})})
        done = stopped(args, variables) if example.status > 128 else ran(folder, variables, *args)
        assert (done[0], example.line) == (example.status, example.line), done[2]
        seen |= {each["operation"] for each in json.loads(ran(folder, variables, "sandbox", "log", "-o", "json")[1])}
    declared = {call.name for call in about.calls}
    assert seen <= declared | {call.name for call in about.any_of}
    assert declared - seen == ONLY_SOMETIMES.get(name, set())


REFUSED_AT_ONCE = {(kind, "recording list --text keynote -o json") for kind in ("400", "404", "416")}
"""Lists without a row: refused on their first page, they are not known to be empty."""


class Outcome(NamedTuple):
    """What a command left: its status, its result, and the files of rows that it wrote."""

    status: int
    out: str
    files: dict[str, str]


@pytest.fixture(scope="module")
def profiles(made_world: World, service: Recorder, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Ask each kind of service what it is like: for each the variables of the profile."""
    probe, found = ["doctor", "--probe", "--yes", "-o", "json"], {}
    for kind, like in LIKE.items():
        folder = tmp_path_factory.mktemp("probed") / "world"
        found[kind] = probed(example(made_world, service, folder, probe, like).out)
    assert found == {kind: {"ROOMCTL_END_OF_LIST": "204" if kind == "spring" else kind} for kind in LIKE}
    return found


def example(
    world: World, service: Recorder, folder: Path, args: Sequence[str], like: str = "", more: Mapping[str, str] = {}
) -> Outcome:
    shutil.copytree(world.folder, folder)
    variables = {**variables_in(folder, service.port), **more}
    if like:
        assert ran(folder, variables, "sandbox", "faults", "add", like)[0] == 0
    found = outcome(folder, variables, args)
    shutil.rmtree(folder)
    return found


def outcome(folder: Path, variables: Env, args: Sequence[str]) -> Outcome:
    before = {path: path.read_bytes() for path in folder.glob("*.*sv")}
    status, out, _ = ran(folder, variables, *args)
    files = {path.name: path.read_text() for path in folder.glob("*.*sv") if path.read_bytes() != before.get(path)}
    return Outcome(status, out.replace(os.fspath(folder), ""), files)


SHOWING_MORE = {"demo", "doctor", "roomset export", "social watch"}
"""Commands that show the present time, or what the service is like, and the file that holds no unknown value: of these
the exit codes are compared."""
ASKING = [name for name, command in COMMANDS.items() if command.about.calls]


@pytest.mark.parametrize("name", ASKING)
def test_the_examples_of_a_command_say_the_same_whatever_the_service_is_like(
    name: str, made_world: World, tmp_path: Path, service: Recorder, profiles: dict[str, Any]
) -> None:
    """R30, R45, R48: with the lines that `doctor --probe` writes for it."""
    for each in (each for each in examples_of(name) if each.status < 128):
        more, args = words(command_line(each), made_world.ids)
        more |= {"EDITOR": "true"} if "EDITOR" in more else {}
        plain = example(made_world, service, tmp_path / "plain", args, more=more)
        for kind in LIKE if name != "social watch" else ["spring"]:  # it takes seconds
            found = example(made_world, service, tmp_path / kind, args, LIKE[kind], {**more, **profiles[kind]})
            if name in SHOWING_MORE:
                assert (each.line, kind, found.status) == (each.line, kind, plain.status)
            elif (kind, each.line) not in REFUSED_AT_ONCE:
                assert (each.line, kind, *said(found)) == (each.line, kind, *said(plain))


def said(found: Outcome) -> tuple[int, Any, dict[str, Any]]:
    """Give an outcome in a form that is the same whatever the service is like."""
    return found.status, same(found.out), {name: same(text) for name, text in found.files.items()}


ONLY_SOMETIMES = {"roomset edit": {"roomset.update"}, "roomset plan": {"rules.get"}}
ONLY_SOMETIMES |= {"journal verify": {"roomset.list", "transcription.list"}, "transcription process": {"roomset.list"}}
"""What a command calls only where an option asks for it, something was changed, or an answer was lost."""


def stopped(args: list[str], variables: Env, how: int = signal.SIGTERM) -> tuple[int, str, str]:
    """Run in a process, a server on a free port, until it says something; then tell it to stop."""
    words = ["0" if before == "--port" else word for before, word in zip(("", *args), args, strict=False)]
    with tool(*words, *(["--port", "0"] if "serve" in args else []), variables=variables, stdout=None) as server:
        assert server.stderr is not None
        said = server.stderr.readline()
        server.send_signal(how)
        said += server.stderr.read()
        return server.wait(20), "", said


def test_ctrl_c_is_the_usual_end_of_a_served_sandbox(variables: Env) -> None:
    status, _, said = stopped(["sandbox", "serve"], variables, signal.SIGINT)
    assert (status, said.splitlines()[-1], "error" in said) == (0, "SANDBOX: stopped", False)


@pytest.mark.parametrize("line", [line for line, _ in OFTEN])
def test_what_the_root_help_shows_is_a_command(line: str, made_world: World) -> None:
    _, args = words(line, made_world.ids)
    assert {" ".join(args[:2]), args[0]} & COMMANDS.keys()


def test_every_line_of_the_examples_and_the_help_is_one_of_a_command() -> None:
    assert sum(len(examples_of(name)) for name in COMMANDS) == len(re.findall("(?m)^.+$", EXAMPLES.read_text("utf-8")))
    assert set(re.findall(r"(?m)^\[(.+)\]$", MORE.read_text("utf-8"))) <= set(COMMANDS)
    params = [param for command in COMMANDS.values() for param in command.params]
    shown = {f"{name}: {meaning_of(param)}" for param in params for name in (param.metavar, param.opts[-1])}
    assert set(re.findall("(?m)^.+: .+$", MORE.with_name("options.txt").read_text("utf-8"))) <= shown


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_two_examples_of_itself_and_names_their_exit_codes(name: str) -> None:
    examples = examples_of(name)
    assert len(examples) >= 2
    assert {each.status for each in examples} <= {*COMMANDS[name].about.exits, 130, 143}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_of_a_command_says_what_it_is_for(name: str) -> None:
    assert [param.name for param in COMMANDS[name].params if not meaning_of(param)] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_is_about_this_command(name: str, roomctl: Run) -> None:
    done = roomctl(*name.split(" "), "--help")
    assert (done.status, done.stderr) == (0, "")
    sections = [line for line in done.stdout.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert sections[-1] == "Examples:"
    codes = " ".join(str(code) for code in COMMANDS[name].about.exits if code not in (130, 141, 143))
    stopped = "any command can also end with 130, 141 or 143"
    assert f"Exit codes: {codes}; {stopped}. `roomctl help exit-codes` explains them." in " ".join(done.stdout.split())
    assert ("Calls:" in sections) == bool(COMMANDS[name].about.calls)
    assert "--error-format" not in done.stdout
    assert all(f"/api/v1{call.path}" in done.stdout for call in COMMANDS[name].about.calls)
    lines = re.sub(r" \\\n +", " ", done.stdout)
    assert all(command_line(each) in lines for each in examples_of(name))


def test_the_options_that_every_command_takes_are_named_and_explained(roomctl: Run) -> None:
    from roomctl.cli.command_tree import options_of
    from roomctl.cli.help_text import EVERYWHERE

    known = {name for bundle in COMMON for option in options_of(bundle) for name in option.opts}
    assert {word.split(" ")[0] for word in EVERYWHERE.split(", ")} <= known
    *common, several, rest = roomctl("help", "options", "-o", "json").json
    assert {name for row in common for name in row["option"].split(", ")} == known
    assert set(several["meaning"].split(", ")) >= {"--user", "--room-set", "--set", "--query key=value"}
    assert rest["option"] == "any other option"


@pytest.mark.parametrize("args", [("--version", "-q"), ("-q", "--version")])
def test_the_version_is_told_beside_other_options_too(args: tuple[str, ...], roomctl: Run) -> None:
    from roomctl import __version__

    assert roomctl(*args) == (0, f"roomctl {__version__}\n", "")
