"""Builds the message of Helm for a failed call from the predicted outcomes."""

from collections.abc import Sequence

from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.core.outcome import FieldError, Outcome
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.helm.program import stops
from kubectl_applylint.tools.helm.upgrade import HelmAction, HelmUpgrade
from kubectl_applylint.tools.helm.write import CREATING, error_prefix


def message(policy: HelmUpgrade, block: FieldError | None, outcomes: Sequence[Outcome]) -> str:
    """Return Helm's message for a failed call, after ``UPGRADE FAILED: ``; ``""`` if it succeeds.

    ``block`` is the result of ``blocking_error``. If Helm stops at an object, it does not report earlier failures.
    """
    if block is not None:
        return block.message
    stop = next((outcome for outcome in outcomes if stops(policy, outcome)), None)
    if stop is not None:
        return _message_of(policy, stop)
    messages = [_message_of(policy, outcome) for outcome in outcomes if outcome.refused]
    if policy.action is HelmAction.DRIFT:
        return _drift_message(messages)
    if policy.is_update:
        return " && ".join(messages)
    return "\n".join(words.removeprefix(CREATING) for words in messages)


def _drift_message(messages: Sequence[str]) -> str:
    """Return what helm-controller reports of objects that it could not compare or correct."""
    undetermined = [words for words in messages if " dry-run failed" in words]
    whole = undetermined[0] if len(undetermined) == 1 else f"[{', '.join(undetermined)}]"
    head = [f"unable to determine cluster state: {whole}"] if undetermined else []
    return "\n".join((*head, *(words for words in messages if words not in undetermined)))


def _message_of(policy: HelmUpgrade, outcome: Outcome) -> str:
    """Return Helm's message for a rejected object."""
    if outcome.error:
        return outcome.error
    before = CREATING if outcome.result is None else error_prefix(policy.method, outcome.ref)
    if policy.flags.is_by_controller and policy.is_server_side:
        ref, version = outcome.ref, outcome.ref.api_version
        gvk = f"{version if '/' in version else f'/{version}'}, Kind={ref.kind}"
        before = f"{before}server-side apply failed for object {ref.namespace}/{ref.name} {gvk}: "
    return before + server_message(Refused(outcome.status or 0, outcome.errors), outcome.ref)
