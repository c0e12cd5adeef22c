"""The manifests that recordings start from: bases to draw from, or pairs of real versions."""

import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import yaml

from kubectl_applylint.values import JsonObject
from tests.cluster.api import discover
from tests.cluster.cluster import Cluster

BASES = Path(__file__).parent / "bases"
CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
SERVED_SECONDS = 30

Version: TypeAlias = tuple[JsonObject, JsonObject | None]
"""A manifest and, if it is known, its real next version."""


def load(file: Path) -> list[JsonObject]:
    """Return the objects of a YAML file as JSON."""
    documents = yaml.safe_load_all(file.read_text())
    objects = [json.loads(json.dumps(document, default=str)) for document in documents]
    return [item for item in objects if isinstance(item, dict) and item.get("kind")]


def load_all(paths: Sequence[Path]) -> list[JsonObject]:
    """Return the objects of files and of all YAML files in folders."""
    files = (file for path in paths for file in (sorted(path.rglob("*.yaml")) if path.is_dir() else [path]))
    return [item for file in files for item in load(file)]


def load_pairs(folder: Path) -> list[Version]:
    """Return real changes: ``X.before.yaml`` and ``X.after.yaml``, one object each."""
    files = sorted(folder.rglob("*.before.yaml"))
    return [(load(file)[0], load(file.with_name(file.name.replace(".before.", ".after.")))[0]) for file in files]


def install(cluster: Cluster, crds: Sequence[JsonObject]) -> None:
    """Create custom resource definitions, if they are not there, and wait until their kinds are served."""
    for crd in crds:
        reply = cluster.post(CRDS, crd)
        assert reply.ok or reply.status == 409, reply.json
    wanted = {kind for crd in crds for kind in served_kinds(crd)}
    deadline = time.monotonic() + SERVED_SECONDS
    while not wanted <= set(discover(cluster.api)):
        if time.monotonic() > deadline:
            raise TimeoutError(f"not served after {SERVED_SECONDS} seconds: {sorted(wanted)}")
        time.sleep(0.1)


def served_kinds(crd: JsonObject) -> list[tuple[str, str]]:
    """Return apiVersion and kind of all that a definition makes the server serve."""
    spec = crd["spec"]
    return [(f"{spec['group']}/{v['name']}", spec["names"]["kind"]) for v in spec["versions"] if v["served"]]
