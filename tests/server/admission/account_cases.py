"""Pods, the account that they run as, and what kube-apiserver 1.36.3 made of them on 2026-11-21."""

from dataclasses import dataclass, field
from typing import Final

import pytest

from kubectl_applylint.core.values import JsonObject

ENFORCED: Final[JsonObject] = {"annotations": {"kubernetes.io/enforce-mountable-secrets": "true"}}
ACCOUNT: Final[JsonObject] = {"apiVersion": "v1", "kind": "ServiceAccount"}
_BECAUSE: Final = "is not allowed because service account robot does not reference that"


@dataclass(frozen=True, slots=True)
class AccountCase:
    """A pod ``x``; the account ``robot`` has ``account`` beside its name. ``said`` is empty for an accepted pod."""

    spec: JsonObject
    account: JsonObject = field(default_factory=dict)
    said: str = ""
    pulled: tuple[str, ...] = ()
    """The names of the secrets that images are pulled with."""
    has_token: bool = True

    def pod(self, namespace: str) -> JsonObject:
        """Return the pod in a namespace."""
        spec = {"serviceAccountName": "robot", "containers": [{"name": "a", "image": "i"}], **self.spec}
        return {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "x", "namespace": namespace}, "spec": spec}

    def robot(self, namespace: str) -> JsonObject:
        """Return the account in a namespace."""
        metadata = {"name": "robot", "namespace": namespace, **self.account.get("metadata", {})}
        return {**ACCOUNT, **self.account, "metadata": metadata}


def _container(name: str, **content: list[JsonObject]) -> JsonObject:
    return {"name": name, "image": "i", **content}


_FROM_SECRET: Final[JsonObject] = {"name": "V", "valueFrom": {"secretKeyRef": {"name": "s", "key": "k"}}}
_STRICT: Final[JsonObject] = {"metadata": ENFORCED}
_PULLS: Final[JsonObject] = {"imagePullSecrets": [{"name": "p"}, {"name": "q"}]}
_MOUNT: Final = {"volumes": [{"name": "v", "secret": {"secretName": "s"}}]}

ACCOUNT_CASES: Final = (
    pytest.param(AccountCase({}), id="plain"),
    pytest.param(AccountCase({}, _PULLS, pulled=("p", "q")), id="pull secrets"),
    pytest.param(AccountCase({"imagePullSecrets": [{"name": "o"}]}, _PULLS, pulled=("o",)), id="own pull secret"),
    pytest.param(AccountCase({"imagePullSecrets": []}, _PULLS, pulled=("p", "q")), id="no pull secrets of its own"),
    pytest.param(AccountCase({}, {"automountServiceAccountToken": False}, has_token=False), id="no token"),
    pytest.param(
        AccountCase({"automountServiceAccountToken": True}, {"automountServiceAccountToken": False}), id="own token"
    ),
    pytest.param(AccountCase({"automountServiceAccountToken": False}, has_token=False), id="no token of its own"),
    pytest.param(
        AccountCase(
            {"serviceAccountName": "ghost"},
            said='error looking up service account {place}/ghost: serviceaccount "ghost" not found',
        ),
        id="no account",
    ),
    pytest.param(AccountCase(_MOUNT), id="volume"),
    pytest.param(AccountCase(_MOUNT, {**_STRICT, "secrets": [{"name": "s"}]}), id="volume that is allowed"),
    pytest.param(
        AccountCase(_MOUNT, _STRICT, said=f'volume with secret.secretName="s" {_BECAUSE} secret'), id="strict volume"
    ),
    pytest.param(
        AccountCase(
            {"initContainers": [_container("b", env=[_FROM_SECRET])]},
            _STRICT,
            said=f'init container b with envVar V referencing secret.secretName="s" {_BECAUSE} secret',
        ),
        id="strict variable",
    ),
    pytest.param(
        AccountCase(
            {"containers": [_container("a", envFrom=[{"secretRef": {"name": "s"}}])]},
            _STRICT,
            said=f'container a with envFrom referencing secret.secretName="s" {_BECAUSE} secret',
        ),
        id="strict variables",
    ),
    pytest.param(
        AccountCase(
            {"imagePullSecrets": [{"name": "p"}, {"name": "o"}]},
            {**_STRICT, **_PULLS},
            said=f'imagePullSecrets[1].name="o" {_BECAUSE} imagePullSecret',
        ),
        id="strict pull secret",
    ),
)
