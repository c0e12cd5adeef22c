"""``kubectl replace --save-config``: the whole object anew, with the annotation that client-side apply goes by.

Mirrors the behaviour of kubectl 1.36 (``pkg/cmd/replace``) and of cli-runtime's helper, which sends the live version.
"""

from kubectl_applylint.appliers.attempt import Ask, Attempt, send
from kubectl_applylint.appliers.last_applied import annotated
from kubectl_applylint.appliers.request import ApplyRequest
from kubectl_applylint.core.outcome import FieldError, Verdict, Write
from kubectl_applylint.core.values import MISSING, JsonObject, dig
from kubectl_applylint.server.write import JSON_BODY, Refused

_NOT_FOUND = 404


def apply(request: ApplyRequest, live: JsonObject | None, ask: Ask) -> Attempt:
    """Return what ``kubectl replace --save-config`` does about one manifest when ``live`` is the object."""
    if live is None:
        ref = request.ref
        words = f'{request.kind.resource if request.kind else ref.kind.lower()} "{ref.name}" not found'
        return Attempt(Verdict.REJECTED, refusal=Refused(_NOT_FOUND, (FieldError("", "NotFound", words),)))
    query = (("fieldManager", request.manager), ("fieldValidation", "Strict"))
    body = _with_version(annotated(request.manifest), live)
    return send(Write("PUT", JSON_BODY, body, query), live, ask, Verdict.CONFIGURED)


def _with_version(body: JsonObject, live: JsonObject) -> JsonObject:
    """Return the body with the version that is live, unless it names one."""
    version = dig(live, "metadata", "resourceVersion")
    if dig(body, "metadata", "resourceVersion") not in (MISSING, "") or not isinstance(version, str):
        return body
    return {**body, "metadata": {**body["metadata"], "resourceVersion": version}}
