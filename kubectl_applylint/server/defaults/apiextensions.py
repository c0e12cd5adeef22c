"""Defaults of CustomResourceDefinitions and APIServices; mirrors defaults.go of apiextensions-apiserver's and
kube-aggregator's v1.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.default_rules import Defaults, Derived

_HTTPS: Final = 443


def _names(names: JsonObject) -> JsonObject:
    """The singular is the kind in lower case, the list's kind the kind with ``List`` behind it."""
    kind = names.get("kind") or ""
    derived = {"singular": kind.lower(), "listKind": f"{kind}List"}
    return {field: name for field, name in derived.items() if kind and not names.get(field)}


API_EXTENSIONS: Final = Defaults(
    package="io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
    versions=("v1",),
    constant={
        "CustomResourceDefinition.spec": {"conversion": {"strategy": "None"}},
        "ServiceReference": {"port": _HTTPS},
    },
    derived={"CustomResourceDefinition.spec.names": (Derived(("singular", "listKind"), ("kind",), _names),)},
)
API_REGISTRATION: Final = Defaults(
    package="io.k8s.kube-aggregator.pkg.apis.apiregistration",
    versions=("v1",),
    constant={"ServiceReference": {"port": _HTTPS}},
    derived={},
)
