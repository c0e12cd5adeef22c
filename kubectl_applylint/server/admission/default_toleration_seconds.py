"""DefaultTolerationSeconds: a pod stays for five minutes on a node that is not ready or cannot be reached.

Mirrors ``plugin/pkg/admission/defaulttolerationseconds``.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject, mapping
from kubectl_applylint.server.admission.attributes import AdmissionAttributes, Mutation, with_spec

_KEYS: Final = ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a pod with a toleration of both taints, unless it tolerates them already."""
    given = mapping(attributes.new.get("spec")).get("tolerations") or []
    added = [_five_minutes(key) for key in _KEYS if not any(_covers(toleration, key) for toleration in given)]
    return Mutation(with_spec(attributes.new, {"tolerations": [*given, *added]} if added else {}))


def _five_minutes(key: str) -> JsonObject:
    return {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}


def _covers(toleration: JsonObject, key: str) -> bool:
    return (toleration.get("key") or key) == key and (toleration.get("effect") or "NoExecute") == "NoExecute"
