"""The ServiceAccount that a new pod runs as: that it is there, and which Secrets it lets the pod use.

Mirrors ``Validate`` of plugin/pkg/admission/serviceaccount. The account ``default`` is taken to be there: clusters make
it together with the namespace, and servers wait for it.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.state import Absent, Knowledge, Present, Surroundings
from kubectl_applylint.core.values import JsonObject, dig, items, mapping
from kubectl_applylint.server.plugins.asked import Asked, Denial, forbidden

DEFAULT: Final = "default"
_ENFORCE: Final = "kubernetes.io/enforce-mountable-secrets"
_MIRROR: Final = "kubernetes.io/config.mirror"
_TRUE: Final = ("1", "t", "T", "true", "TRUE", "True")
_KEY: Final = ("valueFrom", "secretKeyRef", "name")
_CONTAINERS: Final = (("initContainers", "init container"), ("containers", "container"))


def account_of(pod: JsonObject, around: Surroundings) -> Knowledge:
    """Return what is known of the account that a pod runs as."""
    name = dig(pod, "spec", "serviceAccountName") or DEFAULT
    return around.named("", "ServiceAccount", str(name), str(dig(pod, "metadata", "namespace")))


def refuse(asked: Asked) -> Denial | None:
    """Return why a new pod cannot run as its account, ``None`` where it can or where nobody knows."""
    if not asked.creating or not asked.is_a("", "Pod") or _MIRROR in _annotations(asked.new):
        return None
    name = str(dig(asked.new, "spec", "serviceAccountName") or DEFAULT)
    match account_of(asked.new, asked.surroundings):
        case Absent() if name != DEFAULT:
            words = f'error looking up service account {asked.namespace}/{name}: serviceaccount "{name}" not found'
            return forbidden(asked, words)
        case Present(account) if _annotations(account).get(_ENFORCE) in _TRUE:
            words = next(_not_allowed(mapping(asked.new.get("spec")), account), "")
            return forbidden(asked, words) if words else None
        case _:
            return None


def _annotations(item: JsonObject) -> JsonObject:
    return mapping(dig(item, "metadata", "annotations"))


def _not_allowed(spec: JsonObject, account: JsonObject) -> Iterator[str]:
    """Yield which Secrets of a pod its account does not name."""
    name, allowed, pulled = dig(account, "metadata", "name"), _names(account, "secrets"), "imagePullSecrets"
    because = f"is not allowed because service account {name} does not reference that"
    for volume in items(spec.get("volumes")):
        secret = dig(volume, "secret", "secretName")
        if isinstance(secret, str) and secret not in allowed:
            yield f'volume with secret.secretName="{secret}" {because} secret'
    for where, secret in _used(spec):
        if secret not in allowed:
            yield f'{where} referencing secret.secretName="{secret}" {because} secret'
    for number, reference in enumerate(items(spec.get(pulled))):
        if reference.get("name") not in _names(account, pulled):
            yield f'{pulled}[{number}].name="{reference.get("name")}" {because} imagePullSecret'


def _used(spec: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the Secrets that containers take variables from, and where."""
    for field, noun in _CONTAINERS:
        for container in items(spec.get(field)):
            which = f"{noun} {container.get('name')} with"
            variables = [(each.get("name"), dig(each, *_KEY)) for each in items(container.get("env"))]
            sources = [dig(each, "secretRef", "name") for each in items(container.get("envFrom"))]
            yield from ((f"{which} envVar {name}", secret) for name, secret in variables if isinstance(secret, str))
            yield from ((f"{which} envFrom", secret) for secret in sources if isinstance(secret, str))


def _names(account: JsonObject, field: str) -> list[object]:
    return [mapping(reference).get("name") for reference in items(account.get(field))]
