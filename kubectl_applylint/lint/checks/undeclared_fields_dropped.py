"""Fields that the server drops because kubectl does not request strict validation."""

from kubectl_applylint.appliers.request import Validation
from kubectl_applylint.core.paths import as_written_in
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import to_path
from kubectl_applylint.merge.typed_check import type_errors

_UNDECLARED = "field not declared in schema"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field of the manifest that the schema does not declare, unless the apply is rejected. Facts:
    validation.
    """
    asked = subject.flags.validation
    if subject.kind is None or asked is Validation.STRICT or subject.predict(Scenario.APPLY).refused:
        return
    for trail, message in type_errors(subject.kind.root, subject.manifest):
        if message.startswith(_UNDECLARED):
            yield Hit(as_written_in(subject.manifest, to_path(trail)), {"validation": asked.value.lower()})
