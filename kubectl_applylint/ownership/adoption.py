"""Adoption of an object by ``kubectl apply``: its current management and the next commands.

Mirrors the Kubernetes documentation on declarative object management: migrating from imperative commands and from
imperative object configuration, and changing the writer of a field.
"""

from collections.abc import Collection, Iterator
from shlex import quote
from typing import Final

from kubectl_applylint.appliers.last_applied import set_last_applied
from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.paths import Path, fields, get, is_filled, parse, render
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import CLIENT_SIDE, ApplyMode, mode_of
from kubectl_applylint.ownership.cleanup import cleanup
from kubectl_applylint.ownership.commands import (
    apply_command,
    diff_command,
    has_file,
    manifest_command,
    object_words,
    own_command,
)
from kubectl_applylint.ownership.effect import ANNOTATION, effect_of, forced_step
from kubectl_applylint.ownership.field_history import without
from kubectl_applylint.ownership.object_state import ObjectState, has_changes, state_of
from kubectl_applylint.ownership.step import Effect, Step, StepKind, StepPlan, object_after

REPLACE: Final = ApplyMode(Applier.KUBECTL_REPLACE, DEFAULT_MANAGERS[Applier.KUBECTL_REPLACE])
"""``kubectl replace --save-config``."""
_SERVER_FIELDS: Final = tuple(
    map(
        parse,
        (
            "metadata.creationTimestamp",
            "metadata.generation",
            "metadata.managedFields",
            "metadata.resourceVersion",
            "metadata.selfLink",
            "metadata.uid",
            "status",
        ),
    )
)
"""Fields that only the server writes and that exported manifests contain."""


def adoption(subject: Subject, live: JsonObject | None, cluster: ClusterModel, gaps: Collection[str] = ()) -> StepPlan:
    """Return the steps of one object to declarative management.

    ``gaps`` are files with objects that do not exist: ``set-last-applied`` rejects such a file as a whole. The
    alternative is ``kubectl replace``, which keeps only what is in the manifest.
    """
    before = state_of(subject, live)
    if not has_file(subject):
        export = (_export(subject.ref, before),) if live is not None else ()
        return StepPlan(subject, CLIENT_SIDE, before, before, export)
    clean = _without_server_fields(subject)
    met = _with_annotation(subject, live, before, clean, gaps)
    mode = CLIENT_SIDE if met is None else mode_of(met)
    edit = _edit(subject)
    steps = (*([edit] if edit else []), *_steps(subject, met, before, effect_of(subject, mode, met, clean), gaps))
    return StepPlan(
        subject=subject,
        mode=mode,
        before=before,
        after=state_of(subject, object_after(steps, live)),
        steps=steps,
        alternative=forced_step(subject, met, steps[-1], clean) or _replace(subject, live, before, clean, gaps),
        check=(diff_command(mode, [subject]),),
        cleanup=cleanup(subject, live, cluster),
    )


def _export(ref: ObjectRef, state: ObjectState) -> Step:
    """Return the step that writes the manifest of an object without one: as last applied, or else as live."""
    file = f"{ref.kind.lower()}_{ref.name}.yaml"
    what, get_it = ("was applied last", "apply view-last-applied") if state.is_client_side else ("is live", "get")
    why = f"no file has the object: this writes what {what} to {file}; then run adopt -f {file}"
    return Step(StepKind.RUN, f"kubectl {get_it} {object_words(ref)} -o yaml > {quote(file)}", why)


def _server_fields(subject: Subject) -> tuple[Path, ...]:
    """Return the paths in a manifest that only the server writes."""
    own_status = subject.kind is None or "status" not in subject.kind.subresources
    paths = (path for path in _SERVER_FIELDS if not (own_status and path == fields("status")))
    return tuple(path for path in (*paths, ANNOTATION) if is_filled(get(subject.manifest, path)))


def _edit(subject: Subject) -> Step | None:
    """Return the step that removes server fields from an exported manifest, ``None`` if there are none."""
    own = _server_fields(subject)
    if not own:
        return None
    named = ", ".join(map(render, own))
    why = f"the manifest was exported from the cluster; remove the fields that only the server writes: {named}"
    return Step(StepKind.EDIT, "", why, place=subject.document.locate(own[0]))


def _without_server_fields(subject: Subject) -> JsonObject:
    """Return the manifest after that edit."""
    manifest: Json = subject.manifest
    for path in _server_fields(subject):
        manifest = without(manifest, path)
    return mapping(manifest)


def _is_annotated_first(subject: Subject, state: ObjectState, gaps: Collection[str]) -> bool:
    """Return whether the last-applied annotation is written before the apply."""
    is_blank = state.has_no_annotation or state is ObjectState.UNREADABLE
    return is_blank and subject.document.file not in gaps


def _with_annotation(
    subject: Subject, live: JsonObject | None, state: ObjectState, clean: JsonObject, gaps: Collection[str]
) -> JsonObject | None:
    """Return the object before the apply, with its last-applied annotation if that is written first."""
    if live is None or not _is_annotated_first(subject, state, gaps):
        return live
    return set_last_applied(live, clean)


def _steps(
    subject: Subject, met: JsonObject | None, state: ObjectState, effect: Effect, gaps: Collection[str]
) -> Iterator[Step]:
    """Yield the steps after the edit."""
    if state is ObjectState.MIXED:
        why = "the object is applied in both ways: first finish the migration to one of them"
        yield Step(StepKind.RUN, own_command("kubectl applylint migrate", subject), why)
        return
    if _is_annotated_first(subject, state, gaps):
        yield _annotate(subject, effect)
    if state is ObjectState.STALE:
        command = f"kubectl apply view-last-applied {object_words(subject.ref)} -o yaml"
        yield Step(StepKind.RUN, command, "shows what was applied last")
    if met is not None and not has_changes(effect.outcome):
        yield Step(StepKind.DONE, "", "nothing to do: kubectl apply already manages it", effect)
        return
    yield Step(StepKind.RUN, diff_command(effect.mode, [subject]), "shows what the apply changes")
    is_managed = state in (ObjectState.CLIENT_SIDE, ObjectState.SERVER_SIDE)
    why = "applies the file" if is_managed else "from now on change these fields only through kubectl apply"
    yield Step(StepKind.RUN, apply_command(effect.mode, [subject]), why, effect)


def _annotate(subject: Subject, effect: Effect) -> Step:
    """Return the step that writes the last-applied annotation."""
    why = "writes only the last-applied annotation"
    if effect.stays:
        why += (
            ". Pass the file as it was when the object was created, so that the next apply removes what was deleted"
            " from it since"
        )
    command = manifest_command(
        "kubectl apply set-last-applied --create-annotation", [subject], takes_kustomization=False
    )
    return Step(StepKind.RUN, command, why)


def _replace(
    subject: Subject, live: JsonObject | None, state: ObjectState, clean: JsonObject, gaps: Collection[str]
) -> Step | None:
    """Return the step that replaces the object, ``None`` if that is no alternative."""
    if live is None or not state.has_no_annotation or subject.document.file in gaps:
        return None
    why = "replaces the whole object, writes the annotation, and keeps only what is in the file"
    command = manifest_command("kubectl replace --save-config", [subject])
    return Step(StepKind.RUN, command, why, effect_of(subject, REPLACE, live, clean))
