"""What all tests share: the tool itself as a function, in a home of its own, and `--update` for goldens."""

import io
import json
import os
import shutil
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from tests.servers import KEY, Loopback, Recorder

if TYPE_CHECKING:
    from roomctl.sandbox.faults import FaultStore
    from roomctl.sandbox.store import Store

KNOWN = [HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
settings.register_profile("soak", deadline=None, max_examples=20_000, suppress_health_check=KNOWN)
# the same examples each time: a gate that fails by chance is believed by nobody
settings.register_profile("gate", deadline=None, derandomize=True, database=None, suppress_health_check=KNOWN)
settings.load_profile("gate")
NOW = "2026-11-21T08:00:00Z"
Service = TypeVar("Service", bound=Loopback)
Failure = TypeVar("Failure", bound=BaseException)
Run = Callable[..., Any]
"""Runs roomctl, as the fixtures `roomctl` and `sandbox` do."""
Patch = pytest.MonkeyPatch
Env = dict[str, str]
"""The variables of an environment."""
Golden = Callable[[str, str], None]
"""Compares a text with a file in `golden`."""
Cases = Callable[[str, Callable[..., str]], None]
"""Compares what is said of each line of a file in `golden/cases`, JSON values, with what stands below it."""
LONGEST = {f"test_{name}.py" for name in ("quality", "fault_sweep", "verify", "crash", "readme", "signals")}
AROUND = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "NO_COLOR", "CI", "GITHUB_ACTIONS", "COLUMNS"]
"""Variables of the person's own that a run of the tool heeds."""
MEMORY = Path("/dev/shm")
"""Where folders of tests are made, if there is room: the tool waits for the disk after each step that counts."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update", action="store_true", help="rewrite goldens, man/ and completions/")
    parser.addoption("--writes", type=int, default=20_000, help="writes over a failing service in a long run")


def pytest_configure(config: pytest.Config) -> None:
    """Work in memory; hear signals where pytest was started in the background with them ignored, as children do."""
    if MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > 2**31 and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", os.fspath(MEMORY))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(signal, "SIGHUP"):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
    if config.getoption("--update") and not hasattr(config, "workerinput"):
        from tests.contract.test_fields import write_index

        write_index()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """Run tests that are named one by one here: starting workers takes longer. Else 3 for 2 processors: many wait."""
    named = bool(config.args) and all("::" in arg for arg in config.args)
    return 0 if named else len(os.sched_getaffinity(0)) * 3 // 2 if hasattr(os, "sched_getaffinity") else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests, so that no worker is left alone with one in the end."""
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture(scope="session")
def update(pytestconfig: pytest.Config) -> bool:
    return bool(pytestconfig.getoption("--update"))


@pytest.fixture(autouse=True)
def own_home(tmp_path: Path, monkeypatch: Patch) -> None:
    """Keep every test away from the person's own home and environment."""
    for name in [name for name in os.environ if name.startswith(("ROOMCTL_", "XDG_"))]:
        monkeypatch.delenv(name)
    for name in AROUND:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", os.fspath(tmp_path / "home"))
    monkeypatch.setenv("TZ", "UTC")


def soak(*values: Any) -> Any:
    """Give a case of a table that only the long runs try."""
    return pytest.param(*values, marks=pytest.mark.soak)


def error_of(kind: type[Failure], call: Callable[..., object], *args: Any, **more: Any) -> Failure:
    with pytest.raises(kind) as caught:
        call(*args, **more)
    return caught.value


class Serving(Protocol):
    """Has the tool ask a server, as the fixture `serving` does."""

    def __call__(self, server: Service, /) -> Service: ...


class Done(NamedTuple):
    """What a run of roomctl left."""

    status: int
    stdout: str
    stderr: str

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


class Nobody(io.StringIO):
    """A stdin on which nobody ever types: to read it would be to wait for ever (R44)."""

    def read(self, size: int | None = -1, /) -> str:
        raise AssertionError("stdin was read")

    def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # io.StringIO's stub says int
        raise AssertionError("stdin was read")


