"""Fields of the manifest that a server-side apply cannot merge."""

import re

from kubectl_applylint.core.paths import as_written_in
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import to_path
from kubectl_applylint.merge.typed_check import type_errors


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field that does not match the schema if the apply is rejected, with the server's message.

    ``params["words"]`` is a pattern of the messages. Facts: message.
    """
    if subject.kind is None or not subject.predict(Scenario.APPLY).refused:
        return
    for trail, message in type_errors(subject.kind.root, subject.manifest):
        if re.search(params["words"], message):
            yield Hit(as_written_in(subject.manifest, to_path(trail)), {"message": message})
