"""One sync by Argo CD: the program of ``tests/appliers_go/argocd``, and what goes into it and comes out."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.cluster import run

NAME = "argocd"


def argocd_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(NAME, environment)


@dataclass(frozen=True, slots=True)
class Operation:
    """A sync of an Application: ``options`` are its sync options, ``prunes`` is what the operation says."""

    name: str
    namespace: str
    prunes: bool = False
    options: Sequence[str] = ()


def sync(
    program: Path,
    kubeconfig: Path,
    operation: Operation,
    objects: Sequence[JsonObject],
    known: Iterable[ObjectRef] = (),
) -> JsonObject:
    """Return what the controller says: ``phase``, ``message`` and ``results`` with a status and a message each.

    Objects of the Application that the set has no more are found among those that are ``known``. The phase is
    ``TimedOut`` where the library waits for something that does not happen.
    """
    given = {
        "kubeconfig": str(kubeconfig),
        "name": operation.name,
        "namespace": operation.namespace,
        "prune": operation.prunes,
        "options": list(operation.options),
        "objects": list(objects),
        "known": [
            {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
            for ref in known
        ],
    }
    cache = f"KUBECACHEDIR={kubeconfig.parent / 'discovery'}"
    done = run(["env", cache, str(program)], stdin=json.dumps(given))
    assert done.code == 0, done.stderr
    told: JsonObject = json.loads(done.stdout)
    return told
