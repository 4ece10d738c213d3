"""Another system, as far as it can be played here: no fcntl, fewer calls in `os`, `msvcrt`, and open files that stay.

Each program runs in a process of its own. Libraries are loaded first: they know what system this really is.
"""

import subprocess
import sys
from pathlib import Path

import pytest

ELSEWHERE = '''
import ctypes, os, signal, sqlite3, subprocess, sys, tempfile, threading, types, zoneinfo
import httpx, platformdirs, pydantic, rich.progress, rich.table, tomlkit, typer, yaml
from pathlib import Path

os.O_BINARY = os.O_CLOEXEC  # a flag that changes nothing here
MISSING = {
    os: "O_NOFOLLOW O_DIRECTORY O_NONBLOCK O_CLOEXEC O_SYNC pread pwrite fchmod fchown chown fork getuid geteuid "
    "getgid getpgid setsid killpg mkfifo statvfs uname WNOHANG",
    signal: "SIGHUP SIGPIPE SIGKILL SIGALRM SIGWINCH SIGQUIT SIGTSTP SIGUSR1 pthread_sigmask",
}
for module, names in MISSING.items():
    for name in names.split():
        delattr(module, name)
for name in ("fcntl", "termios", "tty", "pty", "pwd", "grp", "resource", "readline"):
    sys.modules[name] = None
sys.platform = "win32"


def deadly(pid, number):
    raise AssertionError("this would end the process")


def open_files():
    return {os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")}


def kept(real):
    def call(path, *args, **more):
        if os.path.realpath(path) in open_files() and not os.path.islink(path):
            raise PermissionError(13, "it is open", os.fspath(path))
        return real(path, *args, **more)

    return call


def binary(real):
    def call(path, flags, *args, **more):
        assert flags & os.O_BINARY or not flags & os.O_CREAT, f"line ends would be changed in {path}"
        return real(path, flags, *args, **more)

    return call


os.kill, os.open = deadly, binary(os.open)
for name in ("unlink", "rename", "replace"):
    setattr(os, name, kept(getattr(os, name)))

LOCKS = {}
msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_UNLCK, msvcrt.LK_LOCK, msvcrt.LK_NBLCK = 0, 1, 2


def locking(file, mode, count):
    """Lock as that system does: from where the file stands; refused where another open file holds it."""
    assert (mode, count) == (msvcrt.LK_NBLCK, 1)
    assert os.lseek(file, 0, os.SEEK_CUR) > 1 << 40
    path = os.readlink(f"/proc/self/fd/{file}")
    for holder in list(LOCKS):
        if LOCKS[holder] == path and holder != file:
            if os.path.exists(f"/proc/self/fd/{holder}") and os.readlink(f"/proc/self/fd/{holder}") == path:
                raise PermissionError(13, "Permission denied")
    LOCKS[file] = path


msvcrt.locking = locking
sys.modules["msvcrt"] = msvcrt
'''

IMPORTS = """
from importlib import import_module
from pkgutil import walk_packages

import roomctl

names = [found.name for found in walk_packages(roomctl.__path__, "roomctl.") if not found.name.endswith("__main__")]
for name in names:
    import_module(name)
print(len(names) > 100 and sorted({"fcntl", "pwd", "termios"} & {n for n, m in sys.modules.items() if m}))
"""

JOURNAL = """
from roomctl.errors import LocalFailure
from roomctl.journal import ledger
from tests.journal.worlds import World

world = World(Path(sys.argv[1]) / "state")
journal = world.journal(limit=2_000, keep=2)
for _ in range(40):
    world.wrote("sent", "unknown", journal=journal)
run = journal.begin_run(Path("rooms.csv"), "0" * 64, 1, ["social", "end"])
journal.finish_run(run)
print(len(journal.open_entries()), journal.book().damage, bool(journal.book().runs[run].finished))
print(sorted({path.name.split(".")[-1] for path in world.folder.iterdir()}))
print(len(ledger.Ledger(world.folder).segments()))
held = os.open(world.folder / "journal.lock", os.O_RDWR)
os.lseek(held, 1 << 42, os.SEEK_SET)
msvcrt.locking(held, msvcrt.LK_NBLCK, 1)
ledger.LOCK_WAIT = 0.01
try:
    world.wrote(journal=journal)
except LocalFailure as failure:
    print(failure.message.endswith("(another process holds its lock)"))
"""

