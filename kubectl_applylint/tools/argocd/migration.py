"""Migration from ``kubectl apply`` or Helm to an Argo CD Application: the commands and the first sync.

Argo CD applies client-side like kubectl, with the same last-applied annotation, as field manager ``argocd-controller``.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.appliers.request import DEFAULT_MANAGERS, Applier
from kubectl_applylint.core.state import annotations_of
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
    steps_or_contradiction,
    with_effect,
)
from kubectl_applylint.tools.argocd import program
from kubectl_applylint.tools.argocd.application import ArgoApplication, ArgoSync
from kubectl_applylint.tools.argocd.options import TRACKING

ARGOCD: Final = ApplyMode(Applier.ARGOCD, DEFAULT_MANAGERS[Applier.ARGOCD], is_by_kubectl=False)
_PLACEHOLDER: Final = "APPLICATION"
_SYNCS: Final = "applies client-side with the last-applied annotation, as kubectl apply does"
_SYNCS_WITHOUT_MEMORY: Final = (
    "applies client-side; the object has no last-applied annotation, so what Git does not have is not removed"
)


def to_argocd(subject: Subject, live: JsonObject | None, origin: Origin | None) -> StepPlan:
    """Return the steps to bring an object under an Application, each predicted on the result of the one before.

    The Application is assumed to render the manifest unchanged, without sync options.
    """
    name = _application(live)
    steps = steps_or_contradiction(live, origin, _steps(subject, live, name))
    return StepPlan(
        subject=subject,
        mode=ARGOCD,
        before=state_of(subject, live),
        after=state_of(subject, object_after(steps, live)),
        steps=steps,
        check=(f"argocd app diff {name}",),
        back=(f"argocd app delete {name} --cascade=false",),
    )


def _steps(subject: Subject, live: JsonObject | None, name: str) -> Iterator[Step]:
    """Yield the sync, then the steps that remove the object from its Helm release."""
    policy = ArgoSync(ArgoApplication(name, subject.ref.namespace))
    outcome = outcome_of(program.predicting(policy, subject.schema), subject, live)
    forgets = live is not None and state_of(subject, live).has_no_annotation
    why = _SYNCS_WITHOUT_MEMORY if forgets else _SYNCS
    step = with_effect(Step(StepKind.RUN, f"argocd app sync {name}", why), subject, ARGOCD, outcome, live)
    yield step
    if not step.is_blocked:
        yield from forget_release(release_of(live))


def _application(live: JsonObject | None) -> str:
    """Return the name of the Application that tracks a live object, or a placeholder."""
    tracking = annotations_of(live or {}).get(TRACKING)
    return tracking.partition(":")[0] if isinstance(tracking, str) and tracking else _PLACEHOLDER


MIGRATIONS: Final = {Applier.ARGOCD: to_argocd}
