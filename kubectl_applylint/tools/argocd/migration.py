"""From ``kubectl apply``, or from Helm, to an Application of Argo CD: the commands, and what the first sync does.

Argo CD applies client-side as kubectl does, and goes by the same annotation, as ``argocd-controller``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.state import annotations_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.lint.model import Subject
from kubectl_applylint.ownership.apply_mode import ApplyMode
from kubectl_applylint.ownership.object_state import state_of
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan, reached
from kubectl_applylint.ownership.tool_migration import (
    Origin,
    leaving_helm,
    outcome_of,
    release_of,
    unless_contradicted,
    with_effect,
)
from kubectl_applylint.tools.argocd import program
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.options import TRACKING

ARGOCD: Final = ApplyMode(Applier.ARGOCD, DEFAULT_MANAGERS[Applier.ARGOCD], is_by_kubectl=False)
_PLACEHOLDER: Final = "APPLICATION"
_SYNCS: Final = "applies client-side, and goes by the last-applied annotation as kubectl apply does"
_SYNCS_WITHOUT_MEMORY: Final = (
    "applies client-side; the object has no last-applied annotation, so what Git does not have is not removed"
)


def to_argocd(subject: Subject, live: JsonObject | None, origin: Origin | None) -> StepPlan:
    """Return the steps after which an Application has the object, each predicted on what the last one left.

    The Application is taken to render the manifest as it is, with no sync options.
    """
    name = _application(live)
    steps = unless_contradicted(live, origin, _steps(subject, live, name))
    return StepPlan(
        subject=subject,
        mode=ARGOCD,
        before=state_of(subject, live),
        after=state_of(subject, reached(steps, live)),
        steps=steps,
        check=(f"argocd app diff {name}",),
        back=(f"argocd app delete {name} --cascade=false",),
    )


def _steps(subject: Subject, live: JsonObject | None, name: str) -> Iterator[Step]:
    policy = ArgoSync(ArgoApplication(name, subject.ref.namespace))
    outcome = outcome_of(program.predicting(policy, subject.schema), subject, live)
    forgets = live is not None and state_of(subject, live).has_no_annotation
    why = _SYNCS_WITHOUT_MEMORY if forgets else _SYNCS
    step = with_effect(Step(StepKind.RUN, f"argocd app sync {name}", why), subject, ARGOCD, outcome, live)
    yield step
    if not step.is_blocked:
        yield from leaving_helm(release_of(live))


def _application(live: JsonObject | None) -> str:
    told = annotations_of(live or {}).get(TRACKING)
    return told.partition(":")[0] if isinstance(told, str) and told else _PLACEHOLDER


MIGRATIONS: Final = {Applier.ARGOCD: to_argocd}
