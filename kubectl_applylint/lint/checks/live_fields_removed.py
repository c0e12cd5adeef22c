"""Live fields of other writers that the apply removes."""

from kubectl_applylint.core.name_lists import first_names
from kubectl_applylint.core.outcome import Change
from kubectl_applylint.core.paths import Path, get, outermost_missing, parse, render
from kubectl_applylint.core.state import LAST_APPLIED, live_object
from kubectl_applylint.core.values import MISSING, mapping
from kubectl_applylint.lint.checks._argocd import has_sync_option
from kubectl_applylint.lint.checks._owners import ANNOTATION_PATH, own_managers, writers
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield for each other writer the first of its fields that is removed and that neither manifest has.

    ``params["writers"]`` are prefixes of the writers' names, ``params["within"]`` and ``params["except"]`` included and
    excluded paths, ``params["option"]`` is a sync option of Argo CD. Facts: who, fields (the first three), count.
    """
    outcome, found = subject.predict(Scenario.APPLY), dict[str, list[Path]]()
    ours, is_asked = {owner.name for owner in own_managers(subject)}, has_sync_option(subject, params)
    for change in outcome.changes if is_asked and not outcome.refused else ():
        own = [name for name in writers(subject, change.path) if name.startswith(tuple(params.get("writers", ("",))))]
        if own and ours.isdisjoint(own) and _is_removal_of_others(change, subject, params):
            found.setdefault(", ".join(own), []).append(outermost_missing(mapping(outcome.result), change.path))
    for who, paths in sorted(found.items()):
        shown = list(dict.fromkeys(map(render, paths)))
        yield Hit(paths[0], {"who": who, "fields": first_names(shown, 3), "count": len(shown)})


def _is_removal_of_others(change: Change, subject: Subject, params: Params) -> bool:
    """Return whether a change removes what only others wrote, in the scope of the rule."""
    within, aside = parse(params.get("within", "")), parse(params.get("except", ""))
    is_there = change.path[: len(within)] == within and not (aside and change.path[: len(aside)] == aside)
    is_gone = change.before is not MISSING and change.after is MISSING
    is_unwritten = all(get(side, change.path) is MISSING for side in (subject.manifest, live_object(subject.base)))
    is_annotation = change.path == ANNOTATION_PATH or mapping(change.before).keys() == {LAST_APPLIED}
    return is_there and is_gone and is_unwritten and not is_annotation
