"""The tool against the sandbox, in this process and over a real socket: status, stdout, stderr of scenarios."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from roomctl.contract.operations import OPERATIONS
from tests.programs import sandbox_server
from tests.servers import KEY

NOW = "2026-11-21T08:00:00Z"
STAGE = '"Main Stage"'
GONE = "99999999-9999-4999-8999-999999999999"
SCENARIOS: dict[str, list[str]] = {
    "reading": [
        "roomset list",
        "roomset list -o json --fields socialRoomSetId,name",
        "roomset list --limit 2 -o ids",
        "roomset list --page 1 --page-size 3 -o csv --fields name",
        "roomset list --sort name,desc -o tsv --fields name --no-header",
        'roomset get "Team Socials" -o yaml --fields name,hostUser.name,entryOption',
        "roomset tree",
        "social list --open -o csv --fields name,isOpen",
        'social list --room-set "Archive 2025" -o ids',
        f"social get {STAGE} -o json --fields name,isOpen,socialMeta",
        f"social cta {STAGE} -o csv",
        'rules get "Autumn Summit" -o yaml',
        "recording list -o csv --fields name,status,startDateTime",
        "recording list --text lounge -o ndjson --fields name",
        "transcription list -o json --fields name,status",
        "registration list EVENT --limit 3 -o ndjson",
        "registration list EVENT --text nobody.is.called.so",
        "registration list EVENT --text nobody.is.called.so -o json",
        "registration stats EVENT -o json",
        "user get USER -o json",
        "user get USER GONE -o json --fields input,status,error",
        "profile check -o json --fields accepted,room_sets_seen",
    ],
    "writing": [
        'roomset create --name "Spring Fair" --guests -o json --fields name,allowGuestUsers',
        'roomset update "Spring Fair" --description "Outside" --set groupFormerCount=4 --yes --show -o json',
        'social create --name Tent --room-set "Spring Fair" --starts 2026-11-21T18:30:00+01:00 -o json',
        'social end "Quiet Library" --yes --fields name,isOpen',
        "social end Tent --yes -o json --fields name,isOpen,endDateTime",
        "social copy Tent -o json --fields name,isOpen",
        "social end Tent --yes",
        'roomset copy "Team Socials" --name "Team Socials 2" -o json --fields name,socials.name',
        f"social end {STAGE} --leave-open-until 2099-01-01T00:00:00Z --yes -o json --fields name,isOpen",
        'social end --room-set "Onboarding" --yes -o json --fields input,status,reply.name,reply.isOpen',
        'social end --room-set "Onboarding" --yes -o csv --fields input,status,error',
        f"invite send {STAGE} --email grace.hopper@example.org --email no@a.invalid --yes -o csv --fields input,status",
        f"invite send {STAGE} --input invites.yaml --yes -o csv --fields input,status",
        'rules save "Spring Fair" --name Gate --entry-option CUSTOM_RULES --rule age,OVER,17 --yes --show -o yaml',
        'theme save --name Dusk --type SINGLE_COLOR --color-background "#223344" -o json --fields socialThemeName,type',
        'transcription process --room-set "Spring Fair" --name Speech -o json --fields name,status',
        'playlist create --name Rain --type PAID_PLAYLIST --qty 3 -o json --fields name,type,qty',
        "roomset tree",
    ],
    "showing instead of sending": [
        "roomset create --name X --dry-run",
        'roomset copy "Team Socials" --name "Team Socials 2" -o json --fields name,socials.name',
        f"social end {STAGE} --leave-open-until 2036-11-21T18:30:00+01:00 --dry-run",
        f"social end {STAGE} --curl",
        f"invite send {STAGE} --email ada@example.org --dry-run",
        "theme save --name Dusk --image dot.gif --dry-run",
        "rules save \"Autumn Summit\" --rule a,b,c,d --curl",
        "social create --skeleton -o yaml",
        "rules save X --skeleton -o json",
        "api social.create -f name=Tent -f maxParticipants=12 -F description=5 --dry-run",
    ],
    "refusing": [
        "social get {8fd42f77-3f0d-400f-9d2a-e6e426f76844}",
        "social get urn:uuid:8fd42f77-3f0d-400f-9d2a-e6e426f76844",
        'social get "Main Stag"',
        "social get GONE",
        "user get 123",
        "user get GONE",
        "social end GONE --yes",
        "social end GONE --yes -o json",
        "social end GONE",
        'roomset copy "Team Socials" --name "Team Socials 2" -o json --fields name,socials.name',
        f"social end {STAGE} --leave-open-until yesterday --yes",
        'roomset copy "Team Socials" --name "Team Socials 2" -o json --fields name,socials.name',
        f"social end {STAGE} --leave-open-until 2020-01-01T00:00:00Z --yes",
        f"social end {STAGE} --only-if-empty --yes",
        f"social end {STAGE} --max-present 1000 --expect-rooms 2 --yes",
        f"social end {STAGE} --expect-profile prod --yes",
        "social end",
        "social create --name X --set nam=Y",
        "social create --name X --set maxParticipants=many",
        "social create --name X --platform PLATFORM_C",
        "social create --name X --max-participants -1",
        "social create --input broken.yaml",
        "social create --input none.yaml",
        "social create --input list.json",
        "theme save --name X --image broken.yaml",
        "theme save --name X --image none.png",
        "rules save \"Autumn Summit\" --rule onlyone --yes",
        "rules get GONE GONE",
        "invite send GONE --email not-an-address --yes",
        f"invite send {STAGE} --from bad.csv --yes",
        "invite send GONE --email ada@example.org --yes",
        "registration list 123",
        "registration list GONE",
        "registration export EVENT",
        "registration export EVENT --to x.unknown",
        "registration check none.csv",
        "roomset list --page 0 --limit 5",
        "roomset list --page-size 0",
        "roomset list --sort nothing",
        "roomset list -o xml",
        "roomset lst",
        "roomset list --profil x",
        "roomsets",
        "api roomset.lst",
        "api GET /nothing",
        "api social.end --yes",
        "recording wait GONE --max-wait 1s",
        "roomset list --to dot.gif",
        "help exit-code",
    ],
}  # fmt: skip
FILES = {
    "broken.yaml": b"name: [1, 2\nx",
    "list.json": b"[1, 2]",
    "invites.yaml": b"- invitedUser: {emailAddress: alan.turing@example.org}\n- invitedUser: {emailAddress: x@y.zz}\n",
    "bad.csv": b"emailAddress,table\nada@example.org,1\nnobody,2\nADA@example.org,3\n,4\n\xff@example.org,5\n",
    "dot.gif": bytes.fromhex("47494638396101000100800000000000ffffff21f90401000000002c00000000010001000002024401003b"),
}
Run = Callable[..., Any]


@pytest.fixture
def event(roomctl: Run, tmp_path: Path) -> str:
    """Seed the sandbox, with its clock standing still, and give the id of its first event."""
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    made = roomctl("sandbox", "seed", "--clock", NOW, "--yes", "-o", "ids")
    assert made.status == 0, made.stderr
    return str(made.stdout.splitlines()[0])


def words(line: str, event: str) -> list[str]:
    import shlex

    user = "a2b7faa7-549d-4d69-8a65-825f3dafca2e"
    return [{"EVENT": event, "GONE": GONE, "USER": user}.get(word, word) for word in shlex.split(line)]


def transcript(line: str, done: Any) -> str:
    said = re.sub(r"(?m)^SANDBOX.*\n", "", done.stderr)
    said = re.sub(r"http://(localhost|127\.0\.0\.1(:\d+)?)", "http://SANDBOX", said)
    said = re.sub(r"(profile: )(sandbox|environment) \(from [^)]*\)", r"\1PROFILE", said)
    said = re.sub(r"(the active profile is )(sandbox|environment)", r"\1PROFILE", said)
    said = re.sub(r'"profile":"\w*"', '"profile":"PROFILE"', said)
    said = re.sub(r'"journal":"\w+"', '"journal":"ENTRY"', said)
    said = re.sub(r'"sent_at":"[^"]*"', '"sent_at":"NOW"', said)
    shown = re.sub(r"http://(localhost|127\.0\.0\.1(:\d+)?)", "http://SANDBOX", done.stdout)
    return f"$ roomctl {line}\n{shown}" + "".join(f"! {each}\n" for each in said.splitlines()) + f"= {done.status}\n\n"


@pytest.mark.parametrize("name", SCENARIOS)
def test_a_scenario_in_this_process(name: str, roomctl: Run, event: str, golden: Callable[[str, str], None]) -> None:
    text = "".join(transcript(line, roomctl("--sandbox", *words(line, event))) for line in SCENARIOS[name])
    golden(f"world/{name.replace(' ', '-')}.txt", text)


@pytest.fixture
def served(event: str, variables: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    """Serve the seeded sandbox over HTTP and point the environment at it."""
    with sandbox_server(variables, tmp_path) as server:
        variables.update(ROOMCTL_BASE_URL=server.url, ROOMCTL_API_KEY=KEY)
        yield variables


@pytest.mark.parametrize("name", SCENARIOS)
def test_the_same_scenario_over_a_real_socket(name: str, roomctl: Run, event: str, served: dict[str, str]) -> None:
    text = "".join(transcript(line, roomctl(*words(line, event))) for line in SCENARIOS[name])
    assert text == (Path(__file__).parent / "golden" / "world" / f"{name.replace(' ', '-')}.txt").read_text("utf-8")


def test_every_operation_is_in_a_scenario(roomctl: Run) -> None:
    from roomctl.cli.main import root

    tree = root()
    called: set[str] = set()
    for line in (line for name in ("reading", "writing") for line in SCENARIOS[name]):
        group, verb = words(line, "")[:2]
        if group in tree.members and hasattr(command := tree.get_command(None, group), "commands"):
            called.update(operation.name for operation in command.get_command(None, verb).about.named)
    assert called == {operation.name for operation in OPERATIONS}
