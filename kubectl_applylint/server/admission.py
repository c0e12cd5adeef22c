"""What the admission plugins that are on by default change in an object.

Mirrors plugin/pkg/admission. Where the object that a plugin takes a value from is not known, a value that surely comes
from one is ``Unknown``; of what comes from a default class, a default priority or a limit range, which a cluster may
have or not, ``assumptions`` tells that there is taken to be none.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from kubectl_applylint.core.state import UNSEEN, Present, Surroundings, Unknown
from kubectl_applylint.core.values import JsonObject, dig, items, mapping
from kubectl_applylint.schema.types import Gvk, Kind
from kubectl_applylint.server import classes
from kubectl_applylint.server.deciders import ACCOUNT
from kubectl_applylint.server.plugins.accounts import DEFAULT, account_of

_Admit: TypeAlias = Callable[[JsonObject, JsonObject | None, Surroundings], JsonObject]
"""Takes the new object, the stored one, if there is one, and what is known of others."""

MIRROR: Final = "kubernetes.io/config.mirror"
"""The annotation of a pod that only shows what a node runs."""
_AUTOMOUNT: Final = "automountServiceAccountToken"
_TOKEN: Final = "kube-api-access-"
_TOKEN_PATH: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
_PRIORITY_FIELDS: Final = ("priority", "preemptionPolicy")
_NOT_READY: Final = "node.kubernetes.io/not-ready"
_UNREACHABLE: Final = "node.kubernetes.io/unreachable"


def admit(
    new: JsonObject, old: JsonObject | None, kind: Kind, disabled: frozenset[str], around: Surroundings = UNSEEN
) -> JsonObject:
    """Return the object after admission; plugins that are named in ``disabled`` do not run.

    ``around`` is what is known of other objects, among them the classes that plugins take values from.
    """
    result = new
    for plugin, gvk, change in _PLUGINS:
        if gvk == (kind.api_version, kind.name) and plugin not in disabled:
            result = change(result, old, around)
    return result


def assumptions(
    new: JsonObject, old: JsonObject | None, kind: Kind, disabled: frozenset[str], around: Surroundings = UNSEEN
) -> tuple[str, ...]:
    """Return what ``admit`` takes for granted of the cluster when this object is created, in words for people.

    Nothing is, where all objects are known that could say otherwise.
    """
    if old is not None:
        return ()
    spec = mapping(new.get("spec"))
    return tuple(
        words
        for plugin, gvk, field, shelf, words in _ASSUMED
        if gvk == (kind.api_version, kind.name) and plugin not in disabled and spec.get(field) is None
        if not _is_known(shelf, new, around)
    )


def _is_known(shelf: tuple[str, ...], new: JsonObject, around: Surroundings) -> bool:
    """Tell whether all objects are known that a plugin could take a value from."""
    if shelf == ACCOUNT:
        return isinstance(account_of(new, around), Present)
    return not isinstance(around.every(*shelf), Unknown)


def _with_finalizer(manifest: JsonObject, finalizer: str) -> JsonObject:
    metadata = mapping(manifest.get("metadata"))
    finalizers = metadata.get("finalizers") or []
    if finalizer in finalizers:
        return manifest
    return {**manifest, "metadata": {**metadata, "finalizers": [*finalizers, finalizer]}}


def _in_spec(manifest: JsonObject, fields: JsonObject) -> JsonObject:
    return {**manifest, "spec": {**mapping(manifest.get("spec")), **fields}}


def _protect_claim(claim: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    return claim if old else _with_finalizer(claim, "kubernetes.io/pvc-protection")


def _protect_volume(volume: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    return volume if old else _with_finalizer(volume, "kubernetes.io/pv-protection")


def _protect_class(attributes: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    return attributes if old else _with_finalizer(attributes, "kubernetes.io/vac-protection")


def _tolerate(pod: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A pod stays for five minutes on a node that is not ready or cannot be reached."""
    given = mapping(pod.get("spec")).get("tolerations") or []
    added = [_five_minutes(key) for key in (_NOT_READY, _UNREACHABLE) if not any(_covers(t, key) for t in given)]
    return _in_spec(pod, {"tolerations": [*given, *added]}) if added else pod


