"""The two fields for the data source of a claim.

Mirrors ``NormalizeDataSources`` and ``DropDisabledFields`` of pkg/api/persistentvolumeclaim, and the strategy in
pkg/registry/core/persistentvolumeclaim.
"""

from kubectl_applylint.core.values import MISSING, JsonObject, dig, mapping
from kubectl_applylint.server.manifests import in_spec


def prepare(new: JsonObject, old: JsonObject | None, minor: int) -> JsonObject:
    """Return a claim with consistent ``dataSource`` and ``dataSourceRef``; new unsupported sources are dropped."""
    spec = mapping(new.get("spec"))
    source, reference = spec.get("dataSource"), spec.get("dataSourceRef")
    if reference is not None and reference.get("namespace") and dig(old, "spec", "dataSourceRef") is MISSING:
        reference = None
    if reference is None and source is not None and not _had_source(old) and not _is_claim_or_snapshot(source):
        source = None
    if reference is None:
        reference = source
    elif source is None and not reference.get("namespace"):
        source = reference
    sources = {"dataSource": source, "dataSourceRef": reference}
    result = in_spec(new, {name: MISSING if given is None else given for name, given in sources.items()})
    return {**result, "status": {"phase": "Pending"}} if old is None else result


def _had_source(old: JsonObject | None) -> bool:
    spec = mapping(mapping(old).get("spec"))
    return spec.get("dataSource") is not None or spec.get("dataSourceRef") is not None


def _is_claim_or_snapshot(source: JsonObject) -> bool:
    known = {("", "PersistentVolumeClaim"), ("snapshot.storage.k8s.io", "VolumeSnapshot")}
    return (source.get("apiGroup") or "", source.get("kind")) in known
