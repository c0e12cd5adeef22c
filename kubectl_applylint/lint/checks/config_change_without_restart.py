"""Changed ConfigMaps and Secrets that running pods only read at their start."""

from collections.abc import Sequence

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import Field, fields
from kubectl_applylint.core.state import annotations_of, live_object
from kubectl_applylint.core.values import MISSING, dig, equal
from kubectl_applylint.lint.checks._entries import PARTS, differing
from kubectl_applylint.lint.checks._graph import after_run, before_run, names, referrers_of
from kubectl_applylint.lint.checks._selectors import after_apply
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.lint.relations import TEMPLATE, WORKLOADS, Reference, kind_of

_AT_START = (Field("env"), Field("envFrom"), Field("subPath"))
_RELOADER = "reloader.stakater.com"


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the data once if entries change that pods use as variables or single files, and the pods do not restart.

    Facts: ``keys``, ``users``, ``first`` (one of them).
    """
    live = live_object(subject.state.live)
    changed = differing(live, after_apply(subject)) if live is not MISSING else []
    named = referrers_of(subject) if changed else ()
    found = [peer for peer, one in named if _is_read_at_start(one, changed) and _keeps_running(subject, peer)]
    if found:
        places = tuple((peer, fields(*TEMPLATE), "these pods") for peer in {peer.ref: peer for peer in found}.values())
        facts = {"keys": ", ".join(changed), "users": names(found), "first": str(found[0].ref)}
        part = next((part for part in PARTS if part in subject.manifest), "data")
        yield Hit(fields(part), facts, places)


def _is_read_at_start(reference: Reference, changed: Sequence[str]) -> bool:
    """Return whether a reference reads one of the changed entries only when the pod starts."""
    return any(step in reference.path for step in _AT_START) and (not reference.key or reference.key in changed)


def _keeps_running(subject: Subject, peer: Document) -> bool:
    """Return whether an existing workload keeps its template and no reloader restarts it."""
    before, after = before_run(subject, peer), after_run(subject, peer)
    template = dig(before, *TEMPLATE)
    marks = "".join(annotations_of(after))
    is_same = template is not MISSING and equal(template, dig(after, *TEMPLATE))
    return kind_of(peer) in WORKLOADS and is_same and _RELOADER not in marks
