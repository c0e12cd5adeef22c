"""Structs of Go sources in the module cache, read with the patterns that gofmt guarantees."""

import os
import re
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import which

import pytest

_STRUCT = re.compile(r"^type (\w+) struct \{\n(.*?)^\}", re.MULTILINE | re.DOTALL)
_FIELD = re.compile(r"^\t(?:(\w+)\s+)?([*\[\]\w.{}]+)\s*`(.*)`", re.MULTILINE)
_UNTAGGED = re.compile(r"^\t([*\w.]+)$", re.MULTILINE)
_TAG = re.compile(r'json:"([^",]*)(,inline)?')
_MODULES = Path(__file__).parent.parent / "apiserver"


@dataclass(frozen=True, slots=True)
class GoField:
    """A field as JSON names it, empty for one whose own fields stand in its place, and its type."""

    name: str
    type: str


def kustomize() -> Path:
    """Return the folder with the sources of kustomize's API; skip without Go, which CI has."""
    if which("go"):
        command = ["go", "list", "-mod=mod", "-m", "-f", "{{.Dir}}", "sigs.k8s.io/kustomize/api"]
        found = subprocess.run(command, cwd=_MODULES, capture_output=True, text=True, check=False).stdout.strip()
        if found:
            return Path(found)
    if os.environ.get("CI"):
        pytest.fail("the Go modules of tests/apiserver are not there: go mod download", pytrace=False)
    pytest.skip("no Go modules here")


def structs(folder: Path) -> Mapping[str, tuple[GoField, ...]]:
    """Return the fields of all structs in the Go files of a folder, tests left out."""
    texts = [file.read_text() for file in sorted(folder.glob("*.go")) if not file.name.endswith("_test.go")]
    return {name: tuple(_fields(body)) for text in texts for name, body in _STRUCT.findall(text)}


def leaves(known: Mapping[str, tuple[GoField, ...]], struct: str, start: str = "") -> Iterator[str]:
    """Yield the fields that hold no struct of ``known``: ``patches[].path``."""
    for field in known[struct]:
        inner = field.type.replace("*", "").replace("map[string]", "")
        base = inner.replace("[]", "").removeprefix("types.")
        here = f"{start}.{field.name}".strip(".") if field.name else start
        here += "[]" * inner.count("[]")
        if base in known and base != struct:
            yield from leaves(known, base, here)
        elif field.name:
            yield here


def _fields(body: str) -> Iterator[GoField]:
    for _, kind, tag in _FIELD.findall(body):
        match = _TAG.search(tag)
        if match:
            yield GoField("" if match[2] else match[1], kind)
    for kind in _UNTAGGED.findall(body):
        yield GoField("", kind)
