"""StorageVersionMigration.

Mirrors ``pkg/apis/storagemigration/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v


def _resource(fld: v.FieldContext) -> v.FieldErrors:
    return [fld.invalid(fault) for fault in v.joined(v.dns_1035_label(fld.text()))] if fld.text() else ()


def _group(fld: v.FieldContext) -> v.FieldErrors:
    return [fld.invalid(fault) for fault in v.joined(v.dns_subdomain(fld.text()))] if fld.text() else ()


_MIGRATION: Final[v.Table] = {
    "spec": [v.struct, v.unchangeable],
    "spec.resource": [v.struct],
    "spec.resource.resource": [v.required("resource is required to be set"), _resource],
    "spec.resource.group": [_group],
}

KINDS: Final[v.Group] = {
    ("storagemigration.k8s.io", "StorageVersionMigration"): v.Rules(_MIGRATION),
}
