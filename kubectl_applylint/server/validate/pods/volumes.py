"""Volumes: each has one source, and each source its fields.

Mirrors ``ValidateVolumes`` and ``validateVolumeSource``. In some places the server spells a source differently from its
field.
"""

import re
from typing import Final

from kubectl_applylint.core.regex import regex
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.groups.claims import CLAIM_TEMPLATE
from kubectl_applylint.server.validate.pods.containers import PULL_POLICIES
from kubectl_applylint.server.validate.pods.hosts import is_pod
from kubectl_applylint.server.validate.pods.projected import DOWNWARD_FILE, KEYS, MODE, PROJECTED

_MISSPELLED: Final = {"cephfs": ".cephFS", "downwardAPI": ".downwarAPI"}
"""The server's spelling of a surplus source, if it is not the field's name."""
HOST_PATHS: Final = (
    *("", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"),
)
"""The types that a path on the node may have."""
_LUN: Final = v.between(0, 255)
_PARTITION: Final = v.between(0, 255, "must be between 1 and 255, inclusive")
_QUALIFIED_NAME: Final = {
    "iqn": regex(r"iqn\.\d{4}-\d{2}\.([0-9A-Za-z.-]+)(:[^,;*&$|\s]+)$"),
    "eui": regex(r"^eui.[0-9A-Za-z]{16}$"),
    "naa": regex(r"^naa.[0-9A-Za-z]{32}$"),
}


def initiator(*, required_words: bool = True) -> v.Constraint:
    """Require the name of an iSCSI initiator or target."""
    start_words = "must be valid format starting with iqn, eui, or naa" if required_words else "must be valid format"

    def check(fld: v.FieldContext) -> v.FieldErrors:
        kind = fld.text()[:3]
        if kind not in _QUALIFIED_NAME:
            return (fld.invalid(start_words),) if fld.text() else ()
        return () if _QUALIFIED_NAME[kind].search(fld.text()) else (fld.invalid("must be valid format"),)

    return check


def iscsi_secret(fld: v.FieldContext) -> v.FieldErrors:
    """Require a secret for CHAP; ``fld`` is the iSCSI source."""
    needed = fld.flag("chapAuthDiscovery") or fld.flag("chapAuthSession")
    return (fld.child("secretRef").required(),) if needed and not fld.sets("secretRef") else ()


def _short_portal(fld: v.FieldContext) -> v.FieldErrors:
    """Limit the length of the volume's name and its iSCSI portal together; ``fld`` is the volume."""
    together = f"{fld.text('name')}:{fld.text('iscsi', 'targetPortal')}"
    if not fld.sets("iscsi", "initiatorName") or len(together.encode()) <= 64:
        return ()
    words = "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is"
    return (fld.child("name").invalid(f"{words} specified."),)


def fibre_channel(fld: v.FieldContext) -> v.FieldErrors:
    """Require either the targets or the ids of a Fibre Channel volume."""
    targets, lun = fld.child("targetWWNs"), fld.child("lun")
    if targets.empty and not fld.has("wwids"):
        yield targets.required("must specify either targetWWNs or wwids, but not both")
    if not targets.empty and fld.has("wwids"):
        yield targets.invalid("targetWWNs and wwids can not be specified simultaneously")
    if not targets.empty and not lun.there:
        yield lun.required("lun is required if targetWWNs is specified")
    elif not targets.empty:
        yield from _LUN(lun)


@v.always
def absolute_path(fld: v.FieldContext) -> v.FieldErrors:
    """Require a path that begins at the root."""
    if not fld.text():
        yield fld.required()
    if not fld.text().startswith("/"):
        yield fld.invalid("must be an absolute path", fld.text())


def quobyte_registry(fld: v.FieldContext) -> v.FieldErrors:
    """Require a list of addresses as the registry of a Quobyte volume; ``fld`` is the source."""
    registry, words = fld.child("registry"), "must be a host:port pair or multiple pairs separated by commas"
    if not registry.text():
        yield registry.required(words)
    elif len(fld.text("tenant")) >= 65:
        yield fld.child("tenant").required("must be a UUID and may not exceed a length of 64 characters")
    elif not all(re.fullmatch(r"(\[[^][]*\]|[^][:]*):[^][:]*", pair) for pair in registry.text().split(",")):
        yield registry.invalid(words)


def flocker_data(fld: v.FieldContext) -> v.FieldErrors:
    """Require exactly one name of a Flocker volume's data."""
    name, uid = fld.text("datasetName"), fld.text("datasetUUID")
    if not name and not uid:
        yield fld.required("one of datasetName and datasetUUID is required")
    if name and uid:
        yield fld.invalid("datasetName and datasetUUID can not be specified simultaneously", "resource")
    if "/" in name:
        yield fld.child("datasetName").invalid("must not contain '/'")


def own_options(fld: v.FieldContext) -> v.FieldErrors:
    """Forbid options of a flex volume in Kubernetes' own name spaces."""
    for entry in fld.entries():
        domain = "." + entry.step[1:-1].partition("/")[0].lower()
        if domain.endswith((".kubernetes.io", ".k8s.io")):
            yield entry.invalid("kubernetes.io and k8s.io namespaces are reserved", entry.step[1:-1])


def azure_disk(fld: v.FieldContext) -> v.FieldErrors:
    """Require a URI of an Azure disk that fits its kind."""
    uri, kind = fld.child("diskURI"), fld.get("kind")
    if not uri.text():
        yield uri.required()
    if kind == "Managed" and not uri.text().startswith("/subscriptions/"):
        path = "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"
        yield uri.not_supported((path,))
    if isinstance(kind, str) and kind != "Managed" and not uri.text().startswith("https://"):
        yield uri.not_supported(("https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd",))


def _secret_of_driver(fld: v.FieldContext) -> v.FieldErrors:
    """Check the name of a source's secret; errors have the path of the source."""
    if not fld.text("name"):
        yield fld.child("name").required()
    else:
        place = fld.parent.child("name").with_value(fld.text("name"))
        yield from (place.invalid(fault) for fault in v.dns_subdomain(fld.text("name")))


_REQUIRED: Final = [v.required()]
_SECRET: Final[v.Table] = {"secretRef.name": _REQUIRED}

SOURCES: Final[v.Table] = {
    "emptyDir": {
        "sizeLimit": [
            v.when(
                lambda fld: v.amount(fld.value) < 0, v.forbidden("SizeLimit field must be a valid resource quantity")
            )
        ]
    },
    "hostPath": {"path": [v.required(), v.well_formed(v.path_without_backsteps)], "type": [v.one_of(*HOST_PATHS)]},
    "gitRepo": {"repository": _REQUIRED, "directory": [v.well_formed(v.relative_path)]},
    "gcePersistentDisk": [v.StepSpelling(".persistentDisk"), {"pdName": _REQUIRED, "partition": [_PARTITION]}],
    "awsElasticBlockStore": {"volumeID": _REQUIRED, "partition": [_PARTITION]},
    "secret": {"secretName": _REQUIRED, "defaultMode": [MODE], "items[*]": KEYS},
    "nfs": {"server": _REQUIRED, "path": [absolute_path]},
    "iscsi": {
        "": [iscsi_secret],
        "targetPortal": _REQUIRED,
        "iqn": [v.required(), initiator()],
        "lun": [_LUN],
        "initiatorName": [v.StepSpelling(".initiatorname"), initiator()],
    },
    "glusterfs": {"endpoints": _REQUIRED, "path": _REQUIRED},
    "flocker": [flocker_data],
    "persistentVolumeClaim": {"claimName": _REQUIRED},
    "rbd": {"monitors": _REQUIRED, "image": _REQUIRED},
    "cinder": {"volumeID": _REQUIRED, "": [_SECRET]},
    "cephfs": {"monitors": _REQUIRED},
    "quobyte": {"": [quobyte_registry], "volume": _REQUIRED},
    # The server reports the faults of a file for the whole source.
    "downwardAPI": {"defaultMode": [MODE], "items": [v.StepSpelling(""), {"[*]": [v.StepSpelling(""), DOWNWARD_FILE]}]},
    "fc": [fibre_channel],
    "flexVolume": {"driver": _REQUIRED, "options": [own_options]},
    "configMap": {"name": _REQUIRED, "defaultMode": [MODE], "items[*]": KEYS},
    "azureFile": {"secretName": _REQUIRED, "shareName": _REQUIRED},
    "vsphereVolume": {"volumePath": _REQUIRED},
    "photonPersistentDisk": {"pdID": _REQUIRED},
    "portworxVolume": {"volumeID": _REQUIRED},
    "azureDisk": {
        "": [azure_disk],
        "diskName": _REQUIRED,
        "cachingMode": [v.one_of("None", "ReadOnly", "ReadWrite")],
        "kind": [v.one_of("Dedicated", "Managed", "Shared")],
    },
    "storageos": {
        "volumeName": [v.required(), v.well_formed(v.dns_label)],
        "volumeNamespace": [v.well_formed(v.dns_label)],
        "": [_SECRET],
    },
    "projected": PROJECTED,
    "scaleIO": {"gateway": _REQUIRED, "system": _REQUIRED, "volumeName": _REQUIRED},
    "csi": {
        "driver": [v.required(), v.no_longer_than(63), v.well_formed(v.driver_name)],
        "nodePublishSecretRef": [_secret_of_driver],
    },
    "ephemeral": {"volumeClaimTemplate": [v.set_at_all(), CLAIM_TEMPLATE]},
    "image": {
        "reference": [v.when(lambda fld: is_pod(fld.nearest(".spec")), v.required())],
        "pullPolicy": [v.required_and_one_of(*PULL_POLICIES)],
    },
}
"""The sources of a volume, in the order in which the server checks them."""

VOLUME: Final[v.Table] = {
    "": [
        v.union(
            SOURCES,
            none="must specify a volume type",
            more="may not specify more than 1 volume type",
            misspelled=_MISSPELLED,
        ),
        _short_portal,
    ],
    "name": [v.required(), v.well_formed(v.dns_label)],
}
"""The constraints of one volume of a pod."""
