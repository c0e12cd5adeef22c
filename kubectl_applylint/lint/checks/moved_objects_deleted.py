"""Objects that move to a HelmRelease of Flux, and that their former Kustomization or release deletes."""

from collections.abc import Mapping
from typing import Final

from kubectl_applylint.appliers.request import Applier
from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.paths import fields
from kubectl_applylint.core.state import Present, annotations_of
from kubectl_applylint.core.values import Json, text_at
from kubectl_applylint.lint.model import Hit, Hits, Params, Subject
from kubectl_applylint.tools.flux.kustomization import KEPT, is_marked
from kubectl_applylint.tools.helm.release import is_in_crds

_POLICY: Final = "helm.sh/resource-policy"
_MARKS: Final = {
    Applier.FLUX: "kustomize.toolkit.fluxcd.io/prune: disabled",
    Applier.HELM_CONTROLLER: f"{_POLICY}: keep",
}


def check(subject: Subject, *, params: Params) -> Hits:
    """Yield the name once if the object is new in its release, and the change removes it from a unit that deletes it.

    Skipped if a mark in the earlier manifest keeps it. Facts: former (the unit), former_place, mark (the annotation
    that keeps it).
    """
    former = None if isinstance(subject.base, Present) else subject.cluster_diff.former_unit(subject.ref)
    if former is None or _is_kept(former.document):
        return
    place = str(former.document.locate(()))
    facts: Mapping[str, Json] = {"former": former.root, "former_place": place, "mark": _MARKS[Applier(former.program)]}
    yield Hit(fields("metadata", "name"), facts, ((former.document, fields("metadata", "name"), "removed here"),))


def _is_kept(document: Document) -> bool:
    policy = text_at(annotations_of(document.object), _POLICY)
    return policy == "keep" or is_marked(document.object, KEPT) or is_in_crds(document.file)
