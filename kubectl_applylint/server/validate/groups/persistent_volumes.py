"""PersistentVolume, and the inline volumes of VolumeAttachments.

Mirrors ``ValidatePersistentVolumeSpec`` and ``ValidatePersistentVolumeUpdate``.
"""

from posixpath import normpath
from typing import Final

from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.claims import VOLUME_MODES, access_modes
from kubectl_applylint.server.validate.pods.scheduling import NODE_SELECTOR_TERM
from kubectl_applylint.server.validate.pods.volumes import SOURCES, initiator, iscsi_secret

_REQUIRED: Final = [v.required()]
_LUN: Final = v.between(0, 255)
_MOUNT_OPTIONS: Final = "volume.beta.kubernetes.io/mount-options"
_WITH_MOUNT_OPTIONS: Final = (
    *("gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "nfs", "rbd", "quobyte", "iscsi", "cinder", "cephfs"),
    *("azureFile", "vsphereVolume", "azureDisk", "photonPersistentDisk"),
)
_BETA_LABELS: Final = {
    "beta.kubernetes.io/arch": "kubernetes.io/arch",
    "beta.kubernetes.io/os": "kubernetes.io/os",
    "failure-domain.beta.kubernetes.io/region": "topology.kubernetes.io/region",
    "failure-domain.beta.kubernetes.io/zone": "topology.kubernetes.io/zone",
    "beta.kubernetes.io/instance-type": "node.kubernetes.io/instance-type",
}
"""Beta labels of nodes and their stable names."""
_NAMED_SECRET: Final[v.Table] = {"secretRef.name": _REQUIRED, "secretRef.namespace": _REQUIRED}
_CSI_SECRET: Final[v.Table] = {
    "name": [v.required(), v.well_formed(v.dns_subdomain)],
    "namespace": [v.required(), v.well_formed(v.dns_label)],
}


def _short_portal(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the length of the volume's name and its iSCSI portal together; ``fld`` is the source."""
    portal = fld.text("targetPortal")
    if not fld.sets("initiatorName") or len(f"{fld.root.text('metadata', 'name')}:{portal}".encode()) <= 64:
        return ()
    words = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is"
    return (fld.child("targetportal").invalid(f"{words} specified.", portal),)


def _endpoints_namespace(fld: v.FieldContext) -> v.FieldErrors:
    if not fld.text():
        return (fld.invalid("if the endpointnamespace is set, it must be a valid namespace name"),)
    return [fld.invalid(fault) for fault in v.dns_label(fld.text())]


_OWN_SOURCES: Final[v.Table] = {
    "glusterfs": {"endpoints": _REQUIRED, "path": _REQUIRED, "endpointsNamespace": [_endpoints_namespace]},
    "iscsi": {
        "": [_short_portal, iscsi_secret],
        "targetPortal": _REQUIRED,
        "iqn": [v.required(), initiator(required_words=False)],
        "lun": [_LUN],
        "secretRef.name": _REQUIRED,
        "initiatorName": [v.StepSpelling(".initiatorname"), initiator(required_words=False)],
    },
    "cinder": {"volumeID": _REQUIRED, "": [_NAMED_SECRET]},
    "azureFile": {"secretName": _REQUIRED, "shareName": _REQUIRED, "secretNamespace": [v.if_set(v.required())]},
    "local": {"path": [v.required(), v.well_formed(v.path_without_backsteps)]},
    "storageos": {
        "volumeName": [v.required(), v.well_formed(v.dns_label)],
        "volumeNamespace": [v.well_formed(v.dns_label)],
        "": [_NAMED_SECRET],
    },
    "csi": {
        "driver": [v.required(), v.no_longer_than(63), v.well_formed(v.driver_name)],
        "volumeHandle": _REQUIRED,
        "controllerPublishSecretRef": _CSI_SECRET,
        "controllerExpandSecretRef": _CSI_SECRET,
        "nodePublishSecretRef": _CSI_SECRET,
        "nodeExpandSecretRef": _CSI_SECRET,
    },
}
"""Sources that only persistent volumes have, or that have more constraints than those of pods."""
_ORDER: Final = (
    *("hostPath", "gcePersistentDisk", "awsElasticBlockStore", "glusterfs", "flocker", "nfs", "rbd", "quobyte"),
    *("cephfs", "iscsi", "cinder", "fc", "flexVolume", "azureFile", "vsphereVolume", "photonPersistentDisk"),
    *("portworxVolume", "azureDisk", "scaleIO", "local", "storageos", "csi"),
)
"""The sources in the order in which the server checks them."""
_MISSPELLED: Final = {"cephfs": ".cephFS"}
_LOOKED_INTO: Final = {name: v.inside({name: _OWN_SOURCES.get(name) or SOURCES[name]}) for name in _ORDER}


def _one_source(fld: v.FieldContext) -> v.FieldErrors:
    """Require exactly one source; ``fld`` is the spec. Of several, the server validates only the first."""
    given = fld.given(_ORDER)
    if not given:
        yield fld.required("must specify a volume type")
        return
    yield from _LOOKED_INTO[given[0]](fld)
    for name in given[1:]:
        # The server allows a flexVolume besides another source.
        if name == "flexVolume":
            yield from _LOOKED_INTO[name](fld)
        else:
            place = fld.child(name).with_step(_MISSPELLED.get(name, f".{name}"))
            yield place.forbidden("may not specify more than 1 volume type")
    if given[0] == "local" and not fld.sets("nodeAffinity"):
        yield fld.child("nodeAffinity").required("Local volume requires node affinity")


def _not_recycled(fld: v.FieldContext) -> v.FieldErrors:
    path = fld.get("hostPath", "path")
    whole = isinstance(path, str) and normpath(path) in ("/", "//")
    if not whole or fld.text("persistentVolumeReclaimPolicy") != "Recycle":
        return ()
    place = fld.child("persistentVolumeReclaimPolicy")
    return (place.forbidden("may not be 'recycle' for a hostPath mount of '/'"),)


@v.always
def _capacity(fld: v.FieldContext) -> v.FieldErrors:
    """Require the capacity to have exactly the storage resource."""
    if fld.empty:
        yield fld.required()
    if set(mapping(fld.value)) != {"storage"}:
        yield fld.not_supported(["storage"])
    for entry in fld.entries():
        if v.amount(entry.value) < 0:
            yield entry.invalid("must be a valid resource quantity", -int(-v.amount(entry.value)))
        yield from v.positive(entry)


def _class_of_csi(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid an attributes class except for CSI volumes."""
    if not fld.text():
        yield fld.required("an empty string is disallowed")
    yield from (fld.invalid(fault) for fault in (v.dns_subdomain(fld.text()) if fld.text() else ()))
    if not fld.parent.sets("csi"):
        yield fld.parent.child("csi").required("has to be specified when using volumeAttributesClassName")


def _had_bad_values(fld: v.FieldContext) -> bool:
    """Return whether the stored node affinity has invalid label values."""
    terms = fld.root.before().at("spec", "nodeAffinity", "required", "nodeSelectorTerms").items()
    return any(v.has_bad_values(term.value) for term in terms)


_COMMON: Final[v.Table] = {
    "": [_one_source, _not_recycled],
    "accessModes": [v.required(), access_modes],
    "volumeAttributesClassName": [v.since(34, _class_of_csi)],
}
_SPEC: Final[v.Table] = {
    "": [_COMMON],
    "capacity": [_capacity],
    "persistentVolumeReclaimPolicy": [v.one_of("Delete", "Recycle", "Retain")],
    "nodeAffinity.required": [v.set_at_all("must specify required node constraints")],
    "nodeAffinity.required.nodeSelectorTerms": [v.required("must have at least one node selector term")],
    "nodeAffinity.required.nodeSelectorTerms[*]": NODE_SELECTOR_TERM,
    "nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values": [
        v.unless(_had_bad_values, v.label_values)
    ],
    "storageClassName": [v.well_formed(v.dns_subdomain)],
    "volumeMode": [v.if_set(v.required_one_of(*VOLUME_MODES))],
}
_NOT_INLINE: Final = v.forbidden("may not be specified in the context of inline volumes")


def _only(value: str, words: str) -> v.Constraint:
    return lambda fld: () if fld.value == value else (fld.forbidden(f"{words} in the context of inline volumes"),)


INLINE_VOLUME: Final = v.inside(
    {
        "": [_COMMON],
        "claimRef": [_NOT_INLINE],
        "capacity": [_NOT_INLINE],
        "csi": [v.set_at_all("has to be specified in the context of inline volumes")],
        "persistentVolumeReclaimPolicy": [_only("Retain", "may only be Retain")],
        "nodeAffinity": [_NOT_INLINE],
        "storageClassName": [_NOT_INLINE],
        "volumeMode": [_only("Filesystem", "may not specify volumeMode other than Filesystem")],
    }
)
"""The constraints of a volume that belongs to one attachment."""


def _source(fld: v.FieldContext) -> JsonObject:
    return {name: fld.get(name) for name in _ORDER if fld.sets(name)}


def _immutable_source(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the source, except adding a CSI expansion secret. ``fld`` is the spec."""
    new, old = _source(fld), _source(fld.before())
    secret = "controllerExpandSecretRef"
    if mapping(old.get("csi")) and secret not in mapping(old["csi"]) and "csi" in new:
        new = {**new, "csi": {name: value for name, value in new["csi"].items() if name != secret}}
    if v.same(new, old):
        return ()
    place = fld.child("persistentvolumesource")
    return (place.forbidden("spec.persistentvolumesource is immutable after creation"),)


def _immutable_affinity(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of a node affinity that is set; ``fld`` is the spec, which the path omits."""
    new, old = fld.get("nodeAffinity"), fld.before().get("nodeAffinity")
    if old is MISSING or _is_like(new, old):
        return ()
    words = "field is immutable, except for updating from beta label to GA"
    return (fld.root.child("nodeAffinity").invalid(words, new),)


def _is_like(new: Json | Missing, old: Json | Missing) -> bool:
    """Return whether two affinities are the same, except for beta labels replaced by their stable names."""
    match new, old:
        case dict(), dict():
            return all(_is_like(new.get(name, MISSING), old.get(name, MISSING)) for name in new.keys() | old.keys())
        case list(), list():
            return len(new) == len(old) and all(map(_is_like, new, old))
        case str(), str() if old in _BETA_LABELS:
            return new in (old, _BETA_LABELS[old])
        case _:
            return v.same(new, old)


def immutable_volume_mode(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid changes of the volume mode; ``fld`` is the spec of a volume or claim, which the path omits."""
    if v.same(fld.get("volumeMode"), fld.before().get("volumeMode")):
        return ()
    return (fld.root.child("volumeMode").with_value(fld.get("volumeMode")).immutable(),)


def _class_not_unset(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid unsetting the attributes class."""
    lost = fld.before().there and not fld.there
    return (fld.forbidden("update from non-nil value to nil is forbidden"),) if lost else ()


def _mount_options(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid a mount options annotation on volumes that cannot be mounted with options."""
    annotation = fld.at("metadata", "annotations", _MOUNT_OPTIONS)
    if not annotation.there or any(fld.sets("spec", name) for name in _WITH_MOUNT_OPTIONS):
        return ()
    return (annotation.forbidden("may not specify mount options for this volume type"),)


_PERSISTENT_VOLUME: Final[v.Table] = {
    "": [_mount_options],
    "spec": [v.struct, v.on_update(_immutable_source, immutable_volume_mode, _immutable_affinity), _SPEC],
    "spec.volumeAttributesClassName": [v.since(34, v.on_update(v.Always(_class_not_unset)))],
}

KINDS: Final[v.Group] = {("", "PersistentVolume"): v.Rules(_PERSISTENT_VOLUME)}
