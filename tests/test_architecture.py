"""The layers, the purity of the engine and the bounds on functions and modules."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from kubectl_applylint.appliers.request import TOOL_APPLIERS
from kubectl_applylint.rulebook import rulebook
from kubectl_applylint.server.admission.chain import PLUGINS

PACKAGE = Path(__file__).parent.parent / "kubectl_applylint"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Lowest layer first; a module imports only from its own row or from rows above it in this list.
LAYERS = (
    ("core",),
    ("schema",),
    ("merge",),
    ("server",),
    ("appliers",),
    ("engine",),
    ("lint",),
    ("ownership",),
    ("secrets",),
    ("report",),
    ("sources",),
    ("units",),
    ("rulebook",),
    ("run",),
    ("sharding",),
    ("config",),
    ("api",),
    (
        "cli",
        "__main__",
    ),
)
# The packages of sources, lowest first; a module imports only from its own package or from rows above it in this list.
SOURCES = (("system",), ("text",), ("render",), ("files",), ("git", "cluster", "store"))
ROW = {name: number for number, row in enumerate(LAYERS) for name in row} | {"__version__": 0}
# The layers of the modules of tools; those that this table does not name are appliers.
TOOL_LAYERS = {
    "engine": {"program", "stages", "waves", "rolling", "sync"},
    "ownership": {"migration"},
    "units": {
        *("declarations", "artifacts", "build", "source_files", "chart_options", "generators", "templates"),
        "template_functions",
        *(
            "instances",
            "encryption",
            "includes",
            "release_values",
            "release_build",
            "chart_sources",
            "resource_sets",
            "set_build",
        ),
        *(
            "annotated_ignores",
            "application_sources",
            "application_sets",
            "clusters",
            "parameter_tokens",
            "unknown_files",
            "special_files",
            "jsonnet_options",
            "jsonnet_imports",
        ),
    },
    "run": {"unit", "controller_unit", "stored"},
}
TOOL_ROW = {name: layer for layer, names in TOOL_LAYERS.items() for name in names}
PURE = {name for row in LAYERS[: LAYERS.index(("sources",))] for name in row}
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
YAML_READERS = {"sources", "rulebook", "cases", "catalogue", "settings", "config", "cli"}
LONGEST_FUNCTION, LONGEST_MODULE, DEEPEST_NESTING, MOST_POSITIONAL = 40, 400, 3, 5
# What makes, changes or removes files, and the only modules that may: what the user asked to be written, the cache of
# discovery, keys of a kubeconfig that Python reads from files only, and files below a folder of our own.
WRITERS = {
    *("sources/files/output_file.py", "sources/files/output_folder.py"),
    *("sources/cluster/client.py", "sources/system/inner_path.py"),
    *("sources/system/cache_folder.py", "sources/system/temporary.py"),
}
WRITING = {
    *("mkdir", "makedirs", "rename", "renames", "replace", "remove", "unlink", "rmdir", "symlink", "link", "truncate"),
    *("write_text", "write_bytes", "touch", "mkstemp", "mkdtemp", "NamedTemporaryFile", "TemporaryFile", "chmod"),
    *("copy", "copy2", "copyfile", "copytree", "move", "rmtree", "mkfifo", "mknod", "extractall", "O_CREAT"),
}
OF_FILES = {"os", "shutil", "tempfile", "Path", "pathlib"}
# What of a room of the server others import: the rest of its modules is for the room alone.
ROOMS = {
    "server.admission": {"attributes", "chain"},
    "server.kinds": {"behaviour_of", "behaviours"},
}
OURS = "kubectl_applylint."
COST = re.compile(r"\b[0-9.]+ m?s\b|there is no such module")
TESTS = PACKAGE.parent / "tests"
CHECKS = PACKAGE / "lint/checks"
BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.Match)


def part(module: Path) -> str:
    """Return the part of the package that a module belongs to: its folder, or its own name at the top."""
    return part_of(module.relative_to(PACKAGE).with_suffix("").parts)


def part_of(names: tuple[str, ...]) -> str:
    """Return the part of a module whose names below the package are given; that of a tool's module is its layer."""
    return names[0] if names[0] != "tools" else TOOL_ROW.get("".join(names[2:3]), "appliers")


def module_name(module: Path) -> str:
    """Return the name by which a module is imported."""
    return ".".join(module.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")


NAMES = {module_name(module) for module in MODULES}


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(module.read_text())))


