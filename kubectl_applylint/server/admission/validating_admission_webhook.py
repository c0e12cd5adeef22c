"""ValidatingAdmissionWebhook: webhooks may refuse the write, and nobody but they can tell.

Mirrors ``plugin/webhook/validating`` of apiserver.
"""

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.webhooks import open_questions


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return which webhooks may refuse the write."""
    doubt = "unknown: whether the webhook {name} of {holder} rejects it"
    return open_questions(attributes, "ValidatingWebhookConfiguration", doubt)
