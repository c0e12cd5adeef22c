"""PersistentVolume, and the volumes that VolumeAttachments describe themselves.

Mirrors ``ValidatePersistentVolumeSpec`` and ``ValidatePersistentVolumeUpdate``.
"""

from collections.abc import Iterable, Iterator
from posixpath import normpath
from typing import Final

from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.values import MISSING, Json, JsonObject, Missing, mapping
from kubectl_applylint.server.validate.amounts import amount, positive
from kubectl_applylint.server.validate.claims import VOLUME_MODES, access_modes
from kubectl_applylint.server.validate.conditions import if_set
from kubectl_applylint.server.validate.constraints import (
    between,
    forbidden,
    no_longer_than,
    on_update,
    one_of,
    required,
    required_one_of,
    same,
    set_at_all,
    since,
    unless,
    well_formed,
)
from kubectl_applylint.server.validate.field_context import (
    Always,
    Constraint,
    FieldContext,
    Spelled,
    Table,
    always,
    struct,
)
from kubectl_applylint.server.validate.formats import dns_label, dns_subdomain, driver_name, path_without_backsteps
from kubectl_applylint.server.validate.pods.scheduling import NODE_SELECTOR_TERM
from kubectl_applylint.server.validate.pods.volumes import (
    HOST_PATHS,
    absolute_path,
    azure_disk,
    fibre_channel,
    flocker_data,
    initiator,
    iscsi_secret,
    own_options,
    quobyte_registry,
)
from kubectl_applylint.server.validate.rules import Group, Rules
from kubectl_applylint.server.validate.selectors import has_bad_values, label_values
from kubectl_applylint.server.validate.walk import inside

_REQUIRED: Final = [required()]
_PARTITION: Final = between(0, 255, "must be between 1 and 255, inclusive")
_LUN: Final = between(0, 255)
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
"""Labels of nodes and what they are called since they are stable."""
_NAMED_SECRET: Final[Table] = {"secretRef.name": _REQUIRED, "secretRef.namespace": _REQUIRED}
_CSI_SECRET: Final[Table] = {
    "name": [required(), well_formed(dns_subdomain)],
    "namespace": [required(), well_formed(dns_label)],
}


def _short_portal(fld: FieldContext) -> Iterable[FieldError]:
    """The name of the volume and its iSCSI portal are not too long together; ``fld`` is the source."""
    portal = fld.text("targetPortal")
    if not fld.sets("initiatorName") or len(f"{fld.root.text('metadata', 'name')}:{portal}".encode()) <= 64:
        return ()
    words = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is"
    return (fld.child("targetportal").invalid(f"{words} specified.", portal),)


def _endpoints_namespace(fld: FieldContext) -> Iterable[FieldError]:
    if not fld.text():
        return (fld.invalid("if the endpointnamespace is set, it must be a valid namespace name"),)
    return [fld.invalid(fault) for fault in dns_label(fld.text())]


_SOURCES: Final[dict[str, Table]] = {
    "hostPath": {"path": [required(), well_formed(path_without_backsteps)], "type": [one_of(*HOST_PATHS)]},
    "gcePersistentDisk": {"": [Spelled(".persistentDisk")], "pdName": _REQUIRED, "partition": [_PARTITION]},
    "awsElasticBlockStore": {"volumeID": _REQUIRED, "partition": [_PARTITION]},
    "glusterfs": {"endpoints": _REQUIRED, "path": _REQUIRED, "endpointsNamespace": [_endpoints_namespace]},
    "flocker": {"": [flocker_data]},
    "nfs": {"server": _REQUIRED, "path": [absolute_path]},
    "rbd": {"monitors": _REQUIRED, "image": _REQUIRED},
    "quobyte": {"": [quobyte_registry], "volume": _REQUIRED},
    "cephfs": {"monitors": _REQUIRED},
    "iscsi": {
        "": [_short_portal, iscsi_secret],
        "targetPortal": _REQUIRED,
        "iqn": [required(), initiator(required_words=False)],
        "lun": [_LUN],
        "secretRef.name": _REQUIRED,
        "initiatorName": [Spelled(".initiatorname"), initiator(required_words=False)],
    },
    "cinder": {"volumeID": _REQUIRED, "": [_NAMED_SECRET]},
    "fc": {"": [fibre_channel]},
    "flexVolume": {"driver": _REQUIRED, "options": [own_options]},
    "azureFile": {
        "secretName": _REQUIRED,
        "shareName": _REQUIRED,
        "secretNamespace": [if_set(required())],
    },
    "vsphereVolume": {"volumePath": _REQUIRED},
    "photonPersistentDisk": {"pdID": _REQUIRED},
    "portworxVolume": {"volumeID": _REQUIRED},
    "azureDisk": {
        "": [azure_disk],
        "diskName": _REQUIRED,
        "cachingMode": [one_of("None", "ReadOnly", "ReadWrite")],
        "kind": [one_of("Dedicated", "Managed", "Shared")],
    },
    "scaleIO": {"gateway": _REQUIRED, "system": _REQUIRED, "volumeName": _REQUIRED},
    "local": {"path": [required(), well_formed(path_without_backsteps)]},
    "storageos": {
        "volumeName": [required(), well_formed(dns_label)],
        "volumeNamespace": [well_formed(dns_label)],
        "": [_NAMED_SECRET],
    },
    "csi": {
        "driver": [required(), no_longer_than(63), well_formed(driver_name)],
        "volumeHandle": _REQUIRED,
        "controllerPublishSecretRef": _CSI_SECRET,
        "controllerExpandSecretRef": _CSI_SECRET,
        "nodePublishSecretRef": _CSI_SECRET,
        "nodeExpandSecretRef": _CSI_SECRET,
    },
}
"""In the order in which the server looks for them."""
_MISSPELLED: Final = {"cephfs": ".cephFS"}
_LOOKED_INTO: Final = {name: inside({name: table}) for name, table in _SOURCES.items()}


