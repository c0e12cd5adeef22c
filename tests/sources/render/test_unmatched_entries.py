"""Entries whose target is missing."""

import pytest

from kubectl_applylint.core.values import Json, items, text_at
from kubectl_applylint.sources.render.missing_parts import only_document
from kubectl_applylint.sources.render.unmatched_entries import without_entries_of_missing_objects, without_unmatched
from tests.sources.render.test_missing_parts import tree

PATCH = "{apiVersion: v1, kind: ConfigMap, metadata: {name: %s}, data: {a: b}}"
UNMATCHED = "no matches for Id ConfigMap.v1.[noGrp]/gone.[noNs]; failed to find unique target for patch ConfigMap.v1"
BOTH = f"{PATCH % 'gone'}\n---\n{{kind: Service}}\n"


@pytest.mark.parametrize(
    ("fields", "complaint", "left"),
    [
        (f"patches: [{{patch: '{PATCH % 'gone'}'}}]", UNMATCHED, {"patches": []}),
        ("patches: [{path: both.yaml}]", UNMATCHED, {"patches": [{"patch": '{"kind": "Service"}'}]}),
        (f"patchesStrategicMerge: ['{PATCH % 'gone'}']", UNMATCHED, {"patchesStrategicMerge": []}),
        ("patchesStrategicMerge: [both.yaml]", UNMATCHED, {"patchesStrategicMerge": ['{"kind": "Service"}']}),
        (
            "replicas: [{name: a, count: 2}, {name: b, count: 2}]",
            "resource with name a does not match a config with the following GVK",
            {"replicas": [{"name": "b", "count": 2}]},
        ),
        (
            "replacements: [{source: {kind: Secret, name: a}}]",
            "nothing selected by Secret.[noVer].[noGrp]/a.[noNs]",
            {"replacements": []},
        ),
        (
            "vars: [{name: A, objref: {kind: Service}}]",
            "var '{A Service.v1.[noGrp] {metadata.name}}' cannot be mapped to a field in the set of known resources",
            {"vars": []},
        ),
        (
            "secretGenerator: [{name: a, behavior: merge}]",
            'id resid.ResId{Gvk:resid.Gvk{Kind:"Secret"}, Name:"a", Namespace:""} does not exist; cannot merge',
            None,
        ),
        (
            "secretGenerator: [{name: a, behavior: merge}]",
            'id resid.ResId{Kind:"Secret"}, Name:"a", Namespace:""} does not exist; cannot merge or replace',
            {"secretGenerator": []},
        ),
        ("namePrefix: x", "some other error", None),
        ("namePrefix: x", UNMATCHED, None),
    ],
)
def test_entries_with_a_missing_target_are_left_out(fields: str, complaint: str, left: Json) -> None:
    found = tree({"kustomization.yaml": f"resources: [gone.yaml]\n{fields}", "both.yaml": BOTH})
    assert found is not None

    rest = without_unmatched(found, complaint)

    assert (rest and {**rest.documents["kustomization.yaml"]}) == (left and {"resources": [], **mapping(left)})
    assert rest is None or rest.unmatched


def mapping(value: Json) -> dict[str, Json]:
    assert isinstance(value, dict)
    return value


OBJECTS = "kind: Deployment\nmetadata: {name: web}\n---\nkind: List\nitems: [{kind: Service, metadata: {name: web}}]\n"
NAMED = {
    "patch": f"patches: [{{patch: '{PATCH % 'gone'}'}}, {{patch: '{PATCH % 'made'}'}}]",
    "patch of another kind": f"patchesStrategicMerge: ['{PATCH % 'web'}', '{PATCH % 'x-made'}']",
    "replicas": "replicas: [{name: gone, count: 1}, {name: web, count: 1}]",
    "replacement": "replacements: [{source: {kind: Secret, name: a}}, {source: {kind: Service}}, {path: a.yaml}]",
    "variable": "vars: [{name: A, objref: {kind: Secret, name: a}}, {name: B, objref: {kind: Service, name: web}}]",
    "generator": "secretGenerator: [{name: a, behavior: merge}, {name: b}]",
}


@pytest.mark.parametrize("field", NAMED.values(), ids=NAMED)
def test_an_entry_of_an_object_that_is_in_no_file_is_left_out(field: str) -> None:
    generator = "" if field.startswith("secret") else "configMapGenerator: [{name: made}]\n"
    text = f"resources: [gone.yaml, web.yaml]\n{generator}{field}"
    found = tree({"kustomization.yaml": text, "web.yaml": OBJECTS, "a.yaml": "[]"})
    assert found is not None

    rest = without_entries_of_missing_objects(found)

    name = field.partition(":")[0]
    assert [(one.name, one.value) for one in rest.unmatched] == [
        (name, entry_of(found.texts["kustomization.yaml"], name))
    ]


def entry_of(text: bytes, name: str) -> Json:
    document = only_document(text)
    assert document is not None
    first = items(document[name])[0]
    patch = text_at(first, "patch") or first
    return only_document(patch.encode()) if isinstance(patch, str) else first


@pytest.mark.parametrize(
    "entry", ["patches: [{path: a.yaml, target: {kind: X}}]", "generators: [plugin.yaml]", "images: [{name: a}]"]
)
def test_other_entries_stay(entry: str) -> None:
    plugin = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\n"
    found = tree(
        {"kustomization.yaml": f"resources: [gone.yaml]\n{entry}", "a.yaml": PATCH % "a", "plugin.yaml": plugin}
    )
    assert found is not None

    assert without_entries_of_missing_objects(found) == found


def test_a_plugin_may_generate_the_target() -> None:
    plugin = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\n"
    text = f"resources: [gone.yaml]\ngenerators: [plugin.yaml]\npatches: [{{patch: '{PATCH % 'a'}'}}]"
    found = tree({"kustomization.yaml": text, "plugin.yaml": plugin})
    assert found is not None

    assert without_entries_of_missing_objects(found) == found
