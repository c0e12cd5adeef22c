"""References to objects that the same run fails to create."""

from collections.abc import Iterator

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.core.state import ObjectRef, live_object
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied, is_missing, referenced_peers
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import Reference, kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first reference to each rejected object of the kinds ``params["of"]`` (``Kind.group``).

    References of the live object are skipped: they were broken before. Pods also start without the Secrets of
    ``imagePullSecrets``. Facts: ``missing`` (the rejected object).
    """
    places: dict[ObjectRef, tuple[Path, Document]] = {}
    for reference in _new_references(subject) if is_applied(subject) else ():
        is_needed = reference.kind in params["of"] and not reference.is_optional
        for peer in referenced_peers(subject, reference) if is_needed else ():
            if is_missing(subject, peer):
                places.setdefault(peer.ref, (reference.path, peer))
    for path, peer in places.values():
        yield Hit(path, {"missing": str(peer.ref)}, ((peer, NAME, NOTE),))


def _new_references(subject: Subject) -> Iterator[Reference]:
    """Yield the references after the apply that the live object does not have."""
    kind = kind_of(subject.document)
    before = {(one.kind, one.name) for one in references(kind, mapping(live_object(subject.state.live)))}
    for reference in references(kind, after_apply(subject)):
        if (reference.kind, reference.name) not in before and Field("imagePullSecrets") not in reference.path:
            yield reference
