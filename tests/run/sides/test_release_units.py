"""HelmReleases as units, with their charts and values."""

from pathlib import Path

import pytest

from kubectl_applylint.core.state import Unknown
from kubectl_applylint.run.sides import sides
from kubectl_applylint.run.sides.named_objects import NamedObjects
from kubectl_applylint.run.sides.release_units import may_declare_units, nested_release_units, release_units
from kubectl_applylint.units.model import Applied, Form, ReleaseInputs, Unit
from tests.run.running import write
from tests.units.documents import documents

RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: shop}
spec:
  chartRef: {kind: OCIRepository, name: web}
  valuesFrom: [{kind: ConfigMap, name: settings}, {kind: Secret, name: keys}]
"""
SOURCE = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: web}
spec: {url: "oci://example.com/charts/web", ref: {tag: %s}}
"""
SETTINGS = (
    "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\ndata: {values.yaml: 'a: %s'}\n"
)
SECRET = "apiVersion: v1\nkind: Secret\nmetadata: {name: keys, namespace: shop}\nstringData: {values.yaml: '%s'}\n"


def inputs(folder: Path, text: str = RELEASE) -> ReleaseInputs:
    (unit,) = release_units(documents(text), "prod", NamedObjects(sides.of_folder(str(folder))))
    return unit.applied.release


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    write(tmp_path, {"source.yaml": SOURCE % "1.0.0", "settings.yaml": SETTINGS % "1", "keys.yaml": SECRET % "hunter2"})
    return tmp_path


def test_a_release_has_its_chart_and_values(folder: Path) -> None:
    found = inputs(folder)

    assert str(found.chart) == "oci://example.com/charts/web 1.0.0"
    settings, keys = found.values
    assert settings == ("ConfigMap", "shop", "settings", (("values.yaml", "a: 1"),))
    assert keys[:3] == ("Secret", "shop", "keys")
    assert isinstance(dict(keys[3] if isinstance(keys[3], tuple) else ())["values.yaml"], Unknown)
    assert "hunter2" not in repr(found)


@pytest.mark.parametrize(
    ("file", "text"),
    [("source.yaml", SOURCE % "1.1.0"), ("settings.yaml", SETTINGS % "2"), ("keys.yaml", SECRET % "hunter3")],
    ids=["version", "values", "secret"],
)
def test_a_change_of_a_file_that_a_release_reads_changes_its_key(folder: Path, file: str, text: str) -> None:
    before = inputs(folder)
    assert inputs(folder).key == before.key

    (folder / file).write_text(text)
    assert inputs(folder).key != before.key


def test_objects_of_the_unit_come_first(folder: Path) -> None:
    (unit, *_) = release_units(
        documents(f"{RELEASE}---\n{SOURCE.replace('name: web', 'name: web, namespace: shop') % '2.0.0'}"),
        "prod",
        NamedObjects(sides.of_folder(str(folder))),
    )

    assert unit.applied.release.chart
    assert unit.applied.release.chart.version == "2.0.0"


APPLICATION_SET = """\
apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: all, namespace: argocd}
spec:
  generators: [{merge: {mergeKeys: [name], generators: [{clusters: {}}, {list: {elements: [{name: %s}]}}]}}]
  template: {metadata: {name: "{{name}}"}, spec: {source: {path: "apps/{{name}}"}}}
"""


def test_a_changed_generator_that_is_not_evaluated_is_a_change_of_the_applications(tmp_path: Path) -> None:
    objects = NamedObjects(sides.of_folder(str(tmp_path)))
    (was,), (now,) = (release_units(documents(APPLICATION_SET % name), "prod", objects) for name in ("web", "api"))

    assert was.applied.gap
    assert (was.key, was.applied.tool_object) == (now.key, now.applied.tool_object)
    assert was.applied.inputs_key != now.applied.inputs_key


def test_a_missing_source_is_a_reason(tmp_path: Path) -> None:
    assert inputs(tmp_path).reason == "OCIRepository shop/web is not in the repository"


SET = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSet
metadata: {name: apps, namespace: flux-system}
spec:
  %s
  resources:
    - apiVersion: helm.toolkit.fluxcd.io/v2
      kind: HelmRelease
      metadata: {name: web-<< inputs.tenant >>, namespace: shop}
      spec: {chartRef: {kind: OCIRepository, name: web}}
"""
PROVIDER = """\
apiVersion: fluxcd.controlplane.io/v1
kind: ResourceSetInputProvider
metadata: {name: tenants}
spec: {type: %s, defaultValues: {tenant: b}}
"""


@pytest.mark.parametrize(
    ("spec", "provider", "roots"),
    [
        ("inputs: [{tenant: a}, {tenant: b}]", "", ["HelmRelease/shop/web-a", "HelmRelease/shop/web-b"]),
        ("inputsFrom: [{name: tenants}]", PROVIDER % "Static", ["HelmRelease/shop/web-b"]),
        ("inputsFrom: [{name: tenants}]", PROVIDER % "GitHubBranch", []),
        ("inputs: [{name: a}]", "", []),
    ],
)
def test_the_releases_of_a_resource_set_are_units(tmp_path: Path, spec: str, provider: str, roots: list[str]) -> None:
    write(tmp_path, {"provider.yaml": provider})
    side = sides.of_folder(str(tmp_path))

    first, *others = nested_release_units(side, documents(SET % spec), "prod", NamedObjects(side))
    assert (first.root, first.form) == ("ResourceSet/flux-system/apps", Form.RESOURCE_SET)
    assert [one.root for one in others] == roots


def test_a_resource_set_with_inputs_of_the_cluster_is_named(tmp_path: Path) -> None:
    objects = NamedObjects(sides.of_folder(str(tmp_path)))

    (unit,) = release_units(documents(SET % "inputsFrom: [{name: tenants}]"), "prod", objects)
    assert unit.applied.gap == "ResourceSetInputProvider tenants is not in the files"


@pytest.mark.parametrize(
    ("files", "source", "declares"),
    [
        ({"web/templates/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"}, {}, True),
        ({"web/templates/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: {{ .Values.kind }}\n"}, {}, True),
        ({"web/templates/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Rollout\n"}, {}, False),
        ({"other/app.yaml": "apiVersion: argoproj.io/v1alpha1\nkind: Application\n"}, {}, False),
        ({"prod.yaml": "more:\n- apiVersion: argoproj.io/v1alpha1\n  kind: Application\n"}, "../prod.yaml", True),
        ({"web/app.jsonnet": "{kind: 'Application'}"}, {}, True),
        ({"web/app.jsonnet": "import '../lib/app.libsonnet'", "lib/app.libsonnet": "{kind: 'Application'}"}, {}, True),
        ({"web/app.jsonnet": "{}", "other/app.jsonnet": "{kind: 'Application'}"}, {}, False),
        ({}, {"more": [{"kind": "Application"}]}, True),
        ({}, {"title": "Application"}, False),
    ],
)
def test_an_application_declares_units_only_if_its_files_or_values_do(
    tmp_path: Path, files: dict[str, str], source: dict[str, object] | str, declares: bool
) -> None:
    write(tmp_path, {"web/Chart.yaml": "name: web\n", **files})
    helm = {"valueFiles": [source]} if isinstance(source, str) else {"valuesObject": source}
    item = {"spec": {"source": {"repoURL": "https://example.com/o/r", "path": "web", "helm": helm}}}
    unit = Unit("Application/argocd/web", Form.RELEASE, frozenset(), Applied("argocd", tool_object=item))

    assert may_declare_units(unit, NamedObjects(sides.of_folder(str(tmp_path)))) is declares
