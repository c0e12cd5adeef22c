"""The default rules of kapp, in addition to those of Configs: rebase, labels, order, and templates.

In the format of a Config. Mirrors the behaviour of ``pkg/kapp/config/default.go`` of kapp 0.64.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from kubectl_applylint.core.values import JsonObject

GROUP: Final = "kapp.k14s.io"
_EVERY: Final = {"allIndexes": True}
_ALL: Final[list[JsonObject]] = [{"allMatcher": {}}]
_RBAC: Final = tuple(f"rbac.authorization.k8s.io/{version}" for version in ("v1", "v1alpha1", "v1beta1"))


def _kinds(*names: str) -> list[JsonObject]:
    """Return matchers for kinds given as ``apiVersion Kind``."""
    split = (name.split(" ") for name in names)
    return [{"apiVersionKindMatcher": {"apiVersion": version, "kind": kind}} for version, kind in split]


def _and(*matchers: JsonObject) -> list[JsonObject]:
    """Return a matcher that all matchers have to match."""
    return [{"andMatcher": {"matchers": list(matchers)}}]


def _any(matchers: list[JsonObject]) -> JsonObject:
    """Return a matcher that any matcher has to match."""
    return {"anyMatcher": {"matchers": matchers}}


def _not(matcher: JsonObject) -> JsonObject:
    """Return the negated matcher."""
    return {"notMatcher": {"matcher": matcher}}


def _without(*annotations: str) -> tuple[JsonObject, ...]:
    """Return matchers for objects without these annotations of kapp."""
    return tuple(_not({"hasAnnotationMatcher": {"keys": [f"{GROUP}/{name}"]}}) for name in annotations)


_OLD: Final = ("apps/v1", "apps/v1beta1", "extensions/v1beta1")
_DEPLOYMENTS: Final = _kinds(*(f"{version} Deployment" for version in (*_OLD, "apps/v1beta2")))
_WITH_PODS: Final = [
    *_kinds(
        *(
            f"{version} {kind}"
            for version in (*_OLD, "apps/v1beta2")
            for kind in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet")
        )
    ),
    *_kinds("batch/v1 Job"),
]
_JOBS: Final = _kinds("batch/v1 Job", "batch/v1beta1 Job", "batch/v2alpha1 Job")
_CRON_JOBS: Final = _kinds("batch/v1 CronJob", "batch/v1beta1 CronJob", "batch/v2alpha1 CronJob")
_APPS: Final = _kinds("kappctrl.k14s.io/v1alpha1 App")
_INSTALLS: Final = _kinds("packaging.carvel.dev/v1alpha1 PackageInstall")
_WEBHOOKS: Final = _kinds(
    *(
        f"admissionregistration.k8s.io/{version} {kind}WebhookConfiguration"
        for version in ("v1", "v1beta1")
        for kind in ("Mutating", "Validating")
    )
)
_ROLES: Final = _kinds(*(f"{version} {kind}" for version in _RBAC for kind in ("ClusterRole", "Role")))
_BINDINGS: Final = _kinds(*(f"{version} {kind}" for version in _RBAC for kind in ("ClusterRoleBinding", "RoleBinding")))
_ACCESS: Final = [*_ROLES, *_BINDINGS]
_ACCOUNTS: Final = _kinds("v1 ServiceAccount")
_CLASSES: Final = _kinds("storage/v1 StorageClass", "storage/v1beta1 StorageClass")
_STORAGE: Final = _kinds("v1 PersistentVolume", "v1 PersistentVolumeClaim")
_BESIDE_PODS: Final = _kinds(
    *("extensions/v1beta1 NetworkPolicy", "networking.k8s.io/v1 NetworkPolicy", "v1 ResourceQuota", "v1 LimitRange"),
    *("extensions/v1beta1 PodSecurityPolicy", "policy/v1beta1 PodSecurityPolicy", "policy/v1beta1 PodDisruptionBudget"),
    *(f"scheduling.k8s.io/{version} PriorityClass" for version in ("v1", "v1alpha1", "v1beta1")),
    *(f"node.k8s.io/{version} RuntimeClass" for version in ("v1alpha1", "v1beta1")),
    *("v1 ServiceAccount", "v1 Secret", "v1 ConfigMap"),
)
_CRDS: Final[list[JsonObject]] = [
    {"apiGroupKindMatcher": {"kind": "CustomResourceDefinition", "apiGroup": "apiextensions.k8s.io"}}
]
_NAMESPACES: Final[list[JsonObject]] = [{"apiGroupKindMatcher": {"kind": "Namespace", "apiGroup": ""}}]


def _copy(matchers: list[JsonObject], *paths: Sequence[str | JsonObject], sources: str = "new existing") -> JsonObject:
    """Return a rebase rule that copies fields."""
    return {
        "paths": [list(path) for path in paths],
        "type": "copy",
        "sources": sources.split(" "),
        "resourceMatchers": matchers,
    }


def _only_of_file(field: str) -> Iterator[JsonObject]:
    """Yield the rebase rules that take a metadata field only from the manifest."""
    yield {"path": ["metadata", field], "type": "remove", "resourceMatchers": _ALL}
    yield _copy(_ALL, ["metadata", field], sources="new")


REBASE_RULES: Final[tuple[JsonObject, ...]] = (
    _copy(_ALL, ["metadata"], sources="existing"),
    *_only_of_file("labels"),
    *_only_of_file("annotations"),
    _copy(_kinds("v1 Service"), ["spec", "clusterIP"], ["spec", "healthCheckNodePort"]),
    _copy(_kinds("v1 Namespace"), ["spec", "finalizers"]),
    _copy(
        _kinds("v1 Namespace"),
        *(
            ["metadata", "annotations", f"openshift.io/sa.scc.{name}"]
            for name in ("mcs", "supplemental-groups", "uid-range")
        ),
    ),
    _copy(
        _kinds("v1 PersistentVolumeClaim"),
        *(
            ["metadata", "annotations", name]
            for name in (
                "pv.kubernetes.io/bind-completed",
                "pv.kubernetes.io/bound-by-controller",
                "pv.kubernetes.io/migrated-to",
                "volume.beta.kubernetes.io/storage-provisioner",
            )
        ),
        *(["spec", name] for name in ("storageClassName", "volumeMode", "volumeName")),
    ),
    _copy(_DEPLOYMENTS, ["metadata", "annotations", "deployment.kubernetes.io/revision"]),
    _copy(_WEBHOOKS, ["webhooks", _EVERY, "clientConfig", "caBundle"]),
    _copy(
        _kinds("apiregistration.k8s.io/v1 APIService", "apiregistration.k8s.io/v1beta1 APIService"),
        ["spec", "caBundle"],
    ),
    _copy(
        _kinds("apiextensions.k8s.io/v1beta1 CustomResourceDefinition"),
        ["spec", "conversion", "webhookClientConfig", "caBundle"],
    ),
    _copy(
        _kinds("apiextensions.k8s.io/v1 CustomResourceDefinition"),
        ["spec", "conversion", "webhook", "clientConfig", "caBundle"],
    ),
    _copy(_kinds("v1 Pod"), ["spec", "nodeName"]),
    _copy(
        _and(
            *_kinds("v1 Secret"),
            {"hasAnnotationMatcher": {"keys": ["secretgen.carvel.dev/image-pull-secret"]}},
            *_without("disable-default-secretgen-rebase-rules"),
        ),
        ["data", ".dockerconfigjson"],
        ["metadata", "annotations", "secretgen.carvel.dev/status"],
        sources="existing new",
    ),
    _copy(
        _and(
            _any(_kinds(*(f"{version} ClusterRole" for version in _RBAC))),
            _not({"emptyFieldMatcher": {"path": ["aggregationRule"]}}),
        ),
        ["rules"],
        sources="existing",
    ),
)
_LABELLED: Final = _without("disable-default-ownership-label-rules")
_SCOPED: Final = _without("disable-label-scoping", "disable-default-label-scoping-rules")
_POD_LABELS: Final = ("spec", "template", "metadata", "labels")


def _label(path: list[str | JsonObject], matchers: list[JsonObject]) -> JsonObject:
    """Return an ownership label rule."""
    return {"path": path, "resourceMatchers": _and(*_LABELLED, _any(matchers))}


def _scope(path: list[str], matchers: list[JsonObject]) -> JsonObject:
    """Return a label scoping rule."""
    return {"path": path, "isDefault": True, "resourceMatchers": _and(*_SCOPED, _any(matchers))}


DEFAULTS: Final[JsonObject] = {
    "rebaseRules": REBASE_RULES,
    "ownershipLabelRules": [
        {"path": ["metadata", "labels"], "resourceMatchers": _ALL},
        _label([*_POD_LABELS], [*_WITH_PODS, *_JOBS]),
        _label(
            ["spec", "volumeClaimTemplates", _EVERY, "metadata", "labels"],
            _kinds(*(f"{version} StatefulSet" for version in _OLD)),
        ),
        _label(["spec", "jobTemplate", *_POD_LABELS], _CRON_JOBS),
    ],
    "labelScopingRules": [
        _scope(["spec", "selector"], _kinds("v1 Service")),
        _scope(["spec", "selector", "matchLabels"], _WITH_PODS),
        _scope(["spec", "selector", "matchLabels"], _kinds("policy/v1beta1 PodDisruptionBudget")),
    ],
    "diffAgainstLastAppliedFieldExclusionRules": [
        {"path": ["metadata", "annotations", "deployment.kubernetes.io/revision"], "resourceMatchers": _DEPLOYMENTS}
    ],
    "diffAgainstExistingFieldExclusionRules": [{"path": ["status"], "resourceMatchers": _ALL}],
}
"""Rules that change objects or their comparison."""


def _group(name: str, matchers: list[JsonObject]) -> JsonObject:
    """Return a change group."""
    return {"name": f"change-groups.{GROUP}/{name}", "resourceMatchers": matchers}


CHANGE_GROUPS: Final[tuple[JsonObject, ...]] = (
    _group("crds", _CRDS),
    _group("crds-{crd-group}-{crd-kind}", _CRDS),
    _group("namespaces", _NAMESPACES),
    _group("namespaces-{name}", _NAMESPACES),
    _group("storage-class", _CLASSES),
    _group("storage", _STORAGE),
    _group("rbac-roles", _ROLES),
    _group("rbac-role-bindings", _BINDINGS),
    _group("rbac", _ACCESS),
    _group("pod-related", _BESIDE_PODS),
    _group("serviceaccount", _ACCOUNTS),
    _group(
        "secret-associated-with-sa",
        _and(*_kinds("v1 Secret"), {"hasAnnotationMatcher": {"keys": ["kubernetes.io/service-account.name"]}}),
    ),
    _group("kapp-controller-app", _APPS),
    _group("kapp-controller-packageinstall", _INSTALLS),
)
"""The change groups of objects in a deploy."""
_ORDERED: Final = _without("disable-default-change-group-and-rules")


def _rule(matchers: list[JsonObject], *rules: str, optional: bool = True) -> JsonObject:
    """Return change rules for matching objects."""
    full = [f"{words} change-groups.{GROUP}/{name}" for words, name in (rule.rsplit(" ", 1) for rule in rules)]
    return {"rules": full, "ignoreIfCyclical": optional, "resourceMatchers": matchers}


CHANGE_RULES: Final[tuple[JsonObject, ...]] = (
    _rule(
        _and({"customResourceMatcher": {}}, *_ORDERED), "upsert after upserting crds-{api-group}-{kind}", optional=False
    ),
    _rule(_ACCOUNTS, "upsert before upserting secret-associated-with-sa", optional=False),
    _rule(_and({"customResourceMatcher": {}}, *_ORDERED), "delete before deleting crds"),
    _rule(_and(_not({"customResourceMatcher": {}}), _not(_any(_CRDS)), *_ORDERED), "delete after deleting crds"),
    _rule(
        _and({"hasNamespaceMatcher": {}}, *_ORDERED), "upsert after upserting namespaces-{namespace}", optional=False
    ),
    _rule(_and(*_ORDERED, _any(_ACCOUNTS)), "delete before deleting namespaces-{namespace}"),
    _rule(_and(_any(_BINDINGS), *_ORDERED), "upsert after upserting rbac-roles"),
    _rule(
        _and(*_ORDERED, _any([*_ACCOUNTS, *_ACCESS])),
        "upsert before upserting kapp-controller-packageinstall",
        "upsert before upserting kapp-controller-app",
        "delete after deleting kapp-controller-packageinstall",
        "delete after deleting kapp-controller-app",
    ),
    _rule(_STORAGE, "upsert after upserting storage-class"),
    _rule(
        _and(_not(_any([*_CLASSES, *_STORAGE, *_ACCESS, *_BESIDE_PODS])), {"hasNamespaceMatcher": {}}),
        *(f"upsert after upserting {name}" for name in ("pod-related", "rbac", "storage-class", "storage")),
    ),
)
"""The order of change groups; on conflicts later rules win."""


def _references(kind: str, names: tuple[str, str, str]) -> Iterator[JsonObject]:
    """Yield the paths by which pods refer to a ConfigMap or Secret: in a key, as a whole, and as a volume."""
    key, whole, volume = names
    name_key = {"nameKey": "secretName"} if kind == "Secret" else {}
    for before, matchers in (
        (["spec", "template"], _WITH_PODS),
        (["spec", "jobTemplate", "spec", "template"], _CRON_JOBS),
    ):
        pod = [*before, "spec"]
        for containers in ("containers", "initContainers"):
            yield {"path": [*pod, containers, _EVERY, "env", _EVERY, "valueFrom", key], "resourceMatchers": matchers}
            yield {"path": [*pod, containers, _EVERY, "envFrom", _EVERY, whole], "resourceMatchers": matchers}
        if kind == "Secret":
            yield {"path": [*pod, "imagePullSecrets", _EVERY], "resourceMatchers": matchers}
        projected = [*pod, "volumes", _EVERY, "projected", "sources", _EVERY, volume]
        yield {"path": projected, "resourceMatchers": matchers}
        yield {"path": [*pod, "volumes", _EVERY, volume], "resourceMatchers": matchers, **name_key}
    yield {"path": ["spec", "volumes", _EVERY, volume], "resourceMatchers": _kinds("v1 Pod"), **name_key}


TEMPLATE_RULES: Final[tuple[JsonObject, ...]] = (
    {
        "resourceMatchers": _kinds("v1 ConfigMap"),
        "affectedResources": {
            "objectReferences": [*_references("ConfigMap", ("configMapKeyRef", "configMapRef", "configMap"))]
        },
    },
    {
        "resourceMatchers": _kinds("v1 Secret"),
        "affectedResources": {
            "objectReferences": [
                *_references("Secret", ("secretKeyRef", "secretRef", "secret")),
                {"path": ["spec", "imagePullSecrets", _EVERY], "resourceMatchers": _kinds("v1 Pod")},
                *({"path": [name, _EVERY], "resourceMatchers": _ACCOUNTS} for name in ("imagePullSecrets", "secrets")),
            ]
        },
    },
)
"""The references in which names of versioned objects are replaced."""
