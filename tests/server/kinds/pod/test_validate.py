"""Errors of kube-apiserver 1.36 about pods themselves; their parts are in tests/server/validate/pods."""

import pytest

from kubectl_applylint.core.values import Json, JsonObject
from tests.server.validate.objects import CONTAINER, fields, messages, pod

GATES: JsonObject = {"schedulingGates": [{"name": "a"}]}
TOKEN: JsonObject = {"serviceAccountToken": {"path": "t", "expirationSeconds": 3600}}


def projected_volume(*sources: Json) -> JsonObject:
    return {"volumes": [{"name": "v", "projected": {"sources": [*sources]}}]}


@pytest.mark.parametrize(
    ("spec", "refused"),
    [
        pytest.param({}, [], id="good"),
        pytest.param({**projected_volume(TOKEN), "serviceAccountName": "x"}, [], id="token of an account"),
        pytest.param(
            projected_volume({"configMap": {"name": "m"}}, TOKEN),
            [
                "spec.volumes[0].projected.sources[1].serviceAccountToken: "
                "Forbidden: must not be specified when serviceAccountName is not set"
            ],
            id="token of no account",
        ),
        pytest.param({**GATES}, [], id="gated"),
        pytest.param({"nodeName": "n", "schedulingGates": []}, [], id="no gates"),
        pytest.param(
            {**GATES, "nodeName": "n"},
            ["spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared"],
            id="gated on a node",
        ),
        pytest.param(
            {"ephemeralContainers": [{**CONTAINER, "name": "e"}]},
            ["spec.ephemeralContainers: Forbidden: cannot be set on create"],
            id="ephemeral container",
        ),
    ],
)
def test_a_new_pod(spec: JsonObject, refused: list[str]) -> None:
    assert messages(pod(**spec)) == refused


@pytest.mark.parametrize("image", [" i", "i "], ids=["in front", "behind"])
def test_blanks_around_an_image_are_rejected(image: str) -> None:
    assert fields(pod(container={"image": image})) == ["spec.containers[0].image"]


def test_a_scheduled_pod_with_gates_is_valid_in_an_update() -> None:
    placed = pod(**GATES, nodeName="n")

    assert fields(placed, placed) == []


def test_annotations_and_most_of_the_spec_stay() -> None:
    mirror = {"kubernetes.io/config.mirror": "x"}

    assert "spec.nodeName" not in fields(pod(metadata={"annotations": mirror}))
    assert fields(pod(hostname="a"), pod(hostname="b")) == ["spec"]
    assert fields(pod(metadata={"annotations": mirror}, nodeName="n"), pod(nodeName="n")) != []
