"""Units that an Argo CD Application applies."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.appliers.unit_applier import AskedApplier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import is_filled
from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import Absent, ObjectRef, Present, annotations_of, ref_of
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at, texts_at
from kubectl_applylint.engine.cluster_model import is_definition
from kubectl_applylint.lint.model import Holder
from kubectl_applylint.run.compare.live_source import LiveSource, kind_name
from kubectl_applylint.run.load.reading import Reading
from kubectl_applylint.run.load.unit_program import UnitProgram
from kubectl_applylint.run.sides.argo_settings import known_settings
from kubectl_applylint.run.sides.line_positions import LinePositions
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import Input
from kubectl_applylint.tools.argocd.annotated_ignores import annotated_rules
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.application_sets import DELETING_FINALIZERS
from kubectl_applylint.tools.argocd.application_sources import sources_of
from kubectl_applylint.tools.argocd.hooks import with_name
from kubectl_applylint.tools.argocd.ignores import rules_of
from kubectl_applylint.tools.argocd.made_namespace import made_namespace
from kubectl_applylint.tools.argocd.options import (
    FAIL_ON_SHARED,
    GROUP,
    KUBECTL,
    hook_phases,
    is_hook,
    is_new_in_each_sync,
    unpredicted_options,
)
from kubectl_applylint.tools.argocd.program import sorted_documents
from kubectl_applylint.tools.argocd.projects import (
    DEFAULT_PROJECT,
    AppProject,
    Permissions,
    declared_project,
    destination_of,
)
from kubectl_applylint.tools.argocd.settings import SETTINGS, settings_of
from kubectl_applylint.tools.argocd.templates import has_actions
from kubectl_applylint.units.model import Form, Unit

SyncedUnit: TypeAlias = tuple[ArgoSync, Sequence[Document]]
"""The sync of an Application and the documents of its unit."""
_MIGRATED: Final = f"{GROUP}/client-side-apply-migration-manager"


_PLUGIN: Final = ("plugin",)
_UNPREDICTED: Final = (
    ("directory", "exclude"),
    ("directory", "include"),
    ("directory", "jsonnet"),
    ("kustomize",),
    _PLUGIN,
)
"""Fields of a source of an Application."""


def sync_of(application: JsonObject) -> ArgoSync:
    """Return the sync of an Application. Without automated pruning it prunes nothing."""
    spec = mapping(application.get("spec"))
    options = frozenset(texts_at(spec, "syncPolicy", "syncOptions"))
    name, namespace = text_at(application, "metadata", "name"), text_at(spec, "destination", "namespace")
    migrated = text_at(application, "metadata", "annotations", _MIGRATED) or KUBECTL
    source = ArgoApplication(
        name,
        "" if has_actions(namespace) else namespace,
        options,
        migrated=migrated,
        ignored=rules_of(spec.get("ignoreDifferences")),
    )
    making = [each for each in items(spec.get("sources")) or [spec.get("source")] if _makes_objects(each)]
    fields = (path for path in _UNPREDICTED if any(_has_setting(each, path) for each in making))
    return ArgoSync(
        source,
        prunes=dig(spec, "syncPolicy", "automated", "prune") is True,
        deletes=any(one in DELETING_FINALIZERS for one in texts_at(application, "metadata", "finalizers")),
        is_partial=len(making) > 1,
        unpredicted=tuple(map(".".join, fields)),
    )


def _has_setting(source: Json, path: tuple[str, ...]) -> bool:
    """Return whether a source sets a field; an empty plugin is one that Argo CD finds by the files."""
    value = dig(source, *path)
    return is_filled(value) or (path == _PLUGIN and value == {})


def _makes_objects(source: Json) -> bool:
    """Return whether a source renders manifests."""
    return bool(text_at(source, "path") or text_at(source, "chart"))


def _unit_of(_: Applier, asked: AskedApplier, unit: Unit, namespace: str) -> ArgoSync | None:
    """Return the sync of a unit, or ``None`` if no Application applies it."""
    if unit.applied.tool == "argocd" and unit.applied.tool_object is not None:
        sync = sync_of(unit.applied.tool_object)
        if unit.form is Form.RELEASE:
            sync = replace(sync, is_partial=_has_missing_source(unit), unpredicted=())
        sync = replace(sync, permissions=_permissions(unit.applied.tool_object, unit.applied.installation.projects))
        sync = replace(sync, namespace=_namespace_of(unit), makes_namespace=unit.applied.makes_namespace)
        sync = _with_settings(sync, json.loads(unit.applied.installation.settings or "{}"))
    elif asked.is_supposed:
        sync = ArgoSync(ArgoApplication(unit.release, ""), prunes=True)
    else:
        return None
    return replace(sync, application=replace(sync.application, namespace=sync.application.namespace or namespace))


def _namespace_of(unit: Unit) -> Document | None:
    """Return the Namespace that a unit of an Application makes, at the line of the Application."""
    item, why = made_namespace(unit.applied.tool_object or {}), unit.applied.reason
    return Document(why.file, 0, item, ref_of(item), LinePositions(why.line), is_templated=True) if item else None


def _has_missing_source(unit: Unit) -> bool:
    """Return whether a source that renders manifests is another repository that the store does not have."""
    others = unit.applied.other_repositories
    making = [one for one in sources_of(unit.applied.tool_object or {}) if one.makes_objects and one.url in others]
    if not making:
        return False
    from kubectl_applylint.sources.store.store import is_stored  # noqa: PLC0415  30 ms, for such Applications only

    return not all(is_stored(one.repository) for one in making)


def _permissions(application: JsonObject, projects: Iterable[str]) -> Permissions:
    """Return what AppProjects, each in JSON, permit an Application."""
    home, name = text_at(application, "metadata", "namespace"), text_at(application, "spec", "project")
    return Permissions(
        tuple(map(declared_project, map(json.loads, projects))),
        tuple(one.url for one in sources_of(application)),
        destination_of(application),
        text_at(application, "spec", "destination", "namespace"),
        ObjectRef("argoproj.io/v1alpha1", "AppProject", home, name or DEFAULT_PROJECT) if home else None,
    )


def _with_settings(sync: ArgoSync, data: JsonObject) -> ArgoSync:
    """Return a sync with the settings of an installation."""
    settings = settings_of(data)
    ignored = (*sync.application.ignored, *settings.ignored)
    return replace(sync, application=replace(sync.application, settings=settings, ignored=ignored))


def _with_live_installation(sync: ArgoSync, source: LiveSource) -> ArgoSync:
    """Return a sync with the project and the settings of a cluster or snapshot, if the files have none.

    The project has no answer if settings of Argo CD merge projects, or are not known.
    """
    wanted = sync.permissions.wanted
    if wanted is None:
        return sync
    settings = ObjectRef("v1", "ConfigMap", wanted.namespace, SETTINGS)
    states = source.states([wanted, settings], ()).states
    project, known = states.get(wanted), states.get(settings)
    data = mapping(known.object.get("data")) if isinstance(known, Present) else {}
    if data and sync.application.settings == settings_of({}):
        sync = _with_settings(sync, known_settings(data))
    is_known = isinstance(known, Present | Absent) and "globalProjects" not in data
    if not isinstance(project, Present) or sync.permissions.projects or not is_known:
        return sync
    live = AppProject(text_at(project.object, "metadata", "name"), mapping(project.object.get("spec")))
    return replace(sync, permissions=replace(sync.permissions, projects=(live,)))


def not_predicted(units: Iterable[SyncedUnit], source: LiveSource | None = None) -> Iterator[str]:
    """Yield one line for each setting of the Applications that is not predicted.

    Without a ``source``, the documents of the units are those that a change touches.
    """
    for sync, documents in units:
        name, options = sync.application.name, unpredicted_options(sync.application.options)
        if options:
            yield f"Application {name}: sync options that are not predicted: {', '.join(options)}"
        expressions = [each for rule in sync.application.ignored for each in rule.unread]
        if expressions and sync.application.respects_ignored:
            yield f"Application {name}: jqPathExpressions that are not predicted: {', '.join(expressions)}"
        if sync.is_partial:
            yield f"Application {name}: a source in another repository is not predicted; run applylint fetch"
        if sync.unpredicted:
            yield f"Application {name}: fields of sources that are not predicted: {', '.join(sync.unpredicted)}"
        yield from _notes_on_hooks(name, documents) if source is None else _notes_on_new_hooks(name, documents)
        excluded = sorted({str(document.ref) for document in documents if sync.excludes(document.ref)})
        if excluded:
            yield f"Application {name}: Argo CD is set to exclude kinds of its objects: {', '.join(excluded)}"


def _notes_on_hooks(name: str, documents: Sequence[Document]) -> Iterator[str]:
    """Yield the notes on hooks among the changed objects of an Application."""
    hooks = [one for one in documents if is_hook(one.object)]
    others = sorted({str(one.ref) for one in hooks if not hook_phases(one.object)})
    if others:
        yield f"Application {name}: hooks that no successful sync runs are left out: {', '.join(others)}"
    if len(hooks) > len(others) and len(hooks) == len(documents):
        yield f"Application {name}: only hooks change, which does not start an automated sync"


def _notes_on_new_hooks(name: str, documents: Sequence[Document]) -> Iterator[str]:
    """Yield a note on the hooks of an Application that each sync creates, which no cluster shows to have changed."""
    created = sorted({str(one.ref) for one in documents if is_new_in_each_sync(one.object)})
    if created:
        yield f"Application {name}: hooks that each sync creates, whether or not they changed: {', '.join(created)}"


def unsearched_kinds(units: Iterable[SyncedUnit], source: LiveSource) -> Iterator[str]:
    """Yield a note that leftovers of a pruning sync are searched for only among some kinds of a cluster."""
    if source.origin and source.age_seconds is None and any(sync.prunes for sync, _ in units):
        yield "Applications: what left them is looked for among common kinds and those of their files"


_TRACKED: Final = (
    "ConfigMap",
    "Secret",
    "Service",
    "ServiceAccount",
    "PersistentVolumeClaim",
    "Deployment.apps",
    "StatefulSet.apps",
    "DaemonSet.apps",
    "Job.batch",
    "CronJob.batch",
    "Ingress.networking.k8s.io",
    "NetworkPolicy.networking.k8s.io",
    "HorizontalPodAutoscaler.autoscaling",
    "PodDisruptionBudget.policy",
    "Role.rbac.authorization.k8s.io",
    "RoleBinding.rbac.authorization.k8s.io",
)
"""Kinds among which the objects of an Application are searched for in a cluster."""


def tracking_candidates(source: LiveSource, sync: ArgoSync, refs: Sequence[ObjectRef]) -> Objects:
    """Return live objects that the Application may track; ``refs`` are the objects of its unit.

    Argo CD watches all kinds; this reads the kinds of the unit and the common ones.
    """
    words = dict.fromkeys((*_TRACKED, *map(kind_name, refs)))
    return source.of_kinds(words, {sync.application.namespace, *(ref.namespace for ref in refs)})


def sync_reading(found: Reading, sync: ArgoSync) -> Reading:
    """Return a reading in sync order, each object once."""
    refs = [one.ref for one in found.here]
    made = sync.namespace if sync.namespace and sync.namespace.ref not in refs else None
    found = replace(found, here=(made, *found.here)) if made else found
    ignored = (*sync.application.ignored, *annotated_rules(found.here))
    name = made.ref.name if made else ""
    sync = replace(sync, application=replace(sync.application, ignored=ignored, made_namespace=name))
    return replace(found, here=sorted_documents(sync, found.here), policy=sync)


def sync_if_readable(found: Reading, sync: ArgoSync) -> Reading:
    """Return a reading in sync order, with a sync that writes nothing if an object cannot be read."""
    broken = (str(one.document.ref) for one in found.unread)
    return sync_reading(found, replace(sync, unreadable=next(broken, "")))


def _comparison(
    _: Applier, syncs: tuple[ArgoSync, ArgoSync], both: tuple[Reading, Reading], source: LiveSource, is_new: bool
) -> tuple[Reading, Reading]:
    """Return both revisions with their syncs; the project permitted the earlier one, since it was synced."""
    (former, sync), (earlier, later) = syncs, both
    before = replace(former, permissions=Permissions(), namespace=None)
    kept = tuple(one for one in earlier.here if not is_new_in_each_sync(one.object))
    return sync_reading(replace(earlier, here=kept), before), sync_if_readable(
        later, sync if sync.makes_namespace else _without_namespace(sync)
    )


def _without_namespace(sync: ArgoSync) -> ArgoSync:
    return replace(sync, namespace=None)


def _with_cluster_state(_: Applier, sync: ArgoSync, source: LiveSource, now: Reading) -> Reading:
    """Return the reading with its sync.

    With several sources, pruning is disabled: objects of the other sources are not known.
    """
    sync = _with_live_namespace(_with_live_installation(sync, source), source)
    sync = replace(sync, application=replace(sync.application, is_live=True))
    if not sync.is_partial or not sync.prunes:
        return sync_if_readable(now, sync)
    message = "what it prunes is not known: other sources make objects, too"
    problem = Problem(f"Application {sync.application.name}", message, "run argocd app diff")
    return sync_if_readable(replace(now, problems=(*now.problems, problem)), replace(sync, prunes=False))


def _with_live_namespace(sync: ArgoSync, source: LiveSource) -> ArgoSync:
    """Return a sync that makes its Namespace if there is none, or if it writes the metadata of an existing one."""
    if sync.namespace is None:
        return sync
    state = source.states([sync.namespace.ref], ()).states.get(sync.namespace.ref)
    is_made = isinstance(state, Absent) or (isinstance(state, Present) and bool(annotations_of(sync.namespace.object)))
    return sync if is_made else _without_namespace(sync)


def _limitations(units: Sequence[SyncedUnit], source: LiveSource | None) -> Iterator[str]:
    """Yield the notes about parts of a sync that are not predicted."""
    yield from not_predicted(units, source)
    yield from unsearched_kinds(units, source) if source else ()


def _holder(sync: ArgoSync, document: Document) -> Holder | None:
    """Return the Application that tracks a document, which takes objects over; ``None`` if it is not tracked."""
    application = sync.application
    is_free = sync.excludes(document.ref) or is_hook(document.object) or is_definition(document.ref)
    is_exclusive = FAIL_ON_SHARED in application.options
    return None if is_free or sync.unpredicted else Holder(application.name, is_exclusive=is_exclusive)


def _with_names(given: Input) -> Input:
    """Return an input in which hooks have the names that Argo CD draws."""
    items = [(one, with_name(one.object)) for one in given.documents]
    if all(item is one.object for one, item in items):
        return given
    documents = (one if item is one.object else replace(one, object=item, ref=ref_of(item)) for one, item in items)
    return replace(given, documents=tuple(documents))


UNIT_PROGRAM: Final[UnitProgram[ArgoSync, ArgoSync]] = UnitProgram(
    _unit_of,
    _comparison,
    _with_cluster_state,
    "Applications of Argo CD",
    "no Application of Argo CD names {one}",
    deletable=tracking_candidates,
    left_out=_limitations,
    changes_objects=lambda sync: bool(sync.unpredicted),
    holder=_holder,
    named=_with_names,
    applies_generated=True,
    removed=lambda sync: replace(sync, prunes=True, is_removed=True) if sync.deletes else None,
)
