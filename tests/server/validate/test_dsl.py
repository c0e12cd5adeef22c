"""The vocabulary offers each public name of its modules, and no word has two meanings."""

import ast
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from kubectl_applylint.server.validate import dsl as v

FACE = ast.parse(Path(v.__file__).read_text(encoding="utf-8"))
WHOLE = [
    str(node.module) for node in FACE.body if isinstance(node, ast.ImportFrom) and [a.name for a in node.names] == ["*"]
]


def words(module: str) -> Iterator[str]:
    """Yield the public names that a module defines."""
    path = Path(str(import_module(module).__file__))
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                yield from () if name.startswith("_") else (name,)


def test_a_word_is_that_of_its_module() -> None:
    others = {
        name for module in WHOLE for name in words(module) if vars(v)[name] is not vars(import_module(module))[name]
    }

    assert WHOLE
    assert others == set()


def test_no_word_has_two_meanings() -> None:
    times = Counter(name for module in WHOLE for name in words(module))

    assert [name for name, count in times.items() if count > 1] == []
