"""The label with the version of kustomize."""

import pytest

from kubectl_applylint.sources.render.managed_by_label import with_any_version
from kubectl_applylint.sources.text.manifests import read_text

LABELS = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {a: b, app.kubernetes.io/managed-by: %s}}\n"


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("kustomize-(devel)", "kustomize-${VERSION}"),
        ("kustomize-v5.8.1", "kustomize-v5.8.1"),
        ("Helm", "Helm"),
    ],
)
def test_a_version_that_kustomize_does_not_know_is_a_placeholder(written: str, label: str) -> None:
    (document,) = read_text(LABELS % written, "a.yaml").documents

    found = with_any_version(document)

    assert found.object["metadata"] == {"name": "a", "labels": {"a": "b", "app.kubernetes.io/managed-by": label}}


def test_an_object_without_labels_stays_as_it_is() -> None:
    (document,) = read_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", "a.yaml").documents

    assert with_any_version(document) is document
