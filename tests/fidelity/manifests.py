"""The manifests that recordings start from: bases to draw from, or pairs of real versions."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import yaml

from kubectl_applylint.values import JsonObject

BASES = Path(__file__).parent / "bases"

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
