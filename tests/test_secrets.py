"""Canary secrets across operations, outcomes and forms of output: in no stream and in no file (R1, R6, R7, R8)."""

import base64
import json
import random
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from roomctl.contract.operations import BY_NAME
from tests.conftest import Env, Run, Serving, soak
from tests.servers import Recorder
from tests.test_wire import COMMANDS, DOT

KEY = "canary/key+0123456789=canary"
BEARER = "canary-bearer-value-0123456789"
BEARERS: dict[str, Any] = {"guestBearer": BEARER, "refreshBearer": {"token": BEARER, "parts": [BEARER]}}
BEARERS |= {"REFRESHBEARER": [BEARER, {"x": BEARER}], "myguestbearers": BEARER}
HIDDEN = {form.encode() for secret in (KEY, BEARER) for form in (
    secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode(), secret.encode().hex(),
    json.dumps(secret).replace("/", "\\/").strip('"'),
)}  # fmt: skip
FORMS = [[], *(["-o", form] for form in ("json", "ndjson", "csv", "tsv", "yaml", "ids", "table"))]
ERRORS = [[], *(["--error-format", form] for form in ("text", "json", "github"))]
VERBOSITY = [[], ["-v"], ["--debug"], ["-v", "--debug"], ["-q"]]
KINDS = ["result", "result", "echo", "no", "not allowed", "broken", "gone", "page", "cut", "garbage", "other id"]


def laden(value: Any) -> Any:
    """Put bearer fields into every object of a reply, and into one that hangs below it."""
    if isinstance(value, list):
        return [laden(each) for each in value] or [laden({})]
    return None if value is None else {**value, **BEARERS, "below": {"deeper": [dict(BEARERS)]}}


class Leaky(Recorder):
    """A service that lays bearer fields and the caller's key into whatever it answers."""

    kind = "result"

    def reply(self, request: bytes) -> bytes:
        beside = BY_NAME[self.name].writes and request.startswith(b"GET ")
        kind = "result" if beside else self.kind
        status = {"no": 400, "not allowed": 403, "broken": 500, "gone": 404}.get(kind, 200)
        body = self.body(kind, request)
        length = len(body) + (50 if kind == "cut" else 0)
        head = f"HTTP/1.1 {status} X\r\nX-Echo: {KEY}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        return head.encode() + body

    def body(self, kind: str, request: bytes) -> bytes:
        found = laden(json.loads(self.answer(request)))
        if kind == "echo" and BY_NAME[self.name].repeat == "create" and not request.startswith(b"GET "):
            records = found if isinstance(found, list) else [found or {}]
            for each in records:
                each.update(
                    {"error": KEY} if self.name == "invite.send" else {"note": KEY, "invitedUser": {"name": KEY}}
                )
        if kind == "page":
            return f"<p>guestBearer={BEARER}; X-API-Key: {KEY}</p>".encode()
        if kind == "garbage":
            return json.dumps(found).encode() + b"]"
        if kind == "other id":
            return json.dumps([] if isinstance(found, list) else {**BEARERS, "userId": BEARER[:4]}).encode()
        if kind in ("no", "not allowed", "broken", "gone"):
            message = {"message": f"{KEY} {quote(KEY, safe='')}", "headers": {"X-API-Key": KEY}}
            return json.dumps({**message, **BEARERS}).encode()
        if b"page=" in request and b"page=0" not in request:
            return b"[]"
        return json.dumps(found).encode()


@pytest.fixture
def leaky(serving: Serving) -> Leaky:
    return serving(Leaky("user.get"))


def commands(chance: random.Random, name: str) -> list[str]:
    """Give a command of an operation in some form of output, or the operation as `api` speaks it."""
    command = [*COMMANDS[name]]
    if name == "registration.list" and chance.random() < 0.5:
        to = chance.choice(["r.csv", "r.ndjson", "r.xlsx", "r.sqlite", "r.json"])
        return ["registration", "export", command[2], "--to", to]
    if name == "invite.send" and chance.random() < 0.3:
        command += ["--results", "results.csv"]
    if chance.random() < 0.15:
        return [*command, "--dry-run"] if BY_NAME[name].writes else [*command, "--to", "to.json", "-o", "json"]
    return [*command, *chance.choice(FORMS)]


def leaks(seed: int, service: Leaky, roomctl: Run, variables: Env, folder: Path) -> list[str]:
    """Run the commands of all operations as the seed says, and give what was seen where it must not be."""
    chance = random.Random(seed)
    found = []
    for name in COMMANDS:
        shutil.rmtree(folder / "home", ignore_errors=True)
        for each in folder.glob("[rt]*.*"):
            each.unlink()
        service.name, service.kind = name, chance.choice(KINDS)
        variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{service.port}", ROOMCTL_API_KEY=KEY)
        command = [*commands(chance, name), *chance.choice(ERRORS), *chance.choice(VERBOSITY), "--retries", "0"]
        done = roomctl(*command, terminal=chance.random() < 0.3, stdin="yes\n" * 3)
        shown = {"stdout": done.stdout.encode(), "stderr": done.stderr.encode()}
        shown |= {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        after = [roomctl("journal", "list", "-o", "json").stdout, roomctl("profile", "show", "-o", "json").stdout]
        shown["journal and profile"] = "".join(after).encode()
        found += [f"{name} {service.kind} {command}: {where}" for where, text in shown.items() if seen(text)]
        assert done.status != 1, (command, done.stderr)
    return found


def seen(text: bytes) -> bool:
    return any(secret in text for secret in HIDDEN)


def test_the_canaries_would_be_seen() -> None:
    assert seen(json.dumps(laden({})).encode())
    assert seen(f"curl -H 'X-API-Key: {KEY}'".encode())


@pytest.mark.parametrize("seed", [*range(18), *map(soak, range(1_000, 1_560))])
def test_r6_r7_three_hundred_runs_show_and_keep_no_secret_and_ten_thousand_do_not(
    seed: int, leaky: Leaky, roomctl: Run, variables: Env, tmp_path: Path
) -> None:
    (tmp_path / "dot.gif").write_bytes(DOT)
    assert leaks(seed, leaky, roomctl, variables, tmp_path) == []
