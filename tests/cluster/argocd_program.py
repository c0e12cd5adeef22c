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


PRUNE = "prune"
IGNORE = "ignore="
"""Comes before the JSON of an entry of ``spec.ignoreDifferences`` in the flags of a sync."""
PROJECT = "project="
"""Comes before the JSON of ``spec`` of the AppProject ``team`` in the flags of a sync of an Application with it."""
PROJECT_NAME = "team"
SOURCE = "https://example.com/app"
SERVER = "https://kubernetes.default.svc"
"""Source and destination of each Application, which projects may permit."""


@dataclass(frozen=True, slots=True)
class Operation:
    """A sync of an Application: ``options`` are its sync options, ``prunes`` is what the operation says.

    ``ignored`` is what it has in ``spec.ignoreDifferences``.
    """

    name: str
    namespace: str
    prunes: bool = False
    options: Sequence[str] = ()
    ignored: Sequence[JsonObject] = ()
    project: JsonObject | None = None
    """``spec`` of its AppProject, ``None`` for one that permits everything."""


def operation_of(name: str, namespace: str, flags: Iterable[str]) -> Operation:
    """Return the sync for which flags ask: ``prune``, what is ignored, its project, and options of the Application."""
    every = tuple(flags)
    options = [flag for flag in every if flag != PRUNE and not flag.startswith((IGNORE, PROJECT))]
    projects = [json.loads(flag.removeprefix(PROJECT)) for flag in every if flag.startswith(PROJECT)]
    ignored = [json.loads(flag.removeprefix(IGNORE)) for flag in every if flag.startswith(IGNORE)]
    return Operation(name, namespace, PRUNE in every, options, ignored, next(iter(projects), None))


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
        "ignored": list(operation.ignored),
        "project": operation.project,
        "objects": list(objects),
        "known": [
            {"apiVersion": ref.api_version, "kind": ref.kind, "namespace": ref.namespace, "name": ref.name}
            for ref in known
        ],
    }
    cache = f"KUBECACHEDIR={kubeconfig.parent / 'discovery'}"
    done = run(["env", cache, str(program)], stdin=json.dumps(given))
    assert done.code == 0, done.stderr
    result: JsonObject = json.loads(done.stdout)
    return result
