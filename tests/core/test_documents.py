"""Documents by place, by name and by kind."""

import pytest

from kubectl_applylint.core.documents import Document, Documents, InCluster, Peers, in_namespace
from kubectl_applylint.core.location import NOWHERE, Location, Span
from kubectl_applylint.core.paths import Field, Path, fields
from kubectl_applylint.core.state import ObjectRef, ref_of
from kubectl_applylint.core.values import JsonObject

PATCH = Location("patch.yaml", Span(9, 1, 9, 2))


class Written:
    """Positions of a text that has ``spec`` at line 3 and the value of ``spec.a`` at line 4."""

    def key(self, path: Path) -> Span | None:
        return Span(3, 1, 3, 5) if path == fields("spec") else None

    def value(self, path: Path) -> Span | None:
        return {(): Span(1, 1, 9, 1), fields("spec", "a"): Span(4, 6, 4, 7)}.get(path)


class Unwritten:
    """Positions of a text in which nothing is found."""

    def key(self, path: Path) -> Span | None:
        return None

    def value(self, path: Path) -> Span | None:
        return None


def manifest(kind: str, name: str, namespace: str = "shop", version: str = "apps/v1") -> JsonObject:
    return {"apiVersion": version, "kind": kind, "metadata": {"name": name, "namespace": namespace}}


def document(index: int, content: JsonObject) -> Document:
    return Document("a.yaml", index, content, ref_of(content), InCluster())


@pytest.mark.parametrize(
    ("path", "place"),
    [
        pytest.param(fields("spec"), "a.yaml:3:1", id="a key"),
        pytest.param(fields("spec", "a"), "a.yaml:4:6", id="a value"),
        pytest.param(fields("spec", "b", "c"), "a.yaml:3:1", id="the nearest thing around it"),
        pytest.param(fields("status"), "a.yaml:1:1", id="the object"),
    ],
)
def test_a_path_is_located_where_it_is_written(path: Path, place: str) -> None:
    assert str(Document("a.yaml", 0, {}, ref_of({}), Written()).locate(path)) == place


def test_a_path_without_text_is_located_at_the_begin_of_the_file() -> None:
    assert str(Document("a.yaml", 0, {}, ref_of({}), Unwritten()).locate(fields("spec"))) == "a.yaml:1:1"


def test_an_object_of_the_cluster_has_no_line() -> None:
    found = Document("deployment/web", 0, {}, ref_of({}), InCluster()).locate(fields("spec"))

    assert found == Location("deployment/web", NOWHERE)


@pytest.mark.parametrize(
    ("path", "place"),
    [
        pytest.param(fields("spec"), "a.yaml:3:1", id="the file has it"),
        pytest.param(fields("spec", "replicas"), "patch.yaml:9:1", id="a patch sets it"),
        pytest.param(fields("metadata"), "a.yaml:1:1", id="no other file sets it"),
    ],
)
def test_a_value_of_a_patch_originates_in_the_patch(path: Path, place: str) -> None:
    def set_at(asked: Path) -> Location | None:
        return PATCH if Field("spec") in asked else None

    assert str(Document("a.yaml", 0, {}, ref_of({}), Written(), set_at=set_at).origin(path)) == place


EVERY = Documents(
    tuple(
        document(place, content)
        for place, content in enumerate(
            (
                manifest("Deployment", "web"),
                manifest("Deployment", "db"),
                manifest("Deployment", "web", version="apps/v1beta1"),
                manifest("Deployment", "web", namespace="other"),
                manifest("Deployment", "nowhere", namespace=""),
                manifest("StatefulSet", "web"),
                manifest("Deployment", "web", version="example.com/v1"),
            )
        )
    )
)


def peers(position: int, ref: ObjectRef | None = None) -> Peers:
    return Peers(EVERY, position, ref or EVERY.every[position].ref)


def test_documents_are_found_by_name_in_every_version() -> None:
    assert [*EVERY.positions_of(EVERY.every[2].ref)] == [0, 2]
    assert [*EVERY.positions_of(ref_of(manifest("Deployment", "other")))] == []


@pytest.mark.parametrize(
    ("namespace", "places"),
    [
        pytest.param("shop", [0, 1, 2, 4], id="and those without a namespace"),
        pytest.param("other", [3, 4], id="another namespace"),
        pytest.param("", [4], id="no namespace, once"),
        pytest.param("empty", [4], id="a namespace without any"),
    ],
)
def test_documents_are_found_by_kind_and_namespace(namespace: str, places: list[int]) -> None:
    assert [*EVERY.of_kind("Deployment.apps", namespace)] == places


def test_peers_are_all_others_in_order() -> None:
    others = peers(1)

    assert len(others) == 6
    assert [each.index for each in others] == [0, 2, 3, 4, 5, 6]
    assert [others[place].index for place in range(len(others))] == [0, 2, 3, 4, 5, 6]
    assert [each.index for each in others[1:3]] == [2, 3]


def test_an_object_that_is_no_document_has_all_as_peers() -> None:
    others = peers(len(EVERY.every), EVERY.every[0].ref)

    assert len(others) == 7
    assert [each.index for each in others.namesakes()] == [0, 2]


def test_peers_of_the_same_name_or_kind_leave_the_document_out() -> None:
    assert [each.index for each in peers(0).namesakes()] == [2]
    assert [each.index for each in peers(0).at(EVERY.every[3].ref)] == [3]
    assert [each.index for each in peers(0).of_kind("Deployment.apps")] == [1, 2, 4]


@pytest.mark.parametrize("metadata", [{"name": "a"}, {"name": "a", "namespace": "other"}])
def test_an_object_is_moved_to_a_namespace(metadata: JsonObject) -> None:
    item: JsonObject = {"apiVersion": "v1", "kind": "Secret", "metadata": metadata}
    found = in_namespace(Document("a.yaml", 0, item, ref_of(item), Written()), "shop")

    assert found.ref.namespace == "shop"
    assert found.object["metadata"] == {"name": "a", "namespace": "shop"}
    assert item["metadata"] == metadata
