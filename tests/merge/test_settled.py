import json
from pathlib import Path

import pytest

from kubectl_applylint.api import load_schema
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.merge.settled import is_unchanged
from kubectl_applylint.schema.load import load
from kubectl_applylint.schema.types import Node
from tests.fidelity.recording import open_recording

SCHEMA = load("1.36")
RECORDED = Path(__file__).parents[1] / "fidelity" / "recorded-1.36.jsonl.gz"


def root(api_version: str, kind: str) -> Node:
    found = SCHEMA.kind(api_version, kind)
    assert found
    return found.root


def pod(**spec: Json) -> JsonObject:
    return {"spec": spec}


@pytest.mark.parametrize(
    ("written", "stored", "settled"),
    [
        (pod(nodeName="a"), pod(nodeName="a", dnsPolicy="Default"), True),
        (pod(nodeName="a"), pod(nodeName="b"), False),
        (pod(nodeName="a"), pod(), False),
        (pod(nodeName=None), pod(nodeName=None), False),
        (pod(priority=1), pod(priority=True), False),
        (pod(containers=[{"name": "a"}]), pod(containers=[{"name": "a", "image": "b"}]), True),
        (pod(containers=[{"name": "a"}]), pod(containers=[{"name": "a"}, {"name": "b"}]), False),
        (pod(containers=[{"name": "a"}, {"name": "b"}]), pod(containers=[{"name": "b"}, {"name": "a"}]), False),
        (pod(containers=[{"name": "a"}, {"name": "a"}]), pod(containers=[{"name": "a"}, {"name": "a"}]), False),
        (pod(containers=[{"image": "a"}]), pod(containers=[{"image": "a"}]), False),
        (pod(containers=["a"]), pod(containers=["a"]), False),
        (pod(tolerations=[{"key": "a"}]), pod(tolerations=[{"key": "a"}]), True),
        (pod(tolerations=[{"key": "a"}]), pod(tolerations=[{"key": "a", "operator": "Equal"}]), False),
        (pod(volumes=[{"name": "a"}]), pod(volumes=[{"name": "a", "emptyDir": {}}]), False),
        (pod(volumes=[{"name": "a", "emptyDir": {}}]), pod(volumes=[{"name": "a", "emptyDir": {}}]), True),
        ({"metadata": {"finalizers": ["b", "a"]}}, {"metadata": {"finalizers": ["b", "a"]}}, False),
        ({"spec": {"$patch": "replace"}}, {"spec": {"$patch": "replace"}}, False),
        ({"odd": {"a": 1}}, {"odd": {"a": 1}}, False),
    ],
    ids=lambda value: json.dumps(value),
)
def test_an_object_is_settled_if_it_is_stored_as_written(
    written: JsonObject, stored: JsonObject, settled: bool
) -> None:
    assert is_unchanged(written, stored, root("v1", "Pod")) is settled


@pytest.mark.slow
def test_kubectl_sends_nothing_for_what_is_settled() -> None:
    settled = sent = 0
    with open_recording(RECORDED) as (head, stories):
        schema = load_schema(head.minor, crds=head.crds)
        for story in stories:
            kind = schema.kind(story.manifest["apiVersion"], story.manifest["kind"])
            if kind is None or story.live is None or story.mode != "again":
                continue
            patches = [request for request in story.requests if request.method == "PATCH"]
            is_reported = is_unchanged(story.manifest, story.live, kind.root)
            settled += is_reported
            sent += bool(patches)

            assert not (is_reported and patches), story.id

    assert settled > 200
    assert sent > 50
