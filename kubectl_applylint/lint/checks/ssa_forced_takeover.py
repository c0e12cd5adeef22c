"""Fields that a forced apply takes from other managers."""

from kubectl_applylint.core.outcome import Owner
from kubectl_applylint.core.paths import Path, as_written_in
from kubectl_applylint.lint.checks._owners import field_list, own_managers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield for each manager that loses fields to the apply the first of them.

    Managers that kubectl migrates anyway do not count. Facts: owner, fields (the first three), count.
    """
    own, outcome = own_managers(subject), subject.predict(Scenario.APPLY)
    if not subject.flags.force_conflicts or outcome.refused:
        return
    taken: dict[Owner, list[Path]] = {}
    for change in outcome.owner_changes:
        for owner in set(change.lost) - own if own.intersection(change.gained) else ():
            taken.setdefault(owner, []).append(as_written_in(subject.manifest, change.path))
    for owner, paths in sorted(taken.items()):
        yield Hit(paths[0], {"owner": str(owner), "fields": field_list(paths), "count": len(paths)})
