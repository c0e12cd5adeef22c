"""HelmReleases of Flux: the name and namespace of the release, and how the controller renders and applies it.

Fields as in the definition of fluxcd/helm-controller v2; names are shortened as in ``internal/release/name.go``.
"""

import hashlib
from collections.abc import Mapping
from enum import StrEnum
from typing import Final, TypeVar

from kubectl_applylint.core.records import dataclass, field
from kubectl_applylint.core.state import ObjectRef, annotations_of, labels_of
from kubectl_applylint.core.values import Json, JsonObject, dig, mapping, objects_at, text_at
from kubectl_applylint.tools.flux.kustomization import common_metadata

GROUP: Final = "helm.toolkit.fluxcd.io"
_LONGEST_NAME: Final = 53
_DIGITS: Final = 12
_DEFAULT_NAMESPACE: Final = "default"
_Choice = TypeVar("_Choice", bound=StrEnum)


class DefinitionsPolicy(StrEnum):
    """What the controller does with the files in ``crds`` of a chart."""

    SKIP = "Skip"
    CREATE = "Create"
    """Definitions that exist are not changed; the default."""
    CREATE_REPLACE = "CreateReplace"


class PostRenderStrategy(StrEnum):
    """Which objects of a chart pass the post-renderers."""

    NO_HOOKS = "nohooks"
    COMBINED = "combined"
    """All in one pass, so that a hook and an object cannot have the same name; the default."""
    SEPARATE = "separate"


class ServerSideApply(StrEnum):
    """How an upgrade is applied."""

    ENABLED = "enabled"
    DISABLED = "disabled"
    AUTO = "auto"
    """As the revision before; the default."""


