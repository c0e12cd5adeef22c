import pytest

from kubectl_applylint.core.values import Json
from kubectl_applylint.sources.text.classify import (
    SkipReason,
    is_template,
    patch_paths,
    reason_to_skip,
    without_actions,
)

MANIFEST = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}


@pytest.mark.parametrize(
    "value",
    [
        MANIFEST,
        {"apiVersion": "example.com/v1", "kind": "Any"},
        {"apiVersion": "v1", "kind": "List", "items": []},
        {"apiVersion": "v1", "metadata": {"name": "kind is missing"}},
        {"kind": "ConfigMap", "metadata": {}},
        {**MANIFEST, "data": {"a": "{{ .Values.a }}", "$patch": "delete"}},
        {"apiVersion": "v1", "kind": "Config", "metadata": {}},
        {"apiVersion": "v1", "kind": "ConfigMapList", "items": []},
        {"apiVersion": "apps/v1", "kind": "Deployment", "spec": {}},
        {"apiVersion": "v1alpha1", "kind": "Deployment", "metadata": {"name": "a"}},
        {"apiVersion": "extensions/v1beta1", "kind": "Deployment", "spec": {}},
    ],
    ids=str,
)
def test_possible_manifests_are_not_skipped(value: Json) -> None:
    assert reason_to_skip(value, "dir/file.yaml") is None


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ({"services": {"web": {"image": "x"}}}, SkipReason.OTHER),
        ({"name": "ci", "true": {"push": None}, "jobs": {}}, SkipReason.OTHER),
        ({"apiVersion": "v2", "name": "chart", "version": "1.0.0"}, SkipReason.OTHER),
        ({"kind": "pipeline", "steps": []}, SkipReason.OTHER),
        ({"metadata": {"name": "a"}, "spec": {}}, SkipReason.OTHER),
        ({"apiVersion": "", "kind": None, "metadata": {}}, SkipReason.OTHER),
        ([{"op": "add", "path": "/a"}], SkipReason.OTHER),
        ("text", SkipReason.OTHER),
        ({**MANIFEST, "$patch": "delete"}, SkipReason.PATCH),
        ({"apiVersion": "kustomize.config.k8s.io/v1alpha1", "kind": "Component"}, SkipReason.KUSTOMIZATION),
        ({"apiVersion": "kind.x-k8s.io/v1alpha4", "kind": "Cluster"}, SkipReason.TOOL),
        ({"apiVersion": "backstage.io/v1alpha1", "kind": "Component", "metadata": {"name": "Web"}}, SkipReason.TOOL),
        ({"apiVersion": "skaffold/v4beta6", "kind": "Config", "metadata": {"name": "a"}}, SkipReason.TOOL),
        ({"apiVersion": "score.dev/v1b1", "metadata": {"name": "a"}, "containers": {}}, SkipReason.TOOL),
        ({"apiVersion": "v1", "kind": "Config", "contexts": [], "clusters": []}, SkipReason.TOOL),
        ({"apiVersion": "v1alpha1", "kind": "LinkConfig", "name": "eth0", "up": True}, SkipReason.TOOL),
        ({"apiVersion": "v1", "kind": "Policy", "predicates": []}, SkipReason.TOOL),
        ({"apiVersion": "v1", "baseDomain": "example.com", "metadata": {"name": "a"}}, SkipReason.TOOL),
        ({"apiVersion": "v1beta1", "kind": "AgentConfig", "metadata": {"name": "a"}}, SkipReason.TOOL),
        ({"apiVersion": "v1", "kind": "APIResourceList", "groupVersion": "apps/v1", "resources": []}, SkipReason.TOOL),
        ({"apiVersion": "v1", "kind": ["APIGroupList"]}, None),
        ({"apiVersion": "v1", "kind": "APIGroupList", "groups": []}, SkipReason.TOOL),
        ({"apiVersion": "apidiscovery.k8s.io/v2", "kind": "APIGroupDiscoveryList", "metadata": {}}, SkipReason.TOOL),
        ({**MANIFEST, "metadata": {"name": "{{ .Release.Name }}-a"}}, SkipReason.HELM),
        ({**MANIFEST, "kind": "{{ .Values.kind }}"}, SkipReason.HELM),
    ],
    ids=lambda value: str(value)[:60],
)
def test_other_documents_are_skipped_with_a_reason(value: Json, why: SkipReason) -> None:
    assert reason_to_skip(value, "dir/file.yaml") is why


@pytest.mark.parametrize(
    "name", ["kustomization.yaml", "dir/kustomization.yml", "dir/Kustomization", "a\\Kustomization"]
)
def test_kustomizations_by_name(name: str) -> None:
    assert reason_to_skip({"resources": ["a.yaml"]}, name) is SkipReason.KUSTOMIZATION
    assert reason_to_skip({}, name) is SkipReason.KUSTOMIZATION
    assert reason_to_skip(MANIFEST, name) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name: {{ .Values.name }}\n", True),
        ("{{- if .Values.on }}\na: b\n{{- end }}\n", True),
        ('  {{ include "x" . | nindent 4 }}\n', True),
        ("- {{ . }}\n", True),
        ("{{/* about */}}\n", True),
        ("a: {{- toYaml .x }}\n", True),
        ("a: '{{ .x }}'\n", False),
        ('summary: "{{ $labels.pod }} is down"\n', False),
        ("a: {b: {{c: d}: e}}\n", True),
        ("{% if x %}\na: 1\n{% endif %}\n", True),
        ("a: '{% x %}'\n", False),
        ("{{{{", False),
        ("a: {{}}\n", False),
    ],
)
def test_templates(text: str, expected: bool) -> None:
    assert is_template(text) is expected


def test_actions_are_taken_out() -> None:
    assert without_actions('a: "{{ .x | default "y" }}z"\nb: {{ .c }}\nd: {{}}\n') == 'a: "z"\nb: \nd: \n'


@pytest.mark.parametrize(
    ("kustomization", "paths"),
    [
        (
            {"patches": [{"path": "b.yaml"}, {"path": "../a.yaml"}, {"patch": "- op: add"}]},
            ["../a.yaml", "b.yaml"],
        ),
        ({"patchesStrategicMerge": ["c.yaml", "apiVersion: v1\nkind: X\n"]}, ["c.yaml"]),
        ({"patchesJson6902": [{"path": "d.json", "target": {}}]}, ["d.json"]),
        ({"patches": None, "resources": ["x.yaml"]}, []),
        ({"patches": "x", "patchesJson6902": [5, {"path": 5}]}, []),
        (None, []),
    ],
    ids=str,
)
def test_patches_of_a_kustomization(kustomization: Json, paths: list[str]) -> None:
    assert patch_paths(kustomization) == paths