ALIVE = """
from roomctl.journal.book import alive

asked = []


class Kernel:
    @staticmethod
    def CloseHandle(process):
        asked.append(process.value)


class OpenProcess:
    def __call__(self, rights, inherit, pid):
        asked.append((rights, inherit, pid))
        return 0x1_0000_0001 if pid == 7 else None


def load(name, use_last_error):
    asked.append((name, use_last_error))
    return kernel


kernel = Kernel()
kernel.OpenProcess = OpenProcess()
errors = iter([87, 5])
ctypes.WinDLL, ctypes.get_last_error = load, lambda: next(errors)
print([alive(pid) for pid in (7, 8, 9, 0, -1, 1 << 32)])
print(asked[:3], len(asked))
"""

BULK = """
from roomctl.bulk import Result, ResultsFile, Shape, parse
from roomctl.errors import WrongCall

table = parse(b"socialId\\na\\nb\\n", "rooms.csv", Shape(("socialId",), {"socialId": lambda text: ""}))
out = Path(sys.argv[1]) / "out.csv"
results = [Result(row, "ok", "", "", "t") for row in table.rows]
file = ResultsFile(out, table)
file.start("run1")
file.append(results[:1])
try:
    ResultsFile(out, table).resume()
except WrongCall as busy:
    print(busy.message.startswith("another process is working on this run"))
file.close()
again = ResultsFile(out, table)
print(sorted(again.resume()), again.run)
again.append(results[1:])
again.finish(results)
again.close()
print(out.read_bytes(), [path.name for path in out.parent.iterdir()])
"""

CONFIG = """
from roomctl.profiles import configfile, editing

path = Path(sys.argv[1]) / "config.toml"
for name in ("prod", "staging"):
    editing.add(path, name, {"base_url": "https://a.example"})
print(list(configfile.read(path)["profiles"]), sorted(found.name for found in path.parent.iterdir()))
"""


EXPORT = """
from tests.exports.paged import PagedService, exported, registration

folder = Path(sys.argv[1])
for form in ("csv", "ndjson", "xlsx", "sqlite"):
    facts = exported(PagedService([registration(n) for n in range(99)]), folder / f"r.{form}")
    facts = exported(PagedService([registration(n) for n in range(100)]), folder / f"r.{form}", force=True)
    print(facts.rows, facts.complete)
print(sorted(path.name for path in folder.iterdir()))
"""


FILES = [name for form in ("csv", "ndjson", "sqlite", "xlsx") for name in (f"r.{form}", f"r.{form}.manifest.json")]
PLAYED = {
    "every module is imported without what only one system has": (IMPORTS, ["[]"]),
    "R41: writes are journaled and put aside, and a lock is waited for": (
        JOURNAL, ["40 [] True", "['lock', 'ndjson']", "10", "True"],
    ),
    "whether a process is there is asked without touching it": (
        ALIVE, ["[True, False, True, False, False, False]", "[('kernel32', True), (4096, False, 7), 4294967297] 7"],
    ),
    "a result file is held, resumed and finished": (
        BULK,
        [
            "True",
            "[2] run1",
            r"b'socialId,status,error,id,at,job\na,ok,,,t, #88fe06ce9ada\nb,ok,,,t, #c702b4012943\n' ['out.csv']",
        ],
    ),
    "R50: the config file is changed": (CONFIG, ["['prod', 'staging'] ['.config.toml.lock', 'config.toml']"]),
    "R36: an export gets its name and leaves nothing else": (EXPORT, [*["100 True"] * 4, str(FILES)]),
}  # fmt: skip
"""Programs, by what they show, and the lines that they print there."""


@pytest.mark.parametrize("shown", PLAYED)
def test_r36_r41_r50_on_another_system(shown: str, tmp_path: Path) -> None:
    program, lines = PLAYED[shown]
    command = [sys.executable, "-c", ELSEWHERE + program, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert (done.stderr, done.stdout.splitlines()) == ("", lines)
