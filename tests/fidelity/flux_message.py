"""Builds the message of Flux for a failed reconciliation from the predicted outcomes."""

from collections.abc import Sequence
from typing import Final

from kubectl_applylint.appliers.attempt import UNMAPPED
from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.core.outcome import Outcome
from kubectl_applylint.engine.process import is_unready
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.flux.order import stage
from kubectl_applylint.tools.flux.stages import is_sent
from kubectl_applylint.tools.flux.write import dry_run_error, subject


def message(outcomes: Sequence[Outcome]) -> str:
    """Return Flux's message for a reconciliation with these outcomes; ``""`` if it succeeds."""
    failed = (each for each in outcomes if each.refused and not _is_left_out(each))
    first = next(failed, None)
    if first is not None:
        return first.error or _message_of(first)
    waiting = [each.ref for each in outcomes if is_unready(each) and stage(each.ref) < _LAST_STAGE]
    first_stage = [ref for ref in waiting if stage(ref) == stage(waiting[0])]
    listed = ", ".join(f"{subject(ref)} status: 'NotFound'" for ref in first_stage)
    return f"timeout waiting for: [{listed}]" if listed else ""


_LAST_STAGE: Final = 2
"""Flux does not wait after this stage; the health checks of a Kustomization follow later."""


def _is_left_out(outcome: Outcome) -> bool:
    """Return whether the reconciliation did not reach an object."""
    return any(cause.reason == NOT_REACHED for cause in outcome.errors)


def _message_of(outcome: Outcome) -> str:
    """Return Flux's message for an object that is rejected before anything is sent."""
    refusal = Refused(outcome.status or 0, outcome.errors)
    unmapped = next((cause for cause in outcome.errors if cause.reason == UNMAPPED), None)
    if unmapped is not None:
        return f"{subject(outcome.ref)} dry-run failed: {unmapped.message.removesuffix(_ADVICE)}"
    if is_sent(outcome):
        return f"{subject(outcome.ref)} apply failed: {server_message(refusal, outcome.ref)}"
    return dry_run_error(outcome.ref, refusal)


_ADVICE: Final = ": ensure CRDs are installed first"
"""The advice that kubectl appends."""
