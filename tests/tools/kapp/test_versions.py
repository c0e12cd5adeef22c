"""Versioned objects: the names they get, the references to them, and what is kept."""

import pytest

from kubectl_applylint.core.state import ref_of
from kubectl_applylint.core.values import Json, JsonObject
from kubectl_applylint.tools.kapp.app import with_identity
from kubectl_applylint.tools.kapp.matchers import KappError
from kubectl_applylint.tools.kapp.paths import PathError
from kubectl_applylint.tools.kapp.rules import KappRules
from kubectl_applylint.tools.kapp.versions import Versions, is_version, versions

POD = {"containers": [{"name": "a", "envFrom": [{"configMapRef": {"name": "cfg"}}]}], "volumes": None}
DEPLOYMENT: dict[str, Json] = {
    "apiVersion": "apps/v1",
    "kind": "Deployment",
    "metadata": {"name": "web", "namespace": "ns"},
    "spec": {"template": {"spec": POD}},
}


def config_map(name: str = "cfg", value: str = "1", **annotations: str) -> JsonObject:
    marks = {f"kapp.k14s.io/{key.replace('_', '-')}": text for key, text in {"versioned": "", **annotations}.items()}
    metadata = {"name": name, "namespace": "ns", "annotations": marks}
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": value}}


def live(number: int, value: str = "1", **annotations: str) -> JsonObject:
    return with_identity(config_map(f"cfg-ver-{number}", value, **annotations))


def versions_of(objects: list[JsonObject], existing: list[JsonObject]) -> Versions:
    return versions(objects, existing, KappRules(), lambda old, new: bool(old["data"] == new["data"]))


def reference(item: JsonObject) -> Json:
    return item["spec"]["template"]["spec"]["containers"][0]["envFrom"][0]["configMapRef"]["name"]


def test_a_first_version_is_added_and_referred_to() -> None:
    found = versions_of([DEPLOYMENT, config_map()], [])

    assert [ref_of(item).name for item in found.objects] == ["web", "cfg-ver-1"]
    assert reference(found.objects[0]) == "cfg-ver-1"
    assert (set(found.added), found.sources, len(found.dropped)) == ({1}, (0, 1), 0)


def test_an_equal_version_keeps_its_name() -> None:
    found = versions_of([DEPLOYMENT, config_map()], [live(2), live(10)])

    assert [ref_of(item).name for item in found.objects] == ["web", "cfg-ver-10"]
    assert reference(found.objects[0]) == "cfg-ver-10"
    assert found.added == frozenset()


def test_a_change_makes_another_version_and_drops_the_oldest() -> None:
    found = versions_of([config_map(value="2", num_versions="1")], [live(1), live(2), live(3)])

    assert [ref_of(item).name for item in found.objects] == ["cfg-ver-4"]
    assert [ref_of(item).name for item in found.dropped] == ["cfg-ver-1", "cfg-ver-2"]


def test_all_versions_of_what_leaves_the_set_are_dropped() -> None:
    assert [ref_of(item).name for item in versions_of([], [live(1), live(2)]).dropped] == ["cfg-ver-1", "cfg-ver-2"]


def test_keep_original_adds_the_original_to_its_versions() -> None:
    found = versions_of([config_map(versioned_keep_original="")], [])

    assert [ref_of(item).name for item in found.objects] == ["cfg-ver-1", "cfg"]
    assert found.sources == (0, 0)


@pytest.mark.parametrize(("number", "message"), [("x", "to be an integer"), ("0", "to be a >= 1")])
def test_a_wrong_number_of_versions_is_a_fault(number: str, message: str) -> None:
    with pytest.raises(KappError, match=message):
        versions_of([config_map(num_versions=number)], [live(1)])


def test_kapp_crashes_over_a_version_of_what_it_is_to_leave_alone() -> None:
    assert versions_of([config_map(noop="")], []).added == {0}
    with pytest.raises(KappError, match="panic: Unexpected change op noop"):
        versions_of([config_map(noop="")], [live(1)])


def test_annotations_with_an_invalid_one_do_not_count() -> None:
    item = config_map()
    annotations = {**item["metadata"]["annotations"], "other": None}

    assert (
        versions_of([{**item, "metadata": {**item["metadata"], "annotations": annotations}}], []).added == frozenset()
    )


def test_references_to_other_objects_stay() -> None:
    other = {"name": "a", "envFrom": [{"configMapRef": {"name": "cfg", "namespace": "elsewhere"}}]}
    item = {**DEPLOYMENT, "spec": {"template": {"spec": {"containers": [other]}}}}

    assert reference(versions_of([item, config_map()], []).objects[0]) == "cfg"
    with pytest.raises(PathError, match=r"ObjectRefSetMod for path .* Unexpected non-array found: string"):
        versions_of([{**DEPLOYMENT, "spec": {"template": {"spec": {"containers": "x"}}}}, config_map()], [])


def test_references_in_annotations_are_replaced() -> None:
    mark = "kapp.k14s.io/versioned-explicit-ref"
    metadata = {**DEPLOYMENT["metadata"], "annotations": {mark: "kind: ConfigMap\napiVersion: v1\nname: cfg\n"}}
    found = versions_of([{**DEPLOYMENT, "metadata": metadata}, config_map()], [])

    assert found.objects[0]["metadata"]["annotations"] == {mark: "apiVersion: v1\nkind: ConfigMap\nname: cfg-ver-1\n"}
    with pytest.raises(KappError, match="non-empty apiVersion, kind and name keys"):
        versions_of([{**DEPLOYMENT, "metadata": {**metadata, "annotations": {mark: "kind: x"}}}, config_map()], [])


def test_a_version_is_marked_numbered_and_written_by_kapp() -> None:
    assert is_version(live(1))
    assert not is_version(config_map("cfg-ver-1"))
    assert not is_version(with_identity(config_map()))
