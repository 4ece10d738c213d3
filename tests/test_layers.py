"""The direction of dependencies, and which module owns which library."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path

from roomctl.contract.operations import BY_NAME

SOURCE = Path(__file__).parent.parent / "src" / "roomctl"
BASE = {"errors", "contract", "files", "text"}
MIDDLE = {"service", "sandbox", "journal", "profiles", "output"}
MAY_IMPORT = {
    "errors": set[str](),
    "contract": {"text"},
    "text": set[str](),
    "files": {"errors", "text"},
    **dict.fromkeys(MIDDLE, BASE),
    "exports": BASE | {"service"},
    "bulk": BASE,
    "events": BASE | {"bulk", "exports", "reconcile", "service"},
    "reconcile": BASE | {"service"},
    "cli": BASE | MIDDLE | {"exports", "bulk", "events", "reconcile", "docs"},
    "docs": BASE | MIDDLE | {"cli", "prerendered"},
    "__main__": {"cli", "prerendered"},
    "prerendered": set[str](),
    "__init__": set[str](),
}
OWNERS: dict[str, tuple[str, ...]] = {"httpx": ("service/", "sandbox/transport.py"), "rich": ("output/",)}
OWNERS |= {"httpcore": (), "typer": ("cli/",), "jmespath": ("cli/query.py",), "PIL": ("output/images.py",)}
OWNERS |= {"sqlite3": ("sandbox/", "journal", "exports/", "service/distinct.py"), "markupsafe": ("events/",)}
OWNERS |= {"platformdirs": ("profiles",), "tomlkit": ("profiles",), "jinja2": ("events/",)}
OWNERS |= {"pydantic": ("contract/", "profiles/profile.py")}


@cache
def modules() -> list[tuple[str, str, list[ast.AST]]]:
    """Each module of ours: its name, its part, and all that stands in it."""
    trees = {each.relative_to(SOURCE).as_posix(): ast.parse(each.read_text("utf-8")) for each in SOURCE.rglob("*.py")}
    return [(name, name.removesuffix(".py").split("/")[0], [*ast.walk(trees[name])]) for name in sorted(trees)]


def imported(nodes: list[ast.AST]) -> Iterator[tuple[int, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: write the whole module name"
            module = node.module or ""
            names = [f"{module}.{alias.name}" for alias in node.names] if module == "roomctl" else [module]
            yield from ((node.lineno, name) for name in names)


def test_a_part_imports_only_what_lies_below_it() -> None:
    wrong = [
        f"src/roomctl/{name}:{line}: {part} must not import {target}: pass the value in, or move the line to `cli`"
        for name, part, nodes in modules()
        for line, target in imported(nodes)
        if target.startswith("roomctl.")
        and (other := target.split(".")[1]) != part
        and other != "__version__"
        and other not in MAY_IMPORT[part]
    ]
    assert wrong == []


def dotted(name: str) -> str:
    return f"roomctl.{name.removesuffix('.py').replace('/', '.')}".removesuffix(".__init__")


def imports() -> dict[str, dict[str, int]]:
    """For each module, the modules of ours that it imports anywhere, but for types only, each with a line."""
    found: dict[str, dict[str, int]] = {dotted(name): {} for name, _, _ in modules()}
    for name, _, nodes in modules():
        guards = [each for each in nodes if isinstance(each, ast.If) and ast.unparse(each.test) == "TYPE_CHECKING"]
        typing = {id(inner) for each in guards for part in each.body for inner in ast.walk(part)}
        for node in nodes:
            if not isinstance(node, ast.ImportFrom) or id(node) in typing:
                continue
            for inner in (f"{node.module}.{each.name}" for each in node.names):
                target = inner if inner in found else str(node.module)
                if target in found:
                    found[dotted(name)].setdefault(target, node.lineno)
    return found


def circle(graph: Mapping[str, Iterable[str]]) -> list[str]:
    """A way from a node back to itself; empty where there is none."""
    done: set[str] = set()

    def follow(node: str, way: list[str]) -> list[str]:
        if node in way:
            return [*way[way.index(node) :], node]
        if node in done:
            return []
        done.add(node)
        return next(filter(None, (follow(each, [*way, node]) for each in graph[node])), [])

    return next(filter(None, (follow(node, []) for node in graph)), [])


def test_modules_and_packages_import_each_other_in_no_circle() -> None:
    """Only `docs` and `cli` may: the one draws the command tree of the other, which prints what it drew."""
    modules, graph = imports(), dict[str, dict[str, str]]()
    move = "move what it needs below both, or pass the value in"
    way = pairwise(circle(modules))
    wrong = [f"{name}, line {modules[name][other]}: imports {other}: {move}" for name, other in way]
    for name, found in modules.items():
        part = name.partition(".")[2].partition(".")[0]
        below = {each.partition(".")[2].partition(".")[0]: f"{name}, line {line}" for each, line in found.items()}
        graph.setdefault(part, {}).update({each: at for each, at in below.items() if each != part})
    graph["docs"].pop("cli")
    way = pairwise(circle(graph))
    wrong += [f"{graph[part][other]}: {part} imports {other}: move the line to `cli`" for part, other in way]
    assert wrong == []


def test_a_library_has_one_owner() -> None:
    wrong = [
        f"src/roomctl/{name}:{line}: {target} belongs to {' or '.join(OWNERS[target.split('.')[0]])}"
        for name, _, nodes in modules()
        for line, target in imported(nodes)
        if target.split(".")[0] in OWNERS and not name.startswith(OWNERS[target.split(".")[0]])
    ]
    assert wrong == []


def test_only_profiles_reads_the_environment() -> None:
    wrong = [
        f"src/roomctl/{name}:{node.lineno}: os.{node.attr}: take it from the `Environment` of `profiles`"
        for name, part, nodes in modules()
        if part not in ("profiles", "prerendered")  # the second reads COLUMNS, before anything is imported
        for node in nodes
        if isinstance(node, ast.Attribute)
        and node.attr in {"environ", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]
    assert wrong == []


def test_no_module_is_longer_than_it_can_be_read() -> None:
    lines = {name: len((SOURCE / name).read_text(encoding="utf-8").splitlines()) for name, _, _ in modules()}
    assert {name: length for name, length in lines.items() if length > 350} == {}


def test_nothing_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [name for name, _, _ in modules() if Path(name).stem in vague] == []


def test_a_condition_asks_for_a_column_of_the_operation_and_not_for_its_name() -> None:
    wrong = [
        f"src/roomctl/{name}:{node.lineno}: {text!r}: compare a column of the row, or the row itself"
        for name, _, nodes in modules()
        for node in nodes
        if isinstance(node, ast.Compare)
        for text in (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
        if text in BY_NAME
    ]
    assert wrong == []