def imports(module: Path) -> Iterator[str]:
    for node in nodes(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


def roots(module: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(module)}


def functions(module: Path) -> Iterator[ast.FunctionDef]:
    return (node for node in nodes(module) if isinstance(node, ast.FunctionDef))


def depth(node: ast.AST) -> int:
    """Return how deep blocks nest below ``node``; ``elif`` does not count as nesting. No expression holds a block."""
    deepest = 0
    for name, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not isinstance(child, ast.FunctionDef | ast.expr):
                is_elif = isinstance(node, ast.If) and name == "orelse" and isinstance(child, ast.If)
                deepest = max(deepest, depth(child) + (isinstance(child, BLOCKS) and not is_elif))
    return deepest


def offenders(faults: Callable[[Path], Collection[object]], modules: Iterable[Path] = MODULES) -> dict[str, object]:
    """Return what is wrong with each module, by its path, for those with which anything is."""
    found = {str(module.relative_to(PACKAGE)): faults(module) for module in modules}
    return {name: wrong for name, wrong in found.items() if wrong}


def test_a_module_imports_only_lower_layers() -> None:
    def higher(module: Path) -> list[str]:
        wanted = {tuple(name.split(".")[1:]) for name in modules_imported(module) if name.startswith(OURS)}
        return sorted(".".join(names) for names in wanted if ROW[part_of(names)] > ROW[part(module)])

    assert offenders(higher, (module for module in MODULES if part(module) != "__init__")) == {}


def test_a_module_of_sources_imports_only_lower_packages() -> None:
    row = {name: number for number, names in enumerate(SOURCES) for name in names}
    modules = [module for module in (PACKAGE / "sources").rglob("*.py") if module.parent.name in row]

    def higher(module: Path) -> list[str]:
        own, prefix = module.parent.name, "kubectl_applylint.sources."
        wanted = {name.split(".")[2] for name in modules_imported(module) if name.startswith(prefix)}
        return sorted(name for name in wanted - {own} if row[name] >= row[own])

    assert {module.parent.name for module in modules} == {*row}
    assert offenders(higher, modules) == {}


def test_each_program_besides_kubectl_has_a_package_with_its_records() -> None:
    packages = {applier.package for applier in TOOL_APPLIERS}
    modules = {f"{name}/{record}.py" for name in packages for record in ("program", "migration", "unit")}

    assert {found.parent.name for found in (PACKAGE / "tools").glob("*/__init__.py")} == packages | {"metacontroller"}
    assert [name for name in sorted(modules) if not (PACKAGE / "tools" / name).exists()] == []


def test_the_inside_of_a_room_is_imported_from_the_room_alone() -> None:
    def reaches(module: Path) -> list[str]:
        own = ".".join(module.relative_to(PACKAGE).with_suffix("").parts)
        wanted = (name.removeprefix("kubectl_applylint.") for name in modules_imported(module))
        return [name for name in wanted if any(_is_inside(name, room) and not _is_inside(own, room) for room in ROOMS)]

    assert offenders(reaches) == {}


def modules_imported(module: Path) -> Iterator[str]:
    """Yield what a module may import: the names of modules, and of names in them."""
    yield from imports(module)
    for node in nodes(module):
        if isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _is_inside(name: str, room: str) -> bool:
    rest = name.removeprefix(f"{room}.")
    return rest != name and rest.split(".")[0] not in ROOMS[room]


def test_modules_do_not_import_each_other_in_circles() -> None:
    """Imports inside functions and for types count: what two modules know of each other belongs into a third one."""
    imported = {module_name(module): imported_modules(module) for module in MODULES}
    circles = {name for name in imported if name in reachable(name, imported)}

    assert sorted(circles) == []


def imported_modules(module: Path) -> set[str]:
    """Return our modules that a module imports: of ``from package import name`` the name, if that is a module."""
    froms = (node for node in nodes(module) if isinstance(node, ast.ImportFrom))
    parts = {f"{node.module}.{alias.name}": str(node.module) for node in froms for alias in node.names}
    plain = {alias.name for node in nodes(module) if isinstance(node, ast.Import) for alias in node.names}
    return ({name if name in NAMES else whole for name, whole in parts.items()} | plain) & NAMES - {module_name(module)}


def reachable(start: str, imported: Mapping[str, set[str]]) -> set[str]:
    found, waiting = set[str](), [start]
    while waiting:
        new = imported[waiting.pop()] - found
        found |= new
        waiting.extend(new)
    return found


def test_no_module_imports_private_names_of_another() -> None:
    def private(module: Path) -> list[str]:
        froms = [(str(node.module), node) for node in nodes(module) if isinstance(node, ast.ImportFrom)]
        # Modules that the checks share begin with an underscore, for they are no checks themselves.
        ours = [node for name, node in froms if name.startswith("kubectl_applylint") and not name.endswith(".checks")]
        names = [alias.name for node in ours for alias in node.names]
        return [name for name in names if name.startswith("_") and not name.startswith("__")]

    assert offenders(private) == {}


def test_each_admission_plugin_is_a_module_of_its_name() -> None:
    modules = (PACKAGE / "server/admission").glob("*.py")
    offers = {module.stem: {function.name for function in functions(module)} for module in modules}
    plugins = {name for name, found in offers.items() if found & {"mutate", "validate"}} - {"chain"}

    assert plugins == {plugin.module for plugin in PLUGINS}


def test_the_engine_touches_nothing_outside() -> None:
    pure = (module for module in MODULES if part(module) in PURE)

    assert offenders(lambda module: roots(module) & IMPURE_MODULES, pure) == {}


def test_only_the_edge_reads_yaml_and_clusters() -> None:
    readers = {"kubernetes": {"sources"}, "yaml": YAML_READERS}

    assert offenders(lambda m: [name for name in roots(m) & readers.keys() if part(m) not in readers[name]]) == {}


def writes(node: ast.AST) -> Iterator[str]:
    """Yield what a node does to files: calls of ``os``, ``shutil``, ``tempfile``, methods of paths, modes of open."""
    if isinstance(node, ast.Attribute) and node.attr in WRITING:
        of_module = isinstance(node.value, ast.Name) and node.value.id in OF_FILES
        if of_module or node.attr in ("write_text", "write_bytes", "extractall"):
            yield node.attr
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("open", "io.open", "os.fdopen"):
        modes = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "mode")]
        yield from (ast.unparse(mode) for mode in modes if not _is_reading(mode))


