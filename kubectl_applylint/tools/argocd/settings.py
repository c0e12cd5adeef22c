"""Settings of an Argo CD installation that change what a sync does, as the ConfigMap ``argocd-cm`` has them.

Mirrors ``util/settings`` and ``util/argo/resource_tracking.go`` of Argo CD 3.6.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.patterns.globs import glob_matches
from kubectl_applylint.core.records import dataclass, replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, items, mapping, text_at, texts_at
from kubectl_applylint.tools.argocd.ignores import IgnoreRule

SETTINGS: Final = "argocd-cm"
PARAMETERS: Final = "argocd-cmd-params-cm"
"""The ConfigMap with the flags of the programs of Argo CD."""
INSTANCE_LABEL: Final = "app.kubernetes.io/instance"
TRACKING_METHOD: Final = "application.resourceTrackingMethod"
LABEL_KEY: Final = "application.instanceLabelKey"
EXCLUSIONS: Final = "resource.exclusions"
INCLUSIONS: Final = "resource.inclusions"
BUILD_OPTIONS: Final = "kustomize.buildOptions"
CUSTOMIZATIONS: Final = "resource.customizations"
_IGNORED: Final = f"{CUSTOMIZATIONS}.ignoreDifferences."
IN_YAML: Final = (EXCLUSIONS, INCLUSIONS, CUSTOMIZATIONS)
"""The settings whose values are YAML; also those that begin with the last one."""
_NOT_RUN: Final = ("kustomize.path.", "kustomize.version", "configManagementPlugins")
_SET_POLICY: Final = "applicationsetcontroller.policy"
_SET_OVERRIDE: Final = "applicationsetcontroller.enable.policy.override"
_USUAL: Final[Mapping[str, str]] = {
    "application.namespaces": "",
    "applicationsetcontroller.dryrun": "false",
    "applicationsetcontroller.enable.git.submodule": "true",
    "applicationsetcontroller.enable.new.git.file.globbing": "false",
    "controller.diff.server.side": "false",
    "reposerver.allow.oob.symlinks": "false",
    "reposerver.enable.git.submodule": "true",
    "reposerver.include.hidden.directories": "false",
    "reposerver.max.combined.directory.manifests.size": "10M",
}
"""The flags of programs that change what is applied and are not followed, with the values that are predicted."""
FLAGS: Final = (_SET_POLICY, _SET_OVERRIDE, *_USUAL)
"""The flags of programs that are read."""
_HELM_OPTION: Final = "--enable-helm"
_RESTRICTOR: Final = "--load-restrictor"
_UNRESTRICTED: Final = "LoadRestrictionsNone"


@dataclass(frozen=True, slots=True)
class ResourceFilter:
    """Kinds that Argo CD leaves out or restricts itself to; an empty list matches everything."""

    groups: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    clusters: tuple[str, ...] = ()

    def matches(self, ref: ObjectRef) -> bool:
        """Return whether the filter names the kind of an object."""
        is_kind = not self.kinds or "*" in self.kinds or ref.kind in self.kinds
        return is_kind and (not self.groups or any(glob_matches(one, ref.group) for one in self.groups))

    def has_cluster(self, server: str | None) -> bool:
        """Return whether the filter is about a cluster; ``False`` if that is not known."""
        return not self.clusters or any(server is not None and glob_matches(one, server) for one in self.clusters)


_ALWAYS_EXCLUDED: Final = (
    ResourceFilter(("events.k8s.io", "metrics.k8s.io")),
    ResourceFilter(("",), ("Event",)),
    ResourceFilter(("coordination.k8s.io",), ("Lease",)),
)


@dataclass(frozen=True, slots=True)
class ArgoSettings:
    """What is followed of the settings of an installation."""

    tracking: str = ""
    """``label``, ``annotation+label``, or anything else for the annotation."""
    label_key: str = INSTANCE_LABEL
    ignored: tuple[IgnoreRule, ...] = ()
    exclusions: tuple[ResourceFilter, ...] = ()
    inclusions: tuple[ResourceFilter, ...] = ()
    always_excluded: tuple[ResourceFilter, ...] = ()
    """What an installation excludes whatever its settings are; nothing for the library that syncs."""

    @property
    def uses_annotation(self) -> bool:
        """Whether the annotation tracks objects."""
        return self.tracking != "label"

    @property
    def uses_label(self) -> bool:
        """Whether objects get the label with the name of the Application."""
        return self.tracking in ("label", "annotation+label")

    def excludes(self, ref: ObjectRef, server: str | None) -> bool:
        """Return whether Argo CD leaves out objects of a kind in a cluster."""
        if any(one.matches(ref) and one.has_cluster(server) for one in (*self.always_excluded, *self.exclusions)):
            return True
        own = [one for one in self.inclusions if one.has_cluster(server)]
        return bool(own) and not any(one.matches(ref) for one in own)


def settings_of(data: JsonObject) -> ArgoSettings:
    """Return the settings in the data of the ConfigMap, with parsed values of ``IN_YAML``."""
    return ArgoSettings(
        text_at(data, TRACKING_METHOD),
        text_at(data, LABEL_KEY) or INSTANCE_LABEL,
        tuple(_ignore_rules(data)),
        tuple(map(_filter, items(data.get(EXCLUSIONS)))),
        tuple(map(_filter, items(data.get(INCLUSIONS)))),
        _ALWAYS_EXCLUDED,
    )


def object_settings(data: JsonObject) -> tuple[ArgoSettings, str]:
    """Return the settings that change objects that stay the same: their rendering, and what Argo CD adds to them.

    Ignored differences are not among them, since such objects do not differ.
    """
    return replace(settings_of(data), ignored=()), text_at(data, BUILD_OPTIONS)


def _filter(entry: Json) -> ResourceFilter:
    return ResourceFilter(*(texts_at(entry, name) for name in ("apiGroups", "kinds", "clusters")))


def _ignore_rules(data: JsonObject) -> Iterator[IgnoreRule]:
    for key, value in mapping(data.get(CUSTOMIZATIONS)).items():
        yield _ignore_rule(key, mapping(value).get("ignoreDifferences"))
    for key, value in data.items():
        if key.startswith(_IGNORED):
            yield _ignore_rule(key.removeprefix(_IGNORED).replace("_", "/", 1), value)


def _ignore_rule(key: str, value: Json) -> IgnoreRule:
    """Return the rule of a key ``group/kind``, ``kind`` for the core group, or ``all``."""
    group, _, kind = "*/*".rpartition("/") if key == "all" else key.rpartition("/")
    names = ("jsonPointers", "jqPathExpressions", "managedFieldsManagers")
    return IgnoreRule(group, kind, "", "", *(texts_at(value, name) for name in names))


def is_read(key: str) -> bool:
    """Return whether a setting changes what is predicted, or would do so if it was followed."""
    names = (TRACKING_METHOD, LABEL_KEY, EXCLUSIONS, INCLUSIONS, BUILD_OPTIONS, CUSTOMIZATIONS)
    return key in names or key in FLAGS or key.startswith((_IGNORED, *_NOT_RUN))


def has_load_restrictor(data: JsonObject) -> bool:
    """Return whether kustomize may only load files below the folder of a kustomization."""
    return f"{_RESTRICTOR}={_UNRESTRICTED}" not in _build_options(data)


def enables_helm(data: JsonObject, differing: Collection[str] = ()) -> bool | None:
    """Return whether kustomize renders charts; ``None`` if no setting is known, or this one differs in the files."""
    if not data.keys() - FLAGS or BUILD_OPTIONS in differing:
        return None
    return _HELM_OPTION in _build_options(data)


def _build_options(data: JsonObject) -> list[str]:
    """Return the options of kustomize, each with its value."""
    return text_at(data, BUILD_OPTIONS).replace(f"{_RESTRICTOR} ", f"{_RESTRICTOR}=").split()


def set_policy(data: JsonObject, own: str) -> str:
    """Return the policy of an ApplicationSet; ``own`` is its ``applicationsSync``, empty for none.

    Mirrors ``DefaultPolicy``: a policy of the controller comes first, unless sets may override it.
    """
    policy, override = text_at(data, _SET_POLICY), str(data.get(_SET_OVERRIDE, "")).lower()
    is_overridden = override in ("1", "t", "true") if override else not policy
    return own if own and is_overridden else policy


def ignored_settings(data: JsonObject) -> Iterator[str]:
    """Yield the settings that are not followed: programs, versions, plugins, other options of kustomize, and flags."""
    yield from sorted(key for key in data if key.startswith(_NOT_RUN))
    flags = ((key, str(data[key]).lower()) for key in sorted(_USUAL.keys() & data.keys()))
    yield from (f"{key} {value}" for key, value in flags if value not in ("", _USUAL[key].lower()))
    options = (word for word in _build_options(data) if word.startswith("-"))
    others = [word for word in options if word != _HELM_OPTION and not word.startswith(f"{_RESTRICTOR}=")]
    if others:
        yield f"{BUILD_OPTIONS} {' '.join(others)}"


def merged_data(candidates: Iterable[JsonObject]) -> tuple[JsonObject, tuple[str, ...]]:
    """Return the settings on which all objects agree that have them, and the names of the others."""
    found: dict[str, Json] = {}
    differing: set[str] = set()
    for data in candidates:
        differing.update(key for key, value in data.items() if found.setdefault(key, value) != value)
    return {key: value for key, value in found.items() if key not in differing}, tuple(sorted(differing))
