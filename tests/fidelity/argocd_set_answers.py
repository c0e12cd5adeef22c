"""Compares Applications that applylint generates from ApplicationSets with those of Argo CD."""

import json
from collections import Counter
from collections.abc import Iterable
from enum import Enum

from kubectl_applylint.core.documents import Document, InCluster
from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject, mapping
from kubectl_applylint.tools.argocd.application_sets import EQUAL_NAMES, GeneratedApplication, generated_applications
from kubectl_applylint.tools.argocd.clusters import declared_clusters
from kubectl_applylint.tools.argocd.generators import RepositoryView
from kubectl_applylint.units.reading import folders_of
from tests.fidelity.argocd_sets import CLUSTERS, FILES, HERE


class Score(Enum):
    """The likeness of the Applications of applylint and those of Argo CD."""

    EQUAL = "equal"
    NAMED = "named: not evaluated, or with parameters that are not known"
    DIFFERENT = "different"


def score(item: JsonObject, answer: JsonObject) -> Score:
    """Return how applylint is like Argo CD; ``answer`` is that of ``tests/appliers_go/argocd_sets``.

    A set that Argo CD rejects has no Applications. Those with equal names are neither created nor updated.
    """
    every = _applications(item)
    found = [one for one in every if not one.gap.startswith(EQUAL_NAMES)]
    texts = [_text(one.application) for one in found]
    given = answer["applications"] or []
    names = Counter(one["metadata"]["name"] for one in given)
    expected = [_text(one) for one in given if names[one["metadata"]["name"]] == 1]
    if not any(one.gap for one in found) and sorted(texts) == sorted(expected):
        return Score.EQUAL
    is_named = any(one.gap or one.unknown for one in found) or any("{{" in _text(one.application) for one in every)
    return Score.NAMED if is_named else Score.DIFFERENT


def _applications(item: JsonObject) -> list[GeneratedApplication]:
    paths = frozenset(FILES)
    clusters = declared_clusters(list(_documents(CLUSTERS)))
    view = RepositoryView(paths, folders_of(paths), lambda path: FILES[path].encode(), (HERE,), clusters)
    (document,) = _documents([item])
    return [*generated_applications(document, view)]


def _documents(values: Iterable[JsonObject]) -> Iterable[Document]:
    return (Document("set.yaml", 0, value, ref_of(value), InCluster()) for value in values)


def _text(application: JsonObject) -> str:
    """Return the name, the labels, the annotations and the spec of an Application, without empty values."""
    metadata = mapping(application.get("metadata"))
    kept = {name: metadata.get(name) for name in ("name", "labels", "annotations")}
    return json.dumps(_without_empty({**kept, "spec": application.get("spec")}), sort_keys=True)


def _without_empty(value: Json) -> Json:
    match value:
        case dict():
            inner = {key: _without_empty(one) for key, one in value.items()}
            return {key: one for key, one in inner.items() if one not in (None, {}, [], "")}
        case list():
            return [_without_empty(one) for one in value]
        case _:
            return value
