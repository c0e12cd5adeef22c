"""Migration from ``kubectl apply``, or from Helm 3, to another program: the common part."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import StrEnum
from importlib import import_module
from typing import Final, TypeAlias

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import LAST_APPLIED, ObjectRef, Present, annotations_of, labels_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.predictions import Predict
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode
from kubectl_applylint.ownership.commands import namespace_words, object_words
from kubectl_applylint.ownership.effect import effect_from
from kubectl_applylint.ownership.field_ownership import FieldOwnership, ownership_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan
from kubectl_applylint.tools.helm.release import MANAGED_BY, RELEASE_NAME, RELEASE_NAMESPACE, Release


class Origin(StrEnum):
    """The programs that objects migrate from, as in ``migrate --from``."""

    KUBECTL = "kubectl"
    HELM3 = "helm3"


ToolMigration: TypeAlias = Callable[[Subject, JsonObject | None, Origin | None], StepPlan]
"""Plans the migration of a subject with this live object to a program."""
PLACEHOLDER_RELEASE: Final = "RELEASE"
"""The placeholder in commands for a name that is not chosen yet."""
PLACEHOLDER_CHART: Final = "CHART"
"""The placeholder in commands for the chart if the manifests are not rendered from one."""
_FORGET_REASON: Final = (
    "removes the last-applied annotation: its content is out of date from now on, and a later kubectl apply would"
    " rely on it"
)
_FORGET_RELEASE_REASON: Final = (
    "lets Helm forget the release and deletes no object: helm uninstall would delete them all, and the next helm"
    " upgrade would set its values again"
)


def tool_migration(applier: Applier) -> ToolMigration:
    """Return the planner of one of ``TOOL_APPLIERS``, from ``MIGRATIONS`` of its package in ``tools``."""
    migrations: Mapping[Applier, ToolMigration] = import_module(
        f"kubectl_applylint.tools.{applier.package}.migration"
    ).MIGRATIONS
    return migrations[applier]


def outcome_of(predict: Predict, subject: Subject, live: JsonObject | None) -> Outcome:
    """Return the outcome of a program for the subject's manifest if the object is ``live``."""
    return predict(subject.manifest, subject.state if live is None else replace(subject.state, live=Present(live)))


def with_effect(step: Step, subject: Subject, mode: ApplyMode, outcome: Outcome, live: JsonObject | None) -> Step:
    """Return a step in which a program applies the object, with its effect beyond the manifest.

    The program's own writes, such as labels, do not count as an effect.
    """
    sent = _with_marks(subject.manifest, outcome.after, live)
    return replace(step, effect=effect_from(subject, mode, outcome, live, sent))


def _with_marks(manifest: JsonObject, after: JsonObject | None, live: JsonObject | None) -> JsonObject:
    """Return the manifest with the labels and annotations that the program adds."""
    metadata = dict(manifest.get("metadata") or {})
    for name, of in (("labels", labels_of), ("annotations", annotations_of)):
        new: Mapping[str, object] = {k: v for k, v in of(after or {}).items() if k not in of(live or {})}
        metadata[name] = {**of(manifest), **new}
    return {**manifest, "metadata": metadata}


def release_of(live: JsonObject | None) -> Release | None:
    """Return the release in the label and annotations of an object; ``None`` if there is none."""
    notes = annotations_of(live or {})
    name, namespace = notes.get(RELEASE_NAME), notes.get(RELEASE_NAMESPACE)
    if labels_of(live or {}).get(MANAGED_BY) != "Helm" or not isinstance(name, str) or not isinstance(namespace, str):
        return None
    return Release(name, namespace)


def contradiction(live: JsonObject | None, origin: Origin | None) -> Step | None:
    """Return a blocking step if an object does not come from the given origin, else ``None``."""
    release = release_of(live)
    if origin is Origin.HELM3 and release is None:
        why = f"it belongs to no Helm release: the label {MANAGED_BY} or the annotation {RELEASE_NAME} is missing"
    elif origin is Origin.KUBECTL and release is not None:
        why = f"it belongs to the Helm release {release.name} in {release.namespace}: see migrate --from helm3"
    else:
        return None
    return Step(StepKind.BLOCKED, "", why)


def steps_or_contradiction(live: JsonObject | None, origin: Origin | None, steps: Iterable[Step]) -> tuple[Step, ...]:
    """Return the steps of an object, or only the blocking step if its origin is wrong."""
    wrong = contradiction(live, origin)
    return tuple(steps) if wrong is None else (wrong,)


def forget_last_applied(ref: ObjectRef, live: JsonObject | None) -> Iterator[Step]:
    """Yield the step that removes the last-applied annotation from an object with one."""
    if LAST_APPLIED in annotations_of(live or {}):
        yield Step(StepKind.RUN, f"kubectl annotate {object_words(ref)} {LAST_APPLIED}-", _FORGET_REASON)


def forget_release(release: Release | None) -> Iterator[Step]:
    """Yield the step that ends a release without deleting its objects."""
    if release is not None:
        labels = shlex.quote(f"owner=helm,name={release.name}")
        yield Step(
            StepKind.RUN,
            f"kubectl delete secrets -l {labels}{namespace_words(release.namespace)}",
            _FORGET_RELEASE_REASON,
        )


def shared_with_others(subject: Subject, mode: ApplyMode, final: JsonObject | None) -> tuple[FieldOwnership, ...]:
    """Return the fields of the manifest that others also own: they stay after their lines are removed."""
    if final is None or not mode.is_server_side:
        return ()
    return tuple(
        field
        for field in ownership_of(final, subject.kind).shared
        if any(manager.name == mode.manager for manager in field.managers)
    )
