"""Places of the manifest that a server-side apply cannot merge."""

import re

from kubectl_applylint.core.paths import written
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import to_path
from kubectl_applylint.merge.typed_check import faults


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each place that does not fit the schema, if the apply is refused, as the server's message says.

    ``params["words"]`` is a pattern for the messages that are meant. Facts: message.
    """
    if subject.kind is None or not subject.predict(Scenario.APPLY).refused:
        return
    for trail, message in faults(subject.kind.root, subject.manifest):
        if re.search(params["words"], message):
            yield Hit(written(subject.manifest, to_path(trail)), {"message": message})
