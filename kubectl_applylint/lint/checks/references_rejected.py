"""Places where an object that is applied names another one that the same run fails to create."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.core.state import ObjectRef, present
from kubectl_applylint.core.values import mapping
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied, missing_references
from kubectl_applylint.lint.checks._selectors import made
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first place for each rejected object of the kinds ``params["of"]`` (``Kind.group``) that is named.

    What the live object names already has been missing before. Pods also start without the Secrets of
    ``imagePullSecrets``. Facts: ``missing`` (the rejected object).
    """
    live = mapping(present(subject.state.live))
    named = {(one.kind, one.name) for one in references(kind_of(subject.document), live)}
    places: dict[ObjectRef, tuple[Path, Document]] = {}
    for reference, peer in missing_references(subject, made(subject)) if is_applied(subject) else ():
        is_new = (reference.kind, reference.name) not in named
        if is_new and reference.kind in params["of"] and Field("imagePullSecrets") not in reference.path:
            places.setdefault(peer.ref, (reference.path, peer))
    for path, peer in places.values():
        yield Hit(path, {"missing": str(peer.ref)}, ((peer, NAME, NOTE),))
