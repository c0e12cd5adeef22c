import json
import os
from pathlib import Path

import pytest

from kubectl_applylint.core.problem import Problem
from kubectl_applylint.core.state import Absent, ObjectRef, Present, Unknown
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.sources.cluster.snapshot import Snapshot, read

NOW = 1_700_000_000.0


def an_object(api_version: str, kind: str, name: str, namespace: str = "") -> dict[str, Json]:
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    return {"apiVersion": api_version, "kind": kind, "metadata": metadata}


DEPLOYMENT = an_object("apps/v1", "Deployment", "web", "default")
OTHERS = an_object("apps/v1", "Deployment", "web", "prod")
NODE = an_object("v1", "Node", "a")
NAKED = an_object("v1", "ConfigMap", "naked")
CRD = an_object("apiextensions.k8s.io/v1", "CustomResourceDefinition", "widgets.example.com")
NO_OBJECT = "this document is not a cluster object or a list: apiVersion or kind is missing"
OBJECTS = [DEPLOYMENT, OTHERS, NODE, NAKED, CRD]


def snapshot(path: Path, content: str, age: float = 0) -> Snapshot | Problem:
    path.write_text(content)
    os.utime(path, (NOW - age, NOW - age))
    return read(str(path), now=NOW)


@pytest.fixture
def taken(tmp_path: Path) -> Snapshot:
    found = snapshot(tmp_path / "s.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": OBJECTS}), age=90.5)
    assert isinstance(found, Snapshot)
    return found


@pytest.mark.parametrize(
    ("ref", "expected"),
    [
        (ObjectRef("apps/v1", "Deployment", "default", "web"), DEPLOYMENT),
        (ObjectRef("apps/v1", "Deployment", "", "web"), DEPLOYMENT),
        (ObjectRef("apps/v1", "Deployment", "prod", "web"), OTHERS),
        (ObjectRef("v1", "Node", "", "a"), NODE),
        (ObjectRef("v1", "ConfigMap", "", "naked"), NAKED),
        (ObjectRef("v1", "ConfigMap", "default", "naked"), NAKED),
    ],
    ids=str,
)
def test_objects_of_the_snapshot_are_present(taken: Snapshot, ref: ObjectRef, expected: JsonObject) -> None:
    assert taken.live(ref) == Present(expected)


@pytest.mark.parametrize(
    "ref",
    [
        ObjectRef("apps/v1", "Deployment", "dev", "web"),
        ObjectRef("apps/v1", "StatefulSet", "", "web"),
        ObjectRef("v1", "Deployment", "", "web"),
        ObjectRef("example.com/v1", "Deployment", "", "web"),
        ObjectRef("v1", "ConfigMap", "prod", "naked"),
    ],
    ids=repr,
)
def test_other_objects_are_absent(taken: Snapshot, ref: ObjectRef) -> None:
    assert taken.live(ref) == Absent()


def test_another_version_of_the_group(taken: Snapshot) -> None:
    found = taken.live(ObjectRef("apps/v1beta2", "Deployment", "", "web"))

    assert found == Unknown(f"the {taken.origin} has deployment.apps/web as apps/v1, not as apps/v1beta2")


def test_a_name_is_unknown_if_the_scope_of_its_kind_is(
    tmp_path: Path,
) -> None:
    there = an_object("example.com/v1", "Gadget", "g", "shop")
    found = snapshot(tmp_path / "s.json", json.dumps(there))

    assert isinstance(found, Snapshot)
    assert isinstance(found.live(ObjectRef("example.com/v1", "Gadget", "", "g")), Unknown)
    assert found.live(ObjectRef("example.com/v1", "Gadget", "", "other")) == Absent()


def test_the_version_that_is_asked_for_comes_first(tmp_path: Path) -> None:
    other = an_object("apps/v1beta2", "Deployment", "web", "default")
    found = snapshot(tmp_path / "s.json", json.dumps(other) + json.dumps(DEPLOYMENT))

    assert isinstance(found, Snapshot)
    assert found.live(ObjectRef("apps/v1", "Deployment", "", "web")) == Present(DEPLOYMENT)
    assert found.live(ObjectRef("apps/v1beta2", "Deployment", "", "web")) == Present(other)


