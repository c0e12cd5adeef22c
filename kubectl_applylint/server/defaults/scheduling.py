"""Defaults of scheduling.k8s.io; mirrors pkg/apis/scheduling, defaults.go."""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults

_ONE_BY_ONE: Final[JsonObject] = {"disruptionMode": {"single": {}}}

SCHEDULING: Final = Defaults(
    package="io.k8s.api.scheduling", constant={"PriorityClass": {"preemptionPolicy": "PreemptLowerPriority"}}
)
POD_GROUPS: Final = Defaults(
    package="io.k8s.api.scheduling", versions=("v1alpha3", "v1beta1"), constant={"PodGroupSpec": _ONE_BY_ONE}
)
OLD_POD_GROUPS: Final = Defaults(
    package="io.k8s.api.scheduling", versions=("v1alpha2",), constant={"PodGroupSpec": {"disruptionMode": "Pod"}}
)
COMPOSITE_POD_GROUPS: Final = Defaults(
    package="io.k8s.api.scheduling", versions=("v1alpha3",), constant={"CompositePodGroupSpec": _ONE_BY_ONE}
)
