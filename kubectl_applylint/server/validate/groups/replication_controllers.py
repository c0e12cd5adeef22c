"""Validation of ReplicationControllers.

Mirrors ``ValidateReplicationController``.
"""

from typing import Final

from kubectl_applylint.core.values import Json, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.spec import template_of


def _labels_as_selected(fld: v.FieldContext) -> v.FieldErrors:
    """Require a template with the labels that the ReplicationController selects; unknown values match."""
    wanted, labels = mapping(fld.get("selector")), mapping(fld.get("template", "metadata", "labels"))
    if fld.sets("template") and any(_differ(labels.get(key), value) for key, value in wanted.items()):
        place = fld.at("template", "metadata", "labels")
        yield place.invalid("`selector` does not match template `labels`", labels)


def _differ(label: Json, wanted: Json) -> bool:
    return v.is_known(label) and v.is_known(wanted) and label != wanted


_REPLICATION_CONTROLLER: Final[v.Table] = {
    "spec": [v.struct, _labels_as_selected],
    "spec.minReadySeconds": [v.at_least(0)],
    "spec.selector": [v.required()],
    "spec.replicas": [v.set_at_all(), v.at_least(0)],
    "spec.template": [v.set_at_all(), template_of("ReplicationController")],
}

KINDS: Final[v.Group] = {("", "ReplicationController"): v.Rules(_REPLICATION_CONTROLLER)}
"""The rules of ReplicationControllers."""
