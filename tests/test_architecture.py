"""The layers, the purity of the engine and the bounds on functions and modules."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "kubectl_applylint"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Lowest layer first; a module imports only from its own row or from rows above it in this list.
LAYERS = (
    ("values", "gotext", "paths", "selector", "spelling"),
    ("schema",),
    ("state", "outcome"),
    ("merge",),
    ("server",),
    ("appliers",),
    ("changes", "cluster_model", "deletion", "owners", "address", "holdings", "passage", "predict", "errors"),
    ("location",),
    ("model",),
    ("relations",),
    ("checks",),
    ("baseline", "waivers", "suppress"),
    ("lint", "strikes", "subjects", "fold", "transition", "departures", "undo", "errorlog", "diagnose"),
    ("habits", "commands", "lineage", "migration", "handover", "adoption"),
    ("report",),
    ("rulebook", "cases", "catalogue"),
    ("sources",),
    ("fix",),
    ("base", "roots", "charts", "history"),
    ("known", "known_cluster", "known_snapshot", "foretelling", "parents", "recall", "remarks", "standing"),
    ("survey", "survey_live", "api"),
    ("language", "settings", "option_types", "config", "config_schema", "cli", "__main__"),
)
ROW = {name: number for number, row in enumerate(LAYERS) for name in row}
PURE = {name for row in LAYERS[: LAYERS.index(("rulebook", "cases", "catalogue"))] for name in row}
IMPURE_MODULES = {
    "os",
    "sys",
    "io",
    "pathlib",
    "subprocess",
    "socket",
    "logging",
    "argparse",
    "yaml",
    "kubernetes",
    "time",
    "random",
}
YAML_READERS = {"sources", "rulebook", "cases", "catalogue", "settings", "cli"}
LONGEST_FUNCTION, LONGEST_MODULE, DEEPEST_NESTING, MOST_POSITIONAL = 40, 400, 3, 5
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)


def part(module: Path) -> str:
    """Return the part of the package that a module belongs to: its folder, or its own name at the top."""
    return module.relative_to(PACKAGE).parts[0].removesuffix(".py")


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(module.read_text())))


def imports(module: Path) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def functions(module: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in nodes(module) if isinstance(node, ast.FunctionDef))


def depth(node: ast.AST) -> int:
    """Return how deep blocks nest below ``node``; ``elif`` does not count as nesting."""
    deepest = 0
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.FunctionDef):
                is_elif = isinstance(node, ast.If) and name == "orelse" and isinstance(child, ast.If)
                deepest = max(deepest, depth(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


def ids(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_a_module_imports_only_lower_layers(module: Path) -> None:
    own = part(module)
    wanted = [name.split(".")[1] for name in imports(module) if name.startswith("kubectl_applylint.")]

    assert own == "__init__" or [name for name in wanted if ROW[name] > ROW[own]] == []


@pytest.mark.parametrize("module", [m for m in MODULES if part(m) in PURE], ids=ids)
def test_the_engine_touches_nothing_outside(module: Path) -> None:
    assert {name.split(".")[0] for name in imports(module)} & IMPURE_MODULES == set()


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_only_the_edge_reads_yaml_and_clusters(module: Path) -> None:
    roots = {name.split(".")[0] for name in imports(module)}

    assert "kubernetes" not in roots or part(module) == "sources"
    assert "yaml" not in roots or part(module) in YAML_READERS


@pytest.mark.parametrize("module", MODULES, ids=ids)
def test_modules_and_functions_stay_small(module: Path) -> None:
    long = [f.name for f in functions(module) if (f.end_lineno or 0) - f.lineno >= LONGEST_FUNCTION]
    deep = [f.name for f in functions(module) if depth(f) > DEEPEST_NESTING]
    wide = [f.name for f in functions(module) if len(f.args.posonlyargs + f.args.args) > MOST_POSITIONAL]

    assert (long, deep, wide) == ([], [], [])
    assert len(module.read_text().splitlines()) <= LONGEST_MODULE
