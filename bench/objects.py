"""Manifests to measure with: five common kinds in equal parts, each object in a file of its own."""

import json
from collections.abc import Callable
from pathlib import Path

from kubectl_applylint.core.values import Json, JsonObject
from tests.sources.repositories import create

_HEADERS: dict[str, str] = {
    "ConfigMap": "v1",
    "Secret": "v1",
    "Service": "v1",
    "Deployment": "apps/v1",
    "HorizontalPodAutoscaler": "autoscaling/v2",
}


KINDS = tuple(_HEADERS)
"""The kinds in the order in which the numbers of objects go through them."""


def manifest(number: int, *, changed: bool = False) -> JsonObject:
    """Return the manifest with this number; a ``changed`` one has another label."""
    kind = list(_HEADERS)[number % len(_HEADERS)]
    name = f"object-{number // len(_HEADERS):04}"
    labels = {"app": name, **({"changed": "yes"} if changed else {})}
    header = {"apiVersion": _HEADERS[kind], "kind": kind, "metadata": {"name": name, "labels": labels}}
    return {**header, **_BODIES[kind](name)}


def write(folder: Path, count: int, *, changed: bool = False) -> Path:
    """Write ``count`` manifests into a new folder, every fifth of them changed if that is asked for."""
    folder.mkdir()
    for number in range(count):
        content = manifest(number, changed=changed and number % 5 == 0)
        (folder / _file(number)).write_text(_text(content))
    return folder


def write_commits(folder: Path, count: int, *, changed: int) -> list[str]:
    """Write ``count`` manifests into a new repository; return the files that its second commit changes, in full."""
    repo = create(folder)
    repo.commit({_file(number): _text(manifest(number)) for number in range(count)})
    later = {_file(number): _text(manifest(number, changed=True)) for number in range(0, count, count // changed)}
    repo.commit({**later})
    return [str(folder / name) for name in later]


def _file(number: int) -> str:
    return f"{number:04}.yaml"


def _text(content: JsonObject) -> str:
    return json.dumps(content, indent=2)


def _deployment(name: str) -> JsonObject:
    container: Json = {
        "name": "web",
        "image": f"registry.example/{name}:1.0",
        "ports": [{"containerPort": 8080}],
        "env": [{"name": "LOG_LEVEL", "value": "info"}],
        "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
    }
    template = {"metadata": {"labels": {"app": name}}, "spec": {"containers": [container]}}
    return {"spec": {"selector": {"matchLabels": {"app": name}}, "template": template}}


_BODIES: dict[str, Callable[[str], JsonObject]] = {
    "ConfigMap": lambda name: {"data": {"name": name}},
    "Secret": lambda name: {"data": {"password": "aHVudGVyMg=="}},
    "Service": lambda name: {"spec": {"selector": {"app": name}, "ports": [{"port": 80}]}},
    "Deployment": _deployment,
    "HorizontalPodAutoscaler": lambda name: {
        "spec": {"maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": name}}
    },
}