@dataclass(frozen=True, slots=True)
class PostRenderer:
    """Patches and images, in the form of a kustomization."""

    patches: tuple[JsonObject, ...] = field(default=(), repr=False)
    images: tuple[JsonObject, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class ReleaseAction:
    """The settings of an install or an upgrade."""

    definitions: DefinitionsPolicy = DefinitionsPolicy.CREATE
    has_hooks: bool = True
    validates_values: bool = True
    """Whether values are checked against the schema of the chart."""
    server_side: ServerSideApply = ServerSideApply.AUTO
    takes_ownership: bool = True
    """Whether objects outside the release are adopted."""
    cleans_up: bool = False
    """Whether a failed upgrade deletes the objects that it created."""
    after_failure: str = ""
    """What follows a failure: ``rollback``, ``uninstall`` or ``retry``; empty if the controller stops."""
    retries: int = 0
    """How often a remediated action is tried again; negative without a limit."""


@dataclass(frozen=True, slots=True)
class HelmReleaseSettings:
    """A HelmRelease: where its release is, and how it is rendered and applied."""

    owner: ObjectRef
    name: str
    """The name of the release."""
    namespace: str
    """The namespace of the release, which is that of its objects by default."""
    storage_namespace: str
    """The namespace of the records of Helm."""
    is_suspended: bool = False
    install: ReleaseAction = ReleaseAction(server_side=ServerSideApply.ENABLED)
    upgrade: ReleaseAction = ReleaseAction()
    is_forced: bool = False
    """Whether an upgrade that is not applied server-side replaces objects."""
    keeps_values: bool = False
    """Whether an upgrade is given the values of the revision before, too."""
    creates_namespace: bool = False
    common_labels: tuple[tuple[str, str], ...] = ()
    common_annotations: tuple[tuple[str, str], ...] = ()
    post_renderers: tuple[PostRenderer, ...] = ()
    post_render_strategy: PostRenderStrategy = PostRenderStrategy.COMBINED
    drift_mode: str = "disabled"
    """Whether the controller puts back what others change: ``enabled``, ``warn`` or ``disabled``."""
    drift_ignored: tuple[JsonObject, ...] = field(default=(), repr=False)
    """The rules of ``driftDetection.ignore``: paths, and the objects that they are about."""

    @property
    def labels(self) -> Mapping[str, str]:
        """The labels of each object, which win over the common labels."""
        return {f"{GROUP}/name": self.owner.name, f"{GROUP}/namespace": self.owner.namespace}

    def with_metadata(self, manifest: JsonObject) -> JsonObject:
        """Return a rendered object with the common metadata and the labels of the HelmRelease."""
        annotations = {**annotations_of(manifest), **dict(self.common_annotations)}
        labels = {**labels_of(manifest), **dict(self.common_labels), **self.labels}
        added = {"labels": labels, **({"annotations": annotations} if self.common_annotations else {})}
        return {**manifest, "metadata": {**mapping(manifest.get("metadata")), **added}}

    def with_labels(self, definition: JsonObject) -> JsonObject:
        """Return an object of ``crds`` with the labels of the HelmRelease, all that it is given."""
        metadata = mapping(definition.get("metadata"))
        return {**definition, "metadata": {**metadata, "labels": {**labels_of(definition), **self.labels}}}


def release_settings(owner: ObjectRef, release: JsonObject) -> HelmReleaseSettings:
    """Return the settings of a HelmRelease; what is not valid counts as absent."""
    spec = mapping(release.get("spec"))
    target, upgrade = text_at(spec, "targetNamespace"), mapping(spec.get("upgrade"))
    labels, annotations = common_metadata(release)
    own = owner.namespace or _DEFAULT_NAMESPACE
    return HelmReleaseSettings(
        owner,
        shorten_name(text_at(spec, "releaseName") or (f"{target}-{owner.name}" if target else owner.name)),
        target or own,
        text_at(spec, "storageNamespace") or own,
        spec.get("suspend") is True,
        _action(spec.get("install"), _on_install(dig(spec, "install", "serverSideApply")), "uninstall"),
        _action(
            spec.get("upgrade"), _member(ServerSideApply.AUTO, dig(spec, "upgrade", "serverSideApply")), "rollback"
        ),
        is_forced=dig(upgrade, "force") is True,
        keeps_values=dig(upgrade, "preserveValues") is True,
        creates_namespace=bool(target) and dig(spec, "install", "createNamespace") is True,
        common_labels=labels,
        common_annotations=annotations,
        post_renderers=tuple(_post_renderer(one) for one in objects_at(spec, "postRenderers") if one.get("kustomize")),
        post_render_strategy=_member(PostRenderStrategy.COMBINED, spec.get("postRenderStrategy")),
        drift_mode=text_at(spec, "driftDetection", "mode") or "disabled",
        drift_ignored=tuple(objects_at(spec, "driftDetection", "ignore")),
    )


def shorten_name(name: str) -> str:
    """Return a release name as the controller shortens it: to 53 bytes, with a part of its digest at the end."""
    encoded = name.encode()
    if len(encoded) <= _LONGEST_NAME:
        return name
    start = encoded[: _LONGEST_NAME - _DIGITS - 1].decode("utf-8", "replace")
    return f"{start}-{hashlib.sha256(encoded).hexdigest()[:_DIGITS]}"


def _action(value: Json, server_side: ServerSideApply, remediation: str) -> ReleaseAction:
    given = mapping(value)
    return ReleaseAction(
        _member(DefinitionsPolicy.CREATE, given.get("crds")),
        given.get("disableHooks") is not True,
        given.get("disableSchemaValidation") is not True,
        server_side,
        given.get("disableTakeOwnership") is not True,
        given.get("cleanupOnFail") is True,
        _after_failure(given, remediation),
        _retries(given),
    )


def _after_failure(action: JsonObject, remediation: str) -> str:
    """Return what the controller does after a failed install or upgrade; without retries it stops."""
    if text_at(action, "strategy", "name") == "RetryOnFailure":
        return "retry"
    given = mapping(action.get("remediation"))
    remediates = given.get("retries") not in (None, 0) or given.get("remediateLastFailure") is True
    return (text_at(given, "strategy") or remediation) if remediates else ""


def _retries(action: JsonObject) -> int:
    given = dig(action, "remediation", "retries")
    return given if isinstance(given, int) else 0


def _on_install(value: Json) -> ServerSideApply:
    return ServerSideApply.DISABLED if value is False else ServerSideApply.ENABLED


def _member(default: _Choice, value: Json) -> _Choice:
    """Return the member with a value, or the default."""
    return next((one for one in type(default) if one == value), default)


def _post_renderer(entry: JsonObject) -> PostRenderer:
    patches, images = (objects_at(entry, "kustomize", name) for name in ("patches", "images"))
    return PostRenderer(tuple(patches), tuple(images))
