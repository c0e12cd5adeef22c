"""The clusters of an Argo CD that Secrets of the repository declare, as the clusters generator reads them.

Mirrors ``applicationset/generators/cluster.go`` of Argo CD 3.6. Of a Secret only the name of the cluster and the
project are used, which Argo CD shows everywhere; the URL stays unknown, unless it is that of Argo CD's own cluster.
Those of an ``ExternalSecret`` are in the template of its Secret.
"""

import base64
import binascii
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from kubectl_applylint.core.documents import Document
from kubectl_applylint.core.regex import regex
from kubectl_applylint.core.values import Json, JsonObject, dig, items, mapping, text_at
from kubectl_applylint.tools.argocd.projects import OWN_CLUSTER, OWN_SERVER
from kubectl_applylint.units.reading import is_kind

SECRET_TYPE: Final = "argocd.argoproj.io/secret-type"
_CLUSTER: Final = "cluster"
_HIDDEN: Final = regex(r"ENC\[|.*\{\{")
"""A text that is encrypted, or that a template makes."""
_READ: Final = ("name", "server", "project")


class TextMap(dict[str, Json]):
    """The labels or annotations of a cluster: in Go a map of texts, where ``index`` of a missing name is empty."""


def declared_clusters(documents: Collection[Document]) -> tuple[JsonObject, ...]:
    """Return the Secrets of clusters among documents: metadata, and data as text without what templates make."""
    found = (_secret(one) for one in documents)
    return tuple(one for one in found if _labels(one).get(SECRET_TYPE) == _CLUSTER and one["data"])


def _secret(document: Document) -> JsonObject:
    if is_kind(document, "ExternalSecret", "external-secrets.io"):
        template = mapping(dig(document.object, "spec", "target", "template"))
        return {"metadata": mapping(template.get("metadata")), "data": _known_texts(mapping(template.get("data")))}
    if not is_kind(document, "Secret", ""):
        return {"metadata": {}, "data": {}}
    encoded = {key: _decode(value) for key, value in mapping(document.object.get("data")).items() if key in _READ}
    texts = _known_texts({**encoded, **mapping(document.object.get("stringData"))})
    shown = {key: text for key, text in texts.items() if key != "server" or text == OWN_SERVER}
    return {"metadata": mapping(document.object.get("metadata")), "data": shown}


def _known_texts(texts: JsonObject) -> JsonObject:
    return {key: text for key in _READ if isinstance(text := texts.get(key), str) and not _HIDDEN.match(text)}


def _decode(value: Json) -> str | None:
    try:
        return base64.b64decode(str(value), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None


def _labels(secret: JsonObject) -> JsonObject:
    return mapping(dig(secret, "metadata", "labels"))


def cluster_parameters(secret: JsonObject) -> Iterator[tuple[str, str]]:
    """Yield the parameters of a cluster; those that are not known are left out."""
    data = mapping(secret["data"])
    yield from ((key, text_at(data, key)) for key in ("name", "server") if key in data)
    yield "project", text_at(data, "project")
    for kind in ("labels", "annotations"):
        for key, value in mapping(dig(secret, "metadata", kind)).items():
            yield f"metadata.{kind}.{key}", str(value)


def selected_clusters(clusters: Collection[JsonObject], labels: JsonObject) -> Iterator[Mapping[str, str]]:
    """Yield the parameters of the clusters that have some labels; without labels, also those of Argo CD's own one."""
    for one in clusters:
        if all(_labels(one).get(key) == value for key, value in labels.items()):
            yield dict(cluster_parameters(one))
    if not labels and all(text_at(one, "data", "server") != OWN_SERVER for one in clusters):
        yield {"name": OWN_CLUSTER, "server": OWN_SERVER, "project": ""}


def has_known_clusters(generator: JsonObject, clusters: Collection[JsonObject]) -> bool:
    """Return whether a generator selects some of the clusters: with labels at most, and not as a single list.

    If it selects none of the Secrets in the files, others exist only in the cluster.
    """
    spec = generator.get("clusters")
    is_simple = isinstance(spec, dict) and spec.get("flatList") is not True
    if not is_simple or items(dig(spec, "selector", "matchExpressions")) or not clusters:
        return False
    return any(selected_clusters(clusters, mapping(dig(spec, "selector", "matchLabels"))))
