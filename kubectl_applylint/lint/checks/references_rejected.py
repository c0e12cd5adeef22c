"""Places where an object that is applied names another one that the same run fails to create."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, Path
from kubectl_applylint.core.state import ObjectRef
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied, missing_references
from kubectl_applylint.lint.checks._selectors import made
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the first place for each rejected object of the kinds ``params["of"]`` (``Kind.group``) that is named.

    Pods also start without the Secrets of ``imagePullSecrets``. Facts: ``missing`` (the rejected object).
    """
    places: dict[ObjectRef, tuple[Path, Document]] = {}
    for reference, peer in missing_references(subject, made(subject)) if is_applied(subject) else ():
        if reference.kind in params["of"] and Field("imagePullSecrets") not in reference.path:
            places.setdefault(peer.ref, (reference.path, peer))
    for path, peer in places.values():
        yield Hit(path, {"missing": str(peer.ref)}, ((peer, NAME, NOTE),))