def _one_source(fld: FieldContext) -> Iterator[FieldError]:
    """A volume has exactly one source; ``fld`` is the spec. Of several the server looks into the first only."""
    given = fld.given(tuple(_SOURCES))
    if not given:
        yield fld.required("must specify a volume type")
        return
    yield from _LOOKED_INTO[given[0]](fld)
    for name in given[1:]:
        # Nothing keeps a flexVolume from standing beside another source.
        if name == "flexVolume":
            yield from _LOOKED_INTO[name](fld)
        else:
            place = fld.child(name).said(_MISSPELLED.get(name, f".{name}"))
            yield place.forbidden("may not specify more than 1 volume type")
    if given[0] == "local" and not fld.sets("nodeAffinity"):
        yield fld.child("nodeAffinity").required("Local volume requires node affinity")


def _not_recycled(fld: FieldContext) -> Iterable[FieldError]:
    path = fld.get("hostPath", "path")
    whole = isinstance(path, str) and normpath(path) in ("/", "//")
    if not whole or fld.text("persistentVolumeReclaimPolicy") != "Recycle":
        return ()
    place = fld.child("persistentVolumeReclaimPolicy")
    return (place.forbidden("may not be 'recycle' for a hostPath mount of '/'"),)


@always
def _capacity(fld: FieldContext) -> Iterator[FieldError]:
    """The capacity says how much storage there is, and nothing else."""
    if fld.empty:
        yield fld.required()
    if set(mapping(fld.value)) != {"storage"}:
        yield fld.unsupported(["storage"])
    for entry in fld.entries():
        if amount(entry.value) < 0:
            yield entry.invalid("must be a valid resource quantity", -int(-amount(entry.value)))
        yield from positive(entry)


def _class_of_csi(fld: FieldContext) -> Iterator[FieldError]:
    """Attributes can be changed later for CSI volumes only."""
    if not fld.text():
        yield fld.required("an empty string is disallowed")
    yield from (fld.invalid(fault) for fault in (dns_subdomain(fld.text()) if fld.text() else ()))
    if fld.up is not None and not fld.up.sets("csi"):
        yield fld.up.child("csi").required("has to be specified when using volumeAttributesClassName")


def _had_bad_values(fld: FieldContext) -> bool:
    terms = fld.root.before().at("spec", "nodeAffinity", "required", "nodeSelectorTerms").items()
    return any(has_bad_values(term.value) for term in terms)


_COMMON: Final[Table] = {
    "": [_one_source, _not_recycled],
    "accessModes": [required(), access_modes],
    "volumeAttributesClassName": [since(34, _class_of_csi)],
}
_SPEC: Final[Table] = {
    "": [_COMMON],
    "capacity": [_capacity],
    "persistentVolumeReclaimPolicy": [one_of("Delete", "Recycle", "Retain")],
    "nodeAffinity.required": [set_at_all("must specify required node constraints")],
    "nodeAffinity.required.nodeSelectorTerms": [required("must have at least one node selector term")],
    "nodeAffinity.required.nodeSelectorTerms[*]": NODE_SELECTOR_TERM,
    "nodeAffinity.required.nodeSelectorTerms[*].matchExpressions[*].values": [unless(_had_bad_values, label_values)],
    "storageClassName": [well_formed(dns_subdomain)],
    "volumeMode": [if_set(required_one_of(*VOLUME_MODES))],
}
_NOT_INLINE: Final = forbidden("may not be specified in the context of inline volumes")


