"""A fleet: a repository of many units, and snapshots of the clusters that some of them are applied to."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import yaml

from bench.objects import KINDS, manifest
from kubectl_applylint.api import load_schema, predict
from kubectl_applylint.core.state import Unknown
from kubectl_applylint.core.values import Json, JsonObject

_SEED: Final = 20261125
_MANIFESTS: Final = 10
"""Of one unit; as many as two rounds of the kinds that objects come in."""
_OLD: Final = 0.3
"""How many of the objects that a target has differ from the manifests."""
_TEAMS: Final = 40
_WAVES: Final = 5
_NAME: Final = "name-of-object"
_SPACE: Final = "name-of-space"


@dataclass(frozen=True, slots=True)
class Fleet:
    """How large a fleet is; each unit has ten manifests, and each target ``pairs`` units."""

    units: int
    targets: int
    objects: int
    """How many objects a snapshot has."""
    pairs: int
    """How many units go to each target."""


FEW: Final = "wave=0"
"""The labels of some of the targets."""


def few(fleet: Fleet) -> int:
    """Return how many targets have the labels of ``FEW``."""
    return len(range(0, fleet.targets, _WAVES))


def write(folder: Path, fleet: Fleet) -> Path:
    """Write a fleet into a new folder, always the same: ``all`` has the units, ``.applylint.yaml`` the targets."""
    folder.mkdir(parents=True)
    roots = [f"team-{number % _TEAMS:02}/app-{number:05}" for number in range(fleet.units)]
    for number, root in enumerate(roots):
        (folder / "all" / root).mkdir(parents=True)
        for at in range(_MANIFESTS):
            content = yaml.dump(_placed(number, at), sort_keys=False, Dumper=yaml.CSafeDumper)
            (folder / "all" / root / f"{at:02}.yaml").write_text(content, encoding="utf-8")
    (folder / "clusters").mkdir()
    targets = [_target(folder, fleet, number, roots) for number in range(fleet.targets)]
    (folder / ".applylint.yaml").write_text(json.dumps({"targets": targets}), encoding="utf-8")
    return folder


def _placed(number: int, at: int) -> JsonObject:
    made = manifest(number * _MANIFESTS + at)
    return {**made, "metadata": {**made["metadata"], "namespace": f"app-{number:05}"}}


def _target(folder: Path, fleet: Fleet, number: int, roots: Sequence[str]) -> Json:
    """Write the snapshot of a target, and return its entry in the configuration."""
    chance = random.Random(_SEED + number)
    own = chance.sample(range(len(roots)), fleet.pairs)
    name = f"cluster-{number:03}"
    objects = list(_live(own, fleet.objects, chance))
    chance.shuffle(objects)
    # kubectl get -o json indents by four.
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}, indent=4)
    (folder / "clusters" / f"{name}.json").write_text(text, encoding="utf-8")
    return {
        "name": name,
        "labels": [f"wave={number % _WAVES}"],
        "against": f"snapshot:clusters/{name}.json",
        "units": [roots[unit] for unit in sorted(own)],
    }


def _live(own: Sequence[int], count: int, chance: random.Random) -> Iterator[JsonObject]:
    """Yield what a target has: the objects of its units, some of them older, their namespaces, and those of others."""
    spaces = [f"app-{unit:05}" for unit in own]
    yield from ({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": space}} for space in spaces)
    applied = [(unit * _MANIFESTS + at, f"app-{unit:05}") for unit in own for at in range(_MANIFESTS)]
    others = ((number, f"other-{number % 97:02}") for number in range(count - len(spaces) - len(applied)))
    for place, (number, space) in enumerate((*applied, *others)):
        yield _older(_addressed(_stored(number, space), place), chance)


def _addressed(item: JsonObject, place: int) -> JsonObject:
    """Return a Service with an address of its own, as each has in a cluster."""
    address = f"10.96.{place // 250}.{1 + place % 250}"
    own = {"clusterIP": address, "clusterIPs": [address]}
    return {**item, "spec": {**item["spec"], **own}} if item["kind"] == "Service" else item


def _older(item: JsonObject, chance: random.Random) -> JsonObject:
    """Return some Deployments with replicas that another manager has set, and some of these with another selector."""
    if item["kind"] != "Deployment" or chance.random() > _OLD:
        return item
    spec = {**item["spec"], "replicas": 2 + chance.randrange(3)}
    if chance.random() < _OLD:
        spec["selector"] = {"matchLabels": {"app": "older"}}
    return {**item, "spec": spec}


def _stored(number: int, space: str) -> JsonObject:
    """Return the object with a number as a server keeps it after an apply by kubectl."""
    text, name = _stored_template(number % len(KINDS)), manifest(number)["metadata"]["name"]
    found: JsonObject = json.loads(text.replace(_NAME, name).replace(_SPACE, space))
    return found


@cache
def _stored_template(kind: int) -> str:
    """Return what is kept of a new object of a kind, with marks in place of its names."""
    made = json.loads(json.dumps(manifest(kind)).replace(manifest(kind)["metadata"]["name"], _NAME))
    made["metadata"]["namespace"] = _SPACE
    return json.dumps(_known(predict(made, schema=load_schema("1.36")).result))


def _known(value: Json | Unknown | None) -> Json:
    """Return a value with a text for whatever only the server knows."""
    if isinstance(value, dict):
        return {name: _known(held) for name, held in value.items()}
    if isinstance(value, list):
        return [_known(held) for held in value]
    return "2026-01-01T00:00:00Z" if isinstance(value, Unknown) else value
