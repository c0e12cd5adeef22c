"""Manifests as kubectl reads them before it sends anything: namespaces, selection, kinds."""

from collections.abc import Collection
from dataclasses import replace

import pytest

from kubectl_applylint.appliers.flags import Flags, NamespaceUse
from kubectl_applylint.run.compare.live_source import LiveSource, no_live_source
from kubectl_applylint.run.load.reading import NEWEST_RECORDED, Reading, make_reading
from kubectl_applylint.schema.types import Gvk
from kubectl_applylint.sources.cluster.read_results import Objects
from kubectl_applylint.sources.text.manifests import read_text
from tests.run.load.test_run_input import DEFINITION, LAMP

MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web, labels: {app: web}}\n"
ELSEWHERE = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: till, namespace: bank}\n"


def read(*texts: str, known: LiveSource | None = None, flags: Flags | None = None, version: str = "") -> Reading:
    given = read_text("---\n".join(texts), "all.yaml")
    return make_reading(given, known or no_live_source(), flags or Flags(), version)


def test_objects_without_a_namespace_get_that_of_the_flags_and_no_other_is_allowed() -> None:
    found = read(MAP, ELSEWHERE, flags=Flags(namespace="shop"))

    assert [document.ref.namespace for document in found.here] == ["shop"]
    assert [document.ref.name for document in found.elsewhere] == ["till"]
    assert len(found.problems) == 1


@pytest.mark.parametrize(
    ("use", "namespaces"),
    [(NamespaceUse.DEFAULT, ["shop", "bank"]), (NamespaceUse.REPLACED, ["shop", "shop"])],
    ids=str,
)
def test_the_namespace_of_a_tool_rejects_no_object(use: NamespaceUse, namespaces: list[str]) -> None:
    found = read(MAP, ELSEWHERE, flags=Flags(namespace="shop", namespace_use=use))

    assert [document.ref.namespace for document in found.here] == namespaces
    assert [document.object["metadata"]["namespace"] for document in found.here] == namespaces
    assert not found.problems


WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\n"


def test_an_unknown_kind_is_namespaced_if_another_object_of_it_names_a_namespace() -> None:
    placed = WIDGET.replace("name: one", "name: two, namespace: shop")
    given, before = read_text(WIDGET, "now.yaml"), read_text(placed, "before.yaml")
    beside = make_reading(given, no_live_source(), Flags(), "", beside=before.documents)

    assert [document.ref.namespace for document in read(WIDGET).here] == [""]
    assert [document.ref.namespace for document in read(WIDGET, placed).here] == ["default", "shop"]
    assert [document.ref.namespace for document in beside.here] == ["default"]


def test_objects_that_a_selector_excludes_stay_known() -> None:
    found = read(MAP, ELSEWHERE, flags=Flags(selector="app=web"))

    assert [document.ref.name for document in found.here] == ["web"]
    assert [document.ref.name for document in found.unselected] == ["till"]


@pytest.mark.parametrize(
    ("asked", "served", "taken"),
    [
        ("1.30", "v1.33.2", "1.30"),
        ("", "v1.33.2-eks", "1.33"),
        ("", "", NEWEST_RECORDED),
        ("", "main", NEWEST_RECORDED),
    ],
    ids=["asked for", "of the cluster", "nobody says", "nobody understands"],
)
def test_the_version_that_is_asked_for_holds_before_that_of_the_cluster(asked: str, served: str, taken: str) -> None:
    assert read(MAP, known=replace(no_live_source(), version=served), version=asked).schema.asked == taken


def test_only_unknown_kinds_are_requested() -> None:
    asked: list[Collection[Gvk]] = []

    def definitions(kinds: Collection[Gvk]) -> Objects:
        asked.append(list(kinds))
        return Objects((DEFINITION,), ())

    found = read(MAP, LAMP, known=replace(no_live_source(), definitions=definitions))

    assert asked == [[("x.io/v1", "Lamp")]]
    assert found.schema.kind("x.io/v1", "Lamp") is not None


def test_objects_that_kubectl_cannot_decode_are_left_out_with_a_reason() -> None:
    found = read(MAP, "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: odd, labels: [a]}\n")

    assert [document.ref.name for document in found.here] == ["web"]
    assert [(each.document.ref.name, "labels" in each.why.message) for each in found.unread] == [("odd", True)]
