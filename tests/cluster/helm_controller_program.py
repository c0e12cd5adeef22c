"""Reconciles one release with helm-controller, the program of ``tests/appliers_go/helm_controller``."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from kubectl_applylint.core.values import JsonObject
from tests.cluster.build import applier
from tests.cluster.cluster import run

NAME: Final = "helm-controller"
"""The name of the applier."""
_MODULE: Final = "helm_controller"


def helm_controller_program(environment: Mapping[str, str]) -> Path:
    """Return the program, built on first use; raise ``Unavailable`` without Go or when the build fails."""
    return applier(_MODULE, environment)


def act(program: Path, kubeconfig: Path, action: str, release: JsonObject, chart: Path | None) -> JsonObject:
    """Return the answer to an install, an upgrade, a look for drift or an uninstall; ``main.go`` describes it."""
    given = {
        "kubeconfig": str(kubeconfig),
        "action": action,
        "release": release,
        "chart": str(chart or ""),
        "values": {},
    }
    done = run([str(program)], stdin=json.dumps(given))
    assert done.code == 0, done.stderr
    answer: JsonObject = json.loads(done.stdout)
    return answer
