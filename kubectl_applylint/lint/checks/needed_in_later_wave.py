"""Workloads of Argo CD whose pods need an object that the sync creates only after it waits for the workload."""

from collections.abc import Iterator
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import Verdict
from kubectl_applylint.core.paths import Field
from kubectl_applylint.core.state import Absent
from kubectl_applylint.core.values import dig
from kubectl_applylint.lint.checks._graph import peers_named
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject
from kubectl_applylint.lint.relations import POD_SPECS, Reference, kind_of, references
from kubectl_applylint.tools.argocd.options import PHASES, hook_phases
from kubectl_applylint.tools.argocd.order import stage_of

_NEEDED: Final = ("ConfigMap.", "Secret.", "ServiceAccount.", "PersistentVolumeClaim.")
_WITHOUT_PODS: Final = "CronJob.batch"
"""The kind that has no pods when it is applied."""
_PULLS: Final = Field("imagePullSecrets")


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield a reference of new or restarted pods for each object that does not exist before a later phase or wave.

    Facts: needed (the object), needed_file, wave (the last one in which it may be applied, empty for another phase),
    phase (the one of a hook that needs it, else empty), later_phase (the one of the object).
    """
    if kind_of(subject.document) not in POD_SPECS or kind_of(subject.document) == _WITHOUT_PODS:
        return
    named = {peer.ref: (one, peer) for one, peer in reversed([*_named_peers(subject)])}
    late = [(one, peer) for one, peer in named.values() if stage_of(peer.object) > stage_of(subject.manifest)]
    if not late or not _starts_pods(subject):
        return
    for reference, peer in reversed(late):
        if isinstance(subject.cluster_diff.before(peer.ref), Absent):
            place, wave = stage_of(subject.manifest)
            later = stage_of(peer.object)[0]
            is_same = place == later
            facts = {
                "needed": str(peer.ref),
                "needed_file": peer.file,
                "wave": str(wave) if is_same else "",
                "phase": "" if is_same else PHASES[place],
                "later_phase": PHASES[later],
            }
            yield Hit(reference.path, facts, ((peer, (Field("metadata"), Field("name")), "created later"),))


def _named_peers(subject: Subject) -> Iterator[tuple[Reference, Document]]:
    """Yield the references without which no pod starts, each with the object of the run that it names."""
    for one in references(kind_of(subject.document), subject.manifest):
        if one.kind in _NEEDED and not one.is_optional and _PULLS not in one.path:
            for peer in peers_named(subject, one.kind, one.name):
                yield one, peer


def _starts_pods(subject: Subject) -> bool:
    """Return whether the sync starts pods: of a new object, of another pod template, or of a hook."""
    if dig(subject.manifest, "spec", "replicas") == 0 or dig(subject.manifest, "spec", "suspend") is True:
        return False
    outcome = subject.predict(Scenario.APPLY)
    is_started = outcome.verdict is Verdict.CREATED or bool(outcome.restarts) or bool(hook_phases(subject.manifest))
    return is_started and not outcome.refused
