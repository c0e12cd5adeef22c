"""Builds the message of kapp for a failed deploy from the predicted outcomes."""

from collections.abc import Sequence

from kubectl_applylint.core.outcome import FieldError, Outcome
from kubectl_applylint.engine.set_refusals import NOT_REACHED
from kubectl_applylint.server.write import Refused
from kubectl_applylint.tools.kapp.deploy import KappDeploy
from kubectl_applylint.tools.kapp.write import rejection_message


def message(policy: KappDeploy, why: FieldError | None, outcomes: Sequence[Outcome]) -> str:
    """Return kapp's message for a failed deploy; ``""`` if it succeeds."""
    if why is not None:
        return why.message
    failed = [each for each in outcomes if each.refused and not _has(each, NOT_REACHED)]
    messages = [each.error or _message_of(each) for each in failed]
    return (
        messages[0]
        if len(messages) == 1 or (messages and policy.flags.exits_early)
        else f"[{', '.join(messages)}]"
        if messages
        else ""
    )


def _message_of(outcome: Outcome) -> str:
    """Return kapp's message for an object that is rejected because of others."""
    ref, is_there = outcome.ref, outcome.result is not None
    item = {
        "apiVersion": ref.api_version,
        "kind": ref.kind,
        "metadata": {"name": ref.name, "namespace": ref.namespace},
    }
    refusal = Refused(outcome.status or 0, outcome.errors)
    return rejection_message(item, refusal, "update" if is_there else "create", "PUT" if is_there else "POST")


def _has(outcome: Outcome, reason: str) -> bool:
    return any(error.reason == reason for error in outcome.errors)