def _five_minutes(key: str) -> JsonObject:
    return {"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}


def _covers(toleration: JsonObject, key: str) -> bool:
    return (toleration.get("key") or key) == key and (toleration.get("effect") or "NoExecute") == "NoExecute"


def _prioritise(pod: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A new pod gets the priority of its class, zero without one; later it keeps what it has.

    What it brings stays, for the server refuses it where it is not the same (``plugins.priorities``).
    """
    spec = mapping(pod.get("spec"))
    before = mapping(mapping(old).get("spec"))
    kept = {name: before[name] for name in _PRIORITY_FIELDS if name in before}
    decided = classes.priority_of(spec, around) if old is None else kept
    return _in_spec(pod, {name: value for name, value in decided.items() if spec.get(name) is None})


def _serve_account(pod: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A new pod runs as a ServiceAccount, and its containers can read a token of it."""
    spec, metadata = mapping(pod.get("spec")), mapping(pod.get("metadata"))
    if old is not None or MIRROR in mapping(metadata.get("annotations")):
        return pod
    name = spec.get("serviceAccountName") or DEFAULT
    known = account_of(pod, around)
    account = known.object if isinstance(known, Present) else {}
    own, field = spec.get(_AUTOMOUNT), "imagePullSecrets"
    mounted = {} if (account.get(_AUTOMOUNT) if own is None else own) is False else _with_token(spec)
    given = [{"name": mapping(each).get("name")} for each in items(account.get(field))]
    pulled = {field: given} if given and not spec.get(field) else {}
    return _in_spec(pod, {"serviceAccountName": name, "serviceAccount": name, **mounted, **pulled})


def _with_token(spec: JsonObject) -> JsonObject:
    """Return the fields of a pod spec in which every container mounts a volume with a token."""
    volumes = spec.get("volumes") or []
    given = next((volume["name"] for volume in volumes if str(volume.get("name")).startswith(_TOKEN)), None)
    name = given or Unknown(f"{_TOKEN} and five characters that the server draws")
    mount = {"name": name, "readOnly": True, "mountPath": _TOKEN_PATH}
    lists = {key: spec[key] for key in ("containers", "initContainers") if spec.get(key)}
    mounted = {key: [_with_mount(container, mount) for container in containers] for key, containers in lists.items()}
    if mounted == lists or given:
        return mounted
    return {**mounted, "volumes": [*volumes, {"name": name, "projected": _TOKEN_SOURCES}]}


def _with_mount(container: JsonObject, mount: JsonObject) -> JsonObject:
    mounts = container.get("volumeMounts") or []
    if any(other.get("mountPath") == _TOKEN_PATH for other in mounts):
        return container
    return {**container, "volumeMounts": [*mounts, mount]}


_TOKEN_SOURCES: Final[JsonObject] = {
    "defaultMode": 0o644,
    "sources": [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"name": "kube-root-ca.crt", "items": [{"key": "ca.crt", "path": "ca.crt"}]}},
        {
            "downwardAPI": {
                "items": [{"path": "namespace", "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"}}]
            }
        },
    ],
}


def _taint(node: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A new node is not ready until it says so."""
    taint = {"key": _NOT_READY, "effect": "NoSchedule"}
    taints = mapping(node.get("spec")).get("taints") or []
    if old is not None or any(taint.items() <= other.items() for other in taints):
        return node
    return _in_spec(node, {"taints": [*taints, taint]})


def _run_with_class(pod: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A RuntimeClass may say what running a pod costs."""
    spec = mapping(pod.get("spec"))
    name = spec.get("runtimeClassName")
    if old is not None or not name:
        return pod
    chosen = classes.named(classes.RUNTIME, name, around)
    if chosen is not None:
        return _in_spec(pod, classes.runtime_fields(chosen, spec))
    if spec.get("overhead"):
        return pod
    return _in_spec(pod, {"overhead": Unknown(f"the overhead that the RuntimeClass {name} states, if any")})


def _store_by_default(claim: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A new claim that names no class gets the default one."""
    name = classes.default_name(classes.STORAGE, around)
    lacks = old is None and mapping(claim.get("spec")).get("storageClassName") is None
    return _in_spec(claim, {"storageClassName": name}) if lacks and name and not _has(claim, _STORAGE_CLASS) else claim


def _enter_by_default(ingress: JsonObject, old: JsonObject | None, around: Surroundings) -> JsonObject:
    """A new ingress that names no class gets the default one."""
    name = classes.default_name(classes.INGRESS, around)
    lacks = old is None and mapping(ingress.get("spec")).get("ingressClassName") is None
    return _in_spec(ingress, {"ingressClassName": name}) if lacks and name and not _has(ingress, _CLASS) else ingress


def _has(manifest: JsonObject, annotation: str) -> bool:
    return annotation in mapping(dig(manifest, "metadata", "annotations"))


_STORAGE_CLASS: Final = "volume.beta.kubernetes.io/storage-class"
_CLASS: Final = "kubernetes.io/ingress.class"
_POD: Final = ("v1", "Pod")
_CLAIM: Final = ("v1", "PersistentVolumeClaim")
_INGRESS: Final = ("networking.k8s.io/v1", "Ingress")
_PLUGINS: Final[tuple[tuple[str, Gvk, _Admit], ...]] = (
    ("ServiceAccount", _POD, _serve_account),
    ("TaintNodesByCondition", ("v1", "Node"), _taint),
    ("Priority", _POD, _prioritise),
    ("DefaultTolerationSeconds", _POD, _tolerate),
    ("DefaultStorageClass", _CLAIM, _store_by_default),
    ("StorageObjectInUseProtection", _CLAIM, _protect_claim),
    ("StorageObjectInUseProtection", ("v1", "PersistentVolume"), _protect_volume),
    ("StorageObjectInUseProtection", ("storage.k8s.io/v1", "VolumeAttributesClass"), _protect_class),
    ("RuntimeClass", _POD, _run_with_class),
    ("DefaultIngressClass", _INGRESS, _enter_by_default),
)
"""Plugin, kind and what it changes, in the order in which servers run them."""
_NOWHERE: Final = ("", "", "")
_ASSUMED: Final[tuple[tuple[str, Gvk, str, tuple[str, ...], str], ...]] = (
    (
        "DefaultStorageClass",
        _CLAIM,
        "storageClassName",
        classes.STORAGE,
        "no StorageClass is the default of the cluster",
    ),
    ("DefaultIngressClass", _INGRESS, "ingressClassName", classes.INGRESS, "no IngressClass is the default"),
    (
        "Priority",
        _POD,
        "priorityClassName",
        classes.PRIORITY,
        "no PriorityClass is the default of the cluster",
    ),
    ("LimitRanger", _POD, "", _NOWHERE, "no LimitRange of the namespace sets resources"),
    ("ServiceAccount", _POD, "imagePullSecrets", ACCOUNT, "the ServiceAccount names no imagePullSecrets"),
)
"""Plugin, kind, the field that it would fill in where it is empty, whence, and what is assumed instead."""
