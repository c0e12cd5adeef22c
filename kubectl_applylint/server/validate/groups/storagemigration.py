"""StorageVersionMigration.

Mirrors ``pkg/apis/storagemigration/validation``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

_MIGRATION: Final[v.Table] = {
    "spec": [v.struct, v.unchangeable],
    "spec.resource": [v.struct],
    "spec.resource.resource": [v.required("resource is required to be set"), v.well_formed(v.as_one(v.dns_1035_label))],
    "spec.resource.group": [v.well_formed(v.as_one(v.dns_subdomain))],
}

KINDS: Final[v.Group] = {("storagemigration.k8s.io", "StorageVersionMigration"): v.Rules(_MIGRATION)}