def _only(value: str, words: str) -> Constraint:
    return lambda fld: () if fld.value == value else (fld.forbidden(f"{words} in the context of inline volumes"),)


INLINE_VOLUME: Final = inside(
    {
        "": [_COMMON],
        "claimRef": [_NOT_INLINE],
        "capacity": [_NOT_INLINE],
        "csi": [set_at_all("has to be specified in the context of inline volumes")],
        "persistentVolumeReclaimPolicy": [_only("Retain", "may only be Retain")],
        "nodeAffinity": [_NOT_INLINE],
        "storageClassName": [_NOT_INLINE],
        "volumeMode": [_only("Filesystem", "may not specify volumeMode other than Filesystem")],
    }
)
"""The constraints of a volume that belongs to one attachment."""


def _source(fld: FieldContext) -> JsonObject:
    return {name: fld.get(name) for name in _SOURCES if fld.sets(name)}


def _kept_source(fld: FieldContext) -> Iterable[FieldError]:
    """The source stays; a CSI source without a secret for growing may get one. ``fld`` is the spec."""
    new, old = _source(fld), _source(fld.before())
    secret = "controllerExpandSecretRef"
    if mapping(old.get("csi")) and secret not in mapping(old["csi"]) and "csi" in new:
        new = {**new, "csi": {name: value for name, value in new["csi"].items() if name != secret}}
    if same(new, old):
        return ()
    place = fld.child("persistentvolumesource")
    return (place.forbidden("spec.persistentvolumesource is immutable after creation"),)


def _kept_affinity(fld: FieldContext) -> Iterable[FieldError]:
    """Where a volume can be used stays once it is said; ``fld`` is the spec, but the path lacks it."""
    new, old = fld.get("nodeAffinity"), fld.before().get("nodeAffinity")
    if old is MISSING or _is_like(new, old):
        return ()
    words = "field is immutable, except for updating from beta label to GA"
    return (fld.root.child("nodeAffinity").invalid(words, new),)


def _is_like(new: Json | Missing, old: Json | Missing) -> bool:
    """Return whether two affinities are the same; labels may have got the names that replaced the beta ones."""
    match new, old:
        case dict(), dict():
            return all(_is_like(new.get(name, MISSING), old.get(name, MISSING)) for name in new.keys() | old.keys())
        case list(), list():
            return len(new) == len(old) and all(map(_is_like, new, old))
        case str(), str() if old in _BETA_LABELS:
            return new in (old, _BETA_LABELS[old])
        case _:
            return same(new, old)


def kept_volume_mode(fld: FieldContext) -> Iterable[FieldError]:
    """The volume mode stays; ``fld`` is the spec of a volume or claim, but the path lacks it."""
    if same(fld.get("volumeMode"), fld.before().get("volumeMode")):
        return ()
    return (fld.root.child("volumeMode").with_value(fld.get("volumeMode")).immutable(),)


def _kept_class(fld: FieldContext) -> Iterable[FieldError]:
    lost = fld.before().there and not fld.there
    return (fld.forbidden("update from non-nil value to nil is forbidden"),) if lost else ()


def _mount_options(fld: FieldContext) -> Iterable[FieldError]:
    """Mount options that are given by annotation, as they used to be, are for file systems that are mounted."""
    annotation = fld.at("metadata", "annotations", _MOUNT_OPTIONS)
    if not annotation.there or any(fld.sets("spec", name) for name in _WITH_MOUNT_OPTIONS):
        return ()
    return (annotation.forbidden("may not specify mount options for this volume type"),)


_PERSISTENT_VOLUME: Final[Table] = {
    "": [_mount_options],
    "spec": [struct, on_update(_kept_source, kept_volume_mode, _kept_affinity), _SPEC],
    "spec.volumeAttributesClassName": [since(34, on_update(Always(_kept_class)))],
}

KINDS: Final[Group] = {("", "PersistentVolume"): Rules(_PERSISTENT_VOLUME)}
