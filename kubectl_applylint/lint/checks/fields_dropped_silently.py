"""Unknown fields of a manifest that are dropped without an error."""

from kubectl_applylint.core.paths import Path, as_written_in, get
from kubectl_applylint.core.values import MISSING
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import to_path
from kubectl_applylint.merge.typed_check import type_errors


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each field that the schema does not declare and that is not stored."""
    outcome = subject.predict(Scenario.APPLY)
    if subject.kind is None or outcome.refused or outcome.result is None:
        return
    for trail, message in type_errors(subject.kind.root, subject.manifest):
        path: Path = as_written_in(subject.manifest, to_path(trail))
        if message.startswith("field not declared in schema") and get(outcome.result, path) is MISSING:
            yield Hit(path)
