"""ReplicaSets: a number of equal pods."""

from typing import Final

from kubectl_applylint.server.default_rules import Defaults
from kubectl_applylint.server.kind_behaviour import KindBehaviour

_DEFAULTS: Final = Defaults(package="io.k8s.api.apps", constant={"ReplicaSet.spec": {"replicas": 1}})
"""Mirrors pkg/apis/apps/v1/defaults.go."""

KIND: Final = KindBehaviour(
    gvk=("apps/v1", "ReplicaSet"), defaults=_DEFAULTS, generation=("spec",), validation=(f"{__name__}.validate",)
)
