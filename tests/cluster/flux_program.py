"""One reconciliation by Flux: the program of ``tests/appliers_go/flux``, and what goes into it and comes out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.cluster import run

NAME = "flux"
_IGNORE = "ignore="
_HEALTH_CHECK = "health-check="


def flux_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)


@dataclass(frozen=True, slots=True)
class Kustomization:
    """The settings of a Kustomization that the controller reads: ``inventory`` is that of its status, before."""

    name: str
    namespace: str
    force: bool = False
    prune: bool = False
    inventory: Sequence[JsonObject] = ()
    common: JsonObject | None = None
    """Its ``spec.commonMetadata``."""
    ignore: Sequence[JsonObject] = ()
    """Its ``spec.ignore``."""


def ignore_of(flags: Iterable[str]) -> tuple[JsonObject, ...]:
    """Return ``spec.ignore`` of a Kustomization with flags: ``ignore=/spec/replicas`` is a path of all objects."""
    paths = [flag.removeprefix(_IGNORE) for flag in flags if flag.startswith(_IGNORE)]
    return ({"paths": paths},) if paths else ()


def health_checks_of(flags: Iterable[str]) -> tuple[JsonObject, ...]:
    """Return ``spec.healthChecks``: ``health-check=`` comes before the JSON of an entry. They are not run."""
    return tuple(json.loads(flag.removeprefix(_HEALTH_CHECK)) for flag in flags if flag.startswith(_HEALTH_CHECK))


def reconcile(program: Path, kubeconfig: Path, source: Kustomization, objects: Sequence[JsonObject]) -> JsonObject:
    """Return what the controller says and remembers: ``error``, ``applied``, ``pruned`` and ``inventory``."""
    given = {
        "kubeconfig": str(kubeconfig),
        "name": source.name,
        "namespace": source.namespace,
        "force": source.force,
        "prune": source.prune,
        "objects": list(objects),
        "inventory": list(source.inventory),
        "common": source.common,
        "ignore": list(source.ignore),
    }
    done = run([str(program)], stdin=json.dumps(given))
    assert done.code == 0, done.stderr
    result: JsonObject = json.loads(done.stdout)
    return result
