"""ServiceAccount: sets the ServiceAccount of a new pod, and mounts its token into the containers.

Mirrors ``plugin/pkg/admission/serviceaccount``. The account ``default`` is assumed to exist: clusters create it
together with the namespace, and servers wait for it.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.state import Absent, Knowledge, Present, Unknown, annotations_of
from kubectl_applylint.core.values import JsonObject, dig, items, mapping
from kubectl_applylint.server.admission.attributes import (
    AdmissionAttributes,
    AdmissionDenied,
    Mutation,
    forbidden,
    with_spec,
)
from kubectl_applylint.server.admission_inputs import ACCOUNT

_DEFAULT: Final = "default"
_PULLED: Final = "imagePullSecrets"
_AUTOMOUNT: Final = "automountServiceAccountToken"
_TOKEN: Final = "kube-api-access-"
_TOKEN_PATH: Final = "/var/run/secrets/kubernetes.io/serviceaccount"
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
_ENFORCE: Final = "kubernetes.io/enforce-mountable-secrets"
_MIRROR: Final = "kubernetes.io/config.mirror"
"""The annotation of a mirror pod, which shows a static pod of a node."""
_TRUE: Final = ("1", "t", "T", "true", "TRUE", "True")
_KEY: Final = ("valueFrom", "secretKeyRef", "name")
_CONTAINERS: Final = (("initContainers", "init container"), ("containers", "container"))


def mutate(attributes: AdmissionAttributes) -> Mutation:
    """Return a new pod with its account, token and pull secrets; rejected if it cannot run as the account."""
    pod = attributes.new
    spec = mapping(pod.get("spec"))
    if not attributes.creating or _MIRROR in annotations_of(pod):
        return Mutation(pod)
    name = spec.get("serviceAccountName") or _DEFAULT
    known = _account_of(attributes)
    account = known.object if isinstance(known, Present) else {}
    own = spec.get(_AUTOMOUNT)
    mounted = {} if (account.get(_AUTOMOUNT) if own is None else own) is False else _with_token(spec)
    given = [{"name": mapping(each).get("name")} for each in items(account.get(_PULLED))]
    pulled = {_PULLED: given} if given and not spec.get(_PULLED) else {}
    changed = with_spec(pod, {"serviceAccountName": name, "serviceAccount": name, **mounted, **pulled})
    return Mutation(changed, _denial(attributes, str(name), known))


def assumptions(attributes: AdmissionAttributes) -> tuple[str, ...]:
    """Return the assumption that the account has no pull secrets, if a new pod has none and it is unknown."""
    is_open = attributes.creating and mapping(attributes.new.get("spec")).get(_PULLED) is None
    if not is_open or isinstance(_account_of(attributes), Present):
        return ()
    return ("the ServiceAccount names no imagePullSecrets",)


def _account_of(attributes: AdmissionAttributes) -> Knowledge:
    """Return the state of the account of a pod."""
    name = dig(attributes.new, "spec", "serviceAccountName") or _DEFAULT
    return attributes.cluster_view.lookup(*ACCOUNT, str(name), attributes.namespace)


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


def _denial(attributes: AdmissionAttributes, name: str, known: Knowledge) -> AdmissionDenied | None:
    """Return why a new pod cannot run as its account, ``None`` if it can or that is unknown."""
    match known:
        case Absent() if name != _DEFAULT:
            words = f'error looking up service account {attributes.namespace}/{name}: serviceaccount "{name}" not found'
            return forbidden(attributes, words)
        case Present(account) if annotations_of(account).get(_ENFORCE) in _TRUE:
            words = next(_not_allowed(mapping(attributes.new.get("spec")), account), "")
            return forbidden(attributes, words) if words else None
        case _:
            return None


def _not_allowed(spec: JsonObject, account: JsonObject) -> Iterator[str]:
    """Yield the Secrets of a pod that its account does not list."""
    name, allowed = dig(account, "metadata", "name"), _names(account, "secrets")
    because = f"is not allowed because service account {name} does not reference that"
    for volume in items(spec.get("volumes")):
        secret = dig(volume, "secret", "secretName")
        if isinstance(secret, str) and secret not in allowed:
            yield f'volume with secret.secretName="{secret}" {because} secret'
    for where, secret in _secrets_in_variables(spec):
        if secret not in allowed:
            yield f'{where} referencing secret.secretName="{secret}" {because} secret'
    for number, reference in enumerate(items(spec.get(_PULLED))):
        if reference.get("name") not in _names(account, _PULLED):
            yield f'{_PULLED}[{number}].name="{reference.get("name")}" {because} imagePullSecret'


def _secrets_in_variables(spec: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the Secrets from which containers take variables, and their places."""
    for field, noun in _CONTAINERS:
        for container in items(spec.get(field)):
            which = f"{noun} {container.get('name')} with"
            variables = [(each.get("name"), dig(each, *_KEY)) for each in items(container.get("env"))]
            sources = [dig(each, "secretRef", "name") for each in items(container.get("envFrom"))]
            yield from ((f"{which} envVar {name}", secret) for name, secret in variables if isinstance(secret, str))
            yield from ((f"{which} envFrom", secret) for secret in sources if isinstance(secret, str))


def _names(account: JsonObject, field: str) -> list[object]:
    return [mapping(reference).get("name") for reference in items(account.get(field))]
