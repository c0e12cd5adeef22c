"""Changes of a manifest that Flux does not apply, because the Kustomization ignores the fields."""

from collections.abc import Collection

from kubectl_applylint.core.paths import Field, Index, Path, get, leaves
from kubectl_applylint.core.state import live_object
from kubectl_applylint.core.values import MISSING, equal, mapping
from kubectl_applylint.lint.checks._lists import element_names
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.merge.json_patch import pointer_steps
from kubectl_applylint.tools.flux.ignore_rules import ignored_paths
from kubectl_applylint.tools.flux.kustomization import FluxKustomization


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each changed field of the manifest that ``spec.ignore`` names and whose live value stays.

    Skipped if the element of a list may be another one. Facts: value, live ("nothing" if absent), pointer_rule (the
    path of the rule).
    """
    source = subject.flags.unit_applier.unit if subject.flags.unit_applier else None
    live, base = live_object(subject.state.live), live_object(subject.base)
    if not isinstance(source, FluxKustomization) or not source.ignored or MISSING in (live, base):
        return
    outcome, rules = subject.predict(Scenario.APPLY), ignored_paths(source.ignored, subject.manifest)
    if outcome.refused:
        return
    stored = mapping(outcome.result)
    for path, wanted in leaves(subject.manifest):
        kept, rule = get(stored, path), _rule_of(path, rules)
        is_same = equal(kept, wanted) or equal(get(mapping(base), path), wanted)
        if rule and not is_same and element_names(stored, path) == element_names(subject.manifest, path):
            yield Hit(path, {"value": wanted, "live": "nothing" if kept is MISSING else kept, "pointer_rule": rule})


def _rule_of(path: Path, rules: Collection[str]) -> str:
    """Return the first path of the rules that contains a field, empty if none does."""
    steps = tuple(str(step.position) if isinstance(step, Index) else _name(step) for step in path)
    return next((one for one in rules if steps[: len(pointer_steps(one))] == pointer_steps(one)), "")


def _name(step: object) -> str:
    return step.name if isinstance(step, Field) else ""
