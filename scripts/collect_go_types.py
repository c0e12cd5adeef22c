#!/usr/bin/env python3
"""Write ``scripts/schema_facts/go_types.tsv``, an input of ``generate_schema.py``: what the server's Go types say.

Needs Go and its module proxy; it is run when a new Kubernetes version comes, and what it writes is committed. For each
minor ``scripts/gotypes`` is built against that version's modules. A line: name of the type, first and last minor that
it holds for (empty: the newest), and the facts of its fields as JSON.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from generate_schema import FACTS, MINORS, ROOT, Row, read_definitions, spans, write

MODULES = (
    "k8s.io/api",
    "k8s.io/apiextensions-apiserver",
    "k8s.io/apimachinery",
    "k8s.io/client-go",
    "k8s.io/kube-aggregator",
)
# One release of each minor of which every module can be had.
PATCHES = {29: 6, 30: 14, 31: 0, 32: 13, 33: 13, 34: 4, 35: 4, 36: 3, 37: 2}


def main() -> int:
    """Ask the Go types of every minor."""
    write(FACTS / "go_types.tsv", spans({minor: rows(minor) for minor in MINORS}), span_at=1)
    return 0


def rows(minor: int) -> list[Row]:
    """Return name and facts of the Go types that have a definition in one minor's OpenAPI document."""
    wanted = read_definitions(minor)
    return [
        (name, json.dumps(fields, sort_keys=True, separators=(",", ":")))
        for name, fields in ask(f"v0.{minor}.{PATCHES[minor]}").items()
        if name in wanted
    ]


def ask(version: str) -> dict[str, dict[str, str]]:
    """Return what ``gotypes`` prints when it is built against ``version`` of the API modules."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder) / "gotypes"
        shutil.copytree(ROOT / "scripts" / "gotypes", here)
        go(here, "mod", "edit", *(f"-require={module}@{version}" for module in MODULES))
        go(here, "mod", "tidy")
        sources = go(here, "list", "-m", "-f", "{{.Path}}={{.Dir}}", *MODULES).split()
        found: dict[str, dict[str, str]] = json.loads(go(here, "run", ".", *sources))
        return found


def go(folder: Path, *arguments: str) -> str:
    """Run the go command and return what it prints."""
    return subprocess.run(("go", *arguments), cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


if __name__ == "__main__":
    raise SystemExit(main())
