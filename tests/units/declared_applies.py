"""Checks that every object of a repository that declares an apply is a unit, or is named with a reason.

``python -m tests.units.declared_applies CLONE ...`` prints those that are neither, and their number for each clone.
"""

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

DECLARING: Final = {
    ("kustomize.toolkit.fluxcd.io", "Kustomization"),
    ("helm.toolkit.fluxcd.io", "HelmRelease"),
    ("fluxcd.controlplane.io", "ResourceSet"),
    ("argoproj.io", "Application"),
}


def missing(clone: Path) -> list[str]:
    """Return the declaring objects among those that units apply that are neither a unit nor named."""
    units = json.loads(_run(clone, "units").stdout)["units"]
    rendered = _run(clone, "render", ".")
    known = {(one["kind"], one["name"]) for unit in units if (one := unit.get("declaredBy"))}
    declaring = set(_declaring(json.loads(rendered.stdout)["units"]))
    texts = {one: f"{one[0]} {one[1]}/{one[2]}" for one in declaring if (one[0], one[2]) not in known}
    return sorted(text for text in texts.values() if text not in rendered.stderr)


def _run(clone: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "kubectl_applylint", *arguments, "-o", "json"]
    return subprocess.run(command, cwd=clone, capture_output=True, encoding="utf-8", check=False)


def _declaring(units: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, namespace and name of each declaring object that a unit applies."""
    for unit in units:
        for item in unit.get("objects", []):
            group = item["apiVersion"].rpartition("/")[0]
            if (group, item["kind"]) in DECLARING:
                yield item["kind"], item["metadata"].get("namespace", ""), item["metadata"].get("name", "")


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        found = missing(Path(argument))
        print(f"{argument}: {len(found)} missing", *found, sep="\n  ")
