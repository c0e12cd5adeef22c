"""CustomResourceDefinitions: defaults of the names, and the stored versions.

Mirrors apiextensions-apiserver's pkg/apis/apiextensions/v1/defaults.go and pkg/registry/customresourcedefinition.
"""

from typing import Final

from kubectl_applylint.core.values import JsonObject, mapping, text_at
from kubectl_applylint.server.default_rules import Defaults, Derived
from kubectl_applylint.server.kind_behaviour import KindBehaviour


def _names(names: JsonObject) -> JsonObject:
    """Set the singular to the kind in lower case, and the list's kind to the kind with ``List`` appended."""
    kind = text_at(names, "kind")
    derived = {"singular": kind.lower(), "listKind": f"{kind}List"}
    return {field: name for field, name in derived.items() if kind and not names.get(field)}


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a definition whose storage version is added to its stored versions."""
    status = mapping(new.get("status"))
    versions = mapping(new.get("spec")).get("versions") or []
    storage = [version.get("name") or "" for version in versions if version.get("storage")][:1]
    stored = status.get("storedVersions") or []
    return {**new, "status": {**status, "storedVersions": stored + [name for name in storage if name not in stored]}}


_DEFAULTS: Final = Defaults(
    package="io.k8s.apiextensions-apiserver.pkg.apis.apiextensions",
    constant={"CustomResourceDefinition.spec": {"conversion": {"strategy": "None"}}, "ServiceReference": {"port": 443}},
    derived={"CustomResourceDefinition.spec.names": (Derived(("singular", "listKind"), ("kind",), _names),)},
)

KIND: Final = KindBehaviour(
    gvk=("apiextensions.k8s.io/v1", "CustomResourceDefinition"),
    defaults=_DEFAULTS,
    prepare=prepare,
    generation=("spec",),
)
