"""Objects that were applied server-side under another manager name before."""

from kubectl_applylint.core.state import Present
from kubectl_applylint.engine.owners import owners_of
from kubectl_applylint.lint.checks._owners import own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import FieldSet


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the object once for each applier that owns the whole manifest, if our manager never applied it.

    A manifest with few of its fields is not a successor. ``params["except"]`` are ignored managers. Facts: manager,
    version (of the API).
    """
    live, outcome = subject.state.live, subject.predict(Scenario.APPLY)
    own = next(owner for owner in own_managers(subject) if owner.operation == "Apply")
    if not isinstance(live, Present) or outcome.refused or outcome.result is None or own in owners_of(live.object):
        return
    after = owners_of(outcome.result)
    ours = after.get(own)
    for owner, fields in owners_of(live.object).items():
        applies = owner.operation == "Apply" and not owner.subresource and owner.name not in params["except"]
        if ours and applies and not ours - fields and 2 * _field_count(ours) >= _field_count(fields):
            yield Hit((), {"manager": owner.name, "version": subject.ref.api_version})


def _field_count(fields: FieldSet) -> int:
    return sum(1 for _ in fields.paths())