def _is_reading(mode: ast.expr) -> bool:
    return isinstance(mode, ast.Constant) and isinstance(mode.value, str) and not set(mode.value) & set("wax+")


def test_only_named_modules_write_files() -> None:
    # It writes to a pipe that it has made itself.
    others = (module for module in MODULES if module.name != "processes.py")
    found = offenders(lambda module: sorted({each for node in nodes(module) for each in writes(node)}), others)

    assert found.keys() == WRITERS


def test_temporary_folders_are_made_in_one_place() -> None:
    users = {str(module.relative_to(PACKAGE)) for module in MODULES if "tempfile" in roots(module)}

    assert users == {"sources/system/temporary.py"}


def test_imports_inside_functions_name_what_they_cost() -> None:
    """In their own comment or in the one above, as they are harder to find than imports at the top."""

    def free(module: Path) -> list[str]:
        lines = module.read_text().splitlines()
        late = [number for number, line in enumerate(lines) if "PLC0415" in line]
        return [lines[number] for number in late if not COST.search(lines[number]) and not _has_cost(lines[number - 1])]

    assert offenders(free) == {}


def _has_cost(line: str) -> bool:
    return line.lstrip().startswith("#") and COST.search(line) is not None


def test_functions_stay_small() -> None:
    def is_large(function: ast.FunctionDef) -> bool:
        is_long = (function.end_lineno or 0) - function.lineno >= LONGEST_FUNCTION
        is_wide = len(function.args.posonlyargs + function.args.args) > MOST_POSITIONAL
        return is_long or is_wide or depth(function) > DEEPEST_NESTING

    assert offenders(lambda module: [each.name for each in functions(module) if is_large(each)]) == {}


def test_modules_stay_small() -> None:
    lengths = {module: len(module.read_text().splitlines()) for module in MODULES}

    assert offenders(lambda module: [lengths[module]] if lengths[module] > LONGEST_MODULE else []) == {}


def test_the_guide_for_contributors_lists_all_packages() -> None:
    text = (PACKAGE.parent / "CONTRIBUTING.md").read_text()
    table = text.partition("\n## Where things are\n")[2].partition("\n## ")[0]
    rows = [set(re.findall("`([a-z_]+)`", row.split("|")[1])) for row in table.splitlines() if row.startswith("| `")]

    assert rows == [{*row} - {"__main__"} for row in LAYERS]


def test_modules_that_newcomers_read_of_exist() -> None:
    root = PACKAGE.parent
    named = set(re.findall(r"`([\w/]+\.py)`", (root / "CONTRIBUTING.md").read_text()))
    tracked = [
        path.as_posix()
        for folder in ("kubectl_applylint", "tests", "scripts", "bench")
        for path in root.glob(f"{folder}/**/*.py")
    ]

    assert [name for name in sorted(named) if not any(path.endswith(f"/{name}") for path in tracked)] == []


def test_class_names_are_unique() -> None:
    classes = Counter(node.name for module in MODULES for node in nodes(module) if isinstance(node, ast.ClassDef))

    assert [name for name, times in classes.items() if times > 1] == []


def test_each_module_has_its_own_test_file() -> None:
    """The checks alone are tested by the cases of their rules (``tests/rules/test_cases.py``)."""
    others = (module for module in MODULES if module.parent != CHECKS and not module.name.startswith("__"))

    assert offenders(lambda module: [] if own_test(module).exists() else [own_test(module).name], others) == {}


def own_test(module: Path) -> Path:
    return TESTS / module.relative_to(PACKAGE).with_name(f"test_{module.name.removeprefix('_')}")


def test_each_check_has_a_rule_with_a_bad_and_an_ok_case_or_its_own_test_file() -> None:
    """``jsonpath`` is for the rules of users; what checks share is tested with them."""
    tested = {rule.check for rule in rulebook.built_in().rules if has_cases(Path(rule.folder))}
    checks = (module for module in CHECKS.glob("[!_]*.py") if module.stem not in tested)

    assert offenders(lambda module: [] if own_test(module).exists() else ["no rule with cases"], checks) == {}


def has_cases(folder: Path) -> bool:
    return all(any(folder.glob(f"cases/{kind}-*.yaml")) for kind in ("bad", "ok"))
