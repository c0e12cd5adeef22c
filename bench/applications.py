"""A repository of many small applications: a folder of manifests each, or a kustomization with two overlays."""

import random
from collections.abc import Iterator
from pathlib import Path

import yaml

from bench.objects import manifest
from kubectl_applylint.core.values import JsonObject

_MANIFESTS = 10
"""Of one application; as many as two rounds of the kinds that objects come in."""
_SEED = 20260822


def write(folder: Path, count: int) -> Path:
    """Write about ``count`` files into a new folder, the same for each call; every third application has overlays."""
    chance = random.Random(_SEED)
    written = number = 0
    while written < count:
        files = dict(_application(number, chance))
        for name, content in files.items():
            path = folder / f"team-{number % 20:02}" / f"app-{number:04}" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
        written, number = written + len(files), number + 1
    return folder


def _application(number: int, chance: random.Random) -> Iterator[tuple[str, JsonObject]]:
    """Yield the files of one application with what they hold."""
    home = "base/" if number % 3 == 0 else ""
    names = [f"{at:02}.yaml" for at in range(_MANIFESTS)]
    for at, name in enumerate(names):
        yield f"{home}{name}", _placed(manifest(number * _MANIFESTS + at), f"app-{number:04}", chance)
    if home:
        yield "base/kustomization.yaml", {"resources": names}
        for stage in ("dev", "prod"):
            yield f"overlays/{stage}/kustomization.yaml", {"namespace": stage, "resources": ["../../base"]}


def _placed(content: JsonObject, namespace: str, chance: random.Random) -> JsonObject:
    marks = {f"example.com/{word}": f"{chance.random():.6f}" for word in ("owner", "cost", "tier")}
    return {**content, "metadata": {**content["metadata"], "namespace": namespace, "annotations": marks}}
