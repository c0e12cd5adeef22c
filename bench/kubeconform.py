"""kubeconform, which validates against schemas and predicts nothing, in its best set-up: one schema file a kind."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import kubernetes_validate

from tests.cluster.build import cache_directory

_MODULE: Final = "github.com/yannh/kubeconform/cmd/kubeconform"
_VERSION: Final = "v0.8.0"


def program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``CalledProcessError`` where Go cannot."""
    folder = cache_directory(environment) / f"kubeconform-{_VERSION}"
    if not (folder / "kubeconform").is_file():
        command = ["go", "install", f"{_MODULE}@{_VERSION}"]
        subprocess.run(command, env={**environment, "GOBIN": str(folder)}, check=True, capture_output=True)
    return folder / "kubeconform"


def command(kubeconform: Path, found: Path, repository: str) -> list[str]:
    """Return how it is called for a folder of files."""
    pattern = f"{found}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    return [str(kubeconform), "-schema-location", pattern, "-ignore-missing-schemas", repository]


def schemas(folder: Path) -> Path:
    """Write the newest schemas of ``kubernetes-validate``, each with all that it refers to, into a new folder."""
    folder.mkdir()
    source = max((Path(kubernetes_validate.__file__).parent / "kubernetes-json-schema").glob("v*-local"), key=_version)
    definitions = json.loads((source / "_definitions.json").read_text())["$defs"]
    for file in source.glob("*.json"):
        schema = json.loads(file.read_text())
        if file.name not in ("_definitions.json", "all.json"):
            used = {name: _inside(definitions[name]) for name in _used(schema, definitions)}
            (folder / file.name).write_text(json.dumps({**_inside(schema), "definitions": used}))
    return folder


def _version(folder: Path) -> list[int]:
    return [int(part) for part in folder.name[1:].partition("-")[0].split(".")]


def _used(schema: Any, definitions: Mapping[str, Any]) -> set[str]:
    """Return the names of all definitions that a schema refers to, directly or not."""
    found: set[str] = set()
    new = set(_referred(schema))
    while new:
        found |= new
        new = {name for one in new for name in _referred(definitions[one])} - found
    return found


def _referred(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        yield from ([schema["$ref"].rpartition("/")[2]] if isinstance(schema.get("$ref"), str) else [])
        for value in schema.values():
            yield from _referred(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _referred(value)


def _inside(schema: Any) -> Any:
    """Return a schema whose references are to its own definitions."""
    if isinstance(schema, dict):
        return {
            key: f"#/definitions/{value.rpartition('/')[2]}"
            if key == "$ref" and isinstance(value, str)
            else _inside(value)
            for key, value in schema.items()
        }
    return [_inside(value) for value in schema] if isinstance(schema, list) else schema
