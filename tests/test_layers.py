"""The direction of dependencies, and which module owns which library."""

import ast
from collections.abc import Iterator
from pathlib import Path

from roomctl.contract.operations import BY_NAME

SOURCE = Path(__file__).parent.parent / "src" / "roomctl"
BASE = {"errors", "contract", "durable", "text"}
MIDDLE = {"service", "sandbox", "journal", "profiles", "output"}
MAY_IMPORT = {
    "errors": set[str](),
    "contract": set[str](),
    "text": set[str](),
    "durable": {"errors"},
    **dict.fromkeys(MIDDLE, BASE),
    "exports": BASE | {"service"},
    "bulk": BASE,
    "reconcile": BASE | {"service"},
    "cli": BASE | MIDDLE | {"exports", "bulk", "reconcile", "docs"},
    "docs": BASE | MIDDLE | {"cli", "prerendered"},
    "__main__": {"cli", "prerendered"},
    "prerendered": set[str](),
    "__init__": set[str](),
}
OWNERS = {
    "httpx": ("service/", "sandbox/transport.py"),
    "httpcore": (),  # httpx knows it; nobody else
    "rich": ("output/",),
    "typer": ("cli/",),
    "sqlite3": ("sandbox/", "journal", "exports/", "service/distinct.py"),
    "platformdirs": ("profiles",),
    "tomlkit": ("profiles",),
    "uvicorn": ("sandbox/",),
    "jmespath": ("cli/querying.py",),
    "pydantic": ("contract/", "profiles/profile.py"),
    "PIL": ("output/images.py",),
}


def modules() -> Iterator[tuple[str, str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        yield name, name.removesuffix(".py").split("/")[0], ast.parse(path.read_text(encoding="utf-8"))


def imported(tree: ast.Module) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
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
        for name, part, tree in modules()
        for line, target in imported(tree)
        if target.startswith("roomctl.")
        and (other := target.split(".")[1]) != part
        and other != "__version__"
        and other not in MAY_IMPORT[part]
    ]
    assert wrong == []


def test_a_library_has_one_owner() -> None:
    wrong = [
        f"src/roomctl/{name}:{line}: {target} belongs to {' or '.join(OWNERS[target.split('.')[0]])}"
        for name, _, tree in modules()
        for line, target in imported(tree)
        if target.split(".")[0] in OWNERS and not name.startswith(OWNERS[target.split(".")[0]])
    ]
    assert wrong == []


def test_only_profiles_reads_the_environment() -> None:
    wrong = [
        f"src/roomctl/{name}:{node.lineno}: os.{node.attr}: take it from the `Environment` of `profiles`"
        for name, part, tree in modules()
        if part not in ("profiles", "prerendered")  # the second reads COLUMNS, before anything is imported
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"environ", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]
    assert wrong == []


def test_nothing_has_a_name_that_says_nothing() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc"}
    assert [name for name, _, _ in modules() if Path(name).stem in vague] == []


def test_a_condition_asks_for_a_column_of_the_operation_and_not_for_its_name() -> None:
    wrong = [
        f"src/roomctl/{name}:{node.lineno}: {text!r}: compare a column of the row, or the row itself"
        for name, _, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.Compare)
        for text in (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
        if text in BY_NAME
    ]
    assert wrong == []
