"""MutatingAdmissionWebhook: webhooks may change the object, and nobody but they can tell how.

Mirrors ``plugin/webhook/mutating`` of apiserver. Nothing is changed here, so that there is nothing to do in the phase
of mutation; that a webhook may have changed something is said of the object that would be stored without it.
"""

from kubectl_applylint.server.admission.attributes import AdmissionAttributes, AdmissionResult
from kubectl_applylint.server.admission.webhooks import open_questions


def validate(attributes: AdmissionAttributes) -> AdmissionResult:
    """Return which webhooks may change the object."""
    doubt = "unknown: what the webhook {name} of {holder} changes"
    return open_questions(attributes, "MutatingWebhookConfiguration", doubt)
