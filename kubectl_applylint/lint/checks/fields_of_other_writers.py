"""Fields of the manifest with another owner that does not apply, which therefore stay after their removal."""

from kubectl_applylint.core.paths import as_written_in
from kubectl_applylint.engine.owners import owners_of
from kubectl_applylint.lint.checks._owners import field_list, own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.fieldset import EMPTY, to_path


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield for each manager that wrote fields of the manifest without an apply the first such field.

    Writers of a subresource are skipped. Facts: owner, manager (its name), fields (the first three), count.
    """
    outcome, ours = subject.predict(Scenario.APPLY), own_managers(subject)
    if outcome.refused or outcome.result is None:
        return
    owners = owners_of(outcome.result)
    own = next((fields for owner, fields in owners.items() if owner in ours and owner.operation == "Apply"), EMPTY)
    for owner, fields in sorted(owners.items()):
        if owner.operation == "Update" and not owner.subresource and owner not in ours:
            shared = fields & own
            paths = [as_written_in(subject.manifest, to_path(elements)) for elements in shared.paths()]
            if paths:
                facts = {"owner": str(owner), "manager": owner.name, "fields": field_list(paths), "count": len(paths)}
                yield Hit(paths[0], facts)
