"""Drawn edits of other writers fit the object that they write to."""

from random import Random

import pytest

from kubectl_applylint.core.values import JsonObject
from tests.fidelity.manifests import BASES, load_all
from tests.fidelity.test_edits import GIVEN
from tests.fidelity.writers import KINDS, Writing, another_writer

LIVE = {base["kind"]: base for base in load_all([BASES])}


def drawn(live: JsonObject) -> dict[str, Writing]:
    writings = (another_writer(Random(seed), live, GIVEN) for seed in range(200))
    return {writing.said.split()[0]: writing for writing in writings}


@pytest.mark.parametrize(
    ("kind", "absent"),
    [
        ("Deployment", set[str]()),
        ("Service", {"scale", "sidecar"}),
        ("ConfigMap", {"scale", "sidecar"}),
        ("ServiceAccount", {"scale", "sidecar", "jsonrm"}),
        ("Widget", {"scale", "sidecar"}),
    ],
    ids=["workload", "service", "settings", "neither spec nor data", "custom resource"],
)
def test_only_writes_that_fit_the_object_are_drawn(kind: str, absent: set[str]) -> None:
    assert set(drawn(LIVE[kind])) == set(KINDS) - absent


def test_a_server_side_part_names_the_object() -> None:
    for kind in ("Deployment", "ConfigMap", "Service", "Secret"):
        part = drawn(LIVE[kind])["ssa"].body
        assert (part["kind"], part["metadata"]["name"]) == (kind, LIVE[kind]["metadata"]["name"])


def test_a_removal_is_a_json_pointer() -> None:
    live = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a/b~c": "1"}}

    assert drawn(live)["jsonrm"].body == [{"op": "remove", "path": "/data/a~1b~0c"}]
