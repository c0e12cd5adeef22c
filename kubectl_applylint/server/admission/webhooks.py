"""Admission webhooks. Their effect cannot be predicted: each matching webhook lowers the confidence.

Mirrors which webhooks apiserver's ``plugin/webhook`` calls; their match conditions are ignored, since a webhook that is
not called after all does no harm here.
"""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.values import JsonObject, dig, mapping
from kubectl_applylint.server.admission.attributes import ALLOWED, AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.policy_matching import matches

_GROUP: Final = "admissionregistration.k8s.io"
_CONFIGURATIONS: Final = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


def open_questions(attributes: AdmissionAttributes, kind: str, doubt: str) -> AdmissionResult:
    """Return the open questions of the webhooks of one kind of configuration.

    ``doubt`` is the text, with ``{name}`` for the webhook and ``{holder}`` for its configuration.
    """
    if attributes.is_a(_GROUP, *_CONFIGURATIONS):
        return ALLOWED  # Servers call no webhook about webhooks.
    return AdmissionResult(open=tuple(dict.fromkeys(_doubts(attributes, kind, doubt))))


def _doubts(attributes: AdmissionAttributes, kind: str, doubt: str) -> Iterator[str]:
    for holder in attributes.cluster_view.known_objects(_GROUP, kind):
        for webhook in holder.get("webhooks") or []:
            if matches(attributes, _criteria(webhook)) is not False:
                yield doubt.format(name=webhook.get("name"), holder=f"{kind} {dig(holder, 'metadata', 'name')}")


def _criteria(webhook: JsonObject) -> JsonObject:
    """Return the rules of a webhook in the form of those of a policy; one without rules is never called."""
    rules = webhook.get("rules") or [{}]
    return {**mapping(webhook), "resourceRules": rules}