class Terminal(io.StringIO):
    """A text stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def variables(tmp_path: Path) -> Env:
    """The environment of the runs of a test; a test may change it."""
    home = tmp_path / "home"
    own = {f"ROOMCTL_{name.upper()}": os.fspath(home / name) for name in ("data", "state", "cache")}
    own["ROOMCTL_CONFIG"] = os.fspath(home / "config" / "config.toml")
    return {"HOME": os.fspath(home), "TZ": "UTC", "TERM": "xterm", **own}


@pytest.fixture
def roomctl(variables: Env, tmp_path: Path, monkeypatch: Patch) -> Iterator[Callable[..., Done]]:
    """Run roomctl in this process: `roomctl("social", "list", stdin="…", terminal=True)`; nobody types else."""
    from roomctl.cli.main import run
    from roomctl.profiles import Environment

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("roomctl.cli.progress.DELAY", 60.0)  # a slow machine shows no bar

    def call(*args: str, stdin: str | None = None, terminal: bool = False) -> Done:
        kind = Terminal if terminal else io.StringIO
        out, err = kind(), kind()
        source = kind(stdin or "") if stdin is not None or terminal else Nobody()
        status = run(args, environment=Environment(variables), stdin=source, stdout=out, stderr=err)
        assert status in declared_exits(args), f"{' '.join(args)} does not declare that it can end with {status}"
        return Done(status, out.getvalue(), err.getvalue())

    yield call


def declared_exits(args: Sequence[str]) -> set[int]:
    """The exit codes that the command of a command line declares; those of a wrong call where it names none."""
    from roomctl.cli.main import root

    found: Any = root()
    for word in args:
        if word in getattr(found, "members", ()):
            found = found.get_command(None, word)
    about = getattr(found, "about", None)
    return {*(about.exits if about is not None else (0, 1, 2, 9)), 130, 141, 143}


@pytest.fixture
def serving(variables: Env) -> Iterator[Serving]:
    """Have the tool ask a server of the test's own, which is closed when the test ends."""
    made: list[Loopback] = []

    def begin(server: Service) -> Service:
        variables.update(ROOMCTL_BASE_URL=server.url, ROOMCTL_API_KEY=KEY)
        made.append(server)
        return server

    yield begin
    for server in made:
        server.close()


@pytest.fixture
def recorder(request: pytest.FixtureRequest, serving: Serving) -> Recorder:
    """A service that answers the operation that is the fixture's parameter."""
    return serving(Recorder(request.param))


@pytest.fixture(scope="session")
def seeded_data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a seeded sandbox whose clock stands still, made once: tests work in copies."""
    from roomctl.cli.main import run
    from roomctl.profiles import Environment

    home = os.fspath(tmp_path_factory.mktemp("seeded"))
    environment = Environment({"HOME": home, "ROOMCTL_DATA": f"{home}/data", "ROOMCTL_CACHE": f"{home}/cache"})
    assert run(["sandbox", "seed", "--clock", NOW, "--yes", "-q"], environment=environment) == 0
    return Path(home, "data")


@pytest.fixture
def seeded(seeded_data: Path, variables: Env) -> Path:
    """The data folder of the runs of a test, with a seeded sandbox in it."""
    return shutil.copytree(seeded_data, Path(variables["ROOMCTL_DATA"]))


@contextmanager
def sandbox_served(data: Path, variables: Env, *faults: str) -> Iterator[tuple["Store", "FaultStore"]]:
    """Serve the sandbox of a folder over a socket, from this process, and let variables lead to it."""
    from roomctl.sandbox.faults import FaultStore, parse
    from roomctl.sandbox.serve import served
    from roomctl.sandbox.store import Store

    store, stage = Store(data / "sandbox.db"), FaultStore(data / "sandbox-stage.db", [parse(each) for each in faults])
    with closing(store), closing(stage), served(store, stage, KEY) as port:
        variables.update(ROOMCTL_BASE_URL=f"http://127.0.0.1:{port}", ROOMCTL_API_KEY=KEY)
        yield store, stage


@pytest.fixture
def sandbox(roomctl: Callable[..., Done], seeded: Path) -> Callable[..., Done]:
    def call(*args: str, **more: Any) -> Done:
        return roomctl("--sandbox", *args, **more)

    return call


@pytest.fixture
def golden(request: pytest.FixtureRequest, update: bool) -> Golden:
    """Compare a text with a file in `golden/`, or rewrite the file with `--update`."""

    def compare(name: str, text: str) -> None:
        path = Path(__file__).parent / "golden" / name
        if update:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        assert path.exists(), f"{path} is missing: run `pytest --update`"
        assert text == path.read_text(encoding="utf-8"), "differs: look, then run `pytest --update`"

    return compare


@pytest.fixture
def cases(golden: Golden) -> Cases:
    """Compare the cases of a file, or write what is said of them with `--update`."""

    def compare(name: str, says: Callable[..., str]) -> None:
        lines = (Path(__file__).parent / "golden" / "cases" / name).read_text(encoding="utf-8").split("\n")[:-1]
        text = []
        for line in (line for line in lines if not line.startswith("  ")):
            told = [] if line.startswith("#") else [f"  {says(*json.loads(f'[{line}]'))}"]
            text += [line, *told]
        golden(f"cases/{name}", "".join(f"{line}\n" for line in text))

    return compare


@pytest.fixture
def python() -> str:
    return sys.executable


@pytest.fixture
def begin() -> Callable[[Callable[[], None]], int]:
    """Begin a function in a child process, and give the child's number."""

    def run(work: Callable[[], None]) -> int:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12: about threads that other tests left
            pid = os.fork()
        if pid == 0:
            status = 1
            try:
                work()
                status = 0
            finally:
                os._exit(status)
        return pid

    return run


@pytest.fixture
def child(begin: Callable[[Callable[[], None]], int]) -> Callable[[Callable[[], None]], int]:
    """Run a function in a child process; the status is negative when a signal ended it."""
    return lambda work: os.waitstatus_to_exitcode(os.waitpid(begin(work), 0)[1])
