"""Masks the values of Secrets, and other credentials, in the steps of ``adopt``, ``migrate`` and ``handover``."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Final

from kubectl_applylint.core.records import replace
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.ownership.commands import HERE_DOCUMENT
from kubectl_applylint.ownership.step import Step, StepKind, StepPlan
from kubectl_applylint.secrets.credential_places import mask_places
from kubectl_applylint.secrets.masking import Masks, masks, outcome_text
from kubectl_applylint.secrets.secret_places import is_secret, read_map

_APPLIES_ALL_NOTE: Final = (
    "it also takes the other objects that are rendered with this one; --show-secrets prints this one alone"
)
_WITHHELD_REASON: Final = "the step contains credentials; --show-secrets prints it"


def mask_plans(plans: Sequence[StepPlan], known: Iterable[JsonObject]) -> list[StepPlan]:
    """Return the plans without values of Secrets; ``known`` are the objects whose values a plan may repeat."""
    results = [step.effect.outcome.result for plan in plans for step in _all_steps(plan) if step.effect]
    objects = [*known, *(result for result in results if result is not None)]
    mask = masks(objects, [*chain.from_iterable(map(_texts_of, plans))])
    return [_mask_plan(plan, mask) for plan in plans]


def _all_steps(plan: StepPlan) -> Iterator[Step]:
    yield from plan.steps
    if plan.alternative is not None:
        yield plan.alternative


def _texts_of(plan: StepPlan) -> Iterator[str]:
    """Yield all texts of a plan that may repeat a Secret's value."""
    yield from plan.back
    for step in _all_steps(plan):
        yield from (step.command, step.whole, json.dumps(step.value, ensure_ascii=False))
        if step.effect is not None:
            yield outcome_text(step.effect.outcome)


def _mask_plan(plan: StepPlan, mask: Masks) -> StepPlan:
    ref = plan.subject.ref
    back = tuple(command for command in plan.back if not _holds_credentials(command, ref, mask))
    alternative = plan.alternative and _mask_step(plan.alternative, ref, mask)
    return replace(
        plan, steps=tuple(_mask_step(step, ref, mask) for step in plan.steps), alternative=alternative, back=back
    )


def _holds_credentials(command: str, ref: ObjectRef, mask: Masks) -> bool:
    """Return whether a command contains an object, or a part of it, that must not be shown."""
    is_here = HERE_DOCUMENT in command
    manifests = [read_map(line) for line in command.splitlines() if line.startswith("{")]
    return is_here and (
        is_secret(ref) or mask.hide.clean(command) != command or any(mask_places(item) != item for item in manifests)
    )


def _names_credential(step: Step, ref: ObjectRef, mask: Masks) -> bool:
    """Return whether a step contains a value that must not be shown."""
    return step.has_values and (is_secret(ref) or mask.value(ref, step.place_in_object, step.value) != step.value)


def _mask_step(step: Step, ref: ObjectRef, mask: Masks) -> Step:
    """Return the step masked; a masked command must not be run, so such a step is withheld."""
    if step.whole and _holds_credentials(step.command, ref, mask):
        step = replace(step, command=step.whole, why=f"{step.why}; {_APPLIES_ALL_NOTE}")
    if _names_credential(step, ref, mask) or _holds_credentials(step.command, ref, mask):
        return Step(StepKind.BLOCKED, "", _WITHHELD_REASON, place=step.place)
    effect = step.effect
    if effect is None:
        return step
    masked = replace(
        effect,
        outcome=mask.outcome(effect.outcome),
        resets=tuple(replace(reset, change=mask.change(ref, reset.change)) for reset in effect.resets),
        deletes=tuple(mask.change(ref, change) for change in effect.deletes),
    )
    return replace(step, effect=masked)
