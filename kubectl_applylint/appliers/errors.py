"""kubectl's error messages for rejected writes.

Mirrors ``apierrors`` of apimachinery (the server's one message for all errors) and kubectl's ``pkg/cmd/apply``.
"""

import json
from typing import Final

from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.server.conflicts import status_message
from kubectl_applylint.server.write import Refused

_UNPROCESSABLE: Final = 422
_ADVICE: Final = (
    "Please review the fields above--they currently have other managers. Here",
    "are the ways you can resolve this warning:",
    "* If you intend to manage all of these fields, please re-run the apply",
    "  command with the `--force-conflicts` flag.",
    "* If you do not intend to manage all of the fields, please edit your",
    "  manifest to remove references to the fields that should keep their",
    "  current managers.",
    "* You may co-own fields by updating your manifest to match the existing",
    "  value; in this case, you'll become the manager if the other manager(s)",
    "  stop managing the field (remove it from their configuration).",
    "See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts",
)


def server_message(refused: Refused, ref: ObjectRef) -> str:
    """Return the message of the server's answer, which includes all errors."""
    if refused.clashes:
        return status_message(refused.clashes)
    causes = [f"{cause.field}: {cause.message}" if cause.field else cause.message for cause in refused.causes]
    text = causes[0] if len(causes) == 1 else f"[{', '.join(dict.fromkeys(causes))}]"
    if refused.status != _UNPROCESSABLE:
        return text
    kind = f"{ref.kind}.{ref.group}" if ref.group else ref.kind
    return f"{kind} {json.dumps(ref.name, ensure_ascii=False)} is invalid: {text}"


def conflict_message(refused: Refused, ref: ObjectRef) -> str:
    """Return kubectl's error message for a conflict."""
    return "\n".join((f"error: {server_message(refused, ref)}", *_ADVICE))
