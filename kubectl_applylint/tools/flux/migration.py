"""Migration from ``kubectl apply`` or Helm to a Flux Kustomization: the commands and the first reconciliation."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.state import labels_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode
from kubectl_applylint.ownership.object_state import state_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, object_after
from kubectl_applylint.ownership.tool_migration import (
    Origin,
    forget_release,
    outcome_of,
    release_of,
    shared_with_others,
    steps_or_contradiction,
    with_effect,
)
from kubectl_applylint.tools.flux import program
from kubectl_applylint.tools.flux.kustomization import GROUP, FluxKustomization, Reconciliation

FLUX: Final = ApplyMode(Applier.FLUX, DEFAULT_MANAGERS[Applier.FLUX], is_by_kubectl=False)
_PLACEHOLDER: Final = "KUSTOMIZATION"
_NAMESPACE: Final = "flux-system"
_TAKES_OVER: Final = (
    "applies server-side by force, and takes over what kubectl owns: what was written by hand and is not in Git is"
    " removed, with the last-applied annotation"
)


def to_flux(subject: Subject, live: JsonObject | None, origin: Origin | None) -> StepPlan:
    """Return the steps to bring an object under a Kustomization, each predicted on the result of the one before.

    The Kustomization is assumed to build the manifest unchanged. An object that a Kustomization has already stays
    there.
    """
    source = _source(live)
    steps = steps_or_contradiction(live, origin, _steps(subject, live, source))
    final = object_after(steps, live)
    name = f"{source.name} -n {source.namespace}"
    unpruned = '\'{"spec":{"prune":false}}\''
    return StepPlan(
        subject=subject,
        mode=FLUX,
        before=state_of(subject, live),
        after=state_of(subject, final),
        steps=steps,
        leftovers=shared_with_others(subject, FLUX, final),
        check=(f"flux diff kustomization {name} --path DIRECTORY",),
        back=(f"kubectl patch kustomization {name} --type=merge -p {unpruned}", f"kubectl delete kustomization {name}"),
    )


def _steps(subject: Subject, live: JsonObject | None, source: FluxKustomization) -> Iterator[Step]:
    """Yield the reconciliation, then the steps that remove the object from its Helm release."""
    predict = program.predicting(Reconciliation(source), subject.schema)
    call = Step(StepKind.RUN, f"flux reconcile kustomization {source.name} -n {source.namespace}", _TAKES_OVER)
    step = with_effect(call, subject, FLUX, outcome_of(predict, subject, live), live)
    yield step
    if not step.is_blocked:
        yield from forget_release(release_of(live))


def _source(live: JsonObject | None) -> FluxKustomization:
    """Return the Kustomization that owns a live object, or a placeholder."""
    labels = labels_of(live or {})
    name, namespace = labels.get(f"{GROUP}/name"), labels.get(f"{GROUP}/namespace")
    if isinstance(name, str) and isinstance(namespace, str):
        return FluxKustomization(name, namespace)
    return FluxKustomization(_PLACEHOLDER, _NAMESPACE)


MIGRATIONS: Final = {Applier.FLUX: to_flux}
