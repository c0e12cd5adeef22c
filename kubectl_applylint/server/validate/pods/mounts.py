"""How containers use the volumes of their pod.

Mirrors ``ValidateVolumeMounts``, ``ValidateVolumeDevices`` and ``validateFileKeyRefVolumes``. An invalid volume does
not count as one of the pod, so its uses are rejected as well.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from kubectl_applylint.core.values import Json
from kubectl_applylint.server.validate import dsl as v
from kubectl_applylint.server.validate.pods.containers import visit_containers
from kubectl_applylint.server.validate.pods.hosts import is_pod
from kubectl_applylint.server.validate.pods.volumes import VOLUME
from kubectl_applylint.server.validate.walk import Plan, plan, walk

_PROPAGATION: Final = ("Bidirectional", "HostToContainer", "None")
_RECURSIVE: Final = ("Disabled", "Enabled", "IfPossible")


@cache
def _volume_plan() -> Plan:
    return plan(VOLUME)


def volumes_and_mounts(fld: v.FieldContext) -> v.FieldErrors:
    """Require valid volumes, and references to them in containers; ``fld`` is the pod's spec."""
    volumes: dict[Json, v.FieldContext] = {}
    for volume in fld.child("volumes").items():
        name = volume.get("name")
        refusals = [*walk(volume, _volume_plan()), *_made_claim(volume, fld)]
        if name in volumes:
            refusals.append(volume.child("name").duplicate())
        if not refusals:
            volumes[name] = volume
        yield from refusals
    for container in visit_containers(fld):
        yield from _mounts(container, volumes)
        yield from _devices(container, volumes)
        yield from _files_with_variables(container)


def _made_claim(volume: v.FieldContext, spec: v.FieldContext) -> v.FieldErrors:
    """Require a valid name of the claim that is created for an ephemeral volume, named after pod and volume."""
    pod = spec.root.text("metadata", "name")
    if is_pod(spec) and volume.sets("ephemeral") and pod and volume.text("name"):
        name = f"{pod}-{volume.text('name')}"
        yield from (volume.child("name").invalid(f'PVC name "{name}": {fault}') for fault in v.dns_subdomain(name))


def _mounts(container: v.FieldContext, volumes: Mapping[Json, v.FieldContext]) -> v.FieldErrors:
    mounts, paths = container.child("volumeMounts"), set()
    devices = {device.text("name"): device.text("devicePath") for device in container.child("volumeDevices").items()}
    for mount in mounts.items():
        name, path = mount.child("name"), mount.child("mountPath")
        if not name.there:
            yield name.required()
        if v.is_known(name.value) and name.value not in volumes and all(map(v.is_known, volumes)):
            yield name.with_value(name.text()).not_found()
        if not path.text():
            yield path.required()
        if path.text() in paths:
            yield path.invalid("must be unique", path.text())
        paths.add(path.text())
        if v.is_known(name.value) and name.text() in devices:
            yield name.invalid("must not already exist in volumeDevices", name.text())
        if path.text() in devices.values():
            yield path.invalid("must not already exist as a path in volumeDevices", path.text())
        yield from _part_of_volume(mount, mounts)
        yield from _propagation(mount, mounts)


def _part_of_volume(mount: v.FieldContext, mounts: v.FieldContext) -> v.FieldErrors:
    """Check the path inside a volume; errors have the path of the whole list."""
    path, expression = mount.text("subPath"), mount.text("subPathExpr")
    yield from (mounts.child("subPath").invalid(fault, path) for fault in v.relative_path(path))
    if path and expression:
        yield mount.child("subPathExpr").invalid("subPathExpr and subPath are mutually exclusive")
    yield from (mounts.child("subPathExpr").invalid(fault, expression) for fault in v.relative_path(expression))


def _propagation(mount: v.FieldContext, mounts: v.FieldContext) -> v.FieldErrors:
    """Check the mount propagation; errors have the path of the whole list."""
    mode, recursive = mount.get("mountPropagation"), mount.get("recursiveReadOnly")
    place = mounts.child("mountPropagation").with_value(mode)
    privileged = mount.parent.parent.flag("securityContext", "privileged")
    if place.there and mode not in _PROPAGATION:
        yield place.not_supported(_PROPAGATION)
    if mode == "Bidirectional" and not privileged:
        yield place.forbidden("Bidirectional mount propagation is available only to privileged containers")
    place = mounts.child("recursiveReadOnly").with_value(recursive)
    if place.there and recursive not in _RECURSIVE:
        yield place.not_supported(_RECURSIVE)
    elif recursive in ("Enabled", "IfPossible"):
        if not mount.flag("readOnly"):
            yield place.forbidden("may only be specified when readOnly is true")
        if mount.get("mountPropagation") != "None" and mount.sets("mountPropagation"):
            yield place.forbidden("may only be specified when mountPropagation is None or not specified")


def _devices(container: v.FieldContext, volumes: Mapping[Json, v.FieldContext]) -> v.FieldErrors:
    mounts = container.child("volumeMounts").items()
    mounted = {mount.text("name") for mount in mounts if v.is_known(mount.get("name"))}
    mount_paths = {mount.text("mountPath") for mount in mounts}
    names: set[str] = set()
    paths: set[str] = set()
    for device in container.child("volumeDevices").items():
        yield from _device(device, names, paths)
        yield from _block_volume(device.child("name"), volumes)
        if device.text("name") in mounted:
            yield device.child("name").invalid("must not already exist in volumeMounts")
        if device.text("devicePath") in mount_paths:
            yield device.child("devicePath").invalid("must not already exist as a path in volumeMounts")
        names.add(device.text("name"))
        paths.add(device.text("devicePath"))


def _device(device: v.FieldContext, names: Iterable[str], paths: Iterable[str]) -> v.FieldErrors:
    name, path = device.child("name"), device.child("devicePath")
    if not name.text():
        yield name.required()
    elif name.text() in names:
        yield name.invalid("must be unique")
    if not path.text():
        yield path.required()
    if path.text() in paths:
        yield path.invalid("must be unique", path.text())
    if v.path_without_backsteps(path.text()):
        yield path.invalid("can not contain backsteps ('..')")


def _block_volume(name: v.FieldContext, volumes: Mapping[Json, v.FieldContext]) -> v.FieldErrors:
    """Require a claim as the volume of a device."""
    volume = volumes.get(name.text())
    if volume is None and not all(map(v.is_known, volumes)):
        return ()
    if volume is None:
        return (name.with_value(name.text()).not_found(),)
    if volume.sets("persistentVolumeClaim") or volume.sets("ephemeral"):
        return ()
    words = "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode"
    return (name.invalid(words),)


def _files_with_variables(container: v.FieldContext) -> v.FieldErrors:
    """Require an ``emptyDir`` of the pod for a file with variables."""
    variables = [item for item in container.child("env").items() if item.sets("valueFrom", "fileKeyRef")]
    all_volumes = container.nearest(".spec").child("volumes").items() if variables else ()
    volumes = {volume.get("name"): volume for volume in all_volumes}
    for variable in variables:
        name = variable.at("valueFrom", "fileKeyRef", "volumeName")
        if name.text() not in volumes and all(map(v.is_known, volumes)):
            yield name.with_value(name.text()).not_found()
        elif name.text() in volumes and not volumes[name.text()].sets("emptyDir"):
            yield name.invalid("referenced volume must be of type emptyDir")
