"""Storage claims: the spec that PersistentVolumeClaims, StatefulSets and ephemeral volumes share.

Mirrors ``ValidatePersistentVolumeClaimSpec`` and ``ValidatePersistentVolumeClaimTemplate``.
"""

from typing import Final

from kubectl_applylint.server.validate import dsl as v

ACCESS_MODES: Final = ("ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod")
VOLUME_MODES: Final = ("Block", "Filesystem")


def access_modes(fld: v.FieldContext) -> v.FieldErrors:
    """Require known access modes; the error has the path of the whole list."""
    modes = [item.value for item in fld.items()]
    for item in fld.items():
        if item.value not in ACCESS_MODES:
            yield fld.with_value(item.value).not_supported(ACCESS_MODES)
    if "ReadWriteOncePod" in modes and set(modes) & set(ACCESS_MODES) - {"ReadWriteOncePod"}:
        yield fld.forbidden("may not use ReadWriteOncePod with other access modes")


@v.always
def _size(fld: v.FieldContext) -> v.FieldErrors:
    """Require a requested size above zero; ``fld`` is the spec."""
    place = fld.child("resources").entry("storage").with_value(fld.get("resources", "requests", "storage"))
    return v.positive(place) if place.there else (place.required(),)


def _source(fld: v.FieldContext) -> v.FieldErrors:
    """Require a complete reference to the data source of a claim."""
    group, kind = fld.text("apiGroup"), fld.text("kind")
    if not fld.text("name"):
        yield fld.child("name").required()
    if not kind:
        yield fld.child("kind").required()
    if not group and kind != "PersistentVolumeClaim":
        yield fld.invalid("must be 'PersistentVolumeClaim' when referencing the default apiGroup", kind)
    if group and not _had_group(fld):
        yield from (fld.child("apiGroup").invalid(fault) for fault in v.dns_subdomain(group))
    if namespace := fld.text("namespace"):
        yield from (fld.child("namespace").invalid(fault) for fault in v.dns_label(namespace))


def _had_group(fld: v.FieldContext) -> bool:
    """Return whether the stored claim's data source has a group, which used not to be checked."""
    old = fld.nearest(".spec").before()
    return old.sets("dataSource", "apiGroup") or old.sets("dataSourceRef", "apiGroup")


def _same_source(fld: v.FieldContext) -> v.FieldErrors:
    """Require that both data source fields of a claim agree; ``fld`` is the spec."""
    source, reference = fld.child("dataSource"), fld.child("dataSourceRef")
    if not source.there or not reference.there:
        return ()
    if reference.text("namespace"):
        return (fld.invalid("may not be specified when dataSourceRef.namespace is specified", str(source)),)
    names = ("apiGroup", "kind", "name")
    same = [source.get(name) for name in names] == [reference.get(name) for name in names]
    return () if same else (fld.invalid("must match dataSourceRef", str(source)),)


CLAIM_SPEC: Final[v.Table] = {
    "": [_size, _same_source],
    "accessModes": [v.required("at least 1 access mode is required"), access_modes],
    "selector": v.selector_table(tolerant=v.had_bad_selector),
    "storageClassName": [v.well_formed(v.dns_subdomain)],
    "volumeMode": [v.one_of(*VOLUME_MODES)],
    "dataSource": [_source],
    "dataSourceRef": [_source],
    "volumeAttributesClassName": [v.since(34, v.well_formed(v.dns_subdomain))],
}
"""The constraints of the spec of a claim."""

_NOT_IN_TEMPLATES: Final = (
    *("name", "generateName", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp"),
    *("deletionTimestamp", "deletionGracePeriodSeconds", "ownerReferences", "finalizers", "managedFields", "selfLink"),
)


def labels_and_annotations_only(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid metadata in a template that only single objects can have."""
    for name in _NOT_IN_TEMPLATES:
        if fld.has(name):
            shown = "UID" if name == "uid" else name
            yield fld.child(name).with_step(f".{shown[0].lower()}{shown[1:]}").forbidden("cannot be set")


CLAIM_TEMPLATE: Final[v.Table] = {
    "metadata": [labels_and_annotations_only],
    "metadata.labels": [v.well_formed_labels],
    "metadata.annotations": [v.well_formed_annotations],
    "spec": [v.struct, CLAIM_SPEC],
}
"""The constraints of a template of claims."""
