"""The manifests that recordings start from: bases to draw from, or pairs of real versions."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeAlias

import yaml

from kubectl_applylint.core.values import Json, JsonObject

BASES = Path(__file__).parent / "bases"
PAIRS = Path(__file__).parent / "pairs"
"""Changes like those that people make most."""

Version: TypeAlias = tuple[JsonObject, JsonObject | None]
"""A manifest and, if it is known, its real next version."""


def load(file: Path) -> list[JsonObject]:
    """Return the objects of a YAML file as JSON."""
    documents = yaml.load_all(file.read_text(), yaml.CSafeLoader)
    objects = [json.loads(json.dumps(document, default=str)) for document in documents]
    return [item for item in objects if isinstance(item, dict) and item.get("kind")]


def load_all(paths: Sequence[Path]) -> list[JsonObject]:
    """Return the objects of files and of all YAML files in folders."""
    files = (file for path in paths for file in (sorted(path.rglob("*.yaml")) if path.is_dir() else [path]))
    return [item for file in files for item in load(file)]


def load_pairs(folder: Path) -> list[Version]:
    """Return changes: ``X.before.yaml`` and ``X.after.yaml``, one object each, and what ``changes_of`` reads."""
    files = sorted(folder.rglob("*.before.yaml"))
    real = [(load(file)[0], load(file.with_name(file.name.replace(".before.", ".after.")))[0]) for file in files]
    return [*real, *(version for file in sorted(folder.glob("*.yaml")) for version in changes_of(file))]


def changes_of(file: Path) -> Iterator[Version]:
    """Yield the changes of a file: in each document a ``manifest`` and ``changes``, by name.

    A change gives paths (JSON Pointers, ``-`` for the end of a list) their new values, ``null`` to take them away.
    """
    documents = (document for document in yaml.load_all(file.read_text(), yaml.CSafeLoader) if "changes" in document)
    for document in documents:
        base = json.loads(json.dumps(document["manifest"]))
        for edits in document["changes"].values():
            yield base, _edit(base, edits)


def _edit(manifest: JsonObject, edits: JsonObject) -> JsonObject:
    for pointer, value in edits.items():
        steps = [step.replace("~1", "/") for step in pointer.removeprefix("/").split("/")]
        manifest = _with(manifest, steps, value)
    return manifest


def _with(cluster_view: Json, steps: Sequence[str], value: Json) -> Json:
    """Return what is around a place with another value there."""
    step, inner = steps[0], steps[1:]
    if isinstance(cluster_view, list):
        place = len(cluster_view) if step == "-" else int(step)
        new = [_with(cluster_view[place], inner, value)] if inner else [] if value is None else [value]
        return [*cluster_view[:place], *new, *cluster_view[place + 1 :]]
    rest = {key: item for key, item in cluster_view.items() if key != step or inner or value is not None}
    if inner:
        return {**rest, step: _with(cluster_view.get(step, {}), inner, value)}
    return rest if value is None else {**rest, step: value}
