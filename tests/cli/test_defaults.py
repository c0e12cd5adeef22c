import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from kubectl_applylint.core.values import JsonObject
from kubectl_applylint.run.load.reading import NEWEST_RECORDED
from kubectl_applylint.schema.load import load
from kubectl_applylint.server.defaults.explain import with_defaults
from tests.cli.conftest import PASSWORD
from tests.fidelity.manifests import BASES, load_all

Run = Callable[..., tuple[int, str, str]]
CRD = """\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.x.io}
spec:
  group: x.io
  names: {kind: Widget, plural: widgets}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer, default: 3}}}}
---
apiVersion: x.io/v1
kind: Widget
metadata: {name: w}
"""


def test_defaults_are_marked_with_what_they_follow_from(run: Run) -> None:
    code, out, err = run("defaults", "-f", "web.yaml,settings.yaml")

    assert (code, err) == (0, "")
    assert "  replicas: 1  # default\n" in out
    assert "        imagePullPolicy: IfNotPresent  # default from image\n" in out
    assert out.endswith(
        "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: settings\n  namespace: shop\ndata:\n  a: b\n"
    )


def test_the_output_can_be_read_again(run: Run, folder: Path) -> None:
    _, once, _ = run("defaults", "web.yaml")
    (folder / "whole.yaml").write_text(once)
    code, twice, _ = run("defaults", "whole.yaml")

    assert code == 0
    assert "#" not in twice
    assert yaml.safe_load(twice) == yaml.safe_load(once)


@pytest.mark.parametrize("manifest", load_all([BASES]), ids=lambda m: f"{m['kind']}-{m['metadata']['name']}")
def test_every_kind_can_be_fed_back(run: Run, folder: Path, manifest: JsonObject) -> None:
    kind = load(NEWEST_RECORDED).kind(manifest["apiVersion"], manifest["kind"])
    (folder / "one.json").write_text(json.dumps(manifest))
    code, out, _ = run("defaults", "one.json", "--show-secrets")

    assert code == 0
    assert yaml.safe_load(out) == (with_defaults(manifest, kind, NEWEST_RECORDED).object if kind else manifest)


def test_a_version_decides(run: Run, folder: Path) -> None:
    volume = {"name": "v", "image": {"reference": "nginx"}}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"volumes": [volume]}}
    (folder / "pod.json").write_text(json.dumps(pod))

    old, new = (run("defaults", "pod.json", "--kubernetes-version", minor)[1] for minor in ("1.33", "1.36"))

    assert "pullPolicy" not in old
    assert "pullPolicy: Always  # default from reference\n" in new


def test_a_definition_among_the_files_has_defaults(run: Run, folder: Path) -> None:
    (folder / "widget.yaml").write_text(CRD)

    _, out, _ = run("defaults", "widget.yaml")

    assert out.endswith("size: 3  # default of the custom resource definition\n")


def test_an_unknown_kind_stays_as_it_is(run: Run, folder: Path) -> None:
    (folder / "widget.yaml").write_text(CRD.partition("---\n")[2])

    code, out, err = run("defaults", "widget.yaml")

    assert (code, out) == (0, "apiVersion: x.io/v1\nkind: Widget\nmetadata:\n  name: w\n")
    assert "no definition of the kind was found: 1 Widget (x.io/v1)" in err


def test_values_of_a_secret_are_masked(run: Run) -> None:
    _, masked, _ = run("defaults", "secret.yaml", "-o", "json", "-o", "text=out.yaml")
    _, open_, _ = run("defaults", "secret.yaml", "--show-secrets")

    assert PASSWORD not in masked + Path("out.yaml").read_text()
    assert PASSWORD in open_


def test_a_variable_that_repeats_a_secret_is_masked(run: Run, folder: Path) -> None:
    container = {"name": "c", "env": [{"name": "GREETING", "value": PASSWORD}]}
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [container]}}
    (folder / "pod.json").write_text(json.dumps(pod))

    assert PASSWORD in run("defaults", "pod.json")[1]
    assert PASSWORD not in run("defaults", "pod.json", "secret.yaml")[1]


def test_the_namespace_that_kubectl_adds_is_no_default(run: Run, folder: Path) -> None:
    (folder / "a.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n")

    assert run("defaults", "a.yaml")[1] == "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n"


def test_a_manifest_that_no_server_reads_is_a_problem(run: Run, folder: Path) -> None:
    (folder / "bad.yaml").write_text("apiVersion: v1\nkind: Service\nmetadata: {name: b}\nspec: {type: 1}\n")

    code, out, err = run("defaults", "bad.yaml", "settings.yaml")

    assert code == 3
    assert out.startswith("apiVersion: v1\nkind: ConfigMap")
    assert "bad.yaml:1:1 service/b: problem: " in err
    assert "cannot unmarshal number into Go struct field ServiceSpec.spec.type" in err


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "specify manifests: applylint defaults -f FILE"),
        (("web.yaml", "-o", "sarif"), "--output: defaults has no format sarif; it has text, yaml, json"),
    ],
    ids=["no files", "another form"],
)
def test_wrong_use(run: Run, argv: tuple[str, ...], words: str) -> None:
    assert run("defaults", *argv) == (2, "", f"applylint: {words}\n")
