"""Disruption budgets that select the pods of another budget."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.values import Json, dig
from kubectl_applylint.lint.checks._graph import after_run, names, selected_peers
from kubectl_applylint.lint.checks._selectors import accepts, after_apply, pod_labels
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.lint.relations import kind_of

_DAEMONS = "DaemonSet.apps"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the selector once if another budget of the run also selects pods that a drain evicts.

    Facts: ``workloads`` (whose pods), ``budgets`` (all that select them, by name).
    """
    selector = dig(after_apply(subject), "spec", "selector")
    if subject.predict(Scenario.APPLY).refused:
        return
    evicted = [peer for peer in selected_peers(subject, selector) if kind_of(peer) != _DAEMONS]
    shared = [(peer, list(_other_budgets(subject, peer))) for peer in evicted]
    workloads = [peer for peer, others in shared if others]
    others = {budget.ref: budget for _, found in shared for budget in found}
    if workloads:
        budgets = ", ".join(sorted(str(ref) for ref in (subject.ref, *others)))
        related = tuple((budget, fields("spec", "selector"), "selects them, too") for budget in others.values())
        yield Hit(fields("spec", "selector"), {"workloads": names(workloads), "budgets": budgets}, related)


def _other_budgets(subject: Subject, workload: Document) -> Iterator[Document]:
    """Yield the other budgets that select the pods of a workload after the run."""
    labels = pod_labels(after_run(subject, workload))
    for budget in subject.peers.of_kind(kind_of(subject.document)):
        selector: Json = dig(after_run(subject, budget), "spec", "selector")
        if isinstance(selector, dict) and labels and accepts(selector, labels):
            yield budget
