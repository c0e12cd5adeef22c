"""Variables of kustomizations whose values are in a part that is not rendered, with the real kubectl."""

from pathlib import Path

import pytest

from kubectl_applylint.sources.render.kustomize import render

WEB = """\
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - name: web
        image: "web:1"
        args: ["$(OTHER)", "$(cpu)"]
        resources: {requests: {cpu: $(cpu)}}
"""
VARS = (
    "vars:\n- {name: cpu, objref: {apiVersion: v1, kind: ConfigMap, name: params}, fieldref: {fieldpath: data.cpu}}\n"
)


@pytest.fixture(autouse=True)
def _path(kubectl: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(kubectl.parent))


@pytest.mark.parametrize(
    "missing",
    [
        "configMapGenerator: [{name: params, envs: [missing.env]}]\n",
        "configMapGenerator: [{name: params, literals: [cpu=1]}]\nconfigurations: [missing.yaml]\n",
    ],
    ids=["the values", "the fields"],
)
def test_a_variable_without_a_value_is_a_placeholder(tmp_path: Path, missing: str) -> None:
    (tmp_path / "web.yaml").write_text(WEB)
    kustomization = tmp_path / "kustomization.yaml"
    kustomization.write_text(f"resources: [web.yaml]\n{missing}{VARS}")
    found = render(str(kustomization))

    assert len(found.holes) == 1
    (web,) = (one for one in found.documents if one.ref.kind == "Deployment")
    (container,) = web.object["spec"]["template"]["spec"]["containers"]
    assert container["resources"]["requests"]["cpu"] == "${cpu}"
    assert container["args"][0] == "$(OTHER)"
