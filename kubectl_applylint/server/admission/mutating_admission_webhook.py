"""MutatingAdmissionWebhook: a matching webhook may change the object; the change cannot be predicted.

Mirrors ``plugin/webhook/mutating`` of apiserver. There is no mutation here; possible changes are reported for the
object that would be stored without them.
"""

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.webhooks import open_questions


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the webhooks that may change the object as open questions."""
    doubt = "unknown: what the webhook {name} of {holder} changes"
    return open_questions(attributes, "MutatingWebhookConfiguration", doubt)
