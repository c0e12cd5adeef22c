"""Commands that delete objects later on."""

import pytest

from kubectl_applylint.core.state import Present, ref_of
from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.engine.cluster_model import ClusterModel
from kubectl_applylint.ownership.cleanup import cleanup
from tests.stories import MANIFEST, beside, client_side, server_side, subject_of

OTHER: JsonObject = {**MANIFEST, "spec": {**MANIFEST["spec"], "replicas": 5}}
LABELLED: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"app": "web", "tier": "front"}}}
ODD: JsonObject = {**MANIFEST, "metadata": {**MANIFEST["metadata"], "labels": {"odd": "a b", "number": 1}}}
WIDGET: JsonObject = {"apiVersion": "x.io/v1", "kind": "Widget", "metadata": {"name": "w"}, "spec": {"size": 1}}
APPLIED = client_side(MANIFEST)


def test_a_deletion_lists_objects_of_the_file_and_dependents() -> None:
    subject = beside(subject_of(MANIFEST, APPLIED), WIDGET, file="web.yaml")
    found = cleanup(subject, APPLIED, ClusterModel())

    assert found.delete == "kubectl delete -f web.yaml"
    assert found.also_deleted == ("its pods are stopped", "widget.x.io/w, which is in the same file")


def labelled_object(item: JsonObject, name: str, **labels: str) -> JsonObject:
    metadata = {"name": name, "labels": labels, **({"namespace": "shop"} if item["kind"] != "Widget" else {})}
    return {**item, "metadata": metadata}


def test_a_prune_is_predicted_with_what_it_takes_besides() -> None:
    applied = client_side(LABELLED)
    subject = beside(
        subject_of(LABELLED, applied), labelled_object(WIDGET, "w", app="web", tier="back"), file="other.yaml"
    )
    twin = client_side(labelled_object(LABELLED, "twin", app="web"))
    far = client_side(labelled_object(LABELLED, "far", app="far"))
    cluster = ClusterModel({ref_of(item).identity: Present(item) for item in (applied, twin, far)})
    found = cleanup(subject, applied, cluster)

    assert found.prune == "kubectl apply --prune -l app=web --prune-allowlist=apps/v1/Deployment -f ."
    assert [ref.name for ref in found.pruned] == ["twin"]


@pytest.mark.parametrize(
    ("live", "manifest", "peer", "words"),
    [
        pytest.param(APPLIED, LABELLED, "elsewhere/a.yaml", "needs other manifests in the folder", id="alone"),
        pytest.param(APPLIED, MANIFEST, "a.yaml", "no common label", id="no label"),
        pytest.param(APPLIED, LABELLED, "a.yaml", "no common label", id="no common label"),
        pytest.param(APPLIED, ODD, "a.yaml", "no common label", id="nothing that a selector takes"),
        pytest.param(
            server_side(MANIFEST), LABELLED, "a.yaml", "objects that were applied client-side", id="server-side"
        ),
    ],
)
def test_a_missing_prune_has_a_reason(live: JsonObject, manifest: JsonObject, peer: str, words: str) -> None:
    subject = beside(subject_of(manifest, live), labelled_object(WIDGET, "w", app="other", odd="a b"), file=peer)
    found = cleanup(subject, live, ClusterModel())

    assert (found.prune, words in found.no_prune) == ("", True)
