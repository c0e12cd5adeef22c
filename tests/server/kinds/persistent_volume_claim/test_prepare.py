"""Sources of volumes in claims, as seen on Kubernetes 1.36.3."""

import pytest

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.server.kinds.persistent_volume_claim.prepare import prepare

CLAIM = {"kind": "PersistentVolumeClaim", "name": "c"}
SNAPSHOT = {"apiGroup": "snapshot.storage.k8s.io", "kind": "VolumeSnapshot", "name": "s"}
OTHER = {"apiGroup": "example.com", "kind": "Image", "name": "i"}
FAR = {**SNAPSHOT, "namespace": "other"}


@pytest.mark.parametrize(
    ("spec", "source", "reference"),
    [
        pytest.param({"dataSource": CLAIM}, CLAIM, CLAIM, id="a claim"),
        pytest.param({"dataSource": SNAPSHOT}, SNAPSHOT, SNAPSHOT, id="a snapshot"),
        pytest.param({"dataSource": OTHER}, None, None, id="the old field takes nothing else"),
        pytest.param({"dataSourceRef": OTHER}, OTHER, OTHER, id="the new one does"),
        pytest.param({"dataSource": {}}, None, None, id="the old field does not take nothing"),
        pytest.param({"dataSourceRef": {}}, {}, {}, id="the new one does, and is then refused"),
        pytest.param({"dataSourceRef": FAR}, None, None, id="another namespace, which is off"),
        pytest.param({}, None, None, id="none"),
    ],
)
def test_both_sources_of_a_claim_say_the_same(
    spec: JsonObject, source: JsonObject | None, reference: JsonObject | None
) -> None:
    result = prepare({"spec": spec}, None, 36)

    assert (result["spec"].get("dataSource"), result["spec"].get("dataSourceRef")) == (source, reference)


def test_the_source_of_a_claim_that_is_emptied_is_not_made_up_again() -> None:
    old = {"spec": {"dataSource": CLAIM, "dataSourceRef": CLAIM}}
    emptied = {"spec": {"dataSource": {}, "dataSourceRef": CLAIM}}

    assert prepare(emptied, old, 36)["spec"] == emptied["spec"]


def test_a_claim_keeps_the_source_that_it_has() -> None:
    old = {"spec": {"dataSource": OTHER, "dataSourceRef": OTHER}}

    assert prepare({"spec": {"dataSource": OTHER}}, old, 36)["spec"] == old["spec"]


def test_a_reference_to_another_namespace_stays_alone() -> None:
    old = {"spec": {"dataSourceRef": FAR}}

    assert prepare(old, old, 36)["spec"] == {"dataSourceRef": FAR}
