"""Objects that a FluxInstance creates, with its patches and the values of its chart."""

import shutil
from pathlib import Path

import pytest

from kubectl_applylint.core.values import dig
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.flux_instances import instance_objects
from kubectl_applylint.run.sides.named_objects import NamedObjects
from tests.run.running import write
from tests.units.documents import documents

pytestmark = pytest.mark.skipif(not (shutil.which("kustomize") or shutil.which("kubectl")), reason="no kustomize here")
INSTANCE = """\
apiVersion: fluxcd.controlplane.io/v1
kind: FluxInstance
metadata: {name: flux, namespace: flux-system}
spec:
  sync: {kind: GitRepository, url: https://host/team/deploy, ref: refs/heads/main, path: clusters/prod}
  kustomize:
    patches:
      - {target: {kind: Deployment}, patch: '[{op: remove, path: /spec/replicas}]'}
      - target: {kind: Kustomization}
        patch: |
          - {op: add, path: /spec/postBuild, value: {substitute: {TIER: front}}}
"""
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: flux, namespace: flux-system}
spec:
  chartRef: {kind: OCIRepository, name: flux-instance}
  valuesFrom: [{kind: ConfigMap, name: flux-values}]
"""
VALUES = """\
apiVersion: v1
kind: ConfigMap
metadata: {name: flux-values, namespace: flux-system}
data:
  values.yaml: |
    instance: {sync: {kind: OCIRepository, url: 'oci://host/deploy', ref: latest, path: %s}}
"""


def test_patches_of_the_kustomization_are_applied(tmp_path: Path) -> None:
    (document,) = documents(INSTANCE)

    source, kustomization = instance_objects(document, (), NamedObjects(sides.of_folder(str(tmp_path))))
    assert source.ref.kind == "GitRepository"
    assert dig(kustomization.object, "spec", "postBuild", "substitute") == {"TIER": "front"}
    assert dig(kustomization.object, "spec", "path") == "clusters/prod"


def test_a_patch_that_fails_changes_nothing(tmp_path: Path) -> None:
    (document,) = documents(INSTANCE.replace("op: add, path: /spec/postBuild", "op: replace, path: /spec/none/a"))

    _, kustomization = instance_objects(document, (), NamedObjects(sides.of_folder(str(tmp_path))))
    assert "postBuild" not in kustomization.object["spec"]


def test_the_values_of_the_chart_come_from_a_config_map(tmp_path: Path) -> None:
    write(tmp_path, {"values.yaml": VALUES % "clusters/file"})
    objects = NamedObjects(sides.of_folder(str(tmp_path)))
    (release,) = documents(RELEASE)

    def path(*configs: str) -> object:
        known = [one for text in configs for one in documents(text)]
        return dig(instance_objects(release, known, objects)[-1].object, "spec", "path")

    assert path() == "clusters/file"
    assert path(VALUES % "clusters/unit") == "clusters/unit"


def test_values_that_are_not_valid_create_nothing(tmp_path: Path) -> None:
    (release,) = documents(RELEASE.replace("kind: ConfigMap", "kind: Other"))

    assert instance_objects(release, (), NamedObjects(sides.of_folder(str(tmp_path)))) == ()
