"""Objects whose namespace or definition the same apply creates too late, or fails to create."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.outcome import FieldError
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.engine.cluster_model import CRD_GROUP, CRD_KIND, defines
from kubectl_applylint.lint.model import Hit, Hits, Params, Scenario, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the kind or the namespace of an object that the same apply creates too late.

    ``params["of"]`` is ``definition`` or ``namespace``. kubectl looks up the kinds of all objects before it applies
    any,
    and sends the objects in their order. Tools that create prerequisites first are skipped. With ``params["rejected"]``
    it is a prerequisite whose creation fails, in any order. Facts: missing (the namespace, or the kind), maker (the
    object that would create it).
    """
    never = params.get("rejected", False)
    is_by_kubectl = not subject.flags.is_unit or (subject.flags.unit_arguments and subject.flags.unit_applier is None)
    if not is_by_kubectl and not never:
        return
    outcome = subject.predict(Scenario.APPLY)
    causes = outcome.errors if outcome.unmapped is None else (outcome.unmapped, *outcome.errors)
    search = _definition if params["of"] == "definition" else _namespace
    for cause in causes:
        for maker in search(subject, cause):
            if subject.cluster_diff.is_refused(maker.ref) != never:
                continue
            path = fields("kind") if params["of"] == "definition" else fields("metadata", "namespace")
            missing = subject.ref.kind if params["of"] == "definition" else subject.ref.namespace
            explains = (cause,) if cause in outcome.errors else ()
            facts = {"missing": missing, "maker": str(maker.ref)}
            note = "rejected" if never else "created here"
            yield Hit(path, facts, ((maker, fields("metadata", "name"), note),), explains)
            return


def _definition(subject: Subject, cause: FieldError) -> Iterator[Document]:
    """Yield the definitions in the run for a missing kind."""
    if cause.reason == "NoKindMatch":
        yield from (
            peer for peer in subject.peers.of_kind(f"{CRD_KIND}.{CRD_GROUP}") if defines(peer.object, subject.ref)
        )


def _namespace(subject: Subject, cause: FieldError) -> Iterator[Document]:
    """Yield the namespace in the run for a missing one."""
    if cause.reason == "NotFound" and cause.message == f'namespaces "{subject.ref.namespace}" not found':
        yield from subject.peers.at(ObjectRef("v1", "Namespace", "", subject.ref.namespace))
