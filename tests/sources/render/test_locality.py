"""Files of a kustomization, and faults that prevent its rendering."""

from collections.abc import Mapping

import pytest

from kubectl_applylint.sources.render.kustomization import Folders
from kubectl_applylint.sources.render.kustomize_fields import Use
from kubectl_applylint.sources.render.locality import UnrenderableReason, find_inputs, is_address

PATCH = "'{apiVersion: builtin, kind: PatchTransformer, metadata: {name: x}, path: %s}'"
HTTP = "http://127.0.0.1:1/x.yaml"
REMOTE = {
    "resource": f"resources: [{HTTP}]",
    "repository": "resources: [github.com/some/where]",
    "repository over ssh": "resources: ['git@example.com:some/where']",
    "repository with a query": "resources: ['example/where?ref=main']",
    "repository with a prefix": "resources: ['git::example.com/where']",
    "local repository": "resources: ['file:///etc']",
    "base": "bases: [https://example.com/far]",
    "component": "components: ['ssh://git@example.com/far']",
    "patch": f"patches: [{{path: {HTTP}}}]",
    "JSON patch": f"patchesJson6902: [{{path: {HTTP}}}]",
    "strategic patch": f"patchesStrategicMerge: [{HTTP}]",
    "replacement": f"replacements: [{{path: {HTTP}}}]",
    "CRD": f"crds: [{HTTP}]",
    "configuration": f"configurations: [{HTTP}]",
    "OpenAPI": f"openapi: {{path: {HTTP}}}",
    "file of a ConfigMap": f"configMapGenerator: [{{name: a, files: [{HTTP}]}}]",
    "file with a key": f"configMapGenerator: [{{name: a, files: ['k={HTTP}']}}]",
    "file with a query": f"configMapGenerator: [{{name: a, files: ['{HTTP}?a=b']}}]",
    "variables": f"configMapGenerator: [{{name: a, envs: [{HTTP}]}}]",
    "variables of one file": f"configMapGenerator: [{{name: a, env: {HTTP}}}]",
    "file of a Secret": f"secretGenerator: [{{name: a, files: [{HTTP}]}}]",
    "variables of a Secret": f"secretGenerator: [{{name: a, envs: [{HTTP}]}}]",
    "generator": f"generators: [{HTTP}]",
    "transformer": f"transformers: [{HTTP}]",
    "validator": f"validators: [{HTTP}]",
    "transformer in place": f"transformers: [{PATCH % HTTP}]",
    "validator in place": f"validators: [{PATCH % HTTP}]",
    "transformer in a file": "transformers: [far.yaml]",
    "generator in a file": "generators: [generator.yaml]",
    "transformers of a folder": "transformers: [plugins]",
    "another case": f"Resources: [{HTTP}]",
    "upper case scheme": "resources: ['HTTPS://example.com/x.yaml']",
    "merge key": f"<<: {{resources: [{HTTP}]}}",
    "alias": f"namePrefix: &x {HTTP}\nresources: [*x]",
    "binary": "resources: [!!binary aHR0cDovLzEyNy4wLjAuMTox]",
    "later document": f"resources: []\n---\nresources: [{HTTP}]",
    "inside of another": "resources: [far]",
    "inside of a component": "components: [component]",
    "URL with a line break": 'transformers: ["https://example.com/x\\n"]',
}
FILES = {
    "far.yaml": f"apiVersion: builtin\nkind: PatchTransformer\nmetadata: {{name: x}}\npath: {HTTP}\n",
    "generator.yaml": f"apiVersion: builtin\nkind: SecretGenerator\nmetadata: {{name: x}}\nenvs: ['{HTTP}']\n",
    "plugins/kustomization.yaml": "resources: [far.yaml]\n",
    "plugins/far.yaml": f"apiVersion: builtin\nkind: ReplacementTransformer\nreplacements: [{{path: {HTTP}}}]\n",
    "derived/kustomization.yaml": "resources: [x.yaml]\nnamePrefix: a\n",
    "derived/x.yaml": "",
    "far/kustomization.yaml": f"resources: [{HTTP}]\n",
    "component/kustomization.yaml": f"kind: Component\napiVersion: x/v1\npatches: [{{path: {HTTP}}}]\n",
    "here/kustomization.yaml": "resources: [../x.yaml]\n",
    "x.yaml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    "label.yaml": "apiVersion: builtin\nkind: LabelTransformer\nmetadata: {name: x}\nlabels: {a: 'http://b'}\n",
    "fn.yaml": "apiVersion: v1\nkind: Fn\nmetadata: {annotations: {config.kubernetes.io/function: 'exec: {}'}}\n",
    "broken.yaml": "a: [\n",
    "argoproj.io/x.yaml": "",
    "a@b.txt": "",
}
OTHER_FAULTS = {
    "missing file": ("patches: [{path: no.yaml}]", UnrenderableReason.MISSING),
    "missing resource": ("resources: [gone]", UnrenderableReason.MISSING),
    "component that is a file": ("components: [x.yaml]", UnrenderableReason.MISSING),
    "above": ("resources: [../../x]", UnrenderableReason.OUTSIDE),
    "absolute": ("configMapGenerator: [{name: a, files: [/etc/passwd]}]", UnrenderableReason.OUTSIDE),
    "chart": ("helmCharts: [{name: x}]", UnrenderableReason.CHART),
    "older chart": ("helmChartInflationGenerator: [{chartName: x}]", UnrenderableReason.CHART),
    "chart of a generator": (
        "generators: ['{apiVersion: builtin, kind: HelmChartInflationGenerator}']",
        UnrenderableReason.CHART,
    ),
    "function": ("transformers: [fn.yaml]", UnrenderableReason.PROGRAM),
    "plugin in place": ("generators: ['{apiVersion: a.io/v1, kind: Gen}']", UnrenderableReason.PROGRAM),
    "kind that is not built in": ("validators: ['{apiVersion: builtin, kind: Gen}']", UnrenderableReason.PROGRAM),
    "transformers that are patched": ("transformers: [derived]", UnrenderableReason.DERIVED),
    "broken transformer": ("transformers: [broken.yaml]", UnrenderableReason.UNREADABLE),
    "broken kustomization": ("resources: [", UnrenderableReason.UNREADABLE),
    "directive": ("%YAML 1.1\n---\nresources: [a]", UnrenderableReason.UNREADABLE),
}
LOCAL = {
    "files": "resources: [x.yaml, argoproj.io/x.yaml, here]",
    "patch in place": "patchesStrategicMerge: ['{apiVersion: v1, kind: ConfigMap}', \"a: b\\nc: http://d\"]",
    "user in a file name": "configMapGenerator: [{name: a, files: [a@b.txt, k=x.yaml], literals: ['u=http://x']}]",
    "transformer with a URL in a label": "transformers: [label.yaml]",
    "transformer in place": f"transformers: [{PATCH % 'x.yaml'}]",
    "URLs elsewhere": "commonAnnotations: {a: 'http://x'}\nimages: [{name: github.com/x, newName: 'http://y'}]",
    "globals of charts without charts": "helmGlobals: {chartHome: x}",
    "version of OpenAPI": "openapi: {version: v1.36.0}",
}


