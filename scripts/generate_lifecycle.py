#!/usr/bin/env python3
"""Write the table of which Kubernetes served which kind in which version: ``generate_lifecycle.py [FILE]``.

Needs Go and its module proxy; it is run when a new Kubernetes version comes, after ``generate_schema.py``. Read are the
types and the generated lifecycles (``zz_generated.prerelease-lifecycle.go``) of one release of ``k8s.io/api`` for each
minor: the lifecycle of a deleted type comes from the last release that has it. A line, sorted:

apiVersion, kind, first and last minor that can serve it (first empty: before 1.16, last empty: the newest), scope,
``off`` where a server serves it only if ``--runtime-config`` says so, apiVersion of what replaces it. From 1.29 on
``kinds.tsv`` says what there is: some alpha versions stay in the module after no server has them any more.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

TABLES = Path(__file__).parent.parent / "kubectl_applylint" / "schema" / "tables"
# One release of each minor that can be had; 1.18 has none, and nothing went between 1.17 and 1.19.
RELEASES = {
    16: 15,
    17: 17,
    19: 16,
    20: 15,
    21: 14,
    22: 17,
    23: 17,
    24: 17,
    25: 16,
    26: 15,
    27: 16,
    28: 15,
    29: 15,
    30: 14,
    31: 14,
    32: 13,
    33: 13,
    34: 4,
    35: 4,
    36: 3,
    37: 1,
}
OLDEST, NEWEST = min(RELEASES), max(RELEASES)
# Two kinds live beside k8s.io/api; their newest release still has the versions that were removed.
BESIDE = {
    "k8s.io/apiextensions-apiserver": "pkg/apis/apiextensions/v*",
    "k8s.io/kube-aggregator": "pkg/apis/apiregistration/v*",
}
# Kinds in k8s.io/api that are sent to servers by webhooks' callers, and never served.
NOT_SERVED = {"admission.k8s.io", "imagepolicy.k8s.io", "apidiscovery.k8s.io"}
# From this minor on new beta versions are off by default (KEP-3136); this one is the exception.
BETAS_OFF = 24
BETA_ON = {"flowcontrol.apiserver.k8s.io/v1beta3"}

TYPE = re.compile(r"((?:^//.*\n|^\n)+)type (\w+) struct", re.MULTILINE)
VERSION = re.compile(r"v\d+((alpha|beta)\d+)?")
GROUP = re.compile(r'GroupName\s*=\s*"(.*)"')
LIFE = re.compile(r"func \(in \*(\w+)\) APILifecycle(Introduced|Removed)\(\) .*\{\n\treturn (\d+), (\d+)")
REPLACEMENT = re.compile(
    r"func \(in \*(\w+)\) APILifecycleReplacement\(\) .*\{\n"
    r'\treturn schema.GroupVersionKind\{Group: "(.*)", Version: "(.*)", Kind:'
)


@dataclass(frozen=True)
class Life:
    """What the modules tell of one kind in one version."""

    scope: str
    first: int
    last: int
    introduced: int = 0
    removed: int = 0
    replacement: str = ""


Gvk = tuple[str, str]


def main(arguments: list[str]) -> int:
    """Write the table to the file given, by default where it ships from."""
    lives: dict[Gvk, Life] = {}
    for minor, patch in RELEASES.items():
        root = module("k8s.io/api", f"v0.{minor}.{patch}")
        there = served(minor)
        for gvk, life in declared_kinds(root, "*/v*", minor):
            if there is None or gvk in there:
                lives[gvk] = replace(life, first=lives[gvk].first) if gvk in lives else life
    for name, pattern in BESIDE.items():
        root = module(name, f"v0.{NEWEST}.{RELEASES[NEWEST]}")
        lives.update((gvk, replace(life, first=OLDEST)) for gvk, life in declared_kinds(root, pattern, NEWEST))
    target = Path(arguments[0]) if arguments else TABLES / "lifecycle.tsv"
    target.write_text("".join(sorted("\t".join(row(gvk, life)) + "\n" for gvk, life in lives.items())))
    return 0


def served(minor: int) -> set[Gvk] | None:
    """Return the kinds that a minor has by ``kinds.tsv``, ``None`` for a minor that it does not know."""
    rows = [line.split("\t")[:4] for line in (TABLES / "kinds.tsv").read_text().splitlines()]
    if minor < min(int(first) for *_, first, _ in rows):
        return None
    return {(version, kind) for version, kind, first, last in rows if int(first) <= minor <= int(last or NEWEST)}


def module(name: str, version: str) -> Path:
    """Return where Go keeps the sources of a module."""
    run = subprocess.run(
        ("go", "mod", "download", "-json", f"{name}@{version}"), check=True, stdout=subprocess.PIPE, text=True
    )
    return Path(json.loads(run.stdout)["Dir"])


def declared_kinds(root: Path, pattern: str, minor: int) -> Iterator[tuple[Gvk, Life]]:
    """Yield the kinds that the folders of a module, each of one version of a group, declare."""
    folders = (folder for folder in sorted(root.glob(pattern)) if VERSION.fullmatch(folder.name))
    for folder in (each for each in folders if each.parent.name != "testdata"):
        group = GROUP.search((folder / "register.go").read_text() + "".join(map(Path.read_text, beside(folder))))
        assert group, folder
        api_version = f"{group[1]}/{folder.name}".removeprefix("/")
        lives = folder / "zz_generated.prerelease-lifecycle.go"
        life = lives.read_text() if lives.is_file() else ""
        since = {(name, what): int(number) for name, what, _, number in LIFE.findall(life)}
        instead = {name: f"{group}/{version}" for name, group, version in REPLACEMENT.findall(life)}
        for kind, scope in declared("".join(path.read_text() for path in sorted(folder.glob("types*.go")))):
            if group[1] not in NOT_SERVED:
                introduced, removed = (since.get((kind, what), 0) for what in ("Introduced", "Removed"))
                yield (api_version, kind), Life(scope, minor, minor, introduced, removed, instead.get(kind, ""))


def beside(folder: Path) -> list[Path]:
    """Return where a version's package takes the name of its group from, if from elsewhere."""
    return [path for path in [folder.parent / "register.go"] if path.is_file()]


def declared(source: str) -> Iterator[tuple[str, str]]:
    """Yield the kinds of a Go source that clients are generated for, and their scopes."""
    for comment, name in TYPE.findall(source):
        if re.search(r"\+genclient\s*$", comment, re.MULTILINE) and "+genclient:noVerbs" not in comment:
            yield name, "Cluster" if "+genclient:nonNamespaced" in comment else "Namespaced"


def row(gvk: Gvk, life: Life) -> tuple[str, ...]:
    """Return the cells of one line."""
    last = min(life.last, life.removed - 1) if life.removed else life.last
    first = "" if life.first == OLDEST else str(life.first)
    off = is_off(gvk[0], life.introduced or life.first)
    return (*gvk, first, "" if last == NEWEST else str(last), life.scope, "off" if off else "", life.replacement)


def is_off(api_version: str, introduced: int) -> bool:
    """Return whether servers serve a version only if they are configured to."""
    is_late_beta = "beta" in api_version and introduced >= BETAS_OFF and api_version not in BETA_ON
    return "alpha" in api_version or is_late_beta


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