def test_a_state_says_where_it_comes_from(taken: Snapshot) -> None:
    state = taken.state(ObjectRef("v1", "Node", "", "a"))

    assert (state.live, state.origin, state.age_seconds) == (Present(NODE), taken.origin, 90)


def test_objects_and_definitions(taken: Snapshot) -> None:
    assert list(taken.objects.values()) == OBJECTS
    assert taken.crds == (CRD,)


@pytest.mark.parametrize(
    "content",
    [
        "apiVersion: v1\nkind: List\nitems: []\n",
        '{"apiVersion": "v1", "items": [], "kind": "List", "metadata": {"resourceVersion": ""}}',
    ],
)
def test_an_empty_cluster(tmp_path: Path, content: str) -> None:
    found = snapshot(tmp_path / "s.yaml", content, age=-5)

    assert isinstance(found, Snapshot)
    assert (list(found.objects), found.age_seconds) == ([], 0)


def test_documents_and_typed_lists(tmp_path: Path) -> None:
    found = snapshot(
        tmp_path / "s.yaml",
        "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\n"
        "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p, namespace: default}\n  spec: {x: 1.0}\n",
    )

    assert isinstance(found, Snapshot)
    assert found.live(ObjectRef("v1", "Node", "", "a")) == Present(NODE)
    assert found.live(ObjectRef("v1", "Pod", "", "p")) == Present(
        {**an_object("v1", "Pod", "p", "default"), "spec": {"x": 1}}
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the snapshot contains no objects"),
        ("No resources found\n", NO_OBJECT),
        ("a: b: c\n", "error parsing the file: mapping values are not allowed in this context"),
        ("apiVersion: v1\nkind: Node\n---\n[", "error parsing the file: did not find expected node content"),
    ],
)
def test_half_a_snapshot_is_none(tmp_path: Path, content: str, message: str) -> None:
    found = snapshot(tmp_path / "s.yaml", content)

    assert isinstance(found, Problem)
    assert found.message == message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"items": []}', NO_OBJECT),
        ('{"kind": "List", "items": []}', NO_OBJECT),
        ('{"apiVersion": "v1", "items": []}', NO_OBJECT),
        ('{"error": "login", "items": "none"}', NO_OBJECT),
        ("null", "the snapshot contains no objects"),
        ("[]", NO_OBJECT),
        (
            '{"apiVersion": "v1", "kind": "ConfigMap", "items": []}',
            "the snapshot contains no objects",
        ),
        ('{"apiVersion": "v1", "kind": "List"}', "this is not a cluster object: it has no metadata"),
        ('{"apiVersion": "v1", "kind": "Status", "metadata": {}}', "this is not a cluster object: it has no name"),
        (
            '{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Node"}]}',
            "this is not a cluster object: it has no metadata",
        ),
        (
            '{"apiVersion": "v1", "kind": "List", "items": [{"metadata": {"name": "a"}, "kind": "Node"}]}',
            "unable to get type info from the object: Object 'apiVersion' is missing",
        ),
        (
            '{"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": 7}}]}',
            "this is not a cluster object: it has no name",
        ),
        (
            '{"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": "a", "labels": ["x"]}}]}',
            "this is not a cluster object: its labels are not a map of strings",
        ),
        (
            '{"apiVersion": "v1", "kind": "NodeList", "items": [{"metadata": {"name": "a", "managedFields": [1]}}]}',
            "this is not a cluster object: its managedFields are not a list of objects",
        ),
        ("apiVersion: v1\nkind: Node\nmetadata: {name: a}\n---\nitems: []\n", NO_OBJECT),
    ],
)
def test_a_snapshot_of_another_form_is_no_empty_cluster(tmp_path: Path, content: str, message: str) -> None:
    found = snapshot(tmp_path / "s.yaml", content)

    assert isinstance(found, Problem)
    assert found.message == message


def test_no_snapshot(tmp_path: Path) -> None:
    found = read(str(tmp_path / "none"), now=NOW)

    assert isinstance(found, Problem)
    assert found.message.endswith("does not exist")
