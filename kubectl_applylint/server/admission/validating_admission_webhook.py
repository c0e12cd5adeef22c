"""ValidatingAdmissionWebhook: a matching webhook may reject the write; this cannot be predicted.

Mirrors ``plugin/webhook/validating`` of apiserver.
"""

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.webhooks import open_questions


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return the webhooks that may reject the write as open questions."""
    doubt = "unknown: whether the webhook {name} of {holder} rejects it"
    return open_questions(attributes, "ValidatingWebhookConfiguration", doubt)
