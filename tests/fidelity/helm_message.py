"""What Helm prints when a call fails, from the predicted outcomes."""

from collections.abc import Sequence

from kubectl_applylint.appliers.errors import server_message
from kubectl_applylint.core.outcome import FieldError, Outcome
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.helm.program import stops
from kubectl_applylint.tools.helm.upgrade import HelmUpgrade
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
    said = [_message_of(policy, outcome) for outcome in outcomes if outcome.refused]
    if policy.is_update:
        return " && ".join(said)
    return "\n".join(words.removeprefix(CREATING) for words in said)


def _message_of(policy: HelmUpgrade, outcome: Outcome) -> str:
    """Return Helm's message for a rejected object."""
    if outcome.error:
        return outcome.error
    before = CREATING if outcome.result is None else error_prefix(policy.method, outcome.ref)
    return before + server_message(Refused(outcome.status or 0, outcome.errors), outcome.ref)
