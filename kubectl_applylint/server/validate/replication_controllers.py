"""What is refused of ReplicationControllers.

Mirrors ``ValidateReplicationController``.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import mapping
from kubectl_applylint.server.validate.constraints import at_least, required, set_at_all
from kubectl_applylint.server.validate.field_context import FieldContext, Table, always, struct
from kubectl_applylint.server.validate.pods.spec import template_of
from kubectl_applylint.server.validate.rules import Group, Rules


def _labels_as_selected(fld: FieldContext) -> Iterator[FieldError]:
    """The template of a ReplicationController has the labels that it selects."""
    wanted, labels = mapping(fld.get("selector")), mapping(fld.get("template", "metadata", "labels"))
    if fld.sets("template") and any(labels.get(key) != value for key, value in wanted.items()):
        place = fld.at("template", "metadata", "labels")
        yield place.invalid("`selector` does not match template `labels`", labels)


@always
def _a_template(fld: FieldContext) -> Iterable[FieldError]:
    return () if fld.there else (fld.required(),)


_REPLICATION_CONTROLLER: Final[Table] = {
    "spec": [struct, _labels_as_selected],
    "spec.minReadySeconds": [at_least(0)],
    "spec.selector": [required()],
    "spec.replicas": [set_at_all(), at_least(0)],
    "spec.template": [_a_template, template_of("ReplicationController")],
}

KINDS: Final[Group] = {("", "ReplicationController"): Rules(_REPLICATION_CONTROLLER)}
"""The rules of ReplicationControllers."""
