"""`roomctl doctor`: what is wrong with this machine, and with --probe what the service does where it is silent."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.servers import Paged, Recorder

Run = Callable[..., Any]
KEY = "doctor-test-key-0123456789"


def states(done: Any) -> dict[str, str]:
    return {row["check"]: row["state"] for row in done.json}


def advice(done: Any, check: str) -> tuple[str, str]:
    return next((row["what"], row["next"]) for row in done.json if row["check"] == check and row["state"] != "ok")


def config(variables: dict[str, str], text: str, mode: int = 0o600) -> Path:
    path = Path(variables["ROOMCTL_CONFIG"])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    return path


def test_a_machine_that_is_ready_has_nothing_to_mend(sandbox: Run, variables: dict[str, str]) -> None:
    done = sandbox("doctor", "-o", "json")
    assert done.status == 0
    assert sandbox("doctor").stdout.startswith("check\tstate\twhat\tnext\npython\tok\t")
    assert {check for check, state in states(done).items() if state != "ok"} == {"command"}
    assert list(states(done)) == [
        *("python", "config", "active profile", "key", "data folder", "state folder", "cache folder"),
        *("clock", "command", "journal", "sandbox"),
    ]


def test_a_profile_is_checked_and_its_key_is_read_and_never_shown(roomctl: Run, variables: dict[str, str]) -> None:
    variables["ROOMS"] = KEY
    text = 'default_profile = "a"\n[profiles.a]\nbase_url = "https://a.example.org"\napi_key_env = "ROOMS"\n'
    config(variables, text + '[profiles.b]\nbase_url = "http://b.example.org"\napi_key = "12345678"\nrate = 0\n')
    done = roomctl("doctor", "-o", "json")
    assert done.status == 2
    assert KEY not in done.stdout
    assert states(done)["key"] == "ok"
    wrong = advice(done, "profile")[0]
    assert wrong.startswith("base_url of profile b") and "; rate of profile b" in wrong
    assert '"message":"to fix: profile"' in done.stderr
    variables.pop("ROOMS")
    assert advice(roomctl("doctor", "-o", "json"), "key") == (
        "profile a takes its key from ROOMS, which is not set",
        "set ROOMS",
    )


def test_a_config_that_others_can_read_is_to_be_mended(roomctl: Run, variables: dict[str, str]) -> None:
    path = config(variables, "", 0o644)
    done = roomctl("doctor", "-o", "json")
    assert done.status == 2
    assert advice(done, "config") == (f"others can read or write {path}, which holds keys", f"`chmod 600 {path}`")


def test_folders_sandbox_and_settings_are_looked_at(roomctl: Run, variables: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    data = tmp_path / "data"
    data.mkdir()
    (data / "sandbox.db").write_bytes(b"no database" * 100)
    variables.update(ROOMCTL_STATE=str(tmp_path / "file"), ROOMCTL_DATA=str(data), ROOMCTL_OUPUT="json")
    done = roomctl("doctor", "-o", "json", "--profile", "sandbox")
    assert done.status == 2
    assert advice(done, "state folder")[0] == f"cannot be written: {tmp_path / 'file'}"
    assert "is damaged: file is not a database" in advice(done, "sandbox")[0]
    assert advice(done, "settings")[0] == "ROOMCTL_OUPUT is not read by roomctl: did you mean `ROOMCTL_OUTPUT`?"


@pytest.mark.parametrize(
    ("end", "wrapper", "lines"),
    [
        ("[]", "", []),
        ("404", "", ['end_of_list = ["404"]']),
        ("204", "content", ['list_field = "content"', 'end_of_list = ["204"]']),
        ("null", "items", ['list_field = "items"', 'end_of_list = ["null"]']),
    ],
)
def test_a_probe_finds_how_lists_end_and_are_wrapped_and_writes_the_lines_to_add(
    end: str, wrapper: str, lines: list[str], roomctl: Run, variables: dict[str, str]
) -> None:
    """R30: with these lines lists are read to their proven end."""
    service = Paged(
        recording=[{"socialRecordingId": f"{number:08}-0000-4000-8000-000000000000"} for number in range(9)]
    )
    service.end, service.wrapper = end, wrapper
    try:
        variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{service.port}", ROOMCTL_API_KEY=KEY)
        done = roomctl("doctor", "--probe", "--yes", "-o", "json")
        assert done.status == 0, done.stderr
        assert (done.json["add_to_profile"], done.json["list_field"]) == (lines, wrapper or None)
        for name, _, value in (line.partition(" = ") for line in lines):
            variable, word = f"ROOMCTL_{name.upper()}", value.strip('[]"')
            assert f"set in the environment: {variable}={word}\n" in done.stderr
            variables[variable] = word
        assert roomctl("recording", "list").status == 0
        assert roomctl("doctor", "--probe", "--yes", "-o", "json").json["add_to_profile"] == []
    finally:
        service.close()


def test_a_probe_asks_first(roomctl: Run, variables: dict[str, str]) -> None:
    service = Recorder("roomset.list")
    variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{service.port}", ROOMCTL_API_KEY=KEY)
    alone = roomctl("doctor", "--probe")
    declined = roomctl("doctor", "--probe", stdin="n\n", terminal=True)
    service.close()
    assert (alone.status, alone.stdout, declined.status) == (2, "", 1)
    assert "about to send some twenty reads to http://127.0.0.1" in declined.stderr
    assert service.requests == []
