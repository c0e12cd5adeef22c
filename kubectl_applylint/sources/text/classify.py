"""Classifies documents that are not manifests, so that they are counted as skipped instead of reported as broken."""

import re
from collections.abc import Iterator
from enum import StrEnum
from posixpath import basename

from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.schema import tables
from kubectl_applylint.schema.served import Standing, standing


class SkipReason(StrEnum):
    """Why a document was skipped, as a message (in the singular)."""

    HELM = "Helm template"
    KUSTOMIZATION = "kustomization"
    PATCH = "kustomize patch"
    TOOL = "tool configuration"
    OTHER = "YAML file that is not a manifest"
    EMPTY = "empty file"
    UNREADABLE = "unparsable file without apiVersion and kind"
    LINK = "duplicate or dangling symlink"
    SUBMODULE = "submodule"
    GENERATED = "manifest with generateName, for kubectl create"


KUSTOMIZATION_FILES = ("kustomization.yaml", "kustomization.yml", "Kustomization")
"""The file names of kustomizations."""

# An action of Go's template language at the start of a line or of an unquoted value, or a statement of Jinja at the
# start of a line: no YAML parser accepts them.
_BARE_ACTION = regex(r"""(?:^|[:-])[ \t]*\{\{-?[ \t]*[\w.$/"(]|^[ \t]*\{%""", re.MULTILINE)
_ACTION = regex(r"\{\{[^{}]*\}\}")
_KUSTOMIZE_GROUP = "kustomize.config.k8s.io"
KAPP = "kapp.k14s.io"
"""The group of kapp's configurations, which kapp reads among the manifests that it deploys."""
# Kinds of these groups are configuration files of programs; no API server serves them.
_TOOL_GROUPS = frozenset(
    {
        "apidiscovery.k8s.io",
        "apiserver.config.k8s.io",
        "apiserver.k8s.io",
        "audit.k8s.io",
        "backstage.io",
        "builtin",
        "chainsaw.kyverno.io",
        "cli.kyverno.io",
        "client.authentication.k8s.io",
        "clusterctl.cluster.x-k8s.io",
        "controlplane.config.k8s.io",
        "ctlptl.dev",
        "eksctl.io",
        "k3d.io",
        KAPP,
        "kbld.k14s.io",
        "kind.x-k8s.io",
        "kpt.dev",
        "krew.googlecontainertools.github.com",
        "kubeadm.k8s.io",
        "kubecontrollermanager.config.k8s.io",
        "kubectl.config.k8s.io",
        "kubelet.config.k8s.io",
        "kubeproxy.config.k8s.io",
        "kubescheduler.config.k8s.io",
        "kuttl.dev",
        "meta.pkg.crossplane.io",
        "pod-security.admission.config.k8s.io",
        "score.dev",
        "skaffold",
        "vendir.k14s.io",
    }
)
# What a server answers about its kinds; kubectl keeps such answers in ~/.kube/cache/discovery.
_DISCOVERY_KINDS = frozenset({"APIGroup", "APIGroupList", "APIResourceList", "APIVersions"})


def is_template(broken: str) -> bool:
    """Return whether invalid YAML is a template of Helm or Jinja, by an action that cannot be YAML."""
    return _BARE_ACTION.search(broken) is not None


def without_actions(text: str) -> str:
    """Return ``text`` without template actions: if the result is YAML, they were the reason why ``text`` is not."""
    return _ACTION.sub("", text)


def reason_to_skip(value: Json, file: str) -> SkipReason | None:
    """Return why ``value``, a document of ``file``, is not a manifest; ``None`` if it may be one."""
    if not isinstance(value, dict):
        return SkipReason.OTHER
    if _is_kustomization(value, file):
        return SkipReason.KUSTOMIZATION
    if "$patch" in value:
        return SkipReason.PATCH
    if _is_unrelated(value):
        return SkipReason.OTHER
    if _is_tool_configuration(value):
        return SkipReason.TOOL
    return SkipReason.HELM if any("{{" in name for name in _names(value)) else None


def _is_kustomization(value: JsonObject, file: str) -> bool:
    named = basename(file.replace("\\", "/")) in KUSTOMIZATION_FILES
    return _group(value) == _KUSTOMIZE_GROUP or (named and "metadata" not in value)


def _is_unrelated(value: JsonObject) -> bool:
    """Return whether an object is no manifest: it has neither kind nor apiVersion, or only one of them and no metadata.

    With metadata it is a broken manifest.
    """
    missing = [key for key in ("apiVersion", "kind") if not value.get(key)]
    return len(missing) == 2 or (bool(missing) and not isinstance(value.get("metadata"), dict))


def _is_tool_configuration(value: JsonObject) -> bool:
    is_kubeconfig = value.get("kind") == "Config" and "contexts" in value
    is_discovery = value.get("apiVersion") == "v1" and text_at(value, "kind") in _DISCOVERY_KINDS
    is_known = is_kubeconfig or is_discovery or _is_of_installer(value) or _group(value) in _TOOL_GROUPS
    return is_known or _is_unserved_kind(value)


def _is_of_installer(value: JsonObject) -> bool:
    """Return whether an object is a configuration of OpenShift's installer: ``install-config.yaml`` has no kind."""
    kind, version = value.get("kind"), value.get("apiVersion")
    is_agent = kind == "AgentConfig" and version in ("v1alpha1", "v1beta1")
    return is_agent or (version == "v1" and not kind and "baseDomain" in value)


def _is_unserved_kind(value: JsonObject) -> bool:
    """Return whether an object has no metadata, and a group and kind that no Kubernetes serves.

    Machine configurations of Talos (``v1alpha1``) and policies of the scheduler (``v1``) have this form. With metadata,
    it is a manifest with a wrong kind or version.
    """
    api_version, kind = value.get("apiVersion"), value.get("kind")
    if "metadata" in value or not isinstance(api_version, str) or not isinstance(kind, str) or kind.endswith("List"):
        return False
    return standing(f"1.{tables.NEWEST}", (api_version, kind)) is Standing.NEVER


def _group(value: JsonObject) -> str:
    return str(value.get("apiVersion")).partition("/")[0]


def _names(value: JsonObject) -> Iterator[str]:
    metadata = mapping(value.get("metadata"))
    parts = (value.get("apiVersion"), value.get("kind"), metadata.get("name"), metadata.get("namespace"))
    return (part for part in parts if isinstance(part, str))


def is_kustomization(path: str) -> bool:
    """Return whether kustomize recognizes a file by its name; the path has ``/`` between folders."""
    return path.endswith(KUSTOMIZATION_FILES) and basename(path) in KUSTOMIZATION_FILES


def patch_paths(kustomization: Json) -> list[str]:
    """Return the patch files of a kustomization, sorted, relative to its folder."""
    found = [
        *(entry for entry in _list(kustomization, "patchesStrategicMerge")),
        *(dig(entry, "path") for field in ("patches", "patchesJson6902") for entry in _list(kustomization, field)),
    ]
    # A patch may also be inline instead of a path.
    return sorted({path for path in found if isinstance(path, str) and "\n" not in path})


def _list(value: Json, field: str) -> list[Json]:
    found = mapping(value).get(field)
    return items(found)
