"""Webhooks that are registered while the run fails to create their backends."""

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import get
from kubectl_applylint.core.values import dig, mapping
from kubectl_applylint.lint.checks._graph import names, selected_peers
from kubectl_applylint.lint.checks._rejected import NAME, NOTE, is_applied, is_missing, referenced_peers
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import kind_of, references


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield each webhook with failurePolicy Fail whose Service, or every workload behind it, is rejected and missing.

    Facts: ``service``, ``missing`` (the rejected objects).
    """
    own = after_apply(subject)
    for reference in references(kind_of(subject.document), own) if is_applied(subject) else ():
        hook = mapping(get(own, reference.path[:2]))
        if hook.get("failurePolicy", "Fail") != "Fail":
            continue
        for service in referenced_peers(subject, reference):
            missing = _missing_backends(subject, service)
            if missing:
                facts = {"service": str(service.ref), "missing": names(missing)}
                yield Hit(reference.path, facts, tuple((peer, NAME, NOTE) for peer in missing))


def _missing_backends(subject: Subject, service: Document) -> list[Document]:
    """Return the missing backends of a webhook, none if something may answer."""
    if is_missing(subject, service):
        return [service]
    behind = list(selected_peers(subject, dig(service.object, "spec", "selector"), service.ref.namespace))
    return behind if all(is_missing(subject, peer) for peer in behind) else []
