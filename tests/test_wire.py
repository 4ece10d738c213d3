"""The literal bytes of the request for each of the 18 operations."""

import re
from pathlib import Path

import pytest

from roomctl.contract.operations import BY_NAME, OPERATIONS
from tests.conftest import Env, Golden, Run
from tests.servers import A, B, Recorder

KEY = "wire-test-key-0123456789"
COMMANDS: dict[str, list[str]] = {
    "roomset.create": ["roomset", "create", A, B],
    "roomset.update": ["roomset", "update", A, "--name", "Ümlaut & Co", "--guests", "--yes"],
    "roomset.list": ["roomset", "list", "--sort", "name,desc", "--page-size", "7"],
    "roomset.copy": ["roomset", "copy", A, "--name", "Copy of A/B?"],
    "social.create": ["social", "create", "--name", "Lounge", "--room-set", A, "--max-participants", "40"],
    "social.copy": ["social", "copy", A],
    "social.end": ["social", "end", A, "--leave-open-until", "2099-01-01T00:00:00+01:00", "--yes"],
    "invite.send": ["invite", "send", A, "--user", B, "--email", "ada@example.org", "--yes"],
    "social.cta": ["social", "cta", A],
    "theme.save": ["theme", "save", "--name", "Plain", "--type", "SINGLE_COLOR", "--image", "dot.gif"],
    "transcription.process": ["transcription", "process", "--id", A, "--status", "PROCESSING"],
    "transcription.list": ["transcription", "list", "--text", "key note"],
    "recording.list": ["recording", "list", "--page", "3", "--page-size", "5"],
    "rules.save": [
        *("rules", "save", A, "--name", "Doors", "--entry-option", "CUSTOM_RULES"),
        *("--rule", "email,ENDS_WITH,@example.org", "--yes"),
    ],
    "rules.get": ["rules", "get", A, B],
    "playlist.create": ["playlist", "create", "--name", "Arrivals", "--type", "FREE_PLAYLIST", "--qty", "12"],
    "user.get": ["user", "get", A],
    "registration.list": ["registration", "list", A],
}
DOT = bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b")


def shown(request: bytes, port: int) -> str:
    text = request.decode("utf-8").replace(f"127.0.0.1:{port}", "127.0.0.1:PORT").replace("\r\n", "\n")
    return re.sub(r"(?i)user-agent: roomctl/\S+", "User-Agent: roomctl/VERSION", text) + "\n"


def test_every_operation_has_a_command_here() -> None:
    assert list(COMMANDS) == [operation.name for operation in OPERATIONS]


@pytest.mark.parametrize(
    ("name", "recorder"), [(name, name) for name in COMMANDS], indirect=["recorder"], ids=list(COMMANDS)
)
def test_a_request_in_bytes(
    name: str, recorder: Recorder, roomctl: Run, variables: Env, golden: Golden, tmp_path: Path
) -> None:
    (tmp_path / "dot.gif").write_bytes(DOT)
    variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{recorder.port}", ROOMCTL_API_KEY=KEY)
    done = roomctl(*COMMANDS[name], "-o", "json")
    assert done.status == 0, done.stderr
    assert KEY not in done.stdout + done.stderr
    operation = BY_NAME[name]
    asked = [request for request in recorder.requests if request.startswith(operation.method.encode() + b" ")]
    golden(f"wire/{name}.txt", shown(asked[0], recorder.port))
