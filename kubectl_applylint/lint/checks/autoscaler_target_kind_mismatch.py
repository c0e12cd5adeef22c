"""Autoscalers whose target only exists as another kind."""

from kubectl_applylint.core.paths import Field
from kubectl_applylint.lint.checks._graph import peers_named
from kubectl_applylint.lint.fixes.field_edits import SetValue
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import WORKLOADS, kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the reference if the run has only a workload of that name and another kind. Facts: ``wanted``, ``there``.

    Targets of custom kinds are skipped: they may represent a workload of their name.
    """
    own = {kind.partition(".")[0] for kind in WORKLOADS}
    for reference in references(kind_of(subject.document), subject.manifest):
        if reference.kind.partition(".")[0] not in own:
            continue
        kinds = dict.fromkeys((reference.kind, *WORKLOADS))
        named = [peer for kind in kinds for peer in peers_named(subject, kind, reference.name)]
        if named and all(kind_of(peer) != reference.kind for peer in named):
            kind, _, group = reference.kind.partition(".")
            facts = {"wanted": f"{kind} of {group or 'the core group'}", "there": str(named[0].ref)}
            there = {"kind": named[0].ref.kind, "apiVersion": named[0].ref.api_version}
            edits = tuple(SetValue((*reference.path, Field(key)), value) for key, value in there.items())
            yield Hit(reference.path, facts, ((named[0], (), "the existing object"),), edits=edits)
