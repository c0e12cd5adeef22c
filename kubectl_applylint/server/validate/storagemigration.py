"""StorageVersionMigration.

Mirrors ``pkg/apis/storagemigration/validation``.
"""

from collections.abc import Iterable
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.server.validate.constraints import required, unchangeable
from kubectl_applylint.server.validate.field_context import FieldContext, Table, struct
from kubectl_applylint.server.validate.formats import dns_1035_label, dns_subdomain
from kubectl_applylint.server.validate.names import joined
from kubectl_applylint.server.validate.rules import Group, Rules


def _resource(fld: FieldContext) -> Iterable[FieldError]:
    return [fld.invalid(fault) for fault in joined(dns_1035_label(fld.text()))] if fld.text() else ()


def _group(fld: FieldContext) -> Iterable[FieldError]:
    return [fld.invalid(fault) for fault in joined(dns_subdomain(fld.text()))] if fld.text() else ()


_MIGRATION: Final[Table] = {
    "spec": [struct, unchangeable],
    "spec.resource": [struct],
    "spec.resource.resource": [required("resource is required to be set"), _resource],
    "spec.resource.group": [_group],
}

KINDS: Final[Group] = {
    ("storagemigration.k8s.io", "StorageVersionMigration"): Rules(_MIGRATION),
}