def folders(kustomization: str, files: Mapping[str, str] = FILES) -> Folders:
    every = {**files, "kustomization.yaml": f"{kustomization}\n"}
    return Folders(every.__contains__, lambda path: every[path].encode())


@pytest.mark.parametrize("kustomization", REMOTE.values(), ids=REMOTE)
def test_remote_entries_are_faults(kustomization: str) -> None:
    (fault,) = find_inputs("", folders(kustomization)).faults

    assert fault.reason in (UnrenderableReason.ADDRESS, UnrenderableReason.NOT_STORED)
    assert fault.is_elsewhere


@pytest.mark.parametrize(("kustomization", "reason"), OTHER_FAULTS.values(), ids=OTHER_FAULTS)
def test_missing_entries_are_faults_with_a_reason(kustomization: str, reason: UnrenderableReason) -> None:
    (fault,) = find_inputs("", folders(kustomization)).faults

    assert fault.reason is reason


@pytest.mark.parametrize("kustomization", LOCAL.values(), ids=LOCAL)
def test_existing_entries_are_no_faults(kustomization: str) -> None:
    assert find_inputs("", folders(kustomization)).faults == ()


def test_a_fault_has_a_place_and_a_field() -> None:
    direct, inner = (
        find_inputs("", folders(text)).faults[0]
        for text in (f"resources:\n- x.yaml\n- {HTTP}", f"resources: []\ntransformers:\n- {PATCH % HTTP}")
    )

    assert (direct.file, direct.place, direct.field) == ("kustomization.yaml", (3, 3), "resources[1]")
    assert str(direct) == f"resources[1]: {HTTP}: it is not in the store; download it with applylint fetch"
    assert (inner.file, inner.place, inner.field) == ("kustomization.yaml", (3, 3), "transformers[0]: path")


def test_the_input_of_a_kustomization_includes_its_references() -> None:
    made = find_inputs(
        "", folders("resources: [here]\ntransformers: [label.yaml]\nconfigMapGenerator: [{env: a@b.txt}]")
    )

    assert made.files == {"kustomization.yaml", "here/kustomization.yaml", "x.yaml", "label.yaml", "a@b.txt"}


def test_a_circle_ends() -> None:
    assert find_inputs("", folders("resources: [a]", {"a/kustomization.yaml": "resources: [..]\n"})).faults == ()


@pytest.mark.parametrize("text", ["./a@b", "../x", "a/b@c", "x.yaml", ".", "a.com/x"])
def test_a_path_is_no_address(text: str) -> None:
    assert not is_address(text, Use.RESOURCE)
