"""Predicts ``kubectl replace --save-config``: replaces the object and writes the last-applied annotation.

Mirrors the behaviour of kubectl 1.36 (``pkg/cmd/replace``) and of cli-runtime's helper, which sends the live version.
"""

from kubectl_applylint.appliers.attempt import Ask, Attempt, send, with_live_version
from kubectl_applylint.appliers.last_applied import annotate
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.write import JSON_BODY, Refused

_NOT_FOUND = 404


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return the attempt of ``kubectl replace --save-config`` on one manifest when ``live`` is the object."""
    if live is None:
        ref = request.ref
        words = f'{request.kind.resource if request.kind else ref.kind.lower()} "{ref.name}" not found'
        return Attempt(Verdict.REJECTED, refusal=Refused(_NOT_FOUND, (FieldError("", "NotFound", words),)))
    query = (("fieldManager", request.manager), ("fieldValidation", "Strict"))
    body = with_live_version(annotate(request.manifest), live)
    return send(Write("PUT", JSON_BODY, body, query), live, ask, Verdict.CONFIGURED)
