"""Fields of the manifest that somebody who does not apply owns as well, so that they outlive their lines."""

from kubectl_applylint.core.paths import written
from kubectl_applylint.engine.owners import owners_of
from kubectl_applylint.lint.checks._owners import field_list, own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import EMPTY, to_path


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield for everybody who wrote fields of the manifest by other means than apply the first such field.

    Who writes through a subresource does not count. Facts: owner, manager (its name), fields (the first three), count.
    """
    outcome, ours = subject.predict(Scenario.APPLY), own_managers(subject)
    if outcome.refused or outcome.result is None:
        return
    owners = owners_of(outcome.result)
    own = next((fields for owner, fields in owners.items() if owner in ours and owner.operation == "Apply"), EMPTY)
    for owner, fields in sorted(owners.items()):
        if owner.operation == "Update" and not owner.subresource and owner not in ours:
            shared = fields & own
            paths = [written(subject.manifest, to_path(elements)) for elements in shared.paths()]
            if paths:
                facts = {"owner": str(owner), "manager": owner.name, "fields": field_list(paths), "count": len(paths)}
                yield Hit(paths[0], facts)
